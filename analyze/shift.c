/* analyze/shift.c - order statistics of the n*m pairwise differences without listing them
 *
 * How many differences are at most t is counted in one pass over both sorted sets. Bisection runs
 * over the doubles themselves (as integers of the same order), so it ends on the very difference,
 * not near it. */
#include "analyze/shift.h"
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <gsl/gsl_cdf.h>

#define SIGN_BIT (UINT64_C(1) << 63)
#define MEDIAN_INTERVAL_MIN 6
#define LEVEL 0.95

/* order_of() and its reverse - doubles as integers that sort the same way */
static uint64_t order_of(double x)
{
        uint64_t bits;

        memcpy(&bits, &x, sizeof bits);
        return bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
}

static double double_of(uint64_t order)
{
        uint64_t bits = order & SIGN_BIT ? order & ~SIGN_BIT : ~order;
        double x;

        memcpy(&x, &bits, sizeof x);
        return x;
}

/* count_at_most() - pairs with b - a <= t; for growing a the fitting b only become more */
static double count_at_most(const double *a, size_t n, const double *b, size_t m, double t)
{
        double count = 0;
        size_t fitting = 0;

        for (size_t i = 0; i < n; i++) {
                while (fitting < m && b[fitting] - a[i] <= t)
                        fitting++;
                count += (double) fitting;
        }
        return count;
}

/* difference() - the k-th smallest, from 1 */
static double difference(const double *a, size_t n, const double *b, size_t m, double k)
{
        uint64_t low = order_of(b[0] - a[n - 1]), high = order_of(b[m - 1] - a[0]);

        while (low < high) {
                uint64_t middle = low + (high - low) / 2;

                if (count_at_most(a, n, b, m, double_of(middle)) >= k)
                        high = middle;
                else
                        low = middle + 1;
        }
        return double_of(low) + 0.0; /* no "-0" in print */
}

struct estimate shift_of(const double *a, size_t n, const double *b, size_t m,
                         const struct rank_null *null, double level)
{
        double pairs = (double) n * (double) m;
        size_t depth = rank_null_depth(null, level);
        struct estimate e = { .level = 0 };

        e.value = difference(a, n, b, m, floor((pairs + 1) / 2));
        if (fmod(pairs, 2) == 0)
                e.value = e.value / 2 + difference(a, n, b, m, pairs / 2 + 1) / 2;
        if (pairs < 2)
                return e;
        if (depth == 0)
                depth = 1;
        e.has_interval = true;
        e.low = difference(a, n, b, m, (double) depth);
        e.high = difference(a, n, b, m, pairs + 1 - (double) depth);
        e.level = 1 - 2 * rank_null_tail(null, (double) depth - 1);
        return e;
}

double shift_equivalence_p(const double *a, size_t n, const double *b, size_t m,
                           const struct rank_null *null, double margin)
{
        double pairs = (double) n * (double) m;
        double above = pairs - count_at_most(a, n, b, m, margin);
        double below = count_at_most(a, n, b, m, nextafter(-margin, -INFINITY));

        return rank_null_tail(null, fmax(above, below));
}

double shift_median(const double *sorted, size_t n)
{
        return sorted[(n - 1) / 2] / 2 + sorted[n / 2] / 2;
}

bool shift_median_interval(const double *sorted, size_t n, struct estimate *ret)
{
        unsigned count = n > UINT32_MAX ? UINT32_MAX : (unsigned) n, depth = 1;

        if (n < MEDIAN_INTERVAL_MIN)
                return false;
        while (1 - 2 * gsl_cdf_binomial_P(depth, 0.5, count) >= LEVEL)
                depth++;
        *ret = (struct estimate){ .value = shift_median(sorted, n),
                                  .low = sorted[depth - 1],
                                  .high = sorted[n - depth],
                                  .level = 1 - 2 * gsl_cdf_binomial_P(depth - 1, 0.5, count),
                                  .has_interval = true };
        return true;
}
