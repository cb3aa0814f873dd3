/* collectors/spread.h - what a handful of figures says: its ends, its middle, its scatter
 *
 * All from the sorted figures themselves; nothing assumes a law behind them.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct spread {
        size_t n;
        double low, high, median, average;
        double sd; /* of the figures (n - 1); NAN for fewer than two */
};

/** spread_sort() - ascending, in place; figures are finite */
void spread_sort(double *values, size_t n);

/** spread_of() - @sorted ascending; @n > 0 */
struct spread spread_of(const double *sorted, size_t n);

/**
 * spread_quantile() - the @p quantile, 0 <= p <= 1
 *
 * Linear between order statistics, the first at 0 and the last at 1 (R's type 7).
 */
double spread_quantile(const double *sorted, size_t n, double p);

/**
 * spread_median_interval() - order statistics that enclose the law's median
 * @want: level to reach, such as 0.95
 * @ret_low, @ret_high: indices into the sorted figures, from 0
 * @ret_level: the level that this pair has, whatever the law (exact for a continuous one, at least
 *             that for any other): 1 - 2 P(Binomial(n, 1/2) < number of figures left out at an end)
 *
 * The narrowest symmetric pair whose level is at least @want; when even the whole range is less
 * sure than that (n < 6 for 95 %), the whole range. Return: whether @want was reached.
 */
bool spread_median_interval(size_t n, double want, size_t *ret_low, size_t *ret_high,
                            double *ret_level);
