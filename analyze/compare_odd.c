/* analyze/compare_odd.c - asks odd_find() about each metric of a comparison
 *
 * The pool may hold boots of other configurations: they have no say in what a configuration's level
 * is, but they know how far boots spread around theirs. */
#include "analyze/compare_odd.h"
#include <math.h>
#include <string.h>
#include "analyze/configuration.h"
#include "analyze/odd.h"
#include "analyze/odd_beside.h"

/* The pool, its metrics, and the values of one of them. */
struct search {
        struct comparison *c;
        const struct record *const *pool;
        size_t n_pool;
        size_t *configuration; /* of each boot in the pool */
        struct metrics metrics;
        size_t *boot; /* of each value below: its place in the pool */
        double *values;
        size_t *cell; /* configuration, numbered among the values at hand */
        struct odd *found;
        size_t n;
};

static void search_done(struct search *s)
{
        free(s->configuration);
        metrics_done(&s->metrics);
        free(s->boot);
        free(s->values);
        free(s->cell);
        free(s->found);
}

static int search_init(struct search *s, struct comparison *c, const struct record *const *pool,
                       size_t n_pool)
{
        *s = (struct search){ .c = c,
                              .pool = pool,
                              .n_pool = n_pool,
                              .boot = calloc(n_pool + 1, sizeof *s->boot),
                              .values = calloc(n_pool + 1, sizeof *s->values),
                              .cell = calloc(n_pool + 1, sizeof *s->cell),
                              .found = calloc(n_pool + 1, sizeof *s->found) };
        if (!s->boot || !s->values || !s->cell || !s->found)
                return -ENOMEM;
        if (metrics_of(pool, n_pool, c->metrics.from, c->primary, &s->metrics) < 0)
                return -ENOMEM;
        c->n_pool = n_pool;
        return configuration_of(pool, n_pool, &s->configuration, &c->n_configurations);
}

static const struct metric *same_metric(const struct metrics *m, const struct metric *wanted)
{
        for (size_t i = 0; i < m->n; i++) {
                const struct metric *one = &m->metric[i];
                CLEANUP(freep) char *key = NULL, *wanted_key = NULL;

                if (strcmp(one->name, wanted->name) != 0)
                        continue;
                key = manner_key(one->name, &one->manner, one->manner.tool_version);
                wanted_key = manner_key(wanted->name, &wanted->manner, wanted->manner.tool_version);
                if (key && wanted_key && strcmp(key, wanted_key) == 0)
                        return one;
        }
        return NULL;
}

/* gather() - the pool's values of one metric; false when one of them has no logarithm */
static bool gather(struct search *s, const struct metric *m)
{
        s->n = 0;
        for (size_t i = 0; m && i < s->n_pool; i++) {
                if (isnan(m->values[i]))
                        continue;
                if (m->values[i] <= 0)
                        return false;
                s->boot[s->n] = i;
                s->values[s->n] = m->values[i];
                s->cell[s->n] = s->n;
                for (size_t k = 0; k < s->n; k++)
                        if (s->configuration[s->boot[k]] == s->configuration[i]) {
                                s->cell[s->n] = s->cell[k];
                                break;
                        }
                s->n++;
        }
        return s->n > 0;
}

static bool set_has(const struct boot_set *set, const struct record *boot)
{
        for (size_t i = 0; i < set->n; i++)
                if (set_compare_boots(&set->boots[i], &boot) == 0)
                        return true;
        return false;
}

static int add_odd(struct search *s, const struct odd *found, size_t row)
{
        struct comparison *c = s->c;
        const struct record *boot = s->pool[s->boot[found->boot]];
        struct odd_boot *grown, odd = { .boot = boot, .row = row, .p = found->p };

        odd.in_b = set_has(c->b, boot);
        if (!odd.in_b && !set_has(c->a, boot))
                return 0; /* odd, but nobody asked about it */
        grown = reallocarray(c->odd, c->n_odd + 1, sizeof *grown);
        if (!grown)
                return -ENOMEM;
        c->odd = grown;
        odd.value = s->values[found->boot];
        odd.least = INFINITY;
        odd.most = -INFINITY;
        for (size_t i = 0; i < s->n; i++)
                if (i != found->boot && s->cell[i] == s->cell[found->boot]) {
                        odd.least = fmin(odd.least, s->values[i]);
                        odd.most = fmax(odd.most, s->values[i]);
                        odd.n_others++;
                }
        if (odd_beside(s->pool, s->n_pool, s->configuration, s->boot[found->boot],
                       c->rows[row].metric->to != NULL, &odd.beside) < 0)
                return -ENOMEM;
        grown[c->n_odd++] = odd;
        return 0;
}

static bool is_odd(const struct comparison *c, const struct record *boot, size_t row)
{
        for (size_t i = 0; i < c->n_odd; i++)
                if ((row == 0 || c->odd[i].row == row) &&
                    set_compare_boots(&c->odd[i].boot, &boot) == 0)
                        return true;
        return false;
}

/* add_without() - the contrast of a row without its odd boots; row 0 does without any odd one */
static int add_without(struct comparison *c, size_t row)
{
        const struct metric *m = c->rows[row].metric;
        size_t n_boots = c->a->n + c->b->n, n = 0, n_a = 0;
        CLEANUP(freep) double *values = reallocarray(NULL, n_boots + 1, sizeof *values);
        struct without_odd *grown = reallocarray(c->without, c->n_without + 1, sizeof *grown);

        if (grown)
                c->without = grown;
        if (!values || !grown)
                return -ENOMEM;
        for (size_t i = 0; i < n_boots; i++) {
                bool in_a = i < c->a->n;

                if (isnan(m->values[i]) ||
                    is_odd(c, in_a ? c->a->boots[i] : c->b->boots[i - c->a->n], row))
                        continue;
                values[n++] = m->values[i];
                n_a += in_a;
        }
        grown[c->n_without] = (struct without_odd){ .row = row };
        if (contrast_of(values, n_a, values + n_a, n - n_a, c->within,
                        &grown[c->n_without].contrast) < 0)
                return -ENOMEM;
        c->n_without++;
        return 0;
}

static int compare_odd_boots(const void *va, const void *vb)
{
        const struct odd_boot *a = va, *b = vb;
        int order;

        if (a->in_b != b->in_b)
                return a->in_b ? 1 : -1;
        order = set_compare_boots(&a->boot, &b->boot);
        return order ? order : (int) a->row - (int) b->row;
}

int compare_find_odd(struct comparison *c, const struct record *const *pool, size_t n_pool)
{
        CLEANUP(search_done) struct search s = { .n = 0 };

        if (search_init(&s, c, pool, n_pool) < 0)
                return -ENOMEM;
        for (size_t row = 0; row < c->n_rows; row++) {
                int n;

                if (c->rows[row].incomparable ||
                    !gather(&s, same_metric(&s.metrics, c->rows[row].metric)))
                        continue;
                n = odd_find(s.values, s.cell, s.n, s.found);
                if (n < 0)
                        return n;
                for (int i = 0; i < n; i++)
                        if (add_odd(&s, &s.found[i], row) < 0)
                                return -ENOMEM;
        }
        if (c->n_odd > 1)
                qsort(c->odd, c->n_odd, sizeof *c->odd, compare_odd_boots);
        for (size_t row = 0; row < c->n_rows && c->n_odd > 0; row++) {
                bool any = row == 0 && compare_primary(c);

                for (size_t i = 0; i < c->n_odd && !any; i++)
                        any = c->odd[i].row == row;
                if (any && add_without(c, row) < 0)
                        return -ENOMEM;
        }
        return 0;
}
