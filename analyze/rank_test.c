/* analyze/rank_test.c - the exact conditional distribution of the rank sum
 *
 * Given the pooled mid-ranks, every choice of n of them is equally likely when the sets do not
 * differ. Rather than list all choices, the shift algorithm (Streitberg and Roehmel 1986) counts
 * those of each size and sum: it is enumeration's result at a cost that grows with a power of the
 * number of boots, and ties make no difference to it. Mid-ranks are doubled to stay whole numbers.
 */
#include "analyze/rank_test.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include "record/macros.h"

/* Additions that counting may cost: about 0.1 s. Reached at 85+85 boots with ties. */
#define COUNT_MAX 1.5e8

#define MONTE_CARLO_MAX                                                                            \
        2000 /* boots; above it the normal approximation is better than the draws                  \
              */
#define SEED 20020913

int rank_midranks(const double *values, size_t n, double *ret)
{
        CLEANUP(freep) size_t *order = reallocarray(NULL, n ? n : 1, sizeof *order);

        if (!order)
                return -ENOMEM;
        gsl_sort_index(order, values, 1, n);
        for (size_t i = 0, end; i < n; i = end) {
                for (end = i + 1; end < n && values[order[end]] == values[order[i]]; end++)
                        ;
                for (size_t k = i; k < end; k++)
                        ret[order[k]] = (double) (i + end + 1) / 2;
        }
        return 0;
}

/* What is counted: subsets of size @n_chosen among @n weights, by the sum of their weights. */
struct pool {
        uint32_t *weight; /* doubled mid-ranks, the smallest taken off, divided by what all share */
        size_t n, n_chosen;
        uint64_t sum;   /* of the weights that were in fact chosen */
        uint64_t total; /* of all weights */
};

static uint32_t common_divisor(const struct pool *p)
{
        uint32_t d = 0;

        for (size_t i = 0; i < p->n; i++)
                for (uint32_t a = p->weight[i], rest; a != 0; a = rest) {
                        rest = d % a;
                        d = a;
                }
        return d ? d : 1;
}

/* pool_fill() - from the first @p->n_chosen mid-ranks, which are those of the chosen set */
static void pool_fill(struct pool *p, const double *ranks)
{
        uint32_t least = UINT32_MAX, divisor;

        for (size_t i = 0; i < p->n; i++) {
                p->weight[i] = (uint32_t) (2 * ranks[i]);
                if (p->weight[i] < least)
                        least = p->weight[i];
        }
        for (size_t i = 0; i < p->n; i++)
                p->weight[i] -= least;
        divisor = common_divisor(p);
        for (size_t i = 0; i < p->n; i++) {
                p->weight[i] /= divisor;
                p->total += p->weight[i];
                if (i < p->n_chosen)
                        p->sum += p->weight[i];
        }
}

/* pool_mirror() - count from the other end, so that the sum asked about lies in the lower half */
static void pool_mirror(struct pool *p)
{
        uint32_t most = 0;

        for (size_t i = 0; i < p->n; i++)
                if (p->weight[i] > most)
                        most = p->weight[i];
        for (size_t i = 0; i < p->n; i++)
                p->weight[i] = most - p->weight[i];
        p->sum = (uint64_t) most * p->n_chosen - p->sum;
        p->total = (uint64_t) most * p->n - p->total;
}

/* count_exactly() - P(sum <= observed) and P(sum < observed) */
static int count_exactly(const struct pool *p, double *ret_at_most, double *ret_below)
{
        size_t width = (size_t) p->sum + 1;
        CLEANUP(freep) double *ways = calloc((p->n_chosen + 1) * width, sizeof *ways);
        double below = 0, total = 1;

        if (!ways)
                return -ENOMEM;
        ways[0] = 1;
        for (size_t i = 0; i < p->n; i++)
                for (size_t c = i + 1 < p->n_chosen ? i + 1 : p->n_chosen; c >= 1; c--) {
                        double *to = ways + c * width, *from = to - width;

                        for (size_t s = p->weight[i]; s < width; s++)
                                to[s] += from[s - p->weight[i]];
                }
        for (size_t i = 1; i <= p->n_chosen; i++)
                total = total * (double) (p->n - p->n_chosen + i) / (double) i;
        for (size_t s = 0; s + 1 < width; s++)
                below += ways[p->n_chosen * width + s];
        *ret_below = below / total;
        *ret_at_most = (below + ways[p->n_chosen * width + width - 1]) / total;
        return 0;
}

static int draw_randomly(const struct pool *p, double *ret_at_most, double *ret_at_least)
{
        CLEANUP(freep) uint32_t *chosen = reallocarray(NULL, p->n_chosen, sizeof *chosen);
        gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
        size_t n_at_most = 1, n_at_least = 1; /* what was seen is one of the draws */

        if (!chosen || !rng) {
                if (rng)
                        gsl_rng_free(rng);
                return -ENOMEM;
        }
        gsl_rng_set(rng, SEED);
        for (int i = 0; i < RANK_DRAWS; i++) {
                uint64_t sum = 0;

                (void) gsl_ran_choose(rng, chosen, p->n_chosen, p->weight, p->n, sizeof *chosen);
                for (size_t k = 0; k < p->n_chosen; k++)
                        sum += chosen[k];
                n_at_most += sum <= p->sum;
                n_at_least += sum >= p->sum;
        }
        gsl_rng_free(rng);
        *ret_at_most = (double) n_at_most / (RANK_DRAWS + 1);
        *ret_at_least = (double) n_at_least / (RANK_DRAWS + 1);
        return 0;
}

/* normal_tail() - the smaller tail from the exact mean and variance, half a step for continuity */
static double normal_tail(const struct pool *p)
{
        double n = (double) p->n, k = (double) p->n_chosen, mean = (double) p->total / n,
               squares = 0;
        double variance, away;

        for (size_t i = 0; i < p->n; i++)
                squares += ((double) p->weight[i] - mean) * ((double) p->weight[i] - mean);
        variance = k * (n - k) / (n * (n - 1)) * squares;
        away = fabs((double) p->sum - k * mean) - 0.5;
        return variance > 0 && away > 0 ? gsl_cdf_ugaussian_Q(away / sqrt(variance)) : 0.5;
}

static int tails_of(struct pool *p, enum rank_method *ret_method, double *ret_tail)
{
        double at_most, at_least, below;
        int r;

        /* Below the mean the lower tail is the smaller one, and counting up to it the cheaper. */
        if ((double) p->sum * (double) p->n > (double) p->total * (double) p->n_chosen)
                pool_mirror(p);
        if ((double) p->n * (double) p->n_chosen * (double) (p->sum + 1) <= COUNT_MAX) {
                *ret_method = RANK_EXACT;
                r = count_exactly(p, &at_most, &below);
                at_least = 1 - below;
        } else if (p->n <= MONTE_CARLO_MAX) {
                *ret_method = RANK_MONTE_CARLO;
                r = draw_randomly(p, &at_most, &at_least);
        } else {
                *ret_method = RANK_NORMAL;
                *ret_tail = normal_tail(p);
                return 0;
        }
        if (r < 0)
                return r;
        *ret_tail = fmin(at_most, at_least);
        return 0;
}

int rank_test(const double *a, size_t n, const double *b, size_t m, struct rank_test *ret)
{
        size_t all = n + m, n_chosen = n < m ? n : m;
        CLEANUP(freep) double *pooled = reallocarray(NULL, 2 * all, sizeof *pooled);
        CLEANUP(freep) uint32_t *weight = reallocarray(NULL, all, sizeof *weight);
        struct pool pool = { .weight = weight, .n = all, .n_chosen = n_chosen };
        struct rank_test t = { .p = 1 };
        double *ranks, tail, sum = 0;
        int r;

        if (!pooled || !weight)
                return -ENOMEM;
        ranks = pooled + all;
        /* The smaller set comes first: it is the one whose choices are counted. */
        memcpy(pooled, n <= m ? a : b, n_chosen * sizeof *pooled);
        memcpy(pooled + n_chosen, n <= m ? b : a, (all - n_chosen) * sizeof *pooled);
        r = rank_midranks(pooled, all, ranks);
        if (r < 0)
                return r;
        for (size_t i = 0; i < n_chosen; i++)
                sum += ranks[i];
        t.u = sum -
              (double) n_chosen * (double) (n_chosen + 1) / 2; /* pairs: chosen above the rest */
        if (n > m)
                t.u = (double) n * (double) m - t.u;
        pool_fill(&pool, ranks);
        r = tails_of(&pool, &t.method, &tail);
        if (r < 0)
                return r;
        t.p = fmin(1, 2 * tail);
        *ret = t;
        return 0;
}
