/* record/mark_detail.c - key=value words, percent-encoded where a value would break them */
#include "record/mark_detail.h"
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define VALUE_MAX_BYTES 200

static bool needs_encoding(unsigned char c) { return c <= ' ' || c == '%' || c == 0x7f; }

static void append_word(struct mark_detail *d, const char *word, size_t n)
{
        size_t blank = d->used > 0;

        if (n + blank > MARK_DETAIL_MAX_BYTES - d->used)
                return;
        if (blank)
                d->text[d->used++] = ' ';
        memcpy(d->text + d->used, word, n);
        d->used += n;
        d->text[d->used] = '\0';
}

void mark_detail_add(struct mark_detail *d, const char *key, const char *format, ...)
{
        static const char hex[] = "0123456789ABCDEF";
        char value[VALUE_MAX_BYTES + 1], word[64 + 3 * VALUE_MAX_BYTES];
        size_t n;
        va_list list;

        va_start(list, format);
        (void) vsnprintf(value, sizeof value, format, list);
        va_end(list);

        n = (size_t) snprintf(word, 64, "%.60s=", key);
        for (const char *p = value; *p; p++) {
                unsigned char c = (unsigned char) *p;

                if (needs_encoding(c)) {
                        word[n++] = '%';
                        word[n++] = hex[c >> 4];
                        word[n++] = hex[c & 15];
                } else {
                        word[n++] = *p;
                }
        }
        append_word(d, word, n);
}

void mark_detail_append(struct mark_detail *d, const struct mark_detail *more)
{
        for (const char *p = more ? more->text : ""; *p;) {
                size_t n = strcspn(p, " ");

                append_word(d, p, n);
                p += n + strspn(p + n, " ");
        }
}

static int hex_digit(char c)
{
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'A' && c <= 'F')
                return c - 'A' + 10;
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* decode() - in place; what is no %XX stays as it is */
static void decode(char *text)
{
        char *to = text;

        for (const char *p = text; *p; p++) {
                int high = *p == '%' ? hex_digit(p[1]) : -1;
                int low = high >= 0 ? hex_digit(p[2]) : -1;

                if (low >= 0 && (high || low)) {
                        *to++ = (char) (high << 4 | low);
                        p += 2;
                } else {
                        *to++ = *p;
                }
        }
        *to = '\0';
}

int mark_detail_get(const char *detail, const char *key, char **ret)
{
        size_t key_bytes = strlen(key);

        for (const char *p = detail ? detail : ""; *p;) {
                size_t n = strcspn(p, " ");

                if (n > key_bytes && strncmp(p, key, key_bytes) == 0 && p[key_bytes] == '=') {
                        char *value = strndup(p + key_bytes + 1, n - key_bytes - 1);

                        if (!value)
                                return -ENOMEM;
                        decode(value);
                        *ret = value;
                        return 0;
                }
                p += n + strspn(p + n, " ");
        }
        return -ENOENT;
}
