/* collectors/disk_target.c - O_RDONLY is all that is ever asked for: a mounted drive, or one with
 * a LUKS header on it, is as safe here as any other */
#include "collectors/disk_target.h"
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include "collectors/interrupt.h"
#include "record/clock.h"

#define SECTOR_MIN_BYTES 512
#define SECTOR_MAX_BYTES 4096
#define BLOCK_BYTES 512 /* st_blocks' unit */

void disk_target_done(struct disk_target *t)
{
        closep(&t->fd);
        free(t->buffer);
        *t = DISK_TARGET_NULL;
}

static int examine_device(struct disk_target *t)
{
        int sector_bytes;

        if (ioctl(t->fd, BLKGETSIZE64, &t->medium.size_bytes) < 0 ||
            ioctl(t->fd, BLKSSZGET, &sector_bytes) < 0)
                return -errno;
        t->medium.sector_bytes = (uint32_t) sector_bytes;
        return 0;
}

/* examine_file() - the smallest direct read that works is the sector: what lies beneath decides
 * that, and older kernels do not tell (STATX_DIOALIGN came with 6.1) */
static int examine_file(struct disk_target *t, const struct stat *st)
{
        t->medium.size_bytes = (uint64_t) st->st_size;
        t->is_sparse = (uint64_t) st->st_blocks * BLOCK_BYTES < t->medium.size_bytes;
        for (uint32_t n = SECTOR_MIN_BYTES; n <= SECTOR_MAX_BYTES; n *= 2) {
                /* Read from the second sector on: an offset can be refused as well as a length. */
                if (pread(t->fd, t->buffer, n, (off_t) n) >= 0) {
                        t->medium.sector_bytes = n;
                        return 0;
                }
                if (errno != EINVAL)
                        return -errno;
        }
        return -EOPNOTSUPP;
}

static int examine(struct disk_target *t, const char *path, struct fault *fault)
{
        struct stat st;
        int r;

        if (fstat(t->fd, &st) < 0)
                return fault_errno(fault, -errno, "%s", path);
        t->is_device = S_ISBLK(st.st_mode);
        r = t->is_device ? examine_device(t) : examine_file(t, &st);
        if (r < 0)
                return fault_errno(fault, r, "%s: cannot be read past the page cache", path);
        t->medium.size_bytes -= t->medium.size_bytes % t->medium.sector_bytes;
        if (!disk_medium_is_large_enough(&t->medium))
                return fault_set(fault, -EINVAL,
                                 "%s: too small, with %" PRIu64 " KiB in sectors of %" PRIu32
                                 ": want 1 MiB and %d sectors",
                                 path, t->medium.size_bytes / 1024, t->medium.sector_bytes,
                                 DISK_MIN_SECTORS);
        return 0;
}

int disk_target_open(struct disk_target *ret, const char *path, struct fault *fault)
{
        CLEANUP(disk_target_done) struct disk_target t = DISK_TARGET_NULL;
        struct stat st;
        int r;

        if (stat(path, &st) < 0)
                return fault_errno(fault, -errno, "%s", path);
        if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
                return fault_set(fault, -EINVAL, "%s: is neither a file nor a block device", path);
        t.fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOCTTY);
        if (t.fd < 0 && errno == EINVAL)
                return fault_set(fault, -EOPNOTSUPP,
                                 "%s: its file system cannot read past the page cache", path);
        if (t.fd < 0)
                return fault_errno(fault, -errno, "%s", path);
        if (posix_memalign(&t.buffer, SECTOR_MAX_BYTES, DISK_BULK_BYTES) != 0) {
                t.buffer = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        r = examine(&t, path, fault);
        if (r < 0)
                return r;
        *ret = t;
        t = DISK_TARGET_NULL;
        return 0;
}

static int64_t monotonic_ns(void)
{
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t) t.tv_sec * NS_PER_S + t.tv_nsec;
}

int disk_target_read(const struct disk_target *t, uint64_t offset_bytes, uint32_t n_bytes,
                     int64_t *ret_ns, struct fault *fault)
{
        int64_t start_ns;
        ssize_t n;

        if (interrupt_is_pending())
                return fault_set(fault, -EINTR, "interrupted");
        start_ns = monotonic_ns();
        n = pread(t->fd, t->buffer, n_bytes, (off_t) offset_bytes);
        *ret_ns = monotonic_ns() - start_ns;
        if (n < 0)
                return fault_errno(fault, -errno, "reading at %" PRIu64, offset_bytes);
        if ((uint32_t) n != n_bytes)
                return fault_set(fault, -EIO, "reading at %" PRIu64 " gave %zd bytes of %" PRIu32,
                                 offset_bytes, n, n_bytes);
        return 0;
}
