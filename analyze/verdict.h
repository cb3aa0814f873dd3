/* analyze/verdict.h - what the boots can carry, in one of five words, and what would carry more */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/contrast.h"
#include "analyze/power.h"

enum verdict_kind {
        VERDICT_CANNOT_TELL,
        VERDICT_DIFFERENT,  /* p at most the level */
        VERDICT_EQUIVALENT, /* the 90 % interval of the ratio lies within the margin */
        VERDICT_EVERY_BOOT, /* the sets do not overlap, yet too few boots to be sure: no claim */
        VERDICT_UNRESOLVED, /* would be one of the two above, but the clocks are not that good */
};

struct verdict {
        enum verdict_kind kind;
        bool also_equivalent;  /* different, but within the margin */
        bool below_resolution; /* the shift is smaller than the milestones' errors, whatever kind */
        double level;          /* that one p has to reach: 0.05, or 0.05 / number of secondaries */
        struct boots_needed could; /* the fewest boots whose least p reaches the level */
        size_t could_sum;
        size_t would_each; /* boots a set for 80 % power to see the margin; 0 unknown */
        bool one_more_of_a, one_more_of_b; /* whether a single further boot there could show it */
};

struct verdict_rule {
        double p;             /* corrected where several questions are asked */
        double equivalence_p; /* likewise */
        double level;         /* for "could" and "would" */
        double within;        /* margin, as in contrast_of() */
        double resolution;    /* in the metric's unit; 0 when exact or not known */
};

/** verdict_of() - the first rule that applies; also for sets without values: cannot tell */
struct verdict verdict_of(const struct contrast *c, const struct verdict_rule *rule);

/** verdict_name() - "different", "equivalent", "every boot", "below resolution", "cannot tell" */
const char *verdict_name(enum verdict_kind kind);
