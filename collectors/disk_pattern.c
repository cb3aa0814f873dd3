/* collectors/disk_pattern.c - the rows as arithmetic, so that a test or another tool can follow */
#include "collectors/disk_pattern.h"
#include "record/macros.h"

#define STEP_MAX_SECTORS 16384
#define STEPS 800 /* the longest walk, 200 steps to a quarter of the medium */
#define BULK_MAX_READS 100

/* Places are in eighths of the medium; read i of a row with two heads is head i % 2's. */
static const struct pattern {
        enum disk_group group;
        const char *name;
        uint32_t n_reads;
        struct {
                unsigned eighth;
                int step; /* in steps, or in sectors where the row is sequential */
        } heads[2];
        unsigned n_heads;
        bool is_sequential;
} patterns[DISK_N_ROWS] = {
        { DISK_SEEK, "full_stroke", 250, { { 0, 1 }, { 8, -1 } }, 2, false },
        { DISK_SEEK, "half_stroke", 250, { { 2, 1 }, { 6, 1 } }, 2, false },
        { DISK_SEEK, "quarter_stroke", 500, { { 2, 1 }, { 4, 1 } }, 2, false },
        { DISK_SEEK, "short_forward", 400, { { 4, 1 } }, 1, false },
        { DISK_SEEK, "short_backward", 400, { { 4, -1 } }, 1, false },
        { DISK_SEEK, "seq_outer", 2048, { { 0, 1 } }, 1, true },
        { DISK_SEEK, "seq_inner", 2048, { { 8, 1 } }, 1, true },
        { DISK_TRANSFER, "outside", 0, { { 0, 1 } }, 1, true },
        { DISK_TRANSFER, "middle", 0, { { 4, 1 } }, 1, true },
        { DISK_TRANSFER, "inside", 0, { { 8, 1 } }, 1, true },
};

static uint64_t n_sectors(const struct disk_medium *m) { return m->size_bytes / m->sector_bytes; }

static uint64_t step_sectors(const struct disk_medium *m)
{
        uint64_t step = 1;

        while (step < STEP_MAX_SECTORS && step * 2 <= n_sectors(m) / STEPS)
                step *= 2;
        return step;
}

static uint32_t bulk_reads(const struct disk_medium *m)
{
        uint64_t n = m->size_bytes / DISK_BULK_BYTES;

        return n < BULK_MAX_READS ? (uint32_t) n : BULK_MAX_READS;
}

bool disk_medium_is_large_enough(const struct disk_medium *m)
{
        return m->size_bytes >= DISK_BULK_BYTES && n_sectors(m) >= DISK_MIN_SECTORS;
}

/* length_sectors() - of what one head of the row walks over */
static uint64_t length_sectors(const struct disk_medium *m, const struct pattern *p)
{
        if (p->group == DISK_TRANSFER)
                return (uint64_t) bulk_reads(m) * DISK_BULK_BYTES / m->sector_bytes;
        return p->is_sequential ? p->n_reads : step_sectors(m);
}

/* start_sector() - a row at the very end begins as far before it as it has to go, and a transfer in
 * the middle is centred */
static uint64_t start_sector(const struct disk_medium *m, const struct pattern *p, unsigned eighth)
{
        uint64_t start = n_sectors(m) / 8 * eighth;

        if (eighth == 8)
                start = n_sectors(m) - length_sectors(m, p);
        else if (p->group == DISK_TRANSFER && eighth > 0)
                start -= length_sectors(m, p) / 2;
        return start;
}

struct disk_row disk_row(const struct disk_medium *m, size_t k)
{
        const struct pattern *p = &patterns[k];
        bool is_bulk = p->group == DISK_TRANSFER;

        return (struct disk_row){
                .group = p->group,
                .name = p->name,
                .n_reads = is_bulk ? bulk_reads(m) : p->n_reads,
                .read_bytes = is_bulk ? DISK_BULK_BYTES : m->sector_bytes,
                .first_bytes = start_sector(m, p, p->heads[0].eighth) * m->sector_bytes,
        };
}

uint64_t disk_row_offset(const struct disk_medium *m, size_t k, uint32_t i)
{
        const struct pattern *p = &patterns[k];
        uint32_t head = i % p->n_heads, n = i / p->n_heads;
        uint64_t start = start_sector(m, p, p->heads[head].eighth) * m->sector_bytes;
        uint64_t stride = p->group == DISK_TRANSFER ? DISK_BULK_BYTES
                          : p->is_sequential        ? m->sector_bytes
                                                    : step_sectors(m) * m->sector_bytes;

        return p->heads[head].step > 0 ? start + n * stride : start - n * stride;
}
