/* analyze/history.h - one metric along the boots of one machine: where did its level change, and
 * what changed there? */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/compare.h"
#include "analyze/set.h"
#include "analyze/steps.h"

/* A factor that had one level before a step and another one after it. */
struct history_change {
        char *key, *before, *after;
        int offset; /* boots from the step to this change: 0 at it, 2 two boots later */
};

struct history_segment {
        struct segment segment;         /* positions in boots below */
        struct history_change *changes; /* at its beginning; none for the first segment */
        size_t n_changes;
};

struct history {
        char *machine;
        char *problem; /* why there is nothing to look at, or NULL */
        struct metrics metrics;
        const struct metric *metric;
        const struct record **boots; /* dated ones with a value, oldest first */
        double *values;
        size_t n;
        size_t n_undated, n_without; /* left out */
        struct history_segment *segments;
        size_t n_segments;
        struct modes modes; /* of a row without steps */
};

struct histories {
        const struct boot_set *boots; /* not owned */
        struct history *history;      /* one a machine */
        size_t n;
        char *primary;
};
#define HISTORIES_NULL ((struct histories){ .history = NULL })

/** histories_of() - look at @options->primary machine by machine; Return: 0; -ENOMEM */
int histories_of(const struct boot_set *boots, const struct compare_options *options,
                 struct histories *ret);
void histories_done(struct histories *h);

/** histories_status() - 0, or 3 when no machine has dated boots with the primary */
int histories_status(const struct histories *h);
