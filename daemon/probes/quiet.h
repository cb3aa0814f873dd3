/* daemon/probes/quiet.h - when a machine has settled, from samples of how busy it was
 *
 * Settled is the start of the first 5 s that begin quiet and are quiet for at least nine tenths. A
 * clock applet that wakes each second does not postpone that for ever; a steady load does, and so
 * does one that comes back within the 5 s and stays. Samples are weighed by their length: one that
 * was taken late, since a busy machine let us wait, stands for all that time. A burst that lies
 * across two samples spoils both, but counts as one: where it lies is chance.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUIET_WINDOW_NS ((int64_t) 5 * 1000000000)
#define QUIET_PERCENT 90
#define QUIET_SAMPLES_MAX 256

struct quiet_sample {
        int64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
        int64_t busy_ns; /* 0 for one that is quiet */
};

struct quiet {
        struct quiet_sample samples[QUIET_SAMPLES_MAX]; /* without gaps, the oldest first */
        size_t n;
        bool is_settled;
        int64_t settled_ns;
};
#define QUIET_NULL ((struct quiet){ .n = 0 })

/** quiet_add() - one more sample, which begins where the last one ended; true once settled */
bool quiet_add(struct quiet *q, struct quiet_sample sample);
