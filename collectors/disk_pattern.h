/* collectors/disk_pattern.h - where on a drive each row of the seek and transfer profile reads
 *
 * The rows are those of FreeBSD's "diskinfo -t", with its counts and places, so that figures meet:
 * single sectors at two places that walk towards each other from the ends (full stroke) or side by
 * side (half, quarter), at one place that walks (short, sequential), and megabytes in a row.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISK_MIN_SECTORS 2048
#define DISK_BULK_BYTES (1024 * 1024) /* a read of the transfer rows */

enum disk_group { DISK_SEEK, DISK_TRANSFER };

enum { DISK_N_ROWS = 10 };

struct disk_medium {
        uint64_t size_bytes;
        uint32_t sector_bytes; /* the smallest read */
};

struct disk_row {
        enum disk_group group;
        const char *name; /* "full_stroke" */
        uint32_t n_reads;
        uint32_t read_bytes;
        uint64_t first_bytes; /* where a transfer's head is moved to before the clock starts */
};

/** disk_medium_is_large_enough() - for the rows not to leave it */
bool disk_medium_is_large_enough(const struct disk_medium *m);

/** disk_row() - row @k of DISK_N_ROWS on @m */
struct disk_row disk_row(const struct disk_medium *m, size_t k);

/** disk_row_offset() - where in bytes read @i of row @k begins; i < n_reads */
uint64_t disk_row_offset(const struct disk_medium *m, size_t k, uint32_t i);
