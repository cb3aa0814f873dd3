/* analyze/compare.h - two sets of boots, metric by metric, with a verdict for each
 *
 * One metric is primary and has its own 5 %. All others that both sets have are corrected together
 * (Holm), so that the more one measures, the more a difference must stand out.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/changes.h"
#include "analyze/contrast.h"
#include "analyze/metric.h"
#include "analyze/modes.h"
#include "analyze/set.h"
#include "analyze/verdict.h"

#define COMPARE_PRIMARY "boot.to_desktop"
#define COMPARE_WITHIN 0.05

struct compare_options {
        const char *primary;              /* NULL for COMPARE_PRIMARY */
        const char *from;                 /* start of the to_ spans, or NULL */
        double within;                    /* margin of equivalence, 0.05 for 5 % */
        const struct record *const *pool; /* boots by whose spread odd ones are told, those of the
                                           * sets included; NULL for the sets alone */
        size_t n_pool;
};

/* One value that does not fit the others of its configuration. */
struct odd_boot {
        const struct record *boot;
        bool in_b;
        size_t row; /* whose metric it is odd in */
        double value;
        double least, most; /* of the others of its configuration */
        size_t n_others;
        double p;     /* corrected for the boots looked at */
        char *beside; /* what else was unusual in that boot, or NULL */
};

/* A row once more, without odd boots: those odd in it; for the primary, all of them. */
struct without_odd {
        size_t row;
        struct contrast contrast;
};

struct row {
        const struct metric *metric;
        char *name;         /* the metric's, with its manner where one name has several */
        char *incomparable; /* why it cannot be compared, or NULL; then no figure below is set */
        struct contrast contrast;
        double p_holm; /* the primary's own p, or corrected among the secondaries */
        double equivalence_holm;
        struct verdict verdict;
};

struct comparison {
        const struct boot_set *a, *b; /* not owned */
        double within;
        struct metrics metrics; /* boots of A first, then those of B */
        size_t *by_time;  /* boots oldest first, when all are dated and the sets overlap; or NULL */
        struct row *rows; /* the primary first when it is there, then by name */
        size_t n_rows;
        char *primary;                 /* the name that was asked for */
        char *problem;                 /* why the primary cannot be compared: status 3; else NULL */
        size_t n_family;               /* secondaries that were corrected together */
        struct modes modes_a, modes_b; /* of the primary */
        struct changes changes;
        struct odd_boot *odd; /* by set, then row */
        size_t n_odd;
        struct without_odd *without;
        size_t n_without;
        size_t n_pool, n_configurations; /* that odd boots were judged by */
        char **warnings;                 /* whole sentences */
        size_t n_warnings;
};
#define COMPARISON_NULL ((struct comparison){ .rows = NULL })

/** compare_sets() - @a and @b must outlive @ret; Return: 0; -ENOMEM */
int compare_sets(const struct boot_set *a, const struct boot_set *b,
                 const struct compare_options *options, struct comparison *ret);
void comparison_done(struct comparison *c);

/** compare_overlap_in_time() - are all boots dated, and did neither set end before the other began?
 */
bool compare_overlap_in_time(const struct boot_set *a, const struct boot_set *b);

/** compare_primary() - the primary's row, or NULL when there is a problem with it */
const struct row *compare_primary(const struct comparison *c);

/**
 * compare_correct_together() - several comparisons that ask one question: Holm over all their
 * primaries, and over all their secondaries, instead of within each Return: 0; -ENOMEM.
 */
int compare_correct_together(struct comparison *c, size_t n);

/** compare_status() - 0 compared, 3 primary incomparable or missing, 4 confounded */
int compare_status(const struct comparison *c);
