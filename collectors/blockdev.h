/* collectors/blockdev.h - the drives beneath a path, and what they have transferred so far
 *
 * Followed through dm, md and loop devices down to the leaves, since only those tell what was read
 * from a drive rather than from a layer's cache.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "record/fault.h"

#define BLOCKDEV_MAX_LEAVES 16
#define BLOCKDEV_PATH_BYTES 256

struct blockdev {
        unsigned major, minor;
        char name[32]; /* "sda2", "nvme0n1p1" */
};

struct blockdev_set {
        const char *sys; /* "/sys/dev/block", or a recorded one; not owned */
        struct blockdev leaves[BLOCKDEV_MAX_LEAVES];
        size_t n_leaves;
        char reason[128]; /* why there are none (tmpfs, network), else "" */
};

struct blockdev_counters {
        uint64_t reads, read_bytes, writes, write_bytes, busy_ms;
};

/**
 * blockdev_beneath() - the leaves beneath the file system that holds @path, or beneath the block
 * device that it is
 *
 * Return: 0, also for a file system without a block device (then n_leaves is 0 and the reason is
 * set); a negative errno when @path cannot be examined.
 */
int blockdev_beneath(const char *path, struct blockdev_set *ret);

/**
 * blockdev_leaves() - the leaves beneath one block device
 * @sys: "/sys/dev/block" or a folder like it; must outlive the set
 */
int blockdev_leaves(const char *sys, unsigned major, unsigned minor, struct blockdev_set *ret);

/** blockdev_count() - sums over all leaves; false when there are none or one cannot be read */
bool blockdev_count(const struct blockdev_set *set, struct blockdev_counters *ret);
