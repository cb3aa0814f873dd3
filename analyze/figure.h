/* analyze/figure.h - numbers of one metric printed alike: one unit, as many decimals as tell */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/contrast.h"

#define FIGURE_BYTES 48

struct figure_style {
        const char *unit; /* of the metric; not owned */
        int decimals;
        bool minutes; /* seconds of a length that people read as minutes */
};

/** figure_style_of() - as many decimals as show every figure of @c to within 1/200 of its range */
struct figure_style figure_style_of(const struct contrast *c, const char *unit);

/** figure_value() - "44 s", "23m24.8s", "1204 1/s" into @ret of FIGURE_BYTES; returns @ret */
const char *figure_value(const struct figure_style *s, double value, char *ret);

/** figure_difference() - "-9 s", "+0.31 s": never in minutes, so that intervals stay short */
const char *figure_difference(const struct figure_style *s, double value, char *ret);

/** figure_plain() - the same without sign and unit, for the inside of brackets */
const char *figure_plain(const struct figure_style *s, double value, char *ret);

/** figure_signed() - with a sign and without the unit, for the inside of a difference's brackets */
const char *figure_signed(const struct figure_style *s, double value, char *ret);

/** figure_p() - "0.057", "<0.001" */
const char *figure_p(double p, char *ret);

/** figure_ratio() - three decimals, or four digits where that is too few */
const char *figure_ratio(double ratio, char *ret);
