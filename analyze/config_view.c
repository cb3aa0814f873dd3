/* analyze/config_view.c - one table: group, factor, value. Labels follow under "label", and what is
 * absent under "not known"; milestones that are absent belong to bootlap show. */
#include "analyze/config_view.h"
#include <string.h>
#include "analyze/table.h"
#include "record/factors.h"
#include "record/json.h"

static const char other[] = "other";
static const char *const group_order[] = { "summary",  "drive", "volume", "crypt", "filesystem",
                                           "kernel",   "cpu",   "memory", "gpu",   "desktop",
                                           "firmware", "power", "os",     "boot",  other };

static const char *group_of(const char *key)
{
        const char *group = factor_group(key);

        return group ? group : other;
}

/* The stack beneath a collector's path is shown apart from the one beneath "/". */
static bool is_of_path(const char *key) { return strncmp(key, "path.", 5) == 0; }

static int compare_keys(const void *va, const void *vb)
{
        const char *const *a = va, *const *b = vb;

        return is_of_path(*a) != is_of_path(*b) ? is_of_path(*a) - is_of_path(*b) : strcmp(*a, *b);
}

static const char **sorted_keys(const json_t *object, size_t *ret_n)
{
        const char **keys = calloc(json_object_size(object) + 1, sizeof *keys), *key;
        json_t *value;
        size_t n = 0;

        if (!keys)
                return NULL;
        json_object_foreach((json_t *) (uintptr_t) object, key, value) keys[n++] = key;
        if (n > 1)
                qsort(keys, n, sizeof *keys, compare_keys);
        *ret_n = n;
        return keys;
}

static int add_value(struct table *t, const json_t *value)
{
        if (json_is_string(value))
                return table_add(t, json_string_value(value));
        if (json_is_integer(value))
                return table_addf(t, "%lld", (long long) json_integer_value(value));
        if (json_is_real(value))
                return table_addf(t, "%g", json_real_value(value));
        return table_add(t, json_is_true(value) ? "yes" : "no");
}

/* add_group() - the rows of one group; its name stands at the first only */
static int add_group(struct table *t, const char *group, const json_t *object, const char **keys,
                     size_t n_keys)
{
        bool first = true;

        for (size_t i = 0; i < n_keys; i++) {
                if (strcmp(group_of(keys[i]), group) != 0)
                        continue;
                if (table_add(t, first ? group : "") < 0 || table_add(t, keys[i]) < 0 ||
                    add_value(t, json_object_get(object, keys[i])) < 0)
                        return -ENOMEM;
                first = false;
        }
        return 0;
}

static int add_labels(struct table *t, const struct record *r)
{
        CLEANUP(freep) const char **keys = NULL;
        size_t n = 0;

        keys = sorted_keys(r->labels, &n);
        if (!keys)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if (table_add(t, i ? "" : "label") < 0 || table_add(t, keys[i]) < 0 ||
                    add_value(t, json_object_get(r->labels, keys[i])) < 0)
                        return -ENOMEM;
        return 0;
}

/* is_factor() - absent milestones share the list; a factor has a group, and no milestone does but
 * those that bear a word like "kernel" */
static bool is_factor(const char *name)
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

static int add_absent(struct table *t, const struct record *r)
{
        bool first = true;

        for (size_t i = 0; i < r->n_absent; i++) {
                if (!is_factor(r->absent[i].name))
                        continue;
                if (table_add(t, first ? "not known" : "") < 0 ||
                    table_add(t, r->absent[i].name) < 0 || table_add(t, r->absent[i].reason) < 0)
                        return -ENOMEM;
                first = false;
        }
        return 0;
}

int config_view_print(const struct record *r, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "group", TABLE_LEFT },
                                                       { "factor", TABLE_LEFT },
                                                       { "value", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        CLEANUP(freep) const char **keys = NULL;
        size_t n = 0;

        keys = sorted_keys(r->config, &n);
        if (!t || !keys)
                return -ENOMEM;
        for (size_t i = 0; i < ELEMENTSOF(group_order); i++)
                if (add_group(t, group_order[i], r->config, keys, n) < 0)
                        return -ENOMEM;
        if (add_labels(t, r) < 0 || add_absent(t, r) < 0)
                return -ENOMEM;
        return table_print(t, f, color);
}

int config_view_json(const struct record *r, json_t **ret)
{
        CLEANUP(json_decrefp) json_t *j = json_object(), *absent = json_object();
        json_t *groups = json_object(), *value;
        const char *key;

        if (json_put(j, "groups", groups) < 0 || !absent)
                return -ENOMEM;
        json_object_foreach(r->config, key, value)
        {
                const char *group = group_of(key);
                json_t *members = json_object_get(groups, group);

                if (!members) {
                        members = json_object();
                        if (json_put(groups, group, members) < 0)
                                return -ENOMEM;
                }
                if (json_object_set(members, key, value) < 0)
                        return -ENOMEM;
        }
        for (size_t i = 0; i < r->n_absent; i++)
                if (is_factor(r->absent[i].name) &&
                    json_put(absent, r->absent[i].name, json_text(r->absent[i].reason)) < 0)
                        return -ENOMEM;
        if (json_put(j, "labels", json_incref(r->labels)) < 0 ||
            json_put(j, "absent", TAKE(absent)) < 0)
                return -ENOMEM;
        *ret = TAKE(j);
        return 0;
}
