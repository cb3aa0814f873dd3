/* machine/factor.c - entering factors; see factor.h */
#include "machine/factor.h"
#include <stdarg.h>
#include <string.h>
#include "machine/root.h"

#define KEY_BYTES 256
#define PATH_BYTES 4096
#define HASH_DIGITS 16

static const char *full_key(const struct capture *c, const char *key, char ret[KEY_BYTES])
{
        (void) snprintf(ret, KEY_BYTES, "%s%s", c->prefix, key);
        return ret;
}

static void note(struct capture *c, int r)
{
        if (r == -ENOMEM && c->error == 0)
                c->error = r;
}

void factor_text(struct capture *c, const char *key, const char *value)
{
        char full[KEY_BYTES];

        note(c, record_set_string(c->r->config, full_key(c, key, full), value));
}

void factor_integer(struct capture *c, const char *key, int64_t value)
{
        char full[KEY_BYTES];

        note(c, record_set_integer(c->r->config, full_key(c, key, full), value));
}

void factor_boolean(struct capture *c, const char *key, bool value)
{
        char full[KEY_BYTES];

        note(c, record_set_boolean(c->r->config, full_key(c, key, full), value));
}

void factor_forget(struct capture *c)
{
        size_t n_bytes = strlen(c->prefix);
        const char *key;
        json_t *value;
        void *next;

        json_object_foreach_safe(c->r->config, next, key,
                                 value) if (strncmp(key, c->prefix, n_bytes) == 0)(void)
                json_object_del(c->r->config, key);
        for (size_t i = c->r->n_absent; i-- > 0;)
                if (strncmp(c->r->absent[i].name, c->prefix, n_bytes) == 0)
                        record_forget_absent(c->r, c->r->absent[i].name);
}

bool factor_has(const struct capture *c, const char *key)
{
        char full[KEY_BYTES];

        return json_object_get(c->r->config, full_key(c, key, full)) != NULL;
}

void factor_absent(struct capture *c, const char *key, const char *format, ...)
{
        char full[KEY_BYTES], why[512];
        va_list ap;

        if (factor_has(c, key))
                return;
        va_start(ap, format);
        (void) vsnprintf(why, sizeof why, format, ap);
        va_end(ap);
        note(c, record_add_absent(c->r, full_key(c, key, full), "%s", why));
}

void factor_unread(struct capture *c, const char *key, int error, const char *path)
{
        if (error == -ENOMEM)
                note(c, error);
        else if (error == -EINVAL)
                factor_absent(c, key, "/%s: holds no number", path);
        else
                factor_absent(c, key, "/%s: %s", path, strerror(-error));
}

void factor_line(struct capture *c, const char *key, const char *format, ...)
{
        CLEANUP(freep) char *line = NULL;
        char path[PATH_BYTES];
        va_list ap;
        int r;

        va_start(ap, format);
        (void) vsnprintf(path, sizeof path, format, ap);
        va_end(ap);
        r = root_line(c->m, &line, "%s", path);
        if (r < 0)
                factor_unread(c, key, r, path);
        else if (*line == '\0')
                factor_absent(c, key, "/%s: empty", path);
        else
                factor_text(c, key, line);
}

void factor_number(struct capture *c, const char *key, int64_t unit, const char *format, ...)
{
        char path[PATH_BYTES];
        int64_t n;
        va_list ap;
        int r;

        va_start(ap, format);
        (void) vsnprintf(path, sizeof path, format, ap);
        va_end(ap);
        r = root_integer(c->m, &n, "%s", path);
        if (r < 0)
                factor_unread(c, key, r, path);
        else if (__builtin_mul_overflow(n, unit, &n))
                factor_absent(c, key, "/%s: too large", path);
        else
                factor_integer(c, key, n);
}

void factor_identifier(struct capture *c, const char *key, const char *raw)
{
        char hex[DIGEST_HEX_BYTES], value[sizeof "hmac:" + HASH_DIGITS];

        if (c->m->keep_serials) {
                factor_text(c, key, raw);
        } else if (!c->m->has_key) {
                factor_absent(c, key, "identifies this machine, and there is no key to hide it");
        } else {
                digest_keyed_hex(c->m->key, sizeof c->m->key, raw, strlen(raw), hex);
                (void) snprintf(value, sizeof value, "hmac:%.*s", HASH_DIGITS, hex);
                factor_text(c, key, value);
        }
}

void factor_bracketed(struct capture *c, const char *key, const char *format, ...)
{
        CLEANUP(freep) char *line = NULL;
        char path[PATH_BYTES], *open, *close;
        va_list ap;
        int r;

        va_start(ap, format);
        (void) vsnprintf(path, sizeof path, format, ap);
        va_end(ap);
        r = root_line(c->m, &line, "%s", path);
        if (r < 0) {
                factor_unread(c, key, r, path);
                return;
        }
        open = strchr(line, '[');
        close = open ? strchr(open, ']') : NULL;
        if (close)
                *close = '\0';
        factor_text(c, key, close ? open + 1 : line);
}
