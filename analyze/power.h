/* analyze/power.h - how many boots could show a difference, and how many would */
#pragma once
#include <stddef.h>

struct boots_needed {
        size_t n, m; /* boots of A and of B, those already there included */
};

/**
 * power_could() - the fewest boots with which the test's least p reaches @level
 * @n, @m: boots already there; none is taken away
 * @ret: may be NULL. Among sums that tie, the most even pair.
 *
 * Return: the sum of both sets.
 */
size_t power_could(size_t n, size_t m, double level, struct boots_needed *ret);

#define POWER_BOOTS_MAX 2000

/**
 * power_would() - boots a set, as many of each, for 80 % power
 * @spread: standard deviation of the logarithms, above 0
 * @margin: difference of logarithms that one wants to see
 *
 * Of the exact test at @level two-sided, with log-normal values. U's mean and variance under the
 * difference are exact (Lehmann 1975); its distribution is taken as beta-binomial for up to 16
 * boots a set, as normal above. Return: boots a set; 0 when more than POWER_BOOTS_MAX.
 */
size_t power_would(double spread, double margin, double level);
