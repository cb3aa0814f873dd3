/* analyze/import/timespan.h - lengths of time as tools and people write them, exact in microseconds
 *
 * Understood: "0:60", "1:02:03.4", "23m24.829s", "1min 47.847s", "2h 3min 4.5s", "1min 7ms",
 * "1 minute and 5 seconds", "12.5s", "850 ms", "584542y", "infinity", "3-3.5 min", "~40s",
 * "about 18 seconds", and with TIMESPAN_BARE "27" (seconds).
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timespan_flags {
        TIMESPAN_BARE = 1 << 0,    /* a number without a unit is seconds */
        TIMESPAN_COMMA = 1 << 1,   /* a comma before digits is the decimal point */
        TIMESPAN_SYSTEMD = 1 << 2, /* "month" and "y" as systemd means them, "m" is refused */
};

struct timespan {
        int64_t us;              /* the value; of a range its lower end */
        int64_t to_us;           /* the upper end of a range; else the same as us */
        int64_t error_us;        /* one unit of the last digit that was written */
        bool is_vague;           /* "about", "~", or a range */
        const char *implausible; /* a fixed text: why this cannot be a measured time; or NULL */
};

/**
 * timespan_parse() - read a span at the beginning of @text
 * @ret_bytes: how far it goes; may be NULL, and then nothing but blanks may follow
 *
 * Digits beyond the microsecond are rounded half up. What does not fit 63 bits of microseconds, or
 * is above TIMESPAN_BELIEVABLE_US, is kept at its nearest and marked implausible.
 * Return: 0; -EINVAL when @text does not begin with a span.
 */
int timespan_parse(const char *text, unsigned flags, struct timespan *ret, size_t *ret_bytes);

/** timespan_from_us() - a figure that a tool gives in microseconds, judged as a parsed one is */
struct timespan timespan_from_us(int64_t us, int64_t error_us);

/* A hundred days: no phase of a boot and no build took longer, and an underflow always does. */
#define TIMESPAN_BELIEVABLE_US (INT64_C(100) * 86400 * 1000000)
