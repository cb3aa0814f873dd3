/* machine/identifier.c - shapes of identifiers, matched by hand: each is a few groups of digits,
 * and a grammar of them all would be harder to read than this. */
#include "machine/identifier.h"
#include <ctype.h>
#include <string.h>
#include "record/digest.h"

#define HASH_DIGITS 16

/* hex_run() - how many hexadecimal digits begin at @p, at most @max */
static size_t hex_run(const char *p, size_t max)
{
        size_t n = 0;

        while (n < max && isxdigit((unsigned char) p[n]))
                n++;
        return n;
}

/* Each match_...() returns the length of such a thing at @p, or 0. */
static size_t match_groups(const char *p, const size_t *groups, size_t n_groups,
                           const char *separators)
{
        static const char escaped_dash[] = "\\x2d"; /* systemd's */
        const char *start = p;
        char separator = 0, found;
        size_t width;

        for (size_t i = 0; i < n_groups; i++) {
                if (hex_run(p, groups[i]) != groups[i])
                        return 0;
                p += groups[i];
                if (i + 1 == n_groups)
                        break;
                found = *p;
                width = 1;
                if (strncmp(p, escaped_dash, strlen(escaped_dash)) == 0) {
                        found = '-';
                        width = strlen(escaped_dash);
                }
                if (!found || !strchr(separators, found) || (separator && found != separator))
                        return 0;
                separator = found;
                p += width;
        }
        return (size_t) (p - start);
}

static size_t match_ipv4(const char *p)
{
        const char *start = p;

        for (int i = 0; i < 4; i++) {
                size_t n = strspn(p, "0123456789");

                if (n == 0 || n > 3)
                        return 0;
                p += n;
                if (i < 3 && *p++ != '.')
                        return 0;
        }
        return *p == '.' ? 0 : (size_t) (p - start);
}

/* Two colons at least with hexadecimal between, and either "::" or eight groups: times of day and
 * PCI addresses are neither. */
static size_t match_ipv6(const char *p)
{
        size_t n = strspn(p, "0123456789abcdefABCDEF:"), colons = 0;
        bool has_gap = false;

        for (size_t i = 0; i < n; i++) {
                colons += p[i] == ':';
                has_gap = has_gap || (p[i] == ':' && i + 1 < n && p[i + 1] == ':');
        }
        return colons == 7 || (colons >= 2 && has_gap && n > 3) ? n : 0;
}

/* match_wwn() - a World Wide Name, as links in /dev/disk/by-id bear it */
static size_t match_wwn(const char *p)
{
        static const char *const beginnings[] = { "0x5", "0x6", "eui.", "naa." };

        for (size_t i = 0; i < ELEMENTSOF(beginnings); i++) {
                size_t n = strlen(beginnings[i]), digits;

                if (strncmp(p, beginnings[i], n) != 0)
                        continue;
                digits = hex_run(p + n, 40);
                if (digits >= 15 && !isalnum((unsigned char) p[n + digits]))
                        return n + digits;
        }
        return 0;
}

bool identifier_word_begins(const char *text, const char *p)
{
        if (p == text || !isalnum((unsigned char) p[-1]))
                return true;
        /* "\\x2d" before it is systemd's word for a dash. */
        return p - text >= 4 && p[-4] == '\\' && p[-3] == 'x' && isxdigit((unsigned char) p[-2]) &&
               isxdigit((unsigned char) p[-1]);
}

size_t identifier_length(const char *text, const char *p)
{
        static const size_t uuid[] = { 8, 4, 4, 4, 12 }, fat[] = { 4, 4 },
                            mac[] = { 2, 2, 2, 2, 2, 2 }, pxe[] = { 2, 2, 2, 2, 2, 2, 2 },
                            hex32[] = { 32 }, md[] = { 8, 8, 8, 8 };
        static const struct {
                const size_t *groups;
                size_t n_groups;
                const char *separators;
        } shapes[] = {
                { uuid, ELEMENTSOF(uuid), "-" }, { hex32, ELEMENTSOF(hex32), "" },
                { md, ELEMENTSOF(md), ":" },     { pxe, ELEMENTSOF(pxe), ":-" },
                { mac, ELEMENTSOF(mac), ":-" },  { fat, ELEMENTSOF(fat), "-" },
        };
        size_t n = 0;

        if (!identifier_word_begins(text, p))
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(shapes); i++) {
                n = match_groups(p, shapes[i].groups, shapes[i].n_groups, shapes[i].separators);
                if (n > 0 && !isalnum((unsigned char) p[n]))
                        return n;
        }
        if (p == text || (p[-1] != '-' && p[-1] != '.')) /* "vmlinuz-5.10.0.1" is a version */
                n = match_ipv4(p);
        if (n == 0)
                n = match_ipv6(p);
        if (n == 0)
                n = match_wwn(p);
        return n > 0 && !isalnum((unsigned char) p[n]) ? n : 0;
}

void identifier_hide(struct text *t, const struct machine_context *m, const char *raw,
                     size_t n_bytes)
{
        char hex[DIGEST_HEX_BYTES];

        if (m->keep_serials) {
                text_put(t, raw, n_bytes);
        } else if (!m->has_key) {
                text_put_string(t, "<removed>");
        } else {
                digest_keyed_hex(m->key, sizeof m->key, raw, n_bytes, hex);
                text_put_string(t, "hmac:");
                text_put(t, hex, HASH_DIGITS);
        }
}

void identifier_hide_all(struct text *t, const struct machine_context *m, const char *from,
                         size_t n_bytes)
{
        CLEANUP(freep) char *copy = strndup(from, n_bytes);

        text_put_string(t, "");
        if (!copy)
                t->error = -ENOMEM;
        for (const char *p = copy; t->error == 0 && *p;) {
                size_t n = identifier_length(copy, p);

                if (n > 0)
                        identifier_hide(t, m, p, n);
                else
                        text_put(t, p, n = 1);
                p += n;
        }
}
