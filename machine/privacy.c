/* machine/privacy.c - cleaning foreign text before it is kept
 *
 * By kind, not by a list of known parameters: what is called a key, a password or a token is a
 * secret whoever reads it; what looks like a UUID or an address names something wherever it stands.
 */
#include "machine/privacy.h"
#include <ctype.h>
#include <string.h>
#include "record/digest.h"

#define REMOVED "<removed>"
#define HASH_DIGITS 16

struct text {
        char *bytes;
        size_t n_bytes;
        int error;
};

static void text_put(struct text *t, const char *bytes, size_t n_bytes)
{
        char *grown;

        if (t->error < 0)
                return;
        grown = realloc(t->bytes, t->n_bytes + n_bytes + 1);
        if (!grown) {
                t->error = -ENOMEM;
                return;
        }
        memcpy(grown + t->n_bytes, bytes, n_bytes);
        t->bytes = grown;
        t->n_bytes += n_bytes;
        grown[t->n_bytes] = '\0';
}

static void text_put_string(struct text *t, const char *string)
{
        text_put(t, string, strlen(string));
}

static void put_hidden(struct text *t, const struct machine_context *m, const char *raw,
                       size_t n_bytes)
{
        char hex[DIGEST_HEX_BYTES];

        if (m->keep_serials) {
                text_put(t, raw, n_bytes);
        } else if (!m->has_key) {
                text_put_string(t, REMOVED);
        } else {
                digest_keyed_hex(m->key, sizeof m->key, raw, n_bytes, hex);
                text_put_string(t, "hmac:");
                text_put(t, hex, HASH_DIGITS);
        }
}

/* run_of() - how many characters from @p on belong to @set, at most @max */
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
        const char *start = p;
        char separator = 0;

        for (size_t i = 0; i < n_groups; i++) {
                if (hex_run(p, groups[i]) != groups[i])
                        return 0;
                p += groups[i];
                if (i + 1 == n_groups)
                        break;
                if (!*p || !strchr(separators, *p) || (separator && *p != separator))
                        return 0;
                separator = *p++;
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

static size_t match_identifier(const char *p)
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
        size_t n;

        for (size_t i = 0; i < ELEMENTSOF(shapes); i++) {
                n = match_groups(p, shapes[i].groups, shapes[i].n_groups, shapes[i].separators);
                if (n > 0 && !isalnum((unsigned char) p[n]))
                        return n;
        }
        n = match_ipv4(p);
        if (n == 0)
                n = match_ipv6(p);
        return n > 0 && !isalnum((unsigned char) p[n]) ? n : 0;
}

/* put_without_identifiers() - the text with everything hidden that has the shape of an identifier
 */
static void put_without_identifiers(struct text *t, const struct machine_context *m,
                                    const char *from, size_t n_bytes)
{
        CLEANUP(freep) char *copy = strndup(from, n_bytes);
        char before = '=';

        if (!copy)
                t->error = -ENOMEM;
        for (const char *p = copy; t->error == 0 && *p;) {
                size_t n = isalnum((unsigned char) before) || before == '-' || before == '.'
                                   ? 0
                                   : match_identifier(p);

                if (n > 0)
                        put_hidden(t, m, p, n);
                else
                        text_put(t, p, n = 1);
                before = p[n - 1];
                p += n;
        }
}

static bool name_contains(const char *name, size_t n_bytes, const char *word)
{
        size_t n = strlen(word);

        for (size_t i = 0; i + n <= n_bytes; i++)
                if (strncasecmp(name + i, word, n) == 0)
                        return true;
        return false;
}

/* name_ends_with() - whether the last part of a dotted, dashed or underlined name is @word */
static bool name_ends_with(const char *name, size_t n_bytes, const char *word)
{
        size_t n = strlen(word);

        return n_bytes >= n && strncasecmp(name + n_bytes - n, word, n) == 0 &&
               (n_bytes == n || strchr("._-", name[n_bytes - n - 1]));
}

static bool is_secret_name(const char *name, size_t n_bytes)
{
        static const char *const anywhere[] = { "passw", "passphrase", "secret",
                                                "token", "credential", "private" };
        static const char *const at_end[] = { "keyfile", "keys", "pass", "psk", "pin",
                                              "auth",    "cred", "pw",   "pwd", "otp" };

        for (size_t i = 0; i < ELEMENTSOF(anywhere); i++)
                if (name_contains(name, n_bytes, anywhere[i]))
                        return true;
        for (size_t i = 0; i < ELEMENTSOF(at_end); i++)
                if (name_ends_with(name, n_bytes, at_end[i]))
                        return true;
        /* cryptkey, sshkey, api_key: any word that ends so, and rather one too many */
        return n_bytes >= 3 && strncasecmp(name + n_bytes - 3, "key", 3) == 0;
}

/* Names given by people or made from a host's name: volume groups, labels, users, hosts. */
static bool is_identifying_name(const char *name, size_t n_bytes)
{
        static const char *const at_end[] = {
                "hostname",  "host",    "user",   "username", "machine_id", "initiator", "label",
                "partlabel", "lv",      "vg",     "domain",   "serial",     "uuid",      "partuuid",
                "name",      "zfs",     "pool",   "bootif",   "upperdir",   "lowerdir",  "workdir",
                "nfsroot",   "netroot", "target", "iqn"
        };

        for (size_t i = 0; i < ELEMENTSOF(at_end); i++)
                if (name_ends_with(name, n_bytes, at_end[i]))
                        return true;
        return false;
}

/* credentials_end() - of "iscsi:user:pw@host" or "//user:pw@host": where the "@" is; 0 for none */
static size_t credentials_end(const char *value, size_t n_bytes, size_t *ret_start)
{
        const char *at = memrchr(value, '@', n_bytes);
        size_t start = 0;

        if (!at)
                return 0;
        for (const char *p = value; p < at; p++)
                if (p[0] == '/' && p[1] == '/')
                        start = (size_t) (p + 2 - value);
        if (start == 0 && memchr(value, ':', (size_t) (at - value)))
                start = strncmp(value, "iscsi:", 6) == 0 ? 6 : 0;
        else if (start == 0)
                return 0; /* "subvol=@home", "dhcp@eth0": no colon, no credentials */
        *ret_start = start;
        return (size_t) (at - value);
}

/* name_start() - where in a value a name begins that a person or an installer chose: a label, a
 * mapping, a volume group ("/dev/VG/LV") or array; 0 when there is none */
static size_t name_start(const char *value, size_t n_bytes)
{
        static const char *const prefixes[] = {
                "LABEL=", "PARTLABEL=",   "UUID=",    "PARTUUID=",     "ZFS=",
                "ID=",    "/dev/mapper/", "/dev/md/", "/dev/disk/by-",
        };
        const char *slash;

        for (size_t i = 0; i < ELEMENTSOF(prefixes); i++) {
                size_t n = strlen(prefixes[i]);

                if (n_bytes > n && strncmp(value, prefixes[i], n) == 0)
                        return n;
        }
        if (n_bytes <= 5 || strncmp(value, "/dev/", 5) != 0)
                return 0;
        slash = memchr(value + 5, '/', n_bytes - 5);
        return slash ? 5 : 0;
}

static void put_value(struct text *t, const struct machine_context *m, const char *value,
                      size_t n_bytes)
{
        size_t start = 0, at = credentials_end(value, n_bytes, &start);

        if (at > 0) {
                text_put(t, value, start);
                text_put_string(t, REMOVED);
                put_without_identifiers(t, m, value + at, n_bytes - at);
                return;
        }
        start = name_start(value, n_bytes);
        if (start > 0) {
                text_put(t, value, start);
                put_hidden(t, m, value + start, n_bytes - start);
                return;
        }
        put_without_identifiers(t, m, value, n_bytes);
}

/* put_parts() - a value of parts between colons, of which number @hidden is a name:
 * "ip=client:server:gateway:netmask:HOST:device", "cryptdevice=device:NAME" */
static void put_parts(struct text *t, const struct machine_context *m, const char *value,
                      size_t n_bytes, size_t hidden)
{
        for (size_t i = 0;; i++) {
                const char *skip = *value == '[' ? memchr(value, ']', n_bytes) : NULL;
                size_t skipped = skip ? (size_t) (skip - value) : 0;
                const char *colon = memchr(value + skipped, ':', n_bytes - skipped);
                size_t n = colon ? (size_t) (colon - value) : n_bytes;

                if (i == hidden && n > 0)
                        put_hidden(t, m, value, n);
                else
                        put_value(t, m, value, n);
                if (!colon)
                        return;
                text_put(t, colon, 1);
                value = colon + 1;
                n_bytes -= n + 1;
        }
}

static void put_named_value(struct text *t, const struct machine_context *m, const char *name,
                            size_t name_bytes, const char *value, size_t value_bytes)
{
        static const struct {
                const char *name;
                size_t hidden;
        } in_parts[] = { { "ip", 4 }, { "cryptdevice", 1 } };

        for (size_t i = 0; i < ELEMENTSOF(in_parts); i++)
                if (name_bytes == strlen(in_parts[i].name) &&
                    strncmp(name, in_parts[i].name, name_bytes) == 0) {
                        put_parts(t, m, value, value_bytes, in_parts[i].hidden);
                        return;
                }
        put_value(t, m, value, value_bytes);
}

static void put_parameter(struct text *t, const struct machine_context *m, const char *word,
                          size_t n_bytes)
{
        const char *equals = memchr(word, '=', n_bytes), *value;
        size_t name_bytes, value_bytes, start;

        if (!equals) {
                put_value(t, m, word, n_bytes);
                return;
        }
        name_bytes = (size_t) (equals - word);
        value = equals + 1;
        value_bytes = n_bytes - name_bytes - 1;
        text_put(t, word, name_bytes + 1);
        if (value_bytes == 0)
                return;
        if (is_secret_name(word, name_bytes))
                text_put_string(t, REMOVED);
        else if (is_identifying_name(word, name_bytes) &&
                 credentials_end(value, value_bytes, &start) > 0)
                text_put_string(t, REMOVED); /* a password in it is no thing to hash */
        else if (is_identifying_name(word, name_bytes))
                put_hidden(t, m, value, value_bytes);
        else
                put_named_value(t, m, word, name_bytes, value, value_bytes);
}

/* clean_words() - each word apart; a separator inside double quotes is part of its word */
static char *clean_words(const struct machine_context *m, const char *from, char separator)
{
        struct text t = { .bytes = NULL };

        text_put(&t, "", 0);
        while (*from) {
                bool is_quoted = false;
                size_t n = 0;

                while (from[n] && (is_quoted || from[n] != separator)) {
                        is_quoted = is_quoted != (from[n] == '"');
                        n++;
                }
                put_parameter(&t, m, from, n);
                from += n;
                if (*from)
                        text_put(&t, from++, 1);
        }
        if (t.error < 0) {
                free(t.bytes);
                return NULL;
        }
        return t.bytes;
}

char *privacy_clean_cmdline(const struct machine_context *m, const char *cmdline)
{
        return clean_words(m, cmdline, ' ');
}

char *privacy_clean_options(const struct machine_context *m, const char *options)
{
        return clean_words(m, options, ',');
}
