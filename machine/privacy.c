/* machine/privacy.c - cleaning foreign text before it is kept
 *
 * By kind, not by a list of known parameters: what is called a key, a password or a token is a
 * secret whoever reads it; what looks like a UUID or an address names something wherever it stands.
 */
#include "machine/privacy.h"
#include <string.h>
#include "machine/identifier.h"

#define REMOVED "<removed>"

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
                identifier_hide_all(t, m, value + at, n_bytes - at);
                return;
        }
        start = name_start(value, n_bytes);
        if (start > 0) {
                text_put(t, value, start);
                identifier_hide(t, m, value + start, n_bytes - start);
                return;
        }
        identifier_hide_all(t, m, value, n_bytes);
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
                        identifier_hide(t, m, value, n);
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
                identifier_hide(t, m, value, value_bytes);
        else
                put_named_value(t, m, word, name_bytes, value, value_bytes);
}

/* clean_words() - each word apart; a separator inside double quotes is part of its word */
static char *clean_words(const struct machine_context *m, const char *from, char separator)
{
        struct text t = TEXT_NULL;

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
        return text_take(&t);
}

char *privacy_clean_cmdline(const struct machine_context *m, const char *cmdline)
{
        return clean_words(m, cmdline, ' ');
}

char *privacy_clean_options(const struct machine_context *m, const char *options)
{
        return clean_words(m, options, ',');
}
