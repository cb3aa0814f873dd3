/* analyze/import/clean.c - each function undoes one thing, and none makes a text longer. */
#include "analyze/import/clean.h"
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "analyze/import/letters.h"
#include "record/utf8.h"

#define BINARY_LOOK_BYTES 4096
#define TAB_COLUMNS 8

/* ---- whole buffers ---- */

int clean_utf16(const char *bytes, size_t n_bytes, char **ret, size_t *ret_bytes)
{
        const unsigned char *p = (const unsigned char *) bytes;
        bool big;
        size_t used = 0;
        char *out;

        if (n_bytes < 2 || !((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff)))
                return 0;
        big = p[0] == 0xfe;
        out = malloc(n_bytes / 2 * 3 + 1);
        if (!out)
                return -ENOMEM;
        for (size_t i = 2; i + 1 < n_bytes; i += 2) {
                uint32_t c = (uint32_t) (big ? p[i] << 8 | p[i + 1] : p[i + 1] << 8 | p[i]);

                if (c >= 0xd800 && c < 0xdc00 && i + 3 < n_bytes) {
                        uint32_t low = (uint32_t) (big ? p[i + 2] << 8 | p[i + 3]
                                                       : p[i + 3] << 8 | p[i + 2]);

                        if (low >= 0xdc00 && low < 0xe000) {
                                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                                i += 2;
                        }
                }
                used += utf8_put(c, out + used);
        }
        out[used] = '\0';
        *ret = out;
        *ret_bytes = used;
        return 1;
}

/* NUL bytes and backspaces occur in logs of serial lines, so one here and there is no sign. UTF-16
 * without its mark has NUL as every second byte and is readable once they are gone. */
bool clean_is_binary(const char *bytes, size_t n_bytes)
{
        size_t n = n_bytes < BINARY_LOOK_BYTES ? n_bytes : BINARY_LOOK_BYTES, odd = 0, nul = 0;

        for (size_t i = 0; i < n; i++) {
                unsigned char c = (unsigned char) bytes[i];

                nul += c == 0;
                odd += c != 0 && c < 0x20 && !strchr("\t\n\r\b\f\033", c);
        }
        return odd * 16 > n || nul * 16 > n * 9;
}

static int hex_digit(char c)
{
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'A' && c <= 'F')
                return c - 'A' + 10;
        return -1;
}

/* soft_break() - bytes of "=", blanks, line end at @p; 0 when it is none */
static size_t soft_break(const char *p, const char *end)
{
        const char *q = p + 1;

        while (q < end && (*q == ' ' || *q == '\t'))
                q++;
        if (q < end && *q == '\r')
                q++;
        return q < end && *q == '\n' ? (size_t) (q + 1 - p) : 0;
}

/* is_quoted_printable() - in such a text every '=' begins an escape; "====" and "a=b" do not */
static bool is_quoted_printable(const char *bytes, const char *end)
{
        size_t escapes = 0, others = 0;

        for (const char *p = memchr(bytes, '=', (size_t) (end - bytes)); p;
             p = memchr(p + 1, '=', (size_t) (end - p - 1))) {
                if (end - p > 2 && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0)
                        escapes++;
                else if (p == bytes || p[-1] == '=' || soft_break(p, end) == 0)
                        others++;
        }
        return escapes > 0 && others * 10 <= escapes;
}

size_t clean_quoted_printable(char *bytes, size_t n_bytes)
{
        const char *p = bytes, *end = bytes + n_bytes;
        char *to = bytes;

        if (!is_quoted_printable(bytes, end))
                return n_bytes;
        while (p < end) {
                size_t n = *p == '=' ? soft_break(p, end) : 0;

                if (n > 0) {
                        *to++ = CLEAN_JOINED;
                        p += n;
                } else if (*p == '=' && end - p > 2 && hex_digit(p[1]) >= 0 &&
                           hex_digit(p[2]) >= 0) {
                        *to++ = (char) (hex_digit(p[1]) << 4 | hex_digit(p[2]));
                        p += 3;
                } else {
                        *to++ = *p == CLEAN_JOINED ? ' ' : *p;
                        p++;
                }
        }
        *to = '\0';
        return (size_t) (to - bytes);
}

/* ---- one line ---- */

/* escape_length() - bytes of a terminal's control sequence at @p (ESC, or what is left of one whose
 * ESC was lost on the way: "[31m"); 0 for none */
static size_t escape_length(const char *p, const char *end)
{
        const char *q = p + 1;

        if (*p == '[') {
                while (q < end && ((*q >= '0' && *q <= '9') || *q == ';'))
                        q++;
                return q > p + 1 && q < end && *q == 'm' ? (size_t) (q + 1 - p) : 0;
        }
        if (q >= end)
                return 1;
        if (*q == '[') {
                for (q++; q < end && (*q < 0x40 || *q > 0x7e); q++)
                        ;
                return (size_t) ((q < end ? q + 1 : q) - p);
        }
        if (*q == ']') { /* a title: up to BEL or ESC \ */
                for (q++; q < end && *q != '\a' && *q != '\033'; q++)
                        ;
                if (q < end && *q == '\033' && q + 1 < end)
                        q++;
                return (size_t) ((q < end ? q + 1 : q) - p);
        }
        return 2;
}

/* In a text of XML the tags are what matters. Its root stands at the head of a line or behind its
 * declaration, with quoting, colours and a byte order mark before it; anywhere else it is only
 * spoken of, and on a page it is escaped. */
bool clean_is_xml(const char *bytes, size_t n_bytes)
{
        static const char root[] = "<PhoronixTestSuite";
        const char *at = memmem(bytes, n_bytes, root, strlen(root)), *line = at;

        while (line && line > bytes && line[-1] != '\n' && line[-1] != '\r')
                line--;
        if (!at || (at > bytes && at[-1] == '>'))
                return at != NULL;
        while (line < at && !isalnum((unsigned char) *line))
                line += *line == '\033' ? escape_length(line, at) : 1;
        return line >= at;
}

/* What an HTML tag leaves behind. */
static const struct tag {
        const char *name, *open, *close;
} tags[] = {
        { "a", "", "" },        { "b", "", "" },         { "blockquote", "\n", "\n" },
        { "body", "\n", "\n" }, { "br", "\n", "\n" },    { "code", "", "" },
        { "div", "\n", "\n" },  { "em", "", "" },        { "font", "", "" },
        { "h1", "\n", "\n" },   { "h2", "\n", "\n" },    { "h3", "\n", "\n" },
        { "h4", "\n", "\n" },   { "hr", "\n", "\n" },    { "html", "\n", "\n" },
        { "i", "", "" },        { "kbd", "", "" },       { "li", "\n", "\n" },
        { "ol", "\n", "\n" },   { "p", "\n", "\n" },     { "pre", "\n", "\n" },
        { "samp", "", "" },     { "small", "", "" },     { "span", "", "" },
        { "strong", "", "" },   { "table", "\n", "\n" }, { "tbody", "", "" },
        { "td", "|", "" },      { "th", "|", "" },       { "thead", "", "" },
        { "tr", "\n", "\n" },   { "tt", "", "" },        { "u", "", "" },
        { "ul", "\n", "\n" },
};

/* BBCode needs its words spelled out, for "[3]" and "[2.5.41]" are data. */
static const char *const bb_words[] = { "b",    "i",     "u",   "code", "quote",
                                        "size", "color", "pre", "url" };

static size_t word_length(const char *p, const char *end)
{
        size_t n = 0;

        while (p + n < end && ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') ||
                               (n > 0 && p[n] >= '0' && p[n] <= '9')))
                n++;
        return n;
}

/* tag_length() - bytes of the HTML tag at @p, and what it leaves; 0 for none */
static size_t tag_length(const char *p, const char *end, const char **ret)
{
        bool closes = p + 1 < end && p[1] == '/';
        const char *name = p + 1 + closes, *close;
        size_t n = word_length(name, end);

        if (n == 0 || n > strlen("blockquote") || name + n >= end || !strchr(" >/\t", name[n]))
                return 0;
        close = memchr(name, '>', (size_t) (end - name));
        if (!close)
                return 0;
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
                if (strlen(tags[i].name) == n && strncasecmp(tags[i].name, name, n) == 0) {
                        *ret = closes ? tags[i].close : tags[i].open;
                        return (size_t) (close + 1 - p);
                }
        return 0;
}

static size_t bbcode_length(const char *p, const char *end)
{
        const char *name = p + 1 + (p + 1 < end && p[1] == '/'), *close;
        size_t n = word_length(name, end);

        if (n == 0 || name + n >= end || (name[n] != ']' && name[n] != '='))
                return 0;
        close = memchr(name, ']', (size_t) (end - name));
        for (size_t i = 0; close && i < sizeof bb_words / sizeof *bb_words; i++)
                if (strlen(bb_words[i]) == n && strncasecmp(bb_words[i], name, n) == 0)
                        return (size_t) (close + 1 - p);
        return 0;
}

/* markup_length() - Markdown's signs of emphasis, quoting and escape that stand inside a line */
static size_t markup_length(const char *p, const char *end)
{
        if (*p == '*' && p + 1 < end && p[1] == '*')
                return 2;
        if (*p == '`' && !(p + 1 < end && p[1] == '-')) /* "`-" is a branch of a tree */
                return 1;
        if (*p == '\\' && p + 1 < end && strchr("_*#>|~[]", p[1]))
                return 1;
        return 0;
}

/* passed_over() - bytes at @p that are no text; *ret is what they leave behind */
static size_t passed_over(const char *p, const char *end, const char **ret)
{
        *ret = "";
        switch (*p) {
        case '\033':
                return escape_length(p, end);
        case '<':
                return tag_length(p, end, ret);
        case '[': {
                size_t n = escape_length(p, end);

                return n ? n : bbcode_length(p, end);
        }
        case '*':
        case '`':
        case '\\':
                return markup_length(p, end);
        default:
                return 0;
        }
}

size_t clean_line(const char *from, size_t n_bytes, char *to, bool is_xml)
{
        const char *p = from, *end = from + n_bytes, *left;
        size_t used = 0;

        while (p < end) {
                uint32_t c;
                size_t n = !is_xml || *p == '\033' ? passed_over(p, end, &left) : 0;

                if (n > 0) {
                        /* A tag is longer than what it leaves. */
                        memcpy(to + used, left, strlen(left));
                        used += strlen(left);
                        p += n;
                        continue;
                }
                n = *p == '&' && !is_xml ? letters_entity(p, end, &c) : letters_get(p, end, &c);
                p += n;
                used += letters_put_plain(c, to + used);
        }
        return used;
}

/* ---- the margin ---- */

/* prompt_length() - "user@host:~/folder$ " or "[user@host folder]# "; 0 for none */
static size_t prompt_length(const char *p)
{
        static const char name_chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789._-";
        const char *q = p + (*p == '[');
        size_t n = strspn(q, name_chars);

        if (n == 0 || q[n] != '@')
                return 0;
        q += n + 1;
        n = strspn(q, name_chars);
        if (n == 0 || (q[n] != ':' && q[n] != ' '))
                return 0;
        q += n + 1;
        q += strcspn(q, " ]$#%");
        q += *q == ']' || (*q == ' ' && q[1] == '#'); /* FreeBSD's "root@box:~ # " */
        return strchr("$#%", *q) && q[0] && q[1] == ' ' ? (size_t) (q + 2 - p) : 0;
}

/* mark_length() - one sign of quoting, comment or list at the head of a line; 0 for none */
static size_t mark_length(const char *p, bool *ret_bullet)
{
        *ret_bullet = false;
        if (*p == '>')
                return 1;
        if (*p == '#' && (p[1] == ' ' || p[1] == '#' || p[1] == '\0'))
                return 1;
        if (p[0] == '/' && p[1] == '/')
                return 2;
        if ((*p == '*' || *p == '-' || *p == '+') && p[1] == ' ') {
                *ret_bullet = true;
                return 1;
        }
        return 0;
}

size_t clean_margin(const char *line, unsigned *ret_indent, bool *ret_bullet, bool *ret_prompt)
{
        const char *p = line;

        *ret_indent = 0;
        *ret_bullet = *ret_prompt = false;
        for (;;) {
                bool bullet;
                size_t n;

                for (; *p == ' ' || *p == '\t'; p++)
                        *ret_indent = *p == '\t' ? (*ret_indent / TAB_COLUMNS + 1) * TAB_COLUMNS
                                                 : *ret_indent + 1;
                n = mark_length(p, &bullet);
                *ret_bullet = *ret_bullet || bullet;
                if (n == 0) {
                        n = *p == '$' && p[1] == ' ' ? 1 : prompt_length(p);
                        *ret_prompt = *ret_prompt || n > 0;
                }
                if (n == 0)
                        return (size_t) (p - line);
                if (*p == '>')
                        *ret_indent = 0; /* what stands before quoting is no indent of the text */
                p += n;
        }
}
