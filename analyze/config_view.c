/* analyze/config_view.c - one table: group, factor, value. Labels follow under "label", and what is
 * absent under "not known"; milestones that are absent belong to bootlap show. */
#include "analyze/config_view.h"
#include <string.h>
#include "analyze/config_keys.h"
#include "record/json.h"

/* add_group() - the rows of one group; its name stands at the first only */
static int add_group(struct table *t, const char *group, const json_t *object, const char **keys,
                     size_t n_keys)
{
        bool first = true;

        for (size_t i = 0; i < n_keys; i++) {
                if (strcmp(config_group(keys[i]), group) != 0)
                        continue;
                if (table_add(t, first ? group : "") < 0 || table_add(t, keys[i]) < 0 ||
                    config_add_value(t, json_object_get(object, keys[i])) < 0)
                        return -ENOMEM;
                first = false;
        }
        return 0;
}

static int add_labels(struct table *t, const struct record *r)
{
        CLEANUP(freep) const char **keys = NULL;
        size_t n = 0;

        keys = config_keys(r->labels, NULL, &n);
        if (!keys)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if (table_add(t, i ? "" : "label") < 0 || table_add(t, keys[i]) < 0 ||
                    config_add_value(t, json_object_get(r->labels, keys[i])) < 0)
                        return -ENOMEM;
        return 0;
}

static int add_absent(struct table *t, const struct record *r)
{
        bool first = true;

        for (size_t i = 0; i < r->n_absent; i++) {
                if (!config_is_factor(r->absent[i].name))
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

        keys = config_keys(r->config, NULL, &n);
        if (!t || !keys)
                return -ENOMEM;
        for (size_t i = 0; i < n_config_groups; i++)
                if (add_group(t, config_groups[i], r->config, keys, n) < 0)
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
                const char *group = config_group(key);
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
                if (config_is_factor(r->absent[i].name) &&
                    json_put(absent, r->absent[i].name, json_text(r->absent[i].reason)) < 0)
                        return -ENOMEM;
        if (json_put(j, "labels", json_incref(r->labels)) < 0 ||
            json_put(j, "absent", TAKE(absent)) < 0)
                return -ENOMEM;
        *ret = TAKE(j);
        return 0;
}
