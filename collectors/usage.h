/* collectors/usage.h - what a workload has used: time, processor, memory, I/O
 *
 * Two snapshots and their difference. Covers this process and the children it has waited for.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <jansson.h>
#include "collectors/blockdev.h"
#include "record/sample.h"

struct usage {
        int64_t elapsed_us; /* CLOCK_MONOTONIC in a snapshot */
        int64_t user_us, system_us;
        int64_t major_faults, minor_faults;
        int64_t voluntary_switches, involuntary_switches;
        int64_t max_rss_bytes; /* the largest single process so far; no difference is taken */
        bool has_io;           /* /proc/self/io could be read */
        uint64_t storage_read_bytes, storage_write_bytes; /* fetched from and sent to storage */
        bool has_device;                 /* there are block devices beneath, and they count */
        struct blockdev_counters device; /* everything on the machine that used them, not only us */
};

/** usage_now() - a snapshot; @devices may be NULL */
void usage_now(const struct blockdev_set *devices, struct usage *ret);

/** usage_since() - what was used from @start to @now */
struct usage usage_since(const struct usage *start, const struct usage *now);

/**
 * usage_add_times() - the values that every workload has: real, user, sys
 * Return: 0 or a negative errno of sample_add().
 */
int usage_add_times(struct sample *s, const struct usage *used);

/** usage_to_json() - everything, for a sample's details; NULL when out of memory */
json_t *usage_to_json(const struct usage *used, const struct blockdev_set *devices);
