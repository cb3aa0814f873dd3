/* analyze/duration.c - one way of printing a length of time, for every view */
#include "analyze/duration.h"
#include <inttypes.h>
#include <stdio.h>

#define US_PER_MS 1000
#define US_PER_SECOND (1000 * US_PER_MS)
#define US_PER_MINUTE (60 * (int64_t) US_PER_SECOND)
#define US_PER_HOUR (60 * US_PER_MINUTE)

const char *duration_text(int64_t us, char ret[DURATION_BYTES])
{
        const char *sign = us < 0 ? "-" : "";
        uint64_t n = us < 0 ? (uint64_t) 0 - (uint64_t) us : (uint64_t) us;
        uint64_t tenths = (n + US_PER_SECOND / 20) / (US_PER_SECOND / 10);

        if (n < US_PER_MS)
                (void) snprintf(ret, DURATION_BYTES, "%s%" PRIu64 " us", sign, n);
        else if (n < US_PER_SECOND)
                (void) snprintf(ret, DURATION_BYTES, "%s%.1f ms", sign, (double) n / US_PER_MS);
        else if (n < 2 * US_PER_MINUTE)
                (void) snprintf(ret, DURATION_BYTES, "%s%.3f s", sign, (double) n / US_PER_SECOND);
        else if (n < (uint64_t) US_PER_HOUR)
                (void) snprintf(ret, DURATION_BYTES, "%s%" PRIu64 "m%02" PRIu64 ".%" PRIu64 "s",
                                sign, tenths / 600, tenths / 10 % 60, tenths % 10);
        else
                (void) snprintf(ret, DURATION_BYTES,
                                "%s%" PRIu64 "h%02" PRIu64 "m%02" PRIu64 ".%" PRIu64 "s", sign,
                                tenths / 36000, tenths / 600 % 60, tenths / 10 % 60, tenths % 10);
        return ret;
}
