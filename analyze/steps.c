/* analyze/steps.c - recursive splitting, and the choice between steps and a trend
 *
 * Whether there is a step is asked of ranks, so that no law of the values is assumed. Where it is,
 * and whether a line would do better, is least squares on the values themselves, which locates it
 * better (0.97 against 0.92 within 3 boots in tests/bench/simulate), after odd ones were drawn in
 * to Tukey's fences. */
#include "analyze/steps.h"
#include <math.h>
#include <string.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include "analyze/rank_test.h"
#include "analyze/shift.h"
#include "record/macros.h"

#define LEVEL 0.05
#define PERMUTATIONS 999
#define SEED 19470101

#define FENCE 1.5                 /* interquartile ranges beyond the quartiles */
#define BROKEN_TREND_PARAMETERS 3 /* one more than it has: one trend is likelier than two */
#define TREND_PRICE 2 /* by how much a line's criterion has to be better than the steps' */

struct splitter {
        const double *values;
        double *ranks, *drawn_in, *shuffled; /* room for all values */
        gsl_rng *rng;
        struct steps *found;
};

void steps_done(struct steps *s)
{
        free(s->segment);
        *s = STEPS_NULL;
}

/* cusum() - the largest standardized sum of centred values up to a split, and that split, which is
 * also the one that leaves the least squares around two means */
static double cusum(const double *x, size_t n, double mean, size_t *ret_at)
{
        double sum = 0, best = -1;

        for (size_t k = 1; k + STEPS_SIDE_MIN <= n; k++) {
                double measure;

                sum += x[k - 1] - mean;
                if (k < STEPS_SIDE_MIN)
                        continue;
                measure = fabs(sum) / sqrt((double) k * (double) (n - k));
                if (measure > best) {
                        best = measure;
                        *ret_at = k;
                }
        }
        return best;
}

/* split_p() - how often a shuffled row has so large a sum; stops once that cannot be rare any more
 */
static double split_p(struct splitter *s, size_t from, size_t n)
{
        double mean = gsl_stats_mean(s->ranks + from, 1, n);
        size_t n_as_large = 1, ignored;
        double observed = cusum(s->ranks + from, n, mean, &ignored);

        memcpy(s->shuffled, s->ranks + from, n * sizeof *s->shuffled);
        for (int i = 1; i <= PERMUTATIONS; i++) {
                gsl_ran_shuffle(s->rng, s->shuffled, n, sizeof *s->shuffled);
                n_as_large += cusum(s->shuffled, n, mean, &ignored) >= observed * (1 - 1e-12);
                if ((double) n_as_large > LEVEL * (PERMUTATIONS + 1))
                        return 1;
        }
        return (double) n_as_large / (PERMUTATIONS + 1);
}

static int add_segment(struct splitter *s, struct segment segment)
{
        struct steps *f = s->found;
        struct segment *grown = reallocarray(f->segment, f->n + 1, sizeof *grown);

        if (!grown)
                return -ENOMEM;
        f->segment = grown;
        memcpy(s->shuffled, s->values + segment.from, segment.n * sizeof *s->shuffled);
        gsl_sort(s->shuffled, 1, segment.n);
        segment.median = shift_median(s->shuffled, segment.n);
        grown[f->n++] = segment;
        return 0;
}

struct line {
        double intercept, slope; /* at the first value; from one to the next */
};

static struct line fit_line(const double *y, size_t n)
{
        double sxx = 0, sxy = 0, mean_x = ((double) n - 1) / 2, mean_y = gsl_stats_mean(y, 1, n);
        struct line l = { .slope = 0 };

        for (size_t i = 0; i < n; i++) {
                double x = (double) i - mean_x;

                sxx += x * x;
                sxy += x * (y[i] - mean_y);
        }
        if (sxx > 0)
                l.slope = sxy / sxx;
        l.intercept = mean_y - l.slope * mean_x;
        return l;
}

static double squares_around(const double *y, size_t n, struct line l)
{
        double squares = 0;

        for (size_t i = 0; i < n; i++)
                squares += pow(y[i] - l.intercept - l.slope * (double) i, 2);
        return squares;
}

/* trend_is_better() - does a line describe [from, from + n) better than the segments from @first
 * on? By Schwarz's criterion: what is left unexplained, and a price for each parameter. */
static bool trend_is_better(const struct splitter *s, size_t from, size_t n, size_t first)
{
        const struct steps *f = s->found;
        const double *y = s->drawn_in;
        size_t n_parameters = f->n - first - 1; /* where the steps are */
        double steps = 0, line = squares_around(y + from, n, fit_line(y + from, n));

        for (size_t i = first; i < f->n; i++) {
                const struct segment *g = &f->segment[i];
                struct line l = { .intercept = gsl_stats_mean(y + g->from, 1, g->n) };

                if (g->trend)
                        l = fit_line(y + g->from, g->n);
                steps += squares_around(y + g->from, g->n, l);
                n_parameters += g->trend ? BROKEN_TREND_PARAMETERS : 1;
        }
        return (double) n * log(line) + 2 * log((double) n) + TREND_PRICE <
               (double) n * log(steps) + (double) n_parameters * log((double) n);
}

/* split() - append the segments of [from, from + n); @p is that of the step at @from */
static int split(struct splitter *s, size_t from, size_t n, double p)
{
        size_t at = 0, first = s->found->n;
        double p_here = n >= STEPS_BOOTS_MIN ? split_p(s, from, n) : 1;
        struct line l;
        int r;

        if (p_here > LEVEL)
                return add_segment(s, (struct segment){ .from = from, .n = n, .p = p });
        (void) cusum(s->drawn_in + from, n, gsl_stats_mean(s->drawn_in + from, 1, n), &at);
        r = split(s, from, at, p);
        if (r == 0)
                r = split(s, from + at, n - at, p_here);
        if (r < 0 || !trend_is_better(s, from, n, first))
                return r;
        s->found->n = first;
        l = fit_line(s->drawn_in + from, n);
        return add_segment(s, (struct segment){ .from = from,
                                                .n = n,
                                                .trend = true,
                                                .first = l.intercept,
                                                .last = l.intercept + l.slope * (double) (n - 1),
                                                .p = p_here });
}

/* draw_in() - copy the values, those beyond Tukey's fences moved to them */
static void draw_in(struct splitter *s, size_t n)
{
        double low, high, reach;

        memcpy(s->shuffled, s->values, n * sizeof *s->shuffled);
        gsl_sort(s->shuffled, 1, n);
        low = gsl_stats_quantile_from_sorted_data(s->shuffled, 1, n, 0.25);
        high = gsl_stats_quantile_from_sorted_data(s->shuffled, 1, n, 0.75);
        reach = high > low ? FENCE * (high - low) : INFINITY; /* with many ties no fence stands */
        for (size_t i = 0; i < n; i++)
                s->drawn_in[i] = fmin(fmax(s->values[i], low - reach), high + reach);
}

int steps_of(const double *values, size_t n, struct steps *ret)
{
        CLEANUP(freep) double *room = reallocarray(NULL, 3 * n + 1, sizeof *room);
        CLEANUP(steps_done) struct steps found = STEPS_NULL;
        struct splitter s = { .values = values, .ranks = room, .found = &found };
        int r;

        if (!room)
                return -ENOMEM;
        s.drawn_in = room + n;
        s.shuffled = room + 2 * n;
        r = rank_midranks(values, n, s.ranks);
        if (r < 0 || n == 0)
                return r;
        draw_in(&s, n);
        s.rng = gsl_rng_alloc(gsl_rng_mt19937);
        if (!s.rng)
                return -ENOMEM;
        gsl_rng_set(s.rng, SEED);
        r = split(&s, 0, n, 1);
        gsl_rng_free(s.rng);
        if (r < 0)
                return r;
        *ret = found;
        found = STEPS_NULL;
        return 0;
}
