/* analyze/strata.h - compare by a factor: only boots that are alike in everything else
 *
 * Boots fall into strata, within which all factors outside the asked one's group are equal. Within
 * a stratum each level is compared with the first. A stratum with one level has nothing to compare,
 * and its boots must not be pooled into another: they are named as left out.
 */
#pragma once
#include <stddef.h>
#include "analyze/compare.h"
#include "analyze/set.h"

/* One level of the factor within a stratum. */
struct level {
        char *text;          /* "7200" */
        struct boot_set set; /* named "drive.rpm=7200" */
};

struct stratum {
        char *what;           /* what else these boots have in common, of what varies elsewhere:
                               * "crypt.type=none, kernel.highmem=64g"; "" for nothing */
        struct level *levels; /* in their natural order: none and off, numbers, text */
        size_t n_levels;
};

struct strata {
        char *factor;
        struct stratum *stratum;
        size_t n;
        size_t n_unsaid; /* boots that say nothing about the factor */
};
#define STRATA_NULL ((struct strata){ .factor = NULL })

/** strata_of() - Return: 0; -ENOMEM. The records stay where they are. */
int strata_of(const struct boot_set *boots, const char *factor, struct strata *ret);
void strata_done(struct strata *s);

/* All comparisons within the strata. */
struct by_factor {
        const struct boot_set *boots; /* that were sorted; not owned */
        struct strata strata;
        struct comparison *comparisons;
        size_t *stratum; /* of each comparison */
        size_t n;
};
#define BY_FACTOR_NULL ((struct by_factor){ .comparisons = NULL })

/** by_factor() - compare each level with the first of its stratum, Holm over all; 0 or -ENOMEM */
int by_factor(const struct boot_set *boots, const char *factor,
              const struct compare_options *options, struct by_factor *ret);
void by_factor_done(struct by_factor *b);

/** by_factor_status() - 0 when at least one comparison was possible, else 3 */
int by_factor_status(const struct by_factor *b);
