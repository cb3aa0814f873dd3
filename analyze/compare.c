/* analyze/compare.c - pairs up the metrics of two sets and asks the statistics about each
 *
 * Which metrics are in the family is settled by what both sets have, before any p is looked at. */
#include "analyze/compare.h"
#include <math.h>
#include <string.h>
#include <gsl/gsl_sort.h>
#include "analyze/compare_odd.h"
#include "analyze/compare_warnings.h"
#include "analyze/holm.h"
#include "record/json.h"

#define LEVEL 0.05

enum { STATUS_COMPARED = 0, STATUS_INCOMPARABLE = 3, STATUS_CONFOUNDED = 4 };

static void row_done(struct row *r)
{
        free(r->name);
        free(r->incomparable);
        contrast_done(&r->contrast);
}

void comparison_done(struct comparison *c)
{
        for (size_t i = 0; i < c->n_rows; i++)
                row_done(&c->rows[i]);
        free(c->rows);
        metrics_done(&c->metrics);
        free(c->primary);
        free(c->problem);
        free(c->by_time);
        changes_done(&c->changes);
        for (size_t i = 0; i < c->n_odd; i++)
                free(c->odd[i].beside);
        free(c->odd);
        for (size_t i = 0; i < c->n_without; i++)
                contrast_done(&c->without[i].contrast);
        free(c->without);
        for (size_t i = 0; i < c->n_warnings; i++)
                free(c->warnings[i]);
        free(c->warnings);
        *c = COMPARISON_NULL;
}

static size_t count_values(const struct metric *m, size_t from, size_t to)
{
        size_t n = 0;

        for (size_t i = from; i < to; i++)
                if (!isnan(m->values[i]))
                        n++;
        return n;
}

static struct row *add_row(struct comparison *c, const struct metric *m, bool with_manner)
{
        struct row *grown = reallocarray(c->rows, c->n_rows + 1, sizeof *grown), *r;
        CLEANUP(freep) char *manner = with_manner ? manner_text(&m->manner) : NULL;

        if (!grown || (with_manner && !manner))
                return NULL;
        c->rows = grown;
        r = &grown[c->n_rows];
        *r = (struct row){
                .metric = m, .contrast = CONTRAST_NULL, .p_holm = 1, .equivalence_holm = 1
        };
        if (asprintf(&r->name, "%s%s%s%s", m->name, manner ? " (" : "", manner ? manner : "",
                     manner ? ")" : "") < 0)
                return NULL;
        c->n_rows++;
        return r;
}

bool compare_overlap_in_time(const struct boot_set *a, const struct boot_set *b)
{
        /* Boots are sorted by start; an undated one has 0. */
        return a->n > 0 && b->n > 0 && a->boots[0]->start.realtime_us > 0 &&
               b->boots[0]->start.realtime_us > 0 &&
               a->boots[a->n - 1]->start.realtime_us >= b->boots[0]->start.realtime_us &&
               b->boots[b->n - 1]->start.realtime_us >= a->boots[0]->start.realtime_us;
}

static int put_in_time(struct comparison *c, const struct record *const *boots)
{
        size_t n = c->a->n + c->b->n;
        CLEANUP(freep) double *times = reallocarray(NULL, n + 1, sizeof *times);

        if (!times)
                return -ENOMEM;
        if (!compare_overlap_in_time(c->a, c->b))
                return 0;
        c->by_time = reallocarray(NULL, n + 1, sizeof *c->by_time);
        if (!c->by_time)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                times[i] = (double) boots[i]->start.realtime_us;
        gsl_sort_index(c->by_time, times, 1, n);
        return 0;
}

/* take_order() - the row's values once more, oldest first, to see whether they drift */
static int take_order(const struct comparison *c, struct row *r)
{
        size_t n_boots = c->a->n + c->b->n, n = 0;
        CLEANUP(freep) double *values = reallocarray(NULL, n_boots, sizeof *values);
        CLEANUP(freep) bool *in_b = reallocarray(NULL, n_boots, sizeof *in_b);
        CLEANUP(freep) size_t *position = reallocarray(NULL, n_boots, sizeof *position);

        if (!values || !in_b || !position)
                return -ENOMEM;
        for (size_t k = 0; k < n_boots; k++) {
                size_t i = c->by_time[k];

                if (isnan(r->metric->values[i]))
                        continue;
                values[n] = r->metric->values[i];
                in_b[n] = i >= c->a->n;
                position[n++] = k;
        }
        return contrast_take_order(&r->contrast, values, in_b, position, n, c->within);
}

static int fill_row(struct comparison *c, struct row *r)
{
        size_t n_boots = c->a->n + c->b->n, n = 0, n_a;
        CLEANUP(freep) double *values = reallocarray(NULL, n_boots, sizeof *values);

        if (!values)
                return -ENOMEM;
        n_a = count_values(r->metric, 0, c->a->n);
        for (size_t i = 0; i < n_boots; i++)
                if (!isnan(r->metric->values[i]))
                        values[n++] = r->metric->values[i];
        if (contrast_of(values, n_a, values + n_a, n - n_a, c->within, &r->contrast) < 0)
                return -ENOMEM;
        return c->by_time ? take_order(c, r) : 0;
}

/* The metrics of one name, which differ in manner. */
struct namesakes {
        const struct metric *first;
        size_t n;
};

static struct namesakes namesakes_at(const struct metrics *m, size_t i)
{
        struct namesakes n = { .first = &m->metric[i], .n = 1 };

        while (i + n.n < m->n && strcmp(m->metric[i + n.n].name, n.first->name) == 0)
                n.n++;
        return n;
}

static const struct metric *richest(const struct namesakes *n, size_t from, size_t to)
{
        const struct metric *best = NULL;
        size_t most = 0;

        for (size_t i = 0; i < n->n; i++) {
                size_t count = count_values(&n->first[i], from, to);

                if (count > most) {
                        most = count;
                        best = &n->first[i];
                }
        }
        return best;
}

/* pair_up() - rows for the metrics of one name: what both sets measured alike, or, when they
 * measured the same thing differently, one row that says how */
static int pair_up(struct comparison *c, const struct namesakes *names)
{
        size_t n_a = c->a->n, n_boots = n_a + c->b->n;
        const struct metric *in_a, *in_b;
        bool paired = false;

        for (size_t i = 0; i < names->n; i++) {
                const struct metric *m = &names->first[i];
                struct row *r;

                if (count_values(m, 0, n_a) == 0 || count_values(m, n_a, n_boots) == 0)
                        continue;
                r = add_row(c, m, names->n > 1);
                if (!r || fill_row(c, r) < 0)
                        return -ENOMEM;
                paired = true;
        }
        in_a = richest(names, 0, n_a);
        in_b = richest(names, n_a, n_boots);
        if (!paired && in_a && in_b) {
                struct row *r = add_row(c, in_a, false);

                if (r)
                        r->incomparable = manner_difference(&in_a->manner, &in_b->manner);
                return r && r->incomparable ? 0 : -ENOMEM;
        }
        return 0;
}

static bool is_primary(const struct comparison *c, const struct row *r)
{
        return metric_has_name(r->metric, c->primary);
}

/* smaller_side() - boots of the set that has fewer values in the row; none for an incomparable one
 */
static size_t smaller_side(const struct row *r)
{
        return r->contrast.a.n < r->contrast.b.n ? r->contrast.a.n : r->contrast.b.n;
}

/* primary_first() - by moving it past the others, whose order stays. Measured in several manners,
 * it is the one that most boots have, whatever its figures are. */
static void primary_first(struct comparison *c)
{
        size_t best = c->n_rows;
        struct row primary;

        for (size_t i = 0; i < c->n_rows; i++)
                if (is_primary(c, &c->rows[i]) &&
                    (best == c->n_rows || smaller_side(&c->rows[i]) > smaller_side(&c->rows[best])))
                        best = i;
        if (best == c->n_rows)
                return;
        primary = c->rows[best];
        memmove(c->rows + 1, c->rows, best * sizeof *c->rows);
        c->rows[0] = primary;
}

static struct verdict judge(const struct comparison *c, const struct row *r, double level)
{
        return verdict_of(&r->contrast, &(struct verdict_rule){
                                                .p = r->p_holm,
                                                .equivalence_p = r->equivalence_holm,
                                                .level = level,
                                                .within = c->within,
                                                .resolution = r->metric->resolution,
                                        });
}

/* is_of_family() - does the row have figures, and is it the primary or not, as is asked? */
static bool is_of_family(const struct comparison *c, const struct row *r, bool primaries)
{
        return !r->incomparable && (r == compare_primary(c)) == primaries;
}

/* correct() - Holm over the primaries or over the secondaries of all @n comparisons */
static int correct(struct comparison *c, size_t n, bool primaries)
{
        CLEANUP(freep) double *p = NULL;
        size_t n_rows = 0, n_family = 0, k = 0;
        double *equivalence;

        for (size_t i = 0; i < n; i++)
                n_rows += c[i].n_rows;
        p = reallocarray(NULL, 2 * n_rows + 1, sizeof *p);
        if (!p)
                return -ENOMEM;
        equivalence = p + n_rows;
        for (size_t i = 0; i < n; i++)
                for (size_t row = 0; row < c[i].n_rows; row++)
                        if (is_of_family(&c[i], &c[i].rows[row], primaries)) {
                                p[n_family] = c[i].rows[row].contrast.p;
                                equivalence[n_family++] = c[i].rows[row].contrast.equivalence_p;
                        }
        if (holm_adjust(p, n_family, p) < 0 || holm_adjust(equivalence, n_family, equivalence) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                for (size_t row = 0; row < c[i].n_rows; row++) {
                        struct row *r = &c[i].rows[row];

                        if (!is_of_family(&c[i], r, primaries))
                                continue;
                        r->p_holm = p[k];
                        r->equivalence_holm = equivalence[k++];
                        r->verdict = judge(&c[i], r, LEVEL / (double) n_family);
                }
                if (!primaries)
                        c[i].n_family = n_family;
        }
        return 0;
}

const struct row *compare_primary(const struct comparison *c)
{
        return c->n_rows > 0 && !c->rows[0].incomparable && is_primary(c, &c->rows[0]) ? &c->rows[0]
                                                                                       : NULL;
}

static int judge_primary(struct comparison *c)
{
        struct row *r = c->rows; /* none at all when no set has a boot */

        if (!compare_primary(c)) {
                c->problem = compare_problem(c);
                return c->problem ? 0 : -ENOMEM;
        }
        r->p_holm = r->contrast.p;
        r->equivalence_holm = r->contrast.equivalence_p;
        r->verdict = judge(c, r, LEVEL);
        c->modes_a = modes_of(r->contrast.a.sorted, r->contrast.a.n, r->metric->resolution);
        c->modes_b = modes_of(r->contrast.b.sorted, r->contrast.b.n, r->metric->resolution);
        return 0;
}

int compare_sets(const struct boot_set *a, const struct boot_set *b,
                 const struct compare_options *options, struct comparison *ret)
{
        CLEANUP(comparison_done)
        struct comparison c = { .a = a, .b = b, .within = options->within };
        CLEANUP(freep)
        const struct record **boots = reallocarray(NULL, a->n + b->n + 1, sizeof *boots);

        c.primary = strdup(options->primary ? options->primary : COMPARE_PRIMARY);
        if (!boots || !c.primary)
                return -ENOMEM;
        if (a->n > 0)
                memcpy(boots, a->boots, a->n * sizeof *boots);
        if (b->n > 0)
                memcpy(boots + a->n, b->boots, b->n * sizeof *boots);
        if (metrics_of(boots, a->n + b->n, options->from, c.primary, &c.metrics) < 0 ||
            changes_of(a, b, &c.changes) < 0 || put_in_time(&c, boots) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < c.metrics.n;) {
                struct namesakes names = namesakes_at(&c.metrics, i);

                if (pair_up(&c, &names) < 0)
                        return -ENOMEM;
                i += names.n;
        }
        primary_first(&c);
        if (judge_primary(&c) < 0 || correct(&c, 1, false) < 0 ||
            compare_find_odd(&c, options->pool ? options->pool : boots,
                             options->pool ? options->n_pool : a->n + b->n) < 0 ||
            compare_add_warnings(&c) < 0)
                return -ENOMEM;
        *ret = c;
        c = COMPARISON_NULL;
        return 0;
}

int compare_correct_together(struct comparison *c, size_t n)
{
        return correct(c, n, true) < 0 || correct(c, n, false) < 0 ? -ENOMEM : 0;
}

int compare_status(const struct comparison *c)
{
        if (c->problem)
                return STATUS_INCOMPARABLE;
        return c->changes.confounded ? STATUS_CONFOUNDED : STATUS_COMPARED;
}
