/* witness/wall_clock.h - placing wall-clock stamps of this boot on the record's axis
 *
 * The birth of a node or socket is kept in wall-clock time. The way back goes through BOOTTIME,
 * whose distance to the wall clock changes only when somebody sets the clock (a sleep moves both
 * alike), and is right for everything before the first sleep. What cannot be placed is refused.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/clock.h"
#include "record/fault.h"
#include "record/record.h"

struct wall_clock {
        bool is_checked;  /* the distance at boot is known from someone */
        int64_t step_us;  /* how much the wall clock was set forward since (negative: back) */
        int64_t slack_us; /* how exactly that is known */
};

/**
 * wall_clock_check() - learn the step from a wall-clock stamp whose place on the axis is known
 * @at_us: CLOCK_MONOTONIC, during boot
 * @realtime_us: the wall clock then
 * @slack_us: how far @at_us may be off
 *
 * A later check with less slack replaces an earlier one.
 */
void wall_clock_check(struct wall_clock *w, const struct clock_tuple *now, int64_t at_us,
                      int64_t realtime_us, int64_t slack_us);

/**
 * wall_clock_check_devices() - the same from the birth of /dev/null, where nobody better is known
 * @root_fd: of the tree whose proc/self/mountinfo says that dev is the kernel's own devtmpfs
 *
 * The kernel makes that node a moment after it starts: enough to see a clock that was minutes off.
 */
void wall_clock_check_devices(struct wall_clock *w, const struct clock_tuple *now, int root_fd);

/**
 * wall_clock_place() - a wall-clock stamp as a sighting
 * @not_before_us: the earliest that it can have been (the start of the process that made the
 * thing); 0 when only the boot is known
 * @ret: at_us and error_us are set
 *
 * After a step a stamp has two possible places, as it may be from before or after; it is taken only
 * when just one of them lies between @not_before_us and now.
 *
 * Return: 0; -ERANGE outside of this boot; -ESTALE when a step makes the place ambiguous.
 */
int wall_clock_place(const struct wall_clock *w, const struct clock_tuple *now, int64_t realtime_us,
                     int64_t not_before_us, struct sighting *ret, struct fault *fault);

/**
 * birth_place() - when a file of this boot was made
 * @dir_fd, @path: the file; a symlink is not followed
 *
 * The kernel stamps files with the clock of the last timer tick, so the event lies up to one tick
 * after the stamp, and up to two where a tick itself was late (interrupts held off, a virtual CPU that
 * did not run): at_us is that much after the stamp, and error_us that much.
 *
 * Return: as wall_clock_place(); -ENODATA when the file system keeps no births; -errno of statx().
 */
int birth_place(const struct wall_clock *w, const struct clock_tuple *now, int dir_fd,
                const char *path, int64_t not_before_us, struct sighting *ret, struct fault *fault);
