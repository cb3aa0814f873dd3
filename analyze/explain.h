/* analyze/explain.h - where the difference between two sets sits: phase by phase, then units
 *
 * Descriptive, no test: means, because only they add up. Each set's phases and the rest that no
 * phase accounts for make up its mean total, and their differences that of the totals.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/compare.h"
#include "analyze/set.h"

/* The time between two neighbouring milestones that every boot of both sets has. */
struct part {
        char *name;        /* the phase's; "a..b" where no single phase lies between them */
        double a_us, b_us; /* mean machine time */
};

struct unit_part {
        char *name;
        size_t n_a, n_b;   /* boots in which it is among the slowest */
        double a_us, b_us; /* mean over those */
};

struct explanation {
        const struct boot_set *a, *b; /* not owned */
        char *from, *to;
        char *problem;                   /* why there is nothing to split, or NULL */
        size_t n_a, n_b;                 /* boots that have the span */
        double total_a_us, total_b_us;   /* mean machine time from..to */
        double waited_a_us, waited_b_us; /* mean wait for a person within it, not in the above */
        struct part *parts;              /* in the order of the boot */
        size_t n_parts;
        struct unit_part *units; /* largest difference first; only those both sets list */
        size_t n_units;
};
#define EXPLANATION_NULL ((struct explanation){ .parts = NULL })

/**
 * explain_sets() - split the span of @options->primary
 * @options->primary: a boot.to_ span or A..B; NULL for boot.to_desktop
 *
 * Return: 0; -ENOMEM.
 */
int explain_sets(const struct boot_set *a, const struct boot_set *b,
                 const struct compare_options *options, struct explanation *ret);
void explanation_done(struct explanation *e);

/** explain_status() - 0, or 3 when a set has no boot with the span */
int explain_status(const struct explanation *e);
