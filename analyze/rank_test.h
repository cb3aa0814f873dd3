/* analyze/rank_test.h - do two sets of boots differ? Mann-Whitney's test, exact also with ties */
#pragma once
#include <stddef.h>

enum rank_method {
        RANK_EXACT,       /* every assignment of the pooled mid-ranks counted */
        RANK_MONTE_CARLO, /* RANK_DRAWS random assignments from a fixed seed */
        RANK_NORMAL,      /* normal approximation: thousands of boots */
};
#define RANK_DRAWS 20000

struct rank_test {
        double p; /* two-sided: min(1, twice the smaller tail, equality included) */
        enum rank_method method;
        double u; /* pairs in which B lies below A, ties counted as a half */
};

/**
 * rank_test() - compare @a with @b, both of at least one value; the order of values is of no
 * account Return: 0; -ENOMEM.
 */
int rank_test(const double *a, size_t n, const double *b, size_t m, struct rank_test *ret);

/** rank_midranks() - ranks of @values from 1, ties sharing their mean; @ret has room for @n;
 * -ENOMEM */
int rank_midranks(const double *values, size_t n, double *ret);
