/* collectors/residency.c - the page cache, asked about one file */
#include "collectors/residency.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "record/macros.h"

/* cachestat(2) has one number on all architectures but alpha (561), and no wrapper in glibc 2.36:
 * linux/Documentation and include/uapi/linux/mman.h of Linux 6.5. */
#ifndef SYS_cachestat
#ifdef __alpha__
#define SYS_cachestat 561
#else
#define SYS_cachestat 451
#endif
#endif

#define MINCORE_PAGES 4096 /* a window at a time, so that a file of any size is bounded memory */

struct cache_range {
        uint64_t offset_bytes, length_bytes; /* length 0: to the end of the file */
};

struct cache_counts {
        uint64_t resident, dirty, writeback, evicted, recently_evicted; /* pages */
};

static uint64_t pages_of(uint64_t bytes, uint64_t page_bytes)
{
        return bytes / page_bytes + (bytes % page_bytes != 0);
}

/* mincore() says "resident" of everything that the caller neither owns nor may write (since 5.2),
 * which would look like a warm cache. */
static int may_ask_mincore(int fd, const struct stat *st)
{
        char path[64];

        if (geteuid() == 0 || geteuid() == st->st_uid)
                return 0;
        (void) snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        return access(path, W_OK) == 0 ? 0 : -EPERM;
}

static int count_by_mincore(int fd, const struct stat *st, uint64_t page_bytes,
                            uint64_t *ret_resident)
{
        uint64_t window_bytes = MINCORE_PAGES * page_bytes, resident = 0;
        unsigned char present[MINCORE_PAGES];
        int r = may_ask_mincore(fd, st);

        for (uint64_t at = 0; r == 0 && at < (uint64_t) st->st_size; at += window_bytes) {
                uint64_t left = (uint64_t) st->st_size - at;
                size_t n = (size_t) (left < window_bytes ? left : window_bytes);
                void *map = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, (off_t) at);

                if (map == MAP_FAILED)
                        return -errno;
                if (mincore(map, n, present) < 0)
                        r = -errno;
                for (size_t i = 0; r == 0 && i < pages_of(n, page_bytes); i++)
                        resident += present[i] & 1;
                (void) munmap(map, n);
        }
        if (r == 0)
                *ret_resident = resident;
        return r;
}

int residency_of(int fd, uint64_t *ret_pages, uint64_t *ret_resident)
{
        struct cache_range whole = { 0, 0 };
        struct cache_counts counts = { 0 };
        uint64_t page_bytes = (uint64_t) sysconf(_SC_PAGESIZE);
        struct stat st;
        int r = 0;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EINVAL;
        /* EOPNOTSUPP is hugetlbfs; ENOSYS an older kernel, EPERM also a seccomp filter's answer. */
        if (syscall(SYS_cachestat, fd, &whole, &counts, 0) < 0)
                r = count_by_mincore(fd, &st, page_bytes, &counts.resident);
        if (r < 0)
                return r;
        *ret_pages = pages_of((uint64_t) st.st_size, page_bytes);
        *ret_resident = counts.resident;
        return 0;
}
