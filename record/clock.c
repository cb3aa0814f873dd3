/* record/clock.c - reading and comparing the clocks; see clock.h for which and why */
#include "record/clock.h"
#include <stdlib.h>
#include <time.h>

#define STEP_LIMIT_US (100 * 1000)
#define SUSPEND_LIMIT_US (10 * 1000)

int64_t clock_us(int clock_id)
{
        struct timespec ts;

        if (clock_gettime(clock_id, &ts) < 0)
                return -1;
        return (int64_t) ts.tv_sec * US_PER_S + us_from_ns(ts.tv_nsec);
}

struct clock_tuple clock_tuple_now(void)
{
        return (struct clock_tuple){
                .monotonic_us = clock_us(CLOCK_MONOTONIC),
                .raw_us = clock_us(CLOCK_MONOTONIC_RAW),
                .boottime_us = clock_us(CLOCK_BOOTTIME),
                .realtime_us = clock_us(CLOCK_REALTIME),
        };
}

int64_t clock_monotonic_from_realtime(const struct clock_tuple *now, int64_t realtime_us)
{
        return realtime_us - now->realtime_us + now->boottime_us;
}

static bool clock_tuple_is_read(const struct clock_tuple *t)
{
        return t->monotonic_us > 0 && t->raw_us > 0 && t->boottime_us > 0 && t->realtime_us > 0;
}

unsigned clock_tuple_flags(const struct clock_tuple *start, const struct clock_tuple *end)
{
        unsigned flags = 0;
        int64_t elapsed_us;

        if (!clock_tuple_is_read(start) || !clock_tuple_is_read(end))
                return 0;
        elapsed_us = end->monotonic_us - start->monotonic_us;

        /* A suspend moves both REALTIME and BOOTTIME, so a step is judged against BOOTTIME. */
        if (llabs((end->realtime_us - start->realtime_us) -
                  (end->boottime_us - start->boottime_us)) > STEP_LIMIT_US)
                flags |= CLOCK_STEPPED;
        if (llabs((end->boottime_us - start->boottime_us) - elapsed_us) > SUSPEND_LIMIT_US)
                flags |= CLOCK_SUSPENDED;
        if (llabs((end->raw_us - start->raw_us) - elapsed_us) > SUSPEND_LIMIT_US + elapsed_us / 100)
                flags |= CLOCK_DRIFTED;
        return flags;
}
