/* analyze/design.c - from factors to a model matrix */
#include "analyze/design.h"
#include <string.h>
#include "analyze/factor_level.h"
#include "record/json.h"

static void group_done(struct design_group *g)
{
        free(g->name);
        for (size_t k = 0; k < g->n_keys; k++) {
                for (size_t l = 0; g->keys[k].text && l < g->n_levels; l++)
                        free(g->keys[k].text[l]);
                free(g->keys[k].text);
                free(g->keys[k].key);
        }
        free(g->keys);
        free(g->n_boots);
        free(g->unsaid);
        free(g->level);
}

void design_done(struct design *d)
{
        for (size_t i = 0; i < d->n_groups; i++)
                group_done(&d->groups[i]);
        free(d->groups);
        *d = DESIGN_NULL;
}

/* A level while levels are counted: its key, and one of its boots. */
struct candidate {
        char *key;
        size_t boot, n_boots, number; /* number: in order of occurrence */
};

struct candidates {
        struct candidate *items;
        size_t n;
        size_t *of_boot;
};

static void candidates_done(struct candidates *c)
{
        for (size_t i = 0; i < c->n; i++)
                free(c->items[i].key);
        free(c->items);
        free(c->of_boot);
}

/* key_of() - the levels of a group, or with NULL of all, that boot @boot has */
static char *key_of(const struct factors *f, const char *group, size_t boot)
{
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        if (!out)
                return NULL;
        for (size_t k = 0; k < f->n; k++)
                if (f->factor[k].varies && (!group || strcmp(f->factor[k].group, group) == 0))
                        (void) fprintf(out, "%s\n",
                                       f->factor[k].level[boot] ? f->factor[k].level[boot] : "");
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}

static int count_levels(const struct factors *f, const char *group, struct candidates *c)
{
        CLEANUP(json_decrefp) json_t *index = json_object();

        c->items = calloc(f->n_boots + 1, sizeof *c->items);
        c->of_boot = calloc(f->n_boots + 1, sizeof *c->of_boot);
        if (!index || !c->items || !c->of_boot)
                return -ENOMEM;
        for (size_t i = 0; i < f->n_boots; i++) {
                CLEANUP(freep) char *key = key_of(f, group, i);
                const json_t *at = key ? json_object_get(index, key) : NULL;
                size_t number = at ? (size_t) json_integer_value(at) : c->n;

                if (!key)
                        return -ENOMEM;
                if (!at) {
                        if (json_put(index, key, json_integer((json_int_t) number)) < 0)
                                return -ENOMEM;
                        c->items[c->n] = (struct candidate){ TAKE(key), i, 0, c->n };
                        c->n++;
                }
                c->items[number].n_boots++;
                c->of_boot[i] = number;
        }
        return 0;
}

static int compare_candidates(const void *va, const void *vb)
{
        const struct candidate *a = va, *b = vb;

        return strcmp(a->key, b->key);
}

/* base_first() - the level of boot @base before the others, which are sorted by their texts */
static void base_first(struct candidates *c, size_t base)
{
        size_t number = c->of_boot[base], at = 0;
        struct candidate first;

        if (c->n > 1)
                qsort(c->items, c->n, sizeof *c->items, compare_candidates);
        while (c->items[at].number != number)
                at++;
        first = c->items[at];
        memmove(c->items + 1, c->items, at * sizeof *c->items);
        c->items[0] = first;
}

/* says_all() - of a group, or with NULL of all factors that vary */
static bool says_all(const struct factors *f, const char *group, size_t boot)
{
        for (size_t k = 0; k < f->n; k++)
                if (f->factor[k].varies && !f->factor[k].level[boot] &&
                    (!group || strcmp(f->factor[k].group, group) == 0))
                        return false;
        return true;
}

/* commonest() - a boot of the configuration that most boots have; the order of boots is no matter,
 * since of two that are as common the one with the smaller key is taken. One that leaves something
 * unsaid is no base while another says all: nobody can go back to it. */
static int commonest(const struct factors *f, size_t *ret)
{
        CLEANUP(json_decrefp) json_t *counts = json_object();
        CLEANUP(freep) char *best_key = NULL;
        json_int_t most = 0;
        bool any_says_all = false;

        if (!counts)
                return -ENOMEM;
        for (size_t i = 0; i < f->n_boots; i++)
                any_says_all = any_says_all || says_all(f, NULL, i);
        for (int pass = 0; pass < 2; pass++)
                for (size_t i = 0; i < f->n_boots; i++) {
                        CLEANUP(freep) char *key = key_of(f, NULL, i);
                        json_int_t n =
                                json_integer_value(key ? json_object_get(counts, key) : NULL);

                        if (!key || (pass == 0 && json_put(counts, key, json_integer(n + 1)) < 0))
                                return -ENOMEM;
                        if (pass == 0 || (any_says_all && !says_all(f, NULL, i)) || n < most ||
                            (n == most && best_key && strcmp(key, best_key) >= 0))
                                continue;
                        most = n;
                        *ret = i;
                        free(best_key);
                        best_key = TAKE(key);
                }
        return 0;
}

static int add_key(struct design_group *g, const struct factor *f, const struct candidates *c)
{
        struct design_key *grown = reallocarray(g->keys, g->n_keys + 1, sizeof *grown), *k;

        if (!grown)
                return -ENOMEM;
        g->keys = grown;
        k = &grown[g->n_keys++];
        *k = (struct design_key){ .key = strdup(f->key), .text = calloc(c->n, sizeof *k->text) };
        if (!k->key || !k->text)
                return -ENOMEM;
        for (size_t l = 0; l < c->n; l++) {
                const char *text = f->level[c->items[l].boot];

                k->text[l] = strdup(text ? text : DESIGN_UNSAID);
                if (!k->text[l])
                        return -ENOMEM;
        }
        return 0;
}

static int fill_group(struct design_group *g, const struct factors *f, const char *name,
                      size_t base)
{
        CLEANUP(candidates_done) struct candidates c = { .n = 0 };

        g->name = strdup(name);
        if (!g->name || count_levels(f, name, &c) < 0)
                return -ENOMEM;
        base_first(&c, base);
        g->n_levels = c.n;
        g->n_boots = calloc(c.n, sizeof *g->n_boots);
        g->unsaid = calloc(c.n, sizeof *g->unsaid);
        g->level = calloc(f->n_boots, sizeof *g->level);
        if (!g->n_boots || !g->unsaid || !g->level)
                return -ENOMEM;
        for (size_t l = 0; l < c.n; l++) {
                g->n_boots[l] = c.items[l].n_boots;
                g->unsaid[l] = !says_all(f, name, c.items[l].boot);
                for (size_t i = 0; i < f->n_boots; i++)
                        if (c.of_boot[i] == c.items[l].number)
                                g->level[i] = l;
        }
        for (size_t k = 0; k < f->n; k++)
                if (f->factor[k].varies && strcmp(f->factor[k].group, name) == 0 &&
                    add_key(g, &f->factor[k], &c) < 0)
                        return -ENOMEM;
        return 0;
}

static bool has_group(const struct design *d, const char *name)
{
        for (size_t i = 0; i < d->n_groups; i++)
                if (strcmp(d->groups[i].name, name) == 0)
                        return true;
        return false;
}

static int compare_groups(const void *va, const void *vb)
{
        const struct design_group *a = va, *b = vb;

        return strcmp(a->name, b->name);
}

int design_of(const struct record *const *boots, size_t n, struct design *ret)
{
        CLEANUP(factors_done) struct factors f = FACTORS_NULL;
        CLEANUP(design_done) struct design d = { .n_boots = n, .n_columns = 1 };
        size_t base = 0;

        if (factors_of(boots, n, &f) < 0 || commonest(&f, &base) < 0)
                return -ENOMEM;
        for (size_t k = 0; k < f.n; k++) {
                struct design_group *grown;

                if (!f.factor[k].varies || has_group(&d, f.factor[k].group))
                        continue;
                grown = reallocarray(d.groups, d.n_groups + 1, sizeof *grown);
                if (!grown)
                        return -ENOMEM;
                d.groups = grown;
                grown[d.n_groups] = (struct design_group){ .n_levels = 0 };
                if (fill_group(&grown[d.n_groups++], &f, f.factor[k].group, base) < 0)
                        return -ENOMEM;
        }
        if (d.n_groups > 1)
                qsort(d.groups, d.n_groups, sizeof *d.groups, compare_groups);
        for (size_t i = 0; i < d.n_groups; i++) {
                d.groups[i].column = d.n_columns;
                d.n_columns += d.groups[i].n_levels - 1;
        }
        *ret = d;
        d = DESIGN_NULL;
        return 0;
}

void design_row(const struct design *d, const size_t *levels, double *ret)
{
        memset(ret, 0, d->n_columns * sizeof *ret);
        ret[0] = 1;
        for (size_t i = 0; i < d->n_groups; i++)
                if (levels[i] > 0)
                        ret[d->groups[i].column + levels[i] - 1] = 1;
}

void design_levels(const struct design *d, size_t i, size_t *ret)
{
        for (size_t g = 0; g < d->n_groups; g++)
                ret[g] = d->groups[g].level[i];
}

char *design_level_text(const struct design_group *g, size_t level, bool changes)
{
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        for (size_t k = 0; k < g->n_keys; k++) {
                const struct design_key *key = &g->keys[k];
                const char *comma = ftell(f) > 0 ? ", " : "";

                if (!changes)
                        (void) fprintf(f, "%s%s=%s", comma, key->key, key->text[level]);
                else if (strcmp(key->text[level], key->text[0]) != 0)
                        (void) fprintf(f, "%s%s %s -> %s", comma, key->key, key->text[0],
                                       key->text[level]);
        }
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}
