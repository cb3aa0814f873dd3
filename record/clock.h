/* record/clock.h - the four clocks of a boot, read together
 *
 * Everything in a record is CLOCK_MONOTONIC in microseconds, whose 0 is kernel.start. The tuple is
 * kept at the record's start and end, so that a stepped wall clock, a suspend (BOOTTIME runs on,
 * MONOTONIC stands) or a slewed MONOTONIC (against RAW) is seen instead of bending a duration.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define US_PER_S 1000000
#define NS_PER_US 1000
#define NS_PER_S 1000000000

/* All in microseconds; 0 in every member means "not read". */
struct clock_tuple {
        int64_t monotonic_us;
        int64_t raw_us;
        int64_t boottime_us;
        int64_t realtime_us; /* since 1970-01-01 UTC */
};

static inline int64_t us_from_ns(int64_t ns) { return ns / NS_PER_US; }

static inline double s_from_us(int64_t us) { return (double) us / US_PER_S; }

/** clock_us() - one clock (CLOCK_MONOTONIC, ...) now, in microseconds; -1 if the kernel lacks it */
int64_t clock_us(int clock_id);

/** clock_tuple_now() - all four, read back to back (well within 1 ms of each other) */
struct clock_tuple clock_tuple_now(void);

/**
 * clock_monotonic_from_realtime() - place a wall-clock stamp on the record's axis
 * @now: a tuple read in this boot
 * @realtime_us: wall-clock microseconds
 *
 * The way goes through BOOTTIME, which a sleep moves as it moves the wall clock: right for every
 * stamp from before the first sleep, where BOOTTIME is MONOTONIC. And right only when the wall clock
 * was not stepped between the stamp and @now: witness/wall_clock.h checks that.
 */
int64_t clock_monotonic_from_realtime(const struct clock_tuple *now, int64_t realtime_us);

enum clock_flags {
        CLOCK_STEPPED = 1 << 0,   /* the wall clock moved by more than 100 ms against MONOTONIC */
        CLOCK_SUSPENDED = 1 << 1, /* the machine slept: BOOTTIME moved more than 10 ms against it */
        CLOCK_DRIFTED = 1 << 2,   /* MONOTONIC was slewed more than 1 % against RAW */
};

/** clock_tuple_flags() - what happened between two tuples; 0 when nothing did or either is unread
 */
unsigned clock_tuple_flags(const struct clock_tuple *start, const struct clock_tuple *end);
