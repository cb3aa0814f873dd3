/* analyze/import/letters.c - see letters.h. A byte that is no UTF-8 was Windows-1252 once: that is
 * where a lone 0xb5 (micro) or 0xa0 (a blank) comes from. What it means beyond the signs that
 * figures are written with becomes '?', a single byte again, so that nothing grows. */
#include "analyze/import/letters.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "record/utf8.h"

#define ENTITY_MAX_BYTES 10

static bool is_continued(const unsigned char *p, size_t n)
{
        for (size_t i = 1; i < n; i++)
                if ((p[i] & 0xc0) != 0x80)
                        return false;
        return true;
}

static uint32_t from_windows_1252(unsigned char c)
{
        switch (c) {
        case 0x85:
                return '.'; /* an ellipsis in one byte */
        case 0x91:
        case 0x92:
                return '\'';
        case 0x93:
        case 0x94:
                return '"';
        case 0x96:
        case 0x97:
                return '-';
        case 0xa0:
                return ' ';
        case 0xb5:
                return 'u';
        default:
                return '?';
        }
}

size_t letters_get(const char *text, const char *end, uint32_t *ret)
{
        const unsigned char *p = (const unsigned char *) text;
        size_t left = (size_t) (end - text), n;
        uint32_t c;

        if (p[0] < 0x80) {
                *ret = p[0];
                return 1;
        }
        n = p[0] >= 0xf0 && p[0] < 0xf5   ? 4
            : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
            : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                                          : 0;
        if (n == 0 || n > left || !is_continued(p, n)) {
                *ret = from_windows_1252(p[0]);
                return 1;
        }
        c = p[0] & (0xffu >> (n + 1));
        for (size_t i = 1; i < n; i++)
                c = c << 6 | (p[i] & 0x3f);
        if ((n == 3 && c < 0x800) || (n == 4 && c < 0x10000) || (c >= 0xd800 && c < 0xe000) ||
            c > 0x10ffff) {
                *ret = '?';
                return 1;
        }
        *ret = c;
        return n;
}

static const struct entity {
        const char *name;
        uint32_t c;
} entities[] = {
        { "amp;", '&' },       { "lt;", '<' },       { "gt;", '>' },       { "quot;", '"' },
        { "apos;", '\'' },     { "nbsp;", 0xa0 },    { "plusmn;", 0xb1 },  { "micro;", 0xb5 },
        { "ndash;", 0x2013 },  { "mdash;", 0x2014 }, { "minus;", 0x2212 }, { "hellip;", 0x2026 },
        { "lsquo;", 0x2018 },  { "rsquo;", 0x2019 }, { "ldquo;", 0x201c }, { "rdquo;", 0x201d },
        { "times;", 0xd7 },    { "deg;", 0xb0 },     { "middot;", 0xb7 },  { "bull;", 0x2022 },
        { "thinsp;", 0x2009 }, { "ensp;", 0x2002 },  { "emsp;", 0x2003 },  { "zwj;", 0x200d },
};

/* named_or_numbered() - bytes of an entity's body ("nbsp;", "#9492;", "#x2514;") at @p; 0 for none
 */
static size_t named_or_numbered(const char *p, const char *end, uint32_t *ret)
{
        char body[ENTITY_MAX_BYTES + 1];
        size_t n = (size_t) (end - p) < ENTITY_MAX_BYTES ? (size_t) (end - p) : ENTITY_MAX_BYTES;
        char *rest;
        unsigned long c;
        bool is_hex;

        memcpy(body, p, n);
        body[n] = '\0';
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
                if (strncmp(body, entities[i].name, strlen(entities[i].name)) == 0) {
                        *ret = entities[i].c;
                        return strlen(entities[i].name);
                }
        if (body[0] != '#')
                return 0;
        is_hex = body[1] == 'x' || body[1] == 'X';
        if (!strchr(is_hex ? "0123456789abcdefABCDEF" : "0123456789", body[1 + is_hex]) ||
            !body[1 + is_hex])
                return 0;
        c = strtoul(body + 1 + is_hex, &rest, is_hex ? 16 : 10);
        if (*rest != ';' || c > 0x10ffff)
                return 0;
        /* "&#65;" is shorter than no character's UTF-8; "&#1;" is no text. */
        *ret = c < 0x20 ? ' ' : (uint32_t) c;
        return (size_t) (rest + 1 - body);
}

size_t letters_entity(const char *p, const char *end, uint32_t *ret)
{
        const char *body = p + 1;
        size_t n;

        /* Pasted twice, encoded twice. */
        while ((size_t) (end - body) > 4 && memcmp(body, "amp;", 4) == 0 &&
               named_or_numbered(body + 4, end, ret) > 0)
                body += 4;
        n = named_or_numbered(body, end, ret);
        if (n == 0) {
                *ret = '&';
                return 1;
        }
        return (size_t) (body + n - p);
}

/* plain_form() - the ASCII that stands for @c, or NULL when @c stays as it is */
static const char *plain_form(uint32_t c)
{
        static const struct {
                uint32_t from, to;
                const char *plain;
        } forms[] = {
                { 0x00, 0x08, "" },      { 0x09, 0x09, "\t" },      { 0x0a, 0x0a, " " },
                { 0x0b, 0x0d, " " },     { 0x0e, 0x1f, "" },        { 0x7f, 0x9f, "" },
                { 0xa0, 0xa0, " " },     { 0xad, 0xad, "" },        { 0xb1, 0xb1, "+-" },
                { 0xb5, 0xb5, "u" },     { 0x3bc, 0x3bc, "u" },     { 0x2000, 0x200a, " " },
                { 0x200b, 0x200f, "" },  { 0x2010, 0x2015, "-" },   { 0x2018, 0x2019, "'" },
                { 0x2022, 0x2022, "*" }, { 0x2026, 0x2026, "..." }, { 0x2028, 0x2029, " " },
                { 0x202a, 0x202e, "" },  { 0x202f, 0x202f, " " },   { 0x205f, 0x205f, " " },
                { 0x2060, 0x2064, "" },  { 0x2212, 0x2212, "-" },   { 0x2500, 0x2501, "-" },
                { 0x2502, 0x2503, "|" }, { 0x2514, 0x2517, "`-" },  { 0x251c, 0x2523, "|-" },
                { 0x25cf, 0x25cf, "*" }, { 0x3000, 0x3000, " " },   { 0xfeff, 0xfeff, "" },
                { 0xfffe, 0xffff, "" },
        };

        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
                if (c >= forms[i].from && c <= forms[i].to)
                        return forms[i].plain;
        return NULL;
}

size_t letters_put_plain(uint32_t c, char *to)
{
        const char *plain = c >= 0x20 && c < 0x7f ? NULL : plain_form(c);

        if (!plain)
                return utf8_put(c, to);
        memcpy(to, plain, strlen(plain));
        return strlen(plain);
}
