/* analyze/config_diff.c - see config_diff.h */
#include "analyze/config_diff.h"
#include <stdint.h>
#include <string.h>
#include "analyze/config_keys.h"
#include "record/factors.h"
#include "record/json.h"
#include "record/macros.h"

static int put_side(json_t *entry, const char *name, const struct record *r, const char *key,
                    json_t *value)
{
        const char *reason = value ? NULL : record_absent_reason(r, key);
        char absent_name[16];

        if (json_put(entry, name, value ? json_incref(value) : json_null()) < 0)
                return -ENOMEM;
        if (!reason)
                return 0;
        (void) snprintf(absent_name, sizeof absent_name, "%s_absent", name);
        return json_put(entry, absent_name, json_text(reason));
}

static int add_factor(json_t *list, const char *group, const char *key, const struct config_side *a,
                      const struct config_side *b, json_t *in_a, json_t *in_b)
{
        CLEANUP(json_decrefp) json_t *entry = json_object();

        if (json_put(entry, "group", json_string(group)) < 0 ||
            json_put(entry, "key", json_text(key)) < 0 ||
            put_side(entry, "a", a->record, key, in_a) < 0 ||
            put_side(entry, "b", b->record, key, in_b) < 0)
                return -ENOMEM;
        return json_array_append_new(list, TAKE(entry)) < 0 ? -ENOMEM : 0;
}

static int diff_config(json_t *factors, json_t *implied, json_t *drifts,
                       const struct config_side *a, const struct config_side *b)
{
        CLEANUP(freep) const char **keys = NULL;
        size_t n = 0;

        keys = config_keys(a->record->config, b->record->config, &n);
        if (!keys)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                json_t *in_a = json_object_get(a->record->config, keys[i]);
                json_t *in_b = json_object_get(b->record->config, keys[i]);
                const char *group = factor_group(keys[i]);

                json_t *list = group && strcmp(group, "summary") == 0 ? implied
                               : factor_drifts(keys[i])               ? drifts
                                                                      : factors;

                if (!json_equal(in_a, in_b) &&
                    add_factor(list, group ? group : "other", keys[i], a, b, in_a, in_b) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int diff_labels(json_t *list, const struct config_side *a, const struct config_side *b)
{
        CLEANUP(freep) const char **keys = NULL;
        size_t n = 0;

        keys = config_keys(a->record->labels, b->record->labels, &n);
        if (!keys)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                json_t *in_a = json_object_get(a->record->labels, keys[i]);
                json_t *in_b = json_object_get(b->record->labels, keys[i]);

                if (!json_equal(in_a, in_b) &&
                    add_factor(list, "label", keys[i], a, b, in_a, in_b) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int compare_options(const void *va, const void *vb)
{
        const char *const *a = va, *const *b = vb;

        return strcmp(*a, *b);
}

static int diff_options(json_t *list, const json_t *a, const json_t *b)
{
        CLEANUP(freep) const char **keys = NULL;
        size_t n = 0;

        keys = config_keys(a, b, &n);
        if (!keys)
                return -ENOMEM;
        if (n > 1)
                qsort(keys, n, sizeof *keys, compare_options);
        for (size_t i = 0; i < n; i++) {
                CLEANUP(json_decrefp) json_t *entry = NULL;
                json_t *in_a = json_object_get(a, keys[i]), *in_b = json_object_get(b, keys[i]);

                if (json_equal(in_a, in_b))
                        continue;
                entry = json_object();
                if (json_put(entry, "option", json_text(keys[i])) < 0 ||
                    json_put(entry, "a", in_a ? json_incref(in_a) : json_null()) < 0 ||
                    json_put(entry, "b", in_b ? json_incref(in_b) : json_null()) < 0 ||
                    json_array_append_new(list, TAKE(entry)) < 0)
                        return -ENOMEM;
        }
        return 0;
}

json_t *config_diff(const struct config_side *a, const struct config_side *b)
{
        CLEANUP(json_decrefp) json_t *diff = json_object();
        json_t *factors = json_array(), *drifts = json_array(), *labels = json_array(),
               *options = json_array(), *implied = json_array();
        const char *absent = a->options_absent ? a->options_absent : b->options_absent;

        if (json_put(diff, "factors", factors) < 0 || json_put(diff, "labels", labels) < 0 ||
            json_put(diff, "implied", implied) < 0 || json_put(diff, "drifts", drifts) < 0 ||
            json_put(diff, "kernel_options", options) < 0)
                return NULL;
        if (diff_config(factors, implied, drifts, a, b) < 0 || diff_labels(labels, a, b) < 0)
                return NULL;
        if (a->options && b->options) {
                if (diff_options(options, a->options, b->options) < 0)
                        return NULL;
        } else if (json_put(diff, "kernel_options_absent",
                            json_text(absent ? absent : "no kernel config")) < 0) {
                return NULL;
        }
        return TAKE(diff);
}

#define CELL_BYTES 40
#define SHORT_BYTES 256

static bool has_word(const char *text, const char *word, size_t n_bytes)
{
        for (const char *p = text; *p; p += strcspn(p, " ") + (p[strcspn(p, " ")] != '\0'))
                if (strcspn(p, " ") == n_bytes && strncmp(p, word, n_bytes) == 0)
                        return true;
        return false;
}

/* put_word() - a word that fits; of a longer one its beginning and, unless it is a hash, its end */
static size_t put_word(char *to, size_t n_bytes, const char *word, size_t n)
{
        bool is_hash = strspn(word, "0123456789abcdef") >= n;

        if (n <= CELL_BYTES)
                return (size_t) snprintf(to, n_bytes, "%.*s", (int) n, word);
        if (is_hash)
                return (size_t) snprintf(to, n_bytes, "%.*s...", 16, word);
        return (size_t) snprintf(to, n_bytes, "%.*s...%.*s", 16, word, 20, word + n - 20);
}

/* shorten() - of a long text (a command line, a list, a hash) only the words that @other has not.
 * The whole values are in the JSON. */
static void shorten(const char *text, const char *other, char ret[SHORT_BYTES])
{
        size_t used = 0;

        ret[0] = '\0';
        for (const char *p = text; *p && used + 1 < SHORT_BYTES; p += strspn(p, " ")) {
                size_t n = strcspn(p, " ");

                if (!other || !has_word(other, p, n)) {
                        if (used > 0)
                                ret[used++] = ' ';
                        used += put_word(ret + used, SHORT_BYTES - used, p, n);
                }
                p += n;
        }
}

static int add_cell(struct table *t, const json_t *entry, const char *side)
{
        const json_t *value = json_object_get(entry, side);
        const json_t *other = json_object_get(entry, *side == 'a' ? "b" : "a");
        const char *text = json_string_value(value), *reason;
        char absent_name[16], shorter[SHORT_BYTES];

        if (text && strlen(text) > CELL_BYTES) {
                shorten(text, json_string_value(other), shorter);
                return table_add(t, *shorter ? shorter : "(nothing more)");
        }
        if (!json_is_null(value))
                return config_add_value(t, value);
        (void) snprintf(absent_name, sizeof absent_name, "%s_absent", side);
        reason = json_string_value(json_object_get(entry, absent_name));
        return table_add(t, reason ? "not known" : "-");
}

static int add_entries(struct table *t, const json_t *list, const char *first_column)
{
        const char *last = "";
        size_t i;
        json_t *entry;

        json_array_foreach(list, i, entry)
        {
                const char *group = json_string_value(json_object_get(entry, "group"));

                if (first_column)
                        group = first_column;
                if (table_add(t, strcmp(group, last) == 0 ? "" : group) < 0 ||
                    table_add(t, json_string_value(json_object_get(entry, "key"))) < 0 ||
                    add_cell(t, entry, "a") < 0 || add_cell(t, entry, "b") < 0)
                        return -ENOMEM;
                last = group;
        }
        return 0;
}

static int print_options(const json_t *diff, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "kernel option", TABLE_LEFT },
                                                       { "A", TABLE_LEFT },
                                                       { "B", TABLE_LEFT } };
        const json_t *list = json_object_get(diff, "kernel_options");
        const char *absent = json_string_value(json_object_get(diff, "kernel_options_absent"));
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        json_t *entry;
        size_t i;

        if (!t)
                return -ENOMEM;
        if (absent)
                return fprintf(f, "\nKernel options are not compared: %s\n", absent) < 0 ? -EIO : 0;
        json_array_foreach(
                list, i,
                entry) if (table_add(t, json_string_value(json_object_get(entry, "option"))) < 0 ||
                           add_cell(t, entry, "a") < 0 ||
                           add_cell(t, entry, "b") < 0) return -ENOMEM;
        if (i == 0)
                return 0;
        if (fputc('\n', f) == EOF)
                return -EIO;
        return table_print(t, f, color);
}

int config_diff_print(const json_t *diff, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "group", TABLE_LEFT },
                                                       { "factor", TABLE_LEFT },
                                                       { "A", TABLE_LEFT },
                                                       { "B", TABLE_LEFT } };
        const json_t *factors = json_object_get(diff, "factors");
        const json_t *labels = json_object_get(diff, "labels");
        const json_t *implied = json_object_get(diff, "implied");
        const json_t *drifts = json_object_get(diff, "drifts");
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        int r;

        if (!t || add_entries(t, factors, NULL) < 0 || add_entries(t, labels, "label") < 0 ||
            add_entries(t, implied, "implied") < 0 || add_entries(t, drifts, "drifts") < 0)
                return -ENOMEM;
        if (json_array_size(factors) + json_array_size(labels) + json_array_size(implied) +
                    json_array_size(drifts) ==
            0)
                r = fputs("No factor differs.\n", f) == EOF ? -EIO : 0;
        else
                r = table_print(t, f, color);
        return r < 0 ? r : print_options(diff, f, color);
}
