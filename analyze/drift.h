/* analyze/drift.h - sets whose boots alternate in time: is there a drift, and what is left without
 * it?
 *
 * Boots are not paired. ln(value) is fitted on the set and the position in time; where the slope's
 * 80 % interval excludes 0, the rank test would blur the difference, and the fit decides instead.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/shift.h"

struct drift {
        bool one_sided; /* one set lies mostly before the other: no drift can be told from it */
        bool matters;   /* the slope's interval excludes 0, so that the figures below count */
        double slope_percent;  /* change from one boot to the next */
        double p;              /* of the two sets being alike, from the fit */
        double equivalence_p;  /* of the ratio lying outside the margin */
        struct estimate ratio; /* B / A at 95 % */
        struct estimate shift; /* B - A at 95 %, from the same fit of the values themselves */
};

#define DRIFT_BOOTS_MIN 6 /* three more than the fit has coefficients */

/**
 * drift_of() - fit values of both sets in the order of their boots
 * @values: above 0, @n of them, oldest first
 * @in_b: which set each belongs to; both occur
 * @position: of each among all boots, missing values counted
 * @within: margin of equivalence
 *
 * Return: 0, with matters false when one_sided, below DRIFT_BOOTS_MIN or without any spread;
 * -ENOMEM.
 */
int drift_of(const double *values, const bool *in_b, const size_t *position, size_t n,
             double within, struct drift *ret);
