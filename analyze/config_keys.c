/* analyze/config_keys.c - see config_keys.h */
#include "analyze/config_keys.h"
#include <stdint.h>
#include <string.h>
#include "record/factors.h"
#include "record/macros.h"

static const char other[] = "other";
const char *const config_groups[] = { "summary",  "drive", "volume", "crypt", "filesystem",
                                      "kernel",   "cpu",   "memory", "gpu",   "desktop",
                                      "firmware", "power", "os",     "boot",  other };
const size_t n_config_groups = ELEMENTSOF(config_groups);

const char *config_group(const char *key)
{
        const char *group = factor_group(key);

        return group ? group : other;
}

static bool is_of_path(const char *key) { return strncmp(key, "path.", 5) == 0; }

static size_t rank_of(const char *key)
{
        const char *group = config_group(key);
        size_t rank = 0;

        while (rank + 1 < ELEMENTSOF(config_groups) && strcmp(config_groups[rank], group) != 0)
                rank++;
        return rank;
}

static int compare_keys(const void *va, const void *vb)
{
        const char *const *a = va, *const *b = vb;
        size_t rank_a = rank_of(*a), rank_b = rank_of(*b);

        if (rank_a != rank_b)
                return rank_a < rank_b ? -1 : 1;
        return is_of_path(*a) != is_of_path(*b) ? is_of_path(*a) - is_of_path(*b) : strcmp(*a, *b);
}

const char **config_keys(const json_t *a, const json_t *b, size_t *ret_n)
{
        const char **keys = calloc(json_object_size(a) + json_object_size(b) + 1, sizeof *keys);
        const char *key;
        json_t *value;
        size_t n = 0;

        if (!keys)
                return NULL;
        json_object_foreach((json_t *) (uintptr_t) a, key, value) keys[n++] = key;
        json_object_foreach((json_t *) (uintptr_t) b, key, value)
        {
                if (!json_object_get(a, key))
                        keys[n++] = key;
        }
        if (n > 1)
                qsort(keys, n, sizeof *keys, compare_keys);
        *ret_n = n;
        return keys;
}

int config_add_value(struct table *t, const json_t *value)
{
        if (json_is_string(value))
                return table_add(t, json_string_value(value));
        if (json_is_integer(value))
                return table_addf(t, "%lld", (long long) json_integer_value(value));
        if (json_is_real(value))
                return table_addf(t, "%g", json_real_value(value));
        return table_add(t, json_is_true(value) ? "yes" : "no");
}

/* Absent milestones share the list; a factor has a group, and no milestone does but
 * those that bear a word like "kernel" */
bool config_is_factor(const char *name)
{
        static const char *const milestones[] = {
                "kernel.start",    "loader.start",  "loader.end", "initrd.start",
                "gpu.ready",       "display.exec",  "x.socket",   "x.ready",
                "wayland.socket",  "wayland.ready", "wm.ready",   "desktop.windows",
                "desktop.settled", "power.on"
        };

        for (size_t i = 0; i < ELEMENTSOF(milestones); i++)
                if (strcmp(name, milestones[i]) == 0)
                        return false;
        return factor_group(name) != NULL;
}
