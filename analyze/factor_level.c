/* analyze/factor_level.c - reads labels and configuration as levels of factors */
#include "analyze/factor_level.h"
#include <math.h>
#include <string.h>
#include "record/factors.h"
#include "record/json.h"

static char *canonical(const json_t *value)
{
        char *end, *text;
        double number;

        if (!value || json_is_null(value))
                return NULL;
        if (json_is_boolean(value))
                return strdup(json_is_true(value) ? "true" : "false");
        if (json_is_integer(value))
                return asprintf(&text, "%" JSON_INTEGER_FORMAT, json_integer_value(value)) < 0
                               ? NULL
                               : text;
        if (json_is_string(value)) {
                const char *s = json_string_value(value);

                number = strtod(s, &end);
                /* Only what prints back alike is a number: "1e3", "0x10" and "007" stay text. */
                if (end == s || *end != '\0' || !isfinite(number) || strpbrk(s, "xXeEnN+") ||
                    (s[0] == '0' && s[1] != '\0' && s[1] != '.'))
                        return strdup(s);
        } else {
                number = json_number_value(value);
        }
        return asprintf(&text, "%.15g", number) < 0 ? NULL : text;
}

/* What belongs to a boot without being a factor of its own making. */
static const char *builtin(const struct record *r, const char *key)
{
        if (strcmp(key, "boot.kind") == 0)
                return r->boot_kind;
        return strcmp(key, "machine") == 0 ? r->machine : NULL;
}

char *factor_level_text(const struct record *r, const char *key)
{
        const json_t *value = json_object_get(r->labels, key);

        if (!value)
                value = json_object_get(r->config, key);
        if (!value && builtin(r, key))
                return strdup(builtin(r, key));
        return canonical(value);
}

bool factor_level_is(const struct record *r, const char *key, const char *text)
{
        CLEANUP(freep) char *mine = factor_level_text(r, key), *wanted = NULL;
        CLEANUP(json_decrefp) json_t *j = json_text(text);

        wanted = canonical(j);
        return mine && wanted && strcmp(mine, wanted) == 0;
}

/* rank_of() - 0 for what means "not there", 1 for numbers, 2 for text */
static int rank_of(const char *s, double *ret_number)
{
        static const char *const nothing[] = { "none", "no", "off", "false" };
        char *end;

        for (size_t i = 0; i < ELEMENTSOF(nothing); i++)
                if (strcmp(s, nothing[i]) == 0)
                        return 0;
        *ret_number = strtod(s, &end);
        return end != s && *end == '\0' ? 1 : 2;
}

int factor_level_compare(const char *a, const char *b)
{
        double x = 0, y = 0;
        int rank_a = rank_of(a, &x), rank_b = rank_of(b, &y);

        if (rank_a != rank_b)
                return rank_a - rank_b;
        if (rank_a == 1 && (x < y || x > y))
                return x < y ? -1 : 1;
        return strcmp(a, b);
}

/* is_factor() - campaigns are how boots came about, summaries repeat other keys, and what drifts
 * differs between any two sets */
static bool is_factor(const char *key)
{
        const char *group = factor_group(key);

        return !factor_drifts(key) && !(group && strcmp(group, "summary") == 0) &&
               strcmp(key, "campaign") != 0 && strncmp(key, "campaign.", strlen("campaign.")) != 0;
}

static int add_key(struct factors *f, json_t *seen, const char *key)
{
        struct factor *grown;

        if (json_object_get(seen, key) || !is_factor(key))
                return 0;
        grown = reallocarray(f->factor, f->n + 1, sizeof *grown);
        if (!grown)
                return -ENOMEM;
        f->factor = grown;
        grown[f->n] = (struct factor){ .key = strdup(key) };
        if (!grown[f->n].key)
                return -ENOMEM;
        f->n++;
        return json_put(seen, key, json_true());
}

static int add_keys(struct factors *f, json_t *seen, json_t *object)
{
        const char *key;
        json_t *value;

        json_object_foreach(object, key, value) if (add_key(f, seen, key) < 0) return -ENOMEM;
        return 0;
}

static int compare_factors(const void *va, const void *vb)
{
        const struct factor *a = va, *b = vb;

        return strcmp(a->key, b->key);
}

static int read_levels(struct factor *f, const struct record *const *boots, size_t n_boots)
{
        f->level = calloc(n_boots + 1, sizeof *f->level);
        if (!f->level)
                return -ENOMEM;
        f->group = factor_group(f->key);
        f->is_own = !f->group;
        if (f->is_own)
                f->group = f->key;
        for (size_t i = 0; i < n_boots; i++) {
                f->level[i] = factor_level_text(boots[i], f->key);
                if (i > 0 && (!f->level[i] != !f->level[0] ||
                              (f->level[i] && strcmp(f->level[i], f->level[0]) != 0)))
                        f->varies = true;
        }
        return 0;
}

int factors_of(const struct record *const *boots, size_t n_boots, struct factors *ret)
{
        CLEANUP(json_decrefp) json_t *seen = json_object();
        CLEANUP(factors_done) struct factors f = { .n_boots = n_boots };
        bool any_kind = false;

        if (!seen)
                return -ENOMEM;
        for (size_t i = 0; i < n_boots; i++) {
                if (add_keys(&f, seen, boots[i]->config) < 0 ||
                    add_keys(&f, seen, boots[i]->labels) < 0)
                        return -ENOMEM;
                any_kind = any_kind || boots[i]->boot_kind;
        }
        if (any_kind && add_key(&f, seen, "boot.kind") < 0)
                return -ENOMEM;
        if (f.n > 0)
                qsort(f.factor, f.n, sizeof *f.factor, compare_factors);
        for (size_t i = 0; i < f.n; i++)
                if (read_levels(&f.factor[i], boots, n_boots) < 0)
                        return -ENOMEM;
        *ret = f;
        f = FACTORS_NULL;
        return 0;
}

void factors_done(struct factors *f)
{
        for (size_t i = 0; i < f->n; i++) {
                for (size_t k = 0; f->factor[i].level && k < f->n_boots; k++)
                        free(f->factor[i].level[k]);
                free(f->factor[i].level);
                free(f->factor[i].key);
        }
        free(f->factor);
        *f = FACTORS_NULL;
}
