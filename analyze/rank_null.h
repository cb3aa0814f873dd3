/* analyze/rank_null.h - the distribution of Mann-Whitney's U when two sets do not differ (no ties)
 *
 * U counts the pairs in which a value of B lies below one of A, so it runs from 0 to n*m and is
 * symmetric. From it follow the least p that n+m boots can reach, and how deep into the ordered
 * pairwise differences an interval of a given level may cut.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct rank_null {
        size_t n, m;
        double *cumulative;  /* P(U <= u) for u in [0, n_cumulative); NULL when approximate */
        size_t n_cumulative; /* up to the middle: the rest follows from symmetry */
        bool approximate;    /* normal with continuity correction: too many boots to count */
};
#define RANK_NULL_NULL ((struct rank_null){ .cumulative = NULL })

/** rank_null_init() - count it, for sets of @n and @m values, both at least 1; -ENOMEM */
int rank_null_init(struct rank_null *d, size_t n, size_t m);
void rank_null_done(struct rank_null *d);

/** rank_null_tail() - P(U <= u); 0 below 0 */
double rank_null_tail(const struct rank_null *d, double u);

/** rank_null_least_p() - the smallest two-sided p that n+m boots can reach */
double rank_null_least_p(const struct rank_null *d);

/**
 * rank_null_depth() - how far from each end of the n*m ordered differences an interval may start
 *
 * Return: the largest k with 1 - 2 P(U <= k-1) >= @level, so that the k-th smallest and k-th
 * largest difference bound the interval; 0 when not even the whole range reaches @level.
 */
size_t rank_null_depth(const struct rank_null *d, double level);

/** rank_least_p() - 2 / C(n+m, n), at most 1: rank_null_least_p() without counting anything */
double rank_least_p(size_t n, size_t m);
