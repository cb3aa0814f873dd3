/* analyze/contrast.h - every figure about one metric in two sets; no verdict yet */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/drift.h"
#include "analyze/rank_null.h"
#include "analyze/rank_test.h"
#include "analyze/shift.h"

/* One set's values of one metric, sorted. */
struct sample_set {
        double *sorted; /* owned; NULL when n is 0 */
        size_t n;
        double median, least, most;
        struct estimate median_interval; /* has_interval only from 6 values on */
};

/* Which way B lies from A, by what decides: the ranks, or the fit where a drift is taken out. The
 * shift and the ratio are medians of differences: with ties they may be 0 and 1 although B is
 * higher more often than lower, and where the sets differ in shape they may even point the other
 * way. */
enum tendency {
        TENDENCY_NONE,
        TENDENCY_LOWER,
        TENDENCY_HIGHER,
};

enum order {
        ORDER_MIXED,
        ORDER_B_BELOW_A, /* every value of B below every value of A */
        ORDER_B_ABOVE_A,
};

struct contrast {
        struct sample_set a, b;
        struct estimate shift; /* B - A */
        struct estimate ratio; /* B / A; only with has_ratio */
        bool has_ratio;        /* every value is above 0 */
        struct rank_test test;
        double p;             /* that decides: the rank test's, or the fit's with drift.matters */
        double least_p;       /* that n+m values can reach */
        double equivalence_p; /* level at which B / A lies within the margin; 1 without ratio */
        double spread;        /* pooled standard deviation of the logarithms */
        bool has_spread;      /* false without a ratio, or with no set of two values */
        enum order order;
        enum tendency tendency;
        struct drift drift; /* with matters: shift, ratio, p, equivalence_p above are the fit's */
};

#define CONTRAST_NULL ((struct contrast){ .has_ratio = false })

/**
 * contrast_of() - compare @b with @a
 * @a, @b: finite values in any order; either may be empty, then only the other's summary is set
 * @within: the ratio 1 + w that still counts as equivalent, as w (0.05)
 *
 * Return: 0; -ENOMEM. Release with contrast_done().
 */
int contrast_of(const double *a, size_t n, const double *b, size_t m, double within,
                struct contrast *ret);
void contrast_done(struct contrast *c);

/**
 * contrast_take_order() - look for a drift, and take it out where there is one
 * @c: from contrast_of() of the same values
 * @values, @in_b, @position: as for drift_of(), oldest first
 *
 * Without a ratio, or with fewer boots than a verdict takes, nothing is done. Return: 0; -ENOMEM.
 */
int contrast_take_order(struct contrast *c, const double *values, const bool *in_b,
                        const size_t *position, size_t n, double within);
