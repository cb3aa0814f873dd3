/* analyze/changes.c - compares two sets group by group
 *
 * A boot's value of a group is the tuple of its keys. What a boot does not say agrees with
 * anything: a record of an older bootlap, which knew fewer factors, must not look like another
 * machine. */
#include "analyze/changes.h"
#include <math.h>
#include <string.h>
#include "analyze/factor_level.h"
#include "record/json.h"

#define LEVELS_SHOWN 3

/* Both sets in one matrix: boots of A first. */
struct sides {
        struct factors factors;
        size_t n_a, n_b;
};

static void change_done(struct change *c)
{
        free(c->group);
        for (size_t i = 0; i < c->n_keys; i++) {
                free(c->keys[i].key);
                free(c->keys[i].a);
                free(c->keys[i].b);
        }
        free(c->keys);
}

void changes_done(struct changes *c)
{
        for (size_t i = 0; i < c->n; i++)
                change_done(&c->change[i]);
        free(c->change);
        *c = CHANGES_NULL;
}

static bool in_group(const struct factor *f, const char *group)
{
        return strcmp(f->group, group) == 0;
}

static bool same_level(const struct factor *f, size_t i, size_t k)
{
        return !f->level[i] || !f->level[k] || strcmp(f->level[i], f->level[k]) == 0;
}

/* Boots that say the same of a group, as one; there are few, however many the boots. */
struct class
{
        size_t boot; /* one of them */
        size_t n_a, n_b;
};

struct classes {
        struct class *class;
        size_t n;
};

/* profile() - what boot @i says of the group, as a key */
static char *profile(const struct sides *s, const char *group, size_t i)
{
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        for (size_t k = 0; k < s->factors.n; k++) {
                const struct factor *factor = &s->factors.factor[k];

                if (factor->varies && in_group(factor, group))
                        (void) fprintf(f, "%s%s\n", factor->level[i] ? "=" : "",
                                       factor->level[i] ? factor->level[i] : "");
        }
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}

static int classes_of(const struct sides *s, const char *group, struct classes *ret)
{
        CLEANUP(json_decrefp) json_t *index = json_object();
        size_t n_boots = s->n_a + s->n_b;

        *ret = (struct classes){ .class = calloc(n_boots, sizeof *ret->class) };
        if (!ret->class || !index)
                return -ENOMEM;
        for (size_t i = 0; i < n_boots; i++) {
                CLEANUP(freep) char *key = profile(s, group, i);
                const json_t *at = key ? json_object_get(index, key) : NULL;
                struct class *c = &ret->class[at ? (size_t) json_integer_value(at) : ret->n];

                if (!key || (!at && json_put(index, key, json_integer((json_int_t) ret->n++)) < 0))
                        return -ENOMEM;
                c->boot = i;
                c->n_a += i < s->n_a;
                c->n_b += i >= s->n_a;
        }
        return 0;
}

/* agree() - in every key of the group that both boots say; *ret_any tells whether there is one */
static bool agree(const struct sides *s, const char *group, size_t i, size_t k, bool *ret_any)
{
        for (size_t f = 0; f < s->factors.n; f++) {
                const struct factor *factor = &s->factors.factor[f];

                if (!factor->varies || !in_group(factor, group))
                        continue;
                if (!same_level(factor, i, k))
                        return *ret_any = true, false;
                *ret_any = *ret_any || (factor->level[i] && factor->level[k]);
        }
        return true;
}

/* unbalanced() - some value's share differs by more than uneven numbers of boots explain */
static bool unbalanced(const struct sides *s, const char *group, const struct classes *c)
{
        double n_a = (double) s->n_a, n_b = (double) s->n_b, step = 1 / fmin(n_a, n_b);
        bool any = false;

        for (size_t i = 0; i < c->n; i++) {
                double in_a = 0, in_b = 0;

                for (size_t k = 0; k < c->n; k++)
                        if (agree(s, group, c->class[i].boot, c->class[k].boot, &any)) {
                                in_a += (double) c->class[k].n_a;
                                in_b += (double) c->class[k].n_b;
                        }
                if (in_a < 0.5 || in_b < 0.5 || fabs(in_a / n_a - in_b / n_b) > step)
                        return true;
        }
        return false;
}

/* kind_of() - *ret_changed stays false when both sets hold the same */
static int kind_of(const struct sides *s, const char *group, enum change_kind *ret,
                   bool *ret_changed)
{
        struct classes c = { .class = NULL };
        bool any = false, overlap = false;
        int r = classes_of(s, group, &c);

        for (size_t i = 0; r == 0 && i < c.n; i++)
                for (size_t k = 0; k < c.n && !overlap; k++)
                        overlap = c.class[i].n_a > 0 && c.class[k].n_b > 0 &&
                                  agree(s, group, c.class[i].boot, c.class[k].boot, &any);
        if (r == 0) {
                *ret = !overlap ? CHANGE_DISJOINT : any ? CHANGE_UNBALANCED : CHANGE_ONE_SIDED;
                *ret_changed = !overlap || !any || unbalanced(s, group, &c);
        }
        free(c.class);
        return r;
}

/* level_counts() - {"none": 3, "luks2": 1}, in the order of the boots; "" for not said */
static json_t *level_counts(const struct factor *f, size_t from, size_t to)
{
        CLEANUP(json_decrefp) json_t *counts = json_object();

        for (size_t i = from; i < to; i++) {
                const char *level = f->level[i] ? f->level[i] : "";
                json_int_t n = json_integer_value(json_object_get(counts, level));

                if (json_put(counts, level, json_integer(n + 1)) < 0)
                        return NULL;
        }
        return TAKE(counts);
}

/* level_list() - the levels of one side with their numbers: "none (3), luks2 (1)" */
static char *level_list(const struct factor *f, size_t from, size_t to)
{
        CLEANUP(json_decrefp) json_t *counts = level_counts(f, from, to);
        char *text = NULL;
        size_t size, n_shown = 0;
        FILE *out = counts ? open_memstream(&text, &size) : NULL;
        const char *level;
        json_t *n;

        if (!out)
                return NULL;
        json_object_foreach(counts, level, n)
        {
                if (n_shown++ >= LEVELS_SHOWN)
                        continue;
                (void) fprintf(out, "%s%s", n_shown > 1 ? ", " : "", *level ? level : "not said");
                if (json_object_size(counts) > 1)
                        (void) fprintf(out, " (%d)", (int) json_integer_value(n));
        }
        if (n_shown > LEVELS_SHOWN)
                (void) fprintf(out, " and %zu more", n_shown - LEVELS_SHOWN);
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}

static int add_key(struct change *c, const struct sides *s, const struct factor *f)
{
        struct change_key *grown = reallocarray(c->keys, c->n_keys + 1, sizeof *grown), *k;

        if (!grown)
                return -ENOMEM;
        c->keys = grown;
        k = &grown[c->n_keys++];
        *k = (struct change_key){ .key = strdup(f->key),
                                  .a = level_list(f, 0, s->n_a),
                                  .b = level_list(f, s->n_a, s->n_a + s->n_b) };
        return k->key && k->a && k->b ? 0 : -ENOMEM;
}

static bool names_a_set(const struct boot_set *set, const char *key)
{
        for (size_t i = 0; i < set->n_keys; i++)
                if (strcmp(set->keys[i], key) == 0)
                        return true;
        return false;
}

static int add_group(struct changes *c, const struct sides *s, const struct factor *first,
                     const struct boot_set *a, const struct boot_set *b)
{
        struct change *grown, *change;
        enum change_kind kind;
        bool changed;

        if (kind_of(s, first->group, &kind, &changed) < 0)
                return -ENOMEM;
        if (!changed)
                return 0;
        grown = reallocarray(c->change, c->n + 1, sizeof *grown);
        if (!grown)
                return -ENOMEM;
        c->change = grown;
        change = &grown[c->n++];
        *change = (struct change){ .group = strdup(first->group), .kind = kind };
        change->is_name = first->is_own && kind == CHANGE_DISJOINT &&
                          (names_a_set(a, first->key) || names_a_set(b, first->key));
        if (!change->group)
                return -ENOMEM;
        for (size_t f = 0; f < s->factors.n; f++) {
                const struct factor *factor = &s->factors.factor[f];

                if (factor->varies && in_group(factor, first->group) &&
                    add_key(change, s, factor) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int compare_changes(const void *va, const void *vb)
{
        const struct change *a = va, *b = vb;

        if (a->kind != b->kind)
                return (int) a->kind - (int) b->kind;
        if (a->is_name != b->is_name)
                return a->is_name ? 1 : -1;
        return strcmp(a->group, b->group);
}

static bool group_is_new(const struct factors *f, size_t i)
{
        for (size_t k = 0; k < i; k++)
                if (f->factor[k].varies && in_group(&f->factor[k], f->factor[i].group))
                        return false;
        return true;
}

static void count_disjoint(struct changes *c)
{
        size_t n_names = 0;

        for (size_t i = 0; i < c->n; i++) {
                if (c->change[i].kind != CHANGE_DISJOINT)
                        continue;
                if (c->change[i].is_name)
                        n_names++;
                else
                        c->n_disjoint++;
        }
        /* Sets that differ in nothing but the label they were chosen by differ in that. */
        if (c->n_disjoint == 0 && n_names > 0)
                c->n_disjoint = 1;
        c->confounded = c->n_disjoint >= 2;
}

int changes_of(const struct boot_set *a, const struct boot_set *b, struct changes *ret)
{
        CLEANUP(freep)
        const struct record **boots = reallocarray(NULL, a->n + b->n + 1, sizeof *boots);
        CLEANUP(changes_done) struct changes c = CHANGES_NULL;
        struct sides s = { .n_a = a->n, .n_b = b->n };
        int r = 0;

        if (!boots)
                return -ENOMEM;
        if (a->n > 0 && b->n > 0) {
                memcpy(boots, a->boots, a->n * sizeof *boots);
                memcpy(boots + a->n, b->boots, b->n * sizeof *boots);
                r = factors_of(boots, a->n + b->n, &s.factors);
        }
        for (size_t i = 0; r == 0 && i < s.factors.n; i++)
                if (s.factors.factor[i].varies && group_is_new(&s.factors, i))
                        r = add_group(&c, &s, &s.factors.factor[i], a, b);
        factors_done(&s.factors);
        if (r < 0)
                return r;
        if (c.n > 1)
                qsort(c.change, c.n, sizeof *c.change, compare_changes);
        count_disjoint(&c);
        *ret = c;
        c = CHANGES_NULL;
        return 0;
}
