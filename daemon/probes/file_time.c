/* daemon/probes/file_time.c - see file_time.h */
#include "daemon/probes/file_time.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <linux/magic.h>
#include "daemon/probes/lateness.h"
#include "record/clock.h"
#include "record/macros.h"

#define READ_TRIES 5
#define READ_NS 20000            /* between two readings of a clock with nothing in between */
#define STEPPED_NS 1000000       /* more than slewing does between two events */
#define TICKS 2                  /* by the last one, and what that one had not counted yet */
#define TICK_LATE_NS 2000000     /* the tick itself, on a busy machine */
#define TICK_UNKNOWN_NS 10000000 /* HZ=100 */

static int64_t realtime_ns(void)
{
        struct timespec ts;

        (void) clock_gettime(CLOCK_REALTIME, &ts);
        return (int64_t) ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* wall_offset_now() - we may be interrupted between two clocks, so the narrowest of some tries */
static struct wall_offset wall_offset_now(void)
{
        struct wall_offset best = { INT64_MIN / 2, INT64_MAX / 2 };

        for (int i = 0; i < READ_TRIES && best.most_ns - best.least_ns > READ_NS; i++) {
                int64_t before_ns = monotonic_ns(), wall_ns = realtime_ns(),
                        after_ns = monotonic_ns();

                if (after_ns - before_ns < best.most_ns - best.least_ns)
                        best = (struct wall_offset){ before_ns - wall_ns, after_ns - wall_ns };
        }
        return best;
}

static bool is_stepped(struct wall_offset a, struct wall_offset b)
{
        return a.least_ns - b.most_ns > STEPPED_NS || b.least_ns - a.most_ns > STEPPED_NS;
}

void file_time_init(struct file_time *t)
{
        struct timespec tick;

        *t = (struct file_time){ .before = wall_offset_now(), .grain_ns = TICKS * TICK_UNKNOWN_NS };
        if (clock_getres(CLOCK_REALTIME_COARSE, &tick) == 0 && tick.tv_sec == 0 && tick.tv_nsec > 0)
                t->grain_ns = TICKS * tick.tv_nsec + TICK_LATE_NS;
}

void file_time_sleep(struct file_time *t) { t->before = wall_offset_now(); }

static int64_t ns_of(const struct statx_timestamp *ts)
{
        return ts->tv_sec * NS_PER_S + ts->tv_nsec;
}

/* read_stamps() - false where they are another machine's, coarse, or none */
static bool read_stamps(const char *path, struct statx *ret)
{
        static const long kept[] = { TMPFS_MAGIC, EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
                                     XFS_SUPER_MAGIC, F2FS_SUPER_MAGIC };
        const unsigned wanted = STATX_BTIME | STATX_CTIME;
        CLEANUP(closep) int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        struct statfs fs;
        bool is_kept = false;

        if (fd < 0 || statx(fd, "", AT_EMPTY_PATH, wanted | STATX_BASIC_STATS, ret) < 0 ||
            (ret->stx_mask & wanted) != wanted || fstatfs(fd, &fs) < 0)
                return false;
        for (size_t i = 0; i < ELEMENTSOF(kept); i++)
                is_kept = is_kept || (long) fs.f_type == kept[i];
        /* Small inodes of ext4 hold whole seconds. */
        return is_kept && ret->stx_ctime.tv_nsec != 0;
}

void file_time_stamp(const struct file_time *t, const char *path, enum file_how how, int64_t *at_ns,
                     int64_t *bound_ns)
{
        struct wall_offset now = wall_offset_now();
        int64_t latest_ns, earliest_ns;
        struct statx stx;

        if (how == FILE_WAS_THERE || is_stepped(now, t->before) || !read_stamps(path, &stx))
                return;
        latest_ns = ns_of(&stx.stx_ctime) + t->grain_ns + now.most_ns;
        if (how == FILE_MADE && S_ISREG(stx.stx_mode) && stx.stx_nlink == 1)
                earliest_ns = ns_of(&stx.stx_btime) + now.least_ns;
        else
                earliest_ns = *at_ns - *bound_ns;
        latest_ns = latest_ns < *at_ns ? latest_ns : *at_ns;
        if (earliest_ns > latest_ns)
                return; /* stepped after all; or listed, and it came with a folder that was moved */
        *at_ns = latest_ns;
        *bound_ns = latest_ns - earliest_ns;
}
