/* collectors/mailtext.c - growing text, and the encodings of mail (RFC 2045, RFC 2047) */
#include "collectors/mailtext.h"
#include <stdarg.h>
#include <string.h>
#include <nettle/base64.h>

#define LINE_INPUT_BYTES 57 /* make 76 characters of base64 */
#define QP_LINE_MAX 76

void mailtext_done(struct mailtext *t)
{
        free(t->data);
        *t = MAILTEXT_NULL;
}

void mailtext_clear(struct mailtext *t)
{
        t->used = 0;
        t->failed = false;
}

/* reserve() - room for @n_bytes more and a NUL. Return: where they go, or NULL. */
static char *reserve(struct mailtext *t, size_t n_bytes)
{
        if (t->failed)
                return NULL;
        if (t->used + n_bytes + 1 > t->size) {
                size_t size = (t->used + n_bytes + 1) * 2;
                char *grown = realloc(t->data, size);

                if (!grown) {
                        t->failed = true;
                        return NULL;
                }
                t->data = grown;
                t->size = size;
        }
        return t->data + t->used;
}

void mailtext_add(struct mailtext *t, const void *data, size_t n_bytes)
{
        char *at = reserve(t, n_bytes);

        if (!at)
                return;
        memcpy(at, data, n_bytes);
        t->used += n_bytes;
        t->data[t->used] = '\0';
}

void mailtext_put(struct mailtext *t, const char *string)
{
        mailtext_add(t, string, strlen(string));
}

void mailtext_putf(struct mailtext *t, const char *format, ...)
{
        char buffer[2048];
        va_list ap;
        int n;

        va_start(ap, format);
        n = vsnprintf(buffer, sizeof buffer, format, ap);
        va_end(ap);
        if (n < 0 || (size_t) n >= sizeof buffer)
                t->failed = true;
        else
                mailtext_add(t, buffer, (size_t) n);
}

void mailtext_base64(struct mailtext *t, const void *data, size_t n_bytes)
{
        const uint8_t *p = data;

        while (n_bytes > 0) {
                size_t n = n_bytes < LINE_INPUT_BYTES ? n_bytes : LINE_INPUT_BYTES;
                char *at = reserve(t, BASE64_ENCODE_RAW_LENGTH(n) + 1);

                if (!at)
                        return;
                base64_encode_raw(at, n, p);
                t->used += BASE64_ENCODE_RAW_LENGTH(n);
                mailtext_add(t, "\n", 1);
                p += n;
                n_bytes -= n;
        }
}

static void add_hex(struct mailtext *t, unsigned char c)
{
        static const char digits[] = "0123456789ABCDEF";
        const char hex[3] = { '=', digits[c >> 4], digits[c & 15] };

        mailtext_add(t, hex, sizeof hex);
}

void mailtext_quoted_printable(struct mailtext *t, const char *text, size_t n_bytes)
{
        size_t column = 0;

        for (size_t i = 0; i < n_bytes; i++) {
                unsigned char c = (unsigned char) text[i];
                bool at_end = i + 1 == n_bytes || text[i + 1] == '\n';
                bool plain = (c > ' ' && c < 0x7f && c != '=') || (c == ' ' && !at_end);
                size_t width = plain ? 1 : 3;

                if (c == '\n') {
                        mailtext_add(t, "\n", 1);
                        column = 0;
                        continue;
                }
                if (column + width > QP_LINE_MAX - 1) {
                        mailtext_put(t, "=\n");
                        column = 0;
                }
                if (plain)
                        mailtext_add(t, &text[i], 1);
                else
                        add_hex(t, c);
                column += width;
        }
}

static void add_q_word(struct mailtext *t, const char *word, size_t n_bytes)
{
        for (size_t i = 0; i < n_bytes; i++) {
                unsigned char c = (unsigned char) word[i];

                if (c == ' ')
                        mailtext_add(t, "_", 1);
                else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
                        mailtext_add(t, &word[i], 1);
                else
                        add_hex(t, c);
        }
}

void mailtext_encoded_word(struct mailtext *t, const char *charset, char encoding, const char *word,
                           size_t n_bytes)
{
        mailtext_putf(t, "=?%s?%c?", charset, encoding);
        if (encoding == 'Q') {
                add_q_word(t, word, n_bytes);
        } else {
                char *at = reserve(t, BASE64_ENCODE_RAW_LENGTH(n_bytes));

                if (!at)
                        return;
                base64_encode_raw(at, n_bytes, (const uint8_t *) word);
                t->used += BASE64_ENCODE_RAW_LENGTH(n_bytes);
        }
        mailtext_put(t, "?=");
}
