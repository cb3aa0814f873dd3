/* analyze/contrast.c - puts the rank test, the shift, the ratio and the spread of one metric side
 * by side */
#include "analyze/contrast.h"
#include <math.h>
#include <string.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include "record/macros.h"

#define LEVEL 0.95
#define DRIFT_LEAST_P 0.05
#define RATIO_MIN 1e-100 /* values below it may have no finite ratio */

static int sample_set_init(struct sample_set *s, const double *values, size_t n)
{
        *s = (struct sample_set){ .n = n };
        if (n == 0)
                return 0;
        s->sorted = reallocarray(NULL, n, sizeof *s->sorted);
        if (!s->sorted)
                return -ENOMEM;
        memcpy(s->sorted, values, n * sizeof *values);
        gsl_sort(s->sorted, 1, n);
        s->least = s->sorted[0];
        s->most = s->sorted[n - 1];
        s->median = shift_median(s->sorted, n);
        (void) shift_median_interval(s->sorted, n, &s->median_interval);
        return 0;
}

void contrast_done(struct contrast *c)
{
        free(c->a.sorted);
        free(c->b.sorted);
        *c = CONTRAST_NULL;
}

static double *logarithms(const struct sample_set *s)
{
        double *logs = reallocarray(NULL, s->n, sizeof *logs);

        for (size_t i = 0; logs && i < s->n; i++)
                logs[i] = log(s->sorted[i]);
        return logs;
}

/* squares() - sum of squared deviations from the mean */
static double squares(const double *x, size_t n)
{
        return n > 1 ? gsl_stats_variance(x, 1, n) * (double) (n - 1) : 0;
}

static int add_ratio(struct contrast *c, const struct rank_null *null, double within)
{
        size_t n = c->a.n, m = c->b.n;
        CLEANUP(freep) double *a = logarithms(&c->a), *b = logarithms(&c->b);

        if (!a || !b)
                return -ENOMEM;
        c->has_ratio = true;
        c->ratio = shift_of(a, n, b, m, null, LEVEL);
        c->ratio.value = exp(c->ratio.value);
        c->ratio.low = exp(c->ratio.low);
        c->ratio.high = exp(c->ratio.high);
        c->equivalence_p = shift_equivalence_p(a, n, b, m, null, log1p(within));
        if (n + m > 2) {
                c->has_spread = true;
                c->spread = sqrt((squares(a, n) + squares(b, m)) / (double) (n + m - 2));
        }
        return 0;
}

static enum tendency tendency_of(double away)
{
        return away > 0 ? TENDENCY_HIGHER : away < 0 ? TENDENCY_LOWER : TENDENCY_NONE;
}

int contrast_of(const double *a, size_t n, const double *b, size_t m, double within,
                struct contrast *ret)
{
        CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;
        CLEANUP(rank_null_done) struct rank_null null = RANK_NULL_NULL;
        int r;

        if (sample_set_init(&c.a, a, n) < 0 || sample_set_init(&c.b, b, m) < 0)
                return -ENOMEM;
        c.test.p = c.p = c.least_p = c.equivalence_p = 1;
        if (n > 0 && m > 0) {
                r = rank_null_init(&null, n, m);
                if (r == 0)
                        r = rank_test(a, n, b, m, &c.test);
                if (r < 0)
                        return r;
                c.p = c.test.p;
                c.least_p = rank_null_least_p(&null);
                c.tendency = tendency_of((double) n * (double) m / 2 - c.test.u);
                c.shift = shift_of(c.a.sorted, n, c.b.sorted, m, &null, LEVEL);
                if (c.b.most < c.a.least)
                        c.order = ORDER_B_BELOW_A;
                else if (c.b.least > c.a.most)
                        c.order = ORDER_B_ABOVE_A;
                if (c.a.least > RATIO_MIN && c.b.least > RATIO_MIN &&
                    add_ratio(&c, &null, within) < 0)
                        return -ENOMEM;
        }
        *ret = c;
        c = CONTRAST_NULL;
        return 0;
}

int contrast_take_order(struct contrast *c, const double *values, const bool *in_b,
                        const size_t *position, size_t n, double within)
{
        int r;

        /* Where the ranks cannot reach a verdict, neither shall a fit with next to no degrees of
         * freedom: with 3+3 boots it would claim what any regular pattern of microseconds makes it
         * see. */
        if (!c->has_ratio || c->least_p > DRIFT_LEAST_P)
                return 0;
        r = drift_of(values, in_b, position, n, within, &c->drift);
        if (r < 0 || !c->drift.matters)
                return r;
        c->p = c->drift.p;
        c->equivalence_p = c->drift.equivalence_p;
        c->shift = c->drift.shift;
        c->ratio = c->drift.ratio;
        c->tendency = tendency_of(log(c->drift.ratio.value));
        return 0;
}
