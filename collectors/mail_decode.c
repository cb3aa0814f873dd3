/* collectors/mail_decode.c - RFC 2047: =?charset?B?...?= and =?charset?Q?...?=, through iconv */
#include <iconv.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>
#include <nettle/base64.h>
#include "collectors/mail_fields.h"
#include "record/macros.h"

#define CHARSET_MAX_BYTES 63

/* The parts of one encoded word inside a longer text. */
struct encoded {
        const char *start, *end; /* from "=?" to behind "?=" */
        const char *data;
        size_t data_bytes;
        char encoding; /* 'b' or 'q' */
        char charset[CHARSET_MAX_BYTES + 1];
};

static int find_encoded(const char *text, struct encoded *ret)
{
        for (const char *p = text; (p = strstr(p, "=?")); p++) {
                const char *charset = p + 2, *mark = strchr(charset, '?'), *data_end;
                size_t n = mark ? strcspn(charset, "?*") : 0; /* RFC 2231: a language after "*" */

                if (!mark)
                        return 0;
                if (n == 0 || n > CHARSET_MAX_BYTES || !strchr("bBqQ", mark[1]) || mark[2] != '?')
                        continue;
                data_end = strstr(mark + 3, "?=");
                if (!data_end)
                        continue;
                *ret = (struct encoded){ .start = p,
                                         .end = data_end + 2,
                                         .data = mark + 3,
                                         .data_bytes = (size_t) (data_end - mark - 3),
                                         .encoding = (char) (mark[1] | 0x20) };
                memcpy(ret->charset, charset, n);
                return 1;
        }
        return 0;
}

static int hex_digit(char c)
{
        if (c >= '0' && c <= '9')
                return c - '0';
        if ((c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'))
                return (c | 0x20) - 'a' + 10;
        return -1;
}

/* decode_bytes() - into @ret, which has room for data_bytes + 3. Return: how many, or -EINVAL. */
static ssize_t decode_bytes(const struct encoded *e, char *ret)
{
        size_t n = 0;

        if (e->encoding == 'b') {
                struct base64_decode_ctx context;

                base64_decode_init(&context);
                n = BASE64_DECODE_LENGTH(e->data_bytes);
                if (!base64_decode_update(&context, &n, (uint8_t *) ret, e->data_bytes, e->data))
                        return -EINVAL;
                return (ssize_t) n;
        }
        for (size_t i = 0; i < e->data_bytes; i++) {
                char c = e->data[i];

                if (c == '=' && i + 2 < e->data_bytes && hex_digit(e->data[i + 1]) >= 0 &&
                    hex_digit(e->data[i + 2]) >= 0) {
                        c = (char) (hex_digit(e->data[i + 1]) * 16 + hex_digit(e->data[i + 2]));
                        i += 2;
                } else if (c == '_') {
                        c = ' ';
                }
                ret[n++] = c;
        }
        return (ssize_t) n;
}

/* convert() - @data from @from, appended at *@out. Return: 0 or a negative errno. */
static int convert(const char *from, char *data, size_t n_bytes, const char *charset, char **out,
                   size_t *room)
{
        iconv_t converter = iconv_open(charset, from);
        char *at = *out;
        size_t left = *room;
        int r = 0;

        if (converter == (iconv_t) -1)
                return -errno;
        if (iconv(converter, &data, &n_bytes, &at, &left) == (size_t) -1 ||
            iconv(converter, NULL, NULL, &at, &left) == (size_t) -1)
                r = -errno;
        (void) iconv_close(converter);
        if (r < 0)
                return r;
        *out = at;
        *room = left;
        return 0;
}

static void copy(char **out, size_t *room, const char *text, size_t n_bytes)
{
        n_bytes = n_bytes < *room ? n_bytes : *room;
        memcpy(*out, text, n_bytes);
        *out += n_bytes;
        *room -= n_bytes;
}

/* without_unprintable() - a copy in which what would steer the terminal is '?', character by
 * character, as the clients do it; NULL when there is no memory */
static char *without_unprintable(const char *text)
{
        size_t left = strlen(text);
        mbstate_t in = { 0 }, out = { 0 };
        char *copy = malloc(left * MB_CUR_MAX + 1), *at = copy;

        while (copy && left > 0) {
                wchar_t c;
                size_t n = mbrtowc(&c, text, left, &in), n_written;

                if (n == 0 || n == (size_t) -1 || n == (size_t) -2) {
                        memset(&in, 0, sizeof in);
                        c = L'?';
                        n = 1;
                } else if (!iswprint((wint_t) c)) {
                        c = L'?';
                }
                n_written = wcrtomb(at, c, &out);
                at += n_written == (size_t) -1 ? 0 : n_written;
                text += n;
                left -= n;
        }
        if (copy)
                *at = '\0';
        return copy;
}

/* Encoded words of one charset that stand side by side are one text: a character may be cut in
 * two, and RFC 2047 has the white space between them belong to neither. */
struct run {
        char charset[CHARSET_MAX_BYTES + 1];
        char *bytes;
        size_t n_bytes;
        const char *start, *end; /* in the original text */
};

/* flush() - the run's text, or the original where that cannot be converted */
static void flush(struct run *run, const char *charset, char **out, size_t *room)
{
        if (!run->start)
                return;
        if (convert(run->charset, run->bytes, run->n_bytes, charset, out, room) < 0)
                copy(out, room, run->start, (size_t) (run->end - run->start));
        run->start = NULL;
        run->n_bytes = 0;
}

static void decode_words(const char *p, const char *charset, struct run *run, char **out,
                         size_t *room)
{
        struct encoded e;

        for (; find_encoded(p, &e); p = e.end) {
                size_t between = (size_t) (e.start - p);
                int adjacent = run->start && strspn(p, " \t") >= between;
                ssize_t n;

                if (!adjacent || strcasecmp(run->charset, e.charset) != 0)
                        flush(run, charset, out, room);
                if (!adjacent)
                        copy(out, room, p, between);
                n = decode_bytes(&e, run->bytes + run->n_bytes);
                if (n < 0) {
                        flush(run, charset, out, room);
                        copy(out, room, e.start, (size_t) (e.end - e.start));
                        continue;
                }
                if (!run->start)
                        run->start = e.start;
                memcpy(run->charset, e.charset, sizeof run->charset);
                run->n_bytes += (size_t) n;
                run->end = e.end;
        }
        flush(run, charset, out, room);
        copy(out, room, p, strlen(p));
}

int mail_decode(char **text, const char *charset)
{
        size_t n = *text ? strlen(*text) : 0, room = 4 * n; /* no charset needs more for a byte */
        struct run run = { .start = NULL };
        struct encoded first;
        char *decoded, *out;

        if (n == 0 || !find_encoded(*text, &first))
                return 0;
        decoded = out = malloc(room + 1);
        run.bytes = malloc(n + 3);
        if (!decoded || !run.bytes) {
                free(decoded);
                free(run.bytes);
                return -ENOMEM;
        }
        decode_words(*text, charset, &run, &out, &room);
        *out = '\0';
        free(run.bytes);
        out = without_unprintable(decoded);
        free(decoded);
        if (!out)
                return -ENOMEM;
        free(*text);
        *text = out;
        return 0;
}
