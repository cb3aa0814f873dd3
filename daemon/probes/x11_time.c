/* daemon/probes/x11_time.c - see x11_time.h */
#include "daemon/probes/x11_time.h"
#include "record/clock.h"

#define NS_PER_MS ((int64_t) 1000000)
#define SERVER_GRAIN_NS (2 * NS_PER_MS) /* of its clock, and of the coarse one that it may read */

void x11_time_place(uint32_t server_ms, int64_t since_ns, int64_t now_ns, int64_t *ret_ns,
                    int64_t *ret_error_us)
{
        uint32_t age_ms = (uint32_t) (now_ns / NS_PER_MS) - server_ms;
        int64_t at_ns = (now_ns / NS_PER_MS - age_ms) * NS_PER_MS;
        int64_t latest_ns = at_ns + SERVER_GRAIN_NS;

        *ret_ns = now_ns;
        *ret_error_us = 0;
        if (latest_ns < since_ns)
                return;
        if (latest_ns < now_ns)
                *ret_ns = latest_ns;
        *ret_error_us = us_from_ns(*ret_ns - at_ns);
}
