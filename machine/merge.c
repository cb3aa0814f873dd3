/* machine/merge.c - the parts of a RAID, the layers of a stack: many devices, one set of factors */
#include <string.h>
#include "machine/factor.h"

#define JOINED_BYTES 1024

static const char *value_text(const json_t *value, char *buffer, size_t n_bytes)
{
        if (!value)
                return "unknown";
        if (json_is_string(value))
                return json_string_value(value);
        if (json_is_integer(value))
                (void) snprintf(buffer, n_bytes, "%lld", (long long) json_integer_value(value));
        else if (json_is_real(value))
                (void) snprintf(buffer, n_bytes, "%g", json_real_value(value));
        else
                return json_is_true(value) ? "true" : "false";
        return buffer;
}

static bool is_same_in_all(struct record *const *parts, size_t n_parts, const char *key)
{
        const json_t *first = json_object_get(parts[0]->config, key);

        for (size_t i = 1; i < n_parts; i++)
                if (!json_equal(first, json_object_get(parts[i]->config, key)))
                        return false;
        return first != NULL;
}

static void merge_key(struct capture *c, struct record *const *parts, size_t n_parts,
                      const char *key, json_t *value)
{
        char joined[JOINED_BYTES] = "", number[32];
        size_t used = 0;

        if (is_same_in_all(parts, n_parts, key)) {
                if (json_is_string(value))
                        factor_text(c, key, json_string_value(value));
                else if (json_is_integer(value))
                        factor_integer(c, key, json_integer_value(value));
                else if (json_is_boolean(value))
                        factor_boolean(c, key, json_is_true(value));
                return;
        }
        for (size_t i = 0; i < n_parts && used < sizeof joined; i++)
                used += (size_t) snprintf(
                        joined + used, sizeof joined - used, "%s%s", i ? " + " : "",
                        value_text(json_object_get(parts[i]->config, key), number, sizeof number));
        factor_text(c, key, joined);
}

void factor_merge(struct capture *c, struct record *const *parts, size_t n_parts)
{
        for (size_t i = 0; i < n_parts; i++) {
                const char *key;
                json_t *value;

                json_object_foreach(parts[i]->config, key, value) if (!factor_has(c, key))
                        merge_key(c, parts, n_parts, key, value);
        }
        for (size_t i = 0; i < n_parts; i++)
                for (size_t k = 0; k < parts[i]->n_absent; k++)
                        factor_absent(c, parts[i]->absent[k].name, "%s",
                                      parts[i]->absent[k].reason);
}
