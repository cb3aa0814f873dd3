/* analyze/rank_null.c - U's distribution by adding up, never by subtracting
 *
 * The number of ways to get U = u is the number of ways to choose which of the n+m ranks belong to
 * the smaller set. Ranks are taken in one after the other; counts only ever grow, so doubles keep a
 * relative error near 1e-15 although the counts exceed 2^53. */
#include "analyze/rank_null.h"
#include <math.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include "record/macros.h"

/* Additions that counting may cost: about 50 ms. Reached at 95+95 boots. */
#define COUNT_MAX 1e8

/* Probabilities are sums of many terms; a level that is met exactly must not fail by rounding. */
#define ROUNDING 1e-9

static double cost(size_t few, size_t all, size_t n_cumulative)
{
        return (double) all * (double) few * (double) n_cumulative;
}

/* count_ways() - ways[c * width + u] becomes the number of ways to have chosen c of the ranks with
 * U = u; rank i (from 0) as the c-th chosen one leaves i - (c - 1) unchosen ones below it */
static void count_ways(double *ways, size_t few, size_t all, size_t width)
{
        ways[0] = 1;
        for (size_t i = 0; i < all; i++)
                for (size_t c = i + 1 < few ? i + 1 : few; c >= 1; c--) {
                        size_t below = i - (c - 1);
                        double *to = ways + c * width, *from = ways + (c - 1) * width;

                        for (size_t u = below; u < width; u++)
                                to[u] += from[u - below];
                }
}

int rank_null_init(struct rank_null *d, size_t n, size_t m)
{
        size_t few = n < m ? n : m, all = n + m, width;
        CLEANUP(freep) double *ways = NULL;
        double sum = 0, total;

        *d = (struct rank_null){ .n = n, .m = m };
        if ((double) n * (double) m > 1e12) {
                d->approximate = true;
                return 0;
        }
        width = n * m / 2 + 1;
        if (cost(few, all, width) > COUNT_MAX) {
                d->approximate = true;
                return 0;
        }
        ways = calloc((few + 1) * width, sizeof *ways);
        d->cumulative = calloc(width, sizeof *d->cumulative);
        if (!ways || !d->cumulative) {
                rank_null_done(d);
                return -ENOMEM;
        }
        count_ways(ways, few, all, width);
        total = exp(gsl_sf_lnchoose((unsigned) all, (unsigned) few));
        /* lnchoose() rounds at 1e-13; where the whole number fits a double, use that. */
        if (total < 1e15)
                total = round(total);
        d->n_cumulative = width;
        for (size_t u = 0; u < width; u++) {
                sum += ways[few * width + u];
                d->cumulative[u] = sum / total;
        }
        return 0;
}

void rank_null_done(struct rank_null *d)
{
        free(d->cumulative);
        *d = RANK_NULL_NULL;
}

double rank_null_tail(const struct rank_null *d, double u)
{
        double n = (double) d->n, m = (double) d->m, most = n * m;

        u = floor(u);
        if (u < 0)
                return 0;
        if (u >= most)
                return 1;
        if (d->approximate)
                return gsl_cdf_ugaussian_P((u + 0.5 - most / 2) / sqrt(most * (n + m + 1) / 12));
        if (u < (double) d->n_cumulative)
                return d->cumulative[(size_t) u];
        return 1 - rank_null_tail(d, most - u - 1);
}

double rank_null_least_p(const struct rank_null *d) { return rank_least_p(d->n, d->m); }

double rank_least_p(size_t n, size_t m)
{
        double ways = 1;

        if (n == 0 || m == 0)
                return 1;
        /* Each partial product is itself a binomial coefficient: exact while below 2^53. */
        for (size_t i = 1; i <= (n < m ? n : m) && ways < 1e300; i++)
                ways = ways * (double) ((n > m ? n : m) + i) / (double) i;
        return fmin(1, 2 / ways);
}

size_t rank_null_depth(const struct rank_null *d, double level)
{
        double per_side = (1 - level) / 2 + ROUNDING;
        size_t low = 0, high = d->n * d->m / 2;

        /* The largest k with P(U <= k-1) <= per_side; the tail grows with k. */
        while (low < high) {
                size_t middle = low + (high - low + 1) / 2;

                if (rank_null_tail(d, (double) middle - 1) <= per_side)
                        low = middle;
                else
                        high = middle - 1;
        }
        return low;
}
