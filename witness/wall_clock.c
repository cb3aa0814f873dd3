/* witness/wall_clock.c - from wall-clock stamps to the record's axis. See wall_clock.h. */
#include "witness/wall_clock.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "record/macros.h"
#include "record/procfile.h"

/* Below this the two readings that are compared may just have been taken apart. */
#define STEP_MIN_US (20 * 1000)
/* /dev/null is made between 0 and twice this, on any machine that one would still wait for. */
#define DEV_NULL_US (2 * US_PER_S)
#define TICKS_LATE 2
#define ASKING_US_MAX (60 * (int64_t) US_PER_S)
#define MOUNTS_MAX_BYTES (1024 * 1024)

void wall_clock_check(struct wall_clock *w, const struct clock_tuple *now, int64_t at_us,
                      int64_t realtime_us, int64_t slack_us)
{
        int64_t step_us = at_us - clock_monotonic_from_realtime(now, realtime_us);

        if (w->is_checked && w->slack_us <= slack_us)
                return;
        if (step_us >= -STEP_MIN_US - slack_us && step_us <= STEP_MIN_US + slack_us)
                step_us = 0;
        *w = (struct wall_clock){ .is_checked = true, .step_us = step_us, .slack_us = slack_us };
}

/* dev_is_devtmpfs() - a container's /dev is a tmpfs of its own, as young as the container */
static bool dev_is_devtmpfs(int root_fd)
{
        CLEANUP(freep) char *mounts = NULL;

        if (procfile_read(root_fd, "proc/self/mountinfo", MOUNTS_MAX_BYTES, &mounts, NULL) < 0)
                return false;
        for (char *line = mounts, *next; line && *line; line = next) {
                const char *type;

                next = strchr(line, '\n');
                if (next)
                        *next++ = '\0';
                type = strstr(line, " - ");
                if (strstr(line, " /dev ") && type && strncmp(type, " - devtmpfs ", 12) == 0)
                        return true;
        }
        return false;
}

void wall_clock_check_devices(struct wall_clock *w, const struct clock_tuple *now, int root_fd)
{
        struct statx stx;

        if (!dev_is_devtmpfs(root_fd) ||
            statx(root_fd, "dev/null", AT_SYMLINK_NOFOLLOW, STATX_BTIME, &stx) < 0 ||
            !(stx.stx_mask & STATX_BTIME))
                return;
        wall_clock_check(w, now, DEV_NULL_US,
                         stx.stx_btime.tv_sec * US_PER_S + us_from_ns(stx.stx_btime.tv_nsec),
                         DEV_NULL_US);
}

static bool fits(const struct clock_tuple *now, int64_t at_us, int64_t not_before_us)
{
        /* A process's start is cut to a clock tick and so never too late; the stamp of a file is
         * that of the last tick and may lie before the start of its maker. And asking takes time,
         * in which servers start and write their logs. */
        return at_us >= not_before_us - STEP_MIN_US && at_us <= now->boottime_us + ASKING_US_MAX;
}

int wall_clock_place(const struct wall_clock *w, const struct clock_tuple *now, int64_t realtime_us,
                     int64_t not_before_us, struct sighting *ret, struct fault *fault)
{
        int64_t after_us = clock_monotonic_from_realtime(now, realtime_us);
        int64_t before_us = after_us + w->step_us;
        bool fits_after = fits(now, after_us, not_before_us);
        bool fits_before = w->step_us != 0 && fits(now, before_us, not_before_us - w->slack_us);

        if (!fits_after && !fits_before && w->step_us == 0)
                return fault_set(fault, -ERANGE, "stamped outside of this boot");
        if (fits_after == fits_before)
                return fault_set(fault, fits_after ? -ESTALE : -ERANGE,
                                 "the wall clock was set by %.1f s since the boot began, so its "
                                 "stamp cannot be placed",
                                 s_from_us(w->step_us));
        ret->at_us = fits_after ? after_us : before_us;
        /* Unchecked, or too roughly to see an ordinary correction of the clock: no bound. */
        ret->error_us = w->is_checked && w->slack_us == 0 ? 0 : RECORD_ERROR_UNKNOWN;
        return 0;
}

int birth_place(const struct wall_clock *w, const struct clock_tuple *now, int dir_fd,
                const char *path, int64_t not_before_us, struct sighting *ret, struct fault *fault)
{
        struct sighting s = { .at_us = 0 };
        struct timespec tick = { .tv_nsec = 0 };
        struct statx stx;
        int r;

        if (statx(dir_fd, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BTIME, &stx) < 0)
                return fault_errno(fault, -errno, "/%s", path);
        if (!(stx.stx_mask & STATX_BTIME) || stx.stx_btime.tv_sec <= 0)
                return fault_set(fault, -ENODATA, "/%s: its file system keeps no births", path);
        r = wall_clock_place(w, now,
                             stx.stx_btime.tv_sec * US_PER_S + us_from_ns(stx.stx_btime.tv_nsec),
                             not_before_us, &s, fault);
        if (r < 0)
                return fault_context(fault, r, "birth of /%s", path);
        if (clock_getres(CLOCK_REALTIME_COARSE, &tick) == 0) {
                s.at_us += TICKS_LATE * us_from_ns(tick.tv_nsec);
                if (s.error_us != RECORD_ERROR_UNKNOWN)
                        s.error_us += TICKS_LATE * us_from_ns(tick.tv_nsec);
        }
        ret->at_us = s.at_us;
        ret->error_us = s.error_us;
        return 0;
}
