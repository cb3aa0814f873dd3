/* daemon/probes/pace.h - looking only as often as a look is cheap
 *
 * What no event tells has to be looked for again and again. An interval that is nothing on one
 * machine is a load on a slower one, where a look takes a hundred times as long, and a probe that
 * weighs on a boot measures itself. So the next look waits for PACE_REST times the processor time
 * that the last one took, however short an interval was asked for.
 */
#pragma once
#include <stdint.h>

#define PACE_REST                                                                                  \
        50 /* looking takes at most a fiftieth of one CPU; what it asks of a server, too */

/** pace_cpu_ns() - processor time of this process so far */
int64_t pace_cpu_ns(void);

/**
 * pace_next_ns() - when to look again after a look that ended at @now_ns
 * @interval_ns: how long to wait at least
 * @cost_ns: processor time of the look
 */
int64_t pace_next_ns(int64_t now_ns, int64_t interval_ns, int64_t cost_ns);
