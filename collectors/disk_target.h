/* collectors/disk_target.h - a drive or a file, open for reading past the page cache, and only that
 */
#pragma once
#include <stdbool.h>
#include "collectors/disk_pattern.h"
#include "record/fault.h"

struct disk_target {
        int fd;
        bool is_device; /* a block device; else a regular file */
        bool is_sparse; /* a file with fewer blocks than bytes: holes are read from no drive */
        struct disk_medium medium;
        void *buffer; /* DISK_BULK_BYTES, aligned for direct reads */
};
#define DISK_TARGET_NULL ((struct disk_target){ .fd = -EBADF })

/**
 * disk_target_open() - a block device or a regular file, O_RDONLY and O_DIRECT
 *
 * Return: 0; -EINVAL for what is neither, or is too small; -EOPNOTSUPP where the file system cannot
 * read past the cache; another negative errno. With the reason.
 */
int disk_target_open(struct disk_target *ret, const char *path, struct fault *fault);
void disk_target_done(struct disk_target *t);

/**
 * disk_target_read() - one read of @n_bytes at @offset_bytes, and how long it took
 * Return: 0; -EINTR when interrupted; -EIO when it is short; another negative errno. With the
 * reason.
 */
int disk_target_read(const struct disk_target *t, uint64_t offset_bytes, uint32_t n_bytes,
                     int64_t *ret_ns, struct fault *fault);
