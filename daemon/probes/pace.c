/* daemon/probes/pace.c - see pace.h */
#include "daemon/probes/pace.h"
#include <time.h>
#include "record/clock.h"

int64_t pace_cpu_ns(void)
{
        struct timespec t;

        (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return (int64_t) t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t pace_next_ns(int64_t now_ns, int64_t interval_ns, int64_t cost_ns)
{
        int64_t rest_ns = cost_ns * PACE_REST;

        return now_ns + (rest_ns > interval_ns ? rest_ns : interval_ns);
}
