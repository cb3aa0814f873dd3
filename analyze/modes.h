/* analyze/modes.h - does one set of boots fall into two groups? (a cache that is there or not)
 *
 * The measure is the widest gap between ordered values with enough values on either side, divided
 * by the wider side's own range. Its critical values come from simulation
 * (tests/bench/modes-critical) and are kept in modes_critical.h.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define MODES_BOOTS_MIN 8

struct modes {
        bool two;
        double gap;           /* in ranges of the wider side */
        size_t n_low, n_high; /* values a side */
        double low, high;     /* their medians */
};

/**
 * modes_of() - look for two modes
 * @sorted: ascending
 * @resolution: what the clock may be late by; 0 exact. A gap that rounding could make does not
 * count.
 *
 * Below MODES_BOOTS_MIN values it is silent: two stays false.
 */
struct modes modes_of(const double *sorted, size_t n, double resolution);

/** modes_gap() - the measure alone, for the simulation of its critical values; *ret_low may be NULL
 */
double modes_gap(const double *sorted, size_t n, double resolution, size_t *ret_n_low);
