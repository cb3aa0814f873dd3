/* analyze/shift.h - by how much do two sets differ? Hodges-Lehmann's estimate and its interval */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/rank_null.h"

struct estimate {
        double value;
        double low, high;
        double level;      /* that the interval attains (0.943 for the whole range of 4+3) */
        bool has_interval; /* 1+1 has none */
};

/**
 * shift_of() - the median of all pairwise differences B - A, and the interval around it
 * @a, @b: sorted ascending, finite, at least one value each
 * @null: of the same sizes
 * @level: wanted, e.g. 0.95
 *
 * The interval is bounded by the k-th smallest and k-th largest difference, for the largest k that
 * attains @level; where none does it is the whole range with its own level. No memory is needed:
 * the k-th difference is found by bisection, so a million boots a set are no matter.
 */
struct estimate shift_of(const double *a, size_t n, const double *b, size_t m,
                         const struct rank_null *null, double level);

/**
 * shift_equivalence_p() - smallest level at which B lies within @margin of A
 * @a, @b: sorted ascending; logarithms for a ratio, and then @margin = log(1 + w)
 *
 * Two one-sided exact tests; at most 0.05 just when the 90 % interval lies inside +-@margin.
 */
double shift_equivalence_p(const double *a, size_t n, const double *b, size_t m,
                           const struct rank_null *null, double margin);

/** shift_median() - of @sorted; the mean of the two middle ones; @n at least 1 */
double shift_median(const double *sorted, size_t n);

/**
 * shift_median_interval() - 95 % interval of one set's median from its order statistics
 * Return: false below 6 values, for which there is none.
 */
bool shift_median_interval(const double *sorted, size_t n, struct estimate *ret);
