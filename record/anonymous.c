/* record/anonymous.c - see anonymous.h. Works on the JSON form, so that members that a later
 * version has added are cleaned with the rest. */
#include "record/anonymous.h"
#include <ctype.h>
#include <string.h>
#include "record/digest.h"
#include "record/json.h"

#define ID_DIGITS 32 /* as long as the ids that they replace */
#define DAY_US ((int64_t) 86400 * US_PER_S)

static int replace_id(char **id, const uint8_t *key)
{
        char hex[DIGEST_HEX_BYTES];
        char *fresh;

        digest_keyed_hex(key, ANONYMOUS_KEY_BYTES, *id, strlen(*id), hex);
        hex[ID_DIGITS] = '\0';
        fresh = strdup(hex);
        if (!fresh)
                return -ENOMEM;
        free(*id);
        *id = fresh;
        return 0;
}

/* hash_length() - of "hmac:0123456789abcdef" at @p */
static size_t hash_length(const char *p)
{
        static const char beginning[] = "hmac:";
        size_t n = strlen(beginning);

        if (strncmp(p, beginning, n) != 0)
                return 0;
        while (isxdigit((unsigned char) p[n]))
                n++;
        return n;
}

/* own_path_length() - of a path at @p that a person has chosen; those that every machine has tell
 * nothing */
static size_t own_path_length(const char *text, const char *p)
{
        static const char *const common[] = { "/proc/", "/sys/", "/dev/", "/boot/",   "/run/",
                                              "/usr/",  "/etc/", "/lib/", "/var/log/" };
        size_t n;

        if (*p != '/' || (p > text && !strchr(" \t='\":(", p[-1])) ||
            !isalnum((unsigned char) p[1]))
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(common); i++)
                if (strncmp(p, common[i], strlen(common[i])) == 0)
                        return 0;
        n = strcspn(p, " \t\n'\"");
        while (n > 1 && strchr(":,;)", p[n - 1]))
                n--;
        return n;
}

/* cleaned() - Return: a new string; NULL when out of memory */
static char *cleaned(const char *text)
{
        static const char hidden[] = "<hidden>", path[] = "<path>";
        char *clean = malloc(strlen(text) * strlen(hidden) + 1), *to = clean;

        for (const char *p = text; clean && *p;) {
                size_t hash = hash_length(p), own = hash ? 0 : own_path_length(text, p);
                const char *instead = hash ? hidden : own ? path : NULL;

                if (instead) {
                        to = stpcpy(to, instead);
                        p += hash ? hash : own;
                } else {
                        *to++ = *p++;
                }
        }
        if (clean)
                *to = '\0';
        return clean;
}

static int clean_json(json_t *j);

static int clean_member(json_t *value, json_t **ret)
{
        CLEANUP(freep) char *clean = NULL;

        *ret = NULL;
        if (!json_is_string(value))
                return clean_json(value);
        clean = cleaned(json_string_value(value));
        if (!clean)
                return -ENOMEM;
        if (strcmp(clean, json_string_value(value)) != 0) {
                *ret = json_text(clean);
                return *ret ? 0 : -ENOMEM;
        }
        return 0;
}

static int clean_json(json_t *j)
{
        json_t *value, *clean;
        const char *key;
        size_t i;
        int r = 0;

        if (json_is_object(j))
                json_object_foreach(j, key, value)
                {
                        if (r == 0)
                                r = clean_member(value, &clean);
                        if (r == 0 && clean)
                                r = json_object_set_new(j, key, clean) < 0 ? -ENOMEM : 0;
                }
        if (json_is_array(j))
                json_array_foreach(j, i, value)
                {
                        if (r == 0)
                                r = clean_member(value, &clean);
                        if (r == 0 && clean)
                                r = json_array_set_new(j, i, clean) < 0 ? -ENOMEM : 0;
                }
        return r;
}

static bool ends_with(const char *text, const char *end)
{
        size_t n = strlen(text), m = strlen(end);

        return n >= m && strcmp(text + n - m, end) == 0;
}

/* drop_identities() - factors that tell one part from another of its kind: hashes, and the serial
 * numbers of one who asked to keep them */
static void drop_identities(json_t *config)
{
        const char *key;
        json_t *value;
        void *next;

        json_object_foreach_safe(config, next, key, value)
        {
                const char *text = json_string_value(value);

                if ((text && *text && hash_length(text) == strlen(text)) ||
                    ends_with(key, ".serial") || ends_with(key, "fs.uuid"))
                        (void) json_object_del(config, key);
        }
}

/* Both ends move alike, so that what lies between stays. */
static void round_clocks(struct record *r)
{
        int64_t of_day_us = r->start.realtime_us % DAY_US;

        if (r->start.realtime_us <= 0)
                return;
        r->start.realtime_us -= of_day_us;
        if (r->end.realtime_us > of_day_us)
                r->end.realtime_us -= of_day_us;
}

int anonymous_make(struct record *r, const uint8_t key[ANONYMOUS_KEY_BYTES])
{
        CLEANUP(json_decrefp) json_t *j = NULL, *labels = NULL;
        CLEANUP(record_freep) struct record *clean = NULL;
        struct record swap;
        int code;

        if (replace_id(&r->id, key) < 0 ||
            (strcmp(r->machine, "imported") != 0 && replace_id(&r->machine, key) < 0))
                return -ENOMEM;
        round_clocks(r);
        drop_identities(r->config);
        j = record_to_json(r);
        labels = json_incref(json_object_get(j, "labels"));
        if (labels)
                (void) json_object_del(j, "labels");
        code = j ? clean_json(j) : -ENOMEM;
        if (code == 0 && labels && json_object_set(j, "labels", labels) < 0)
                code = -ENOMEM;
        if (code == 0)
                code = record_from_json(j, &clean, NULL);
        if (code < 0)
                return code;
        swap = *r;
        *r = *clean;
        *clean = swap;
        return 0;
}
