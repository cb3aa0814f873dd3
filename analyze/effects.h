/* analyze/effects.h - what each group of factors contributes, all at once
 *
 * The model is additive in logarithms with equal spread everywhere: it may be wrong, and says so.
 * What always changed together is named as inseparable, with the boots that would separate it. A
 * verdict comes only from boots that are equal in all other groups and many enough; all else is
 * model only.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/compare.h"
#include "analyze/design.h"
#include "analyze/set.h"

/* One level of one group against the base. */
struct effect {
        size_t group, level;
        bool estimable;
        struct estimate ratio; /* t interval; has_interval is false without degrees of freedom */
        double p;              /* from the model */
        /* Boots that are equal in all other groups, in the stratum that can tell most: */
        struct contrast matched; /* base against level; empty when there are none */
        bool could;              /* they are enough for a verdict */
        double p_holm;           /* of the rank test, corrected over the effects that could */
        struct verdict verdict;  /* only with could */
        size_t rests_on;         /* boots: the matched ones, or else those of the level */
};

/* Effects that always came together, so that only their sum is known. */
struct inseparable {
        size_t *effects; /* positions */
        size_t n_effects;
        bool has_together; /* they are one column: their common ratio is known */
        struct estimate together;
        char **would; /* boots that would separate them, in words */
        size_t n_would;
};

struct effects {
        const struct boot_set *boots; /* not owned */
        char *primary;
        char *problem; /* why there is nothing to fit, or NULL */
        struct metrics metrics;
        const struct metric *metric;
        size_t n_boots;    /* that have the metric */
        size_t n_left_out; /* that have it not, or not above 0 */
        size_t n_configurations;
        struct design design;
        struct estimate base; /* geometric mean at the base levels, if estimable */
        double spread;        /* standard deviation of the residual logarithms */
        size_t df;
        struct effect *effects; /* by group, then level */
        size_t n_effects;
        struct inseparable *inseparable;
        size_t n_inseparable;
};
#define EFFECTS_NULL ((struct effects){ .primary = NULL })

/** effects_of() - fit @options->primary over all factors that vary among @boots; 0 or -ENOMEM */
int effects_of(const struct boot_set *boots, const struct compare_options *options,
               struct effects *ret);
void effects_done(struct effects *e);

/** effects_status() - 0, or 3 when the primary is missing */
int effects_status(const struct effects *e);
