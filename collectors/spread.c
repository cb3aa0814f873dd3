/* collectors/spread.c - order statistics and moments of a small sample */
#include "collectors/spread.h"
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
        double x = *(const double *) a, y = *(const double *) b;

        return (x > y) - (x < y);
}

void spread_sort(double *values, size_t n) { qsort(values, n, sizeof *values, compare); }

double spread_quantile(const double *sorted, size_t n, double p)
{
        double at = p * (double) (n - 1);
        size_t k = (size_t) at;

        if (k + 1 >= n)
                return sorted[n - 1];
        return sorted[k] + (at - (double) k) * (sorted[k + 1] - sorted[k]);
}

struct spread spread_of(const double *sorted, size_t n)
{
        struct spread s = { .n = n, .low = sorted[0], .high = sorted[n - 1], .sd = NAN };
        double sum = 0, squares = 0;

        for (size_t i = 0; i < n; i++)
                sum += sorted[i];
        s.average = sum / (double) n;
        for (size_t i = 0; i < n; i++) /* a second pass: sums of squares would cancel */
                squares += (sorted[i] - s.average) * (sorted[i] - s.average);
        if (n > 1)
                s.sd = sqrt(squares / (double) (n - 1));
        s.median = spread_quantile(sorted, n, 0.5);
        return s;
}

bool spread_median_interval(size_t n, double want, size_t *ret_low, size_t *ret_high,
                            double *ret_level)
{
        double n_real = (double) n;
        size_t left_out = 0; /* at either end */
        double tail = 0, level;

        /* In logarithms: 2^-n and the coefficients leave the range of a double above n = 1000. */
        for (size_t k = 0; 2 * k + 1 < n; k++) {
                double term = exp(lgamma(n_real + 1) - lgamma((double) k + 1) -
                                  lgamma(n_real - (double) k + 1) - n_real * M_LN2);

                level = 1 - 2 * (tail + term);
                if (k > 0 && level < want)
                        break;
                tail += term;
                left_out = k;
                *ret_level = level;
        }
        if (n == 1)
                *ret_level = 0;
        *ret_low = left_out;
        *ret_high = n - 1 - left_out;
        return *ret_level >= want;
}
