/* analyze/steps.h - where along a row of boots the level changed
 *
 * Rank CUSUM with a Monte Carlo critical value, applied again to what lies on either side. A
 * gradual drift would be cut into a staircase: where a straight line describes a stretch better
 * than its steps do, it is called a trend.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define STEPS_BOOTS_MIN 6
#define STEPS_SIDE_MIN 3 /* boots on either side of a step: fewer are odd boots, not a level */

struct segment {
        size_t from, n; /* values [from, from + n) */
        double median;
        bool trend;         /* the level moves within the segment */
        double first, last; /* a trend's fitted ends */
        double p;           /* of the step at @from, or of the trend; 1 for a first level segment */
};

struct steps {
        struct segment *segment;
        size_t n; /* a steady row has one */
};
#define STEPS_NULL ((struct steps){ .segment = NULL })

/**
 * steps_of() - split @values, in the order of time; seeded, so always alike
 * Return: 0, with no segment at all for no values; -ENOMEM.
 */
int steps_of(const double *values, size_t n, struct steps *ret);
void steps_done(struct steps *s);
