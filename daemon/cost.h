/* daemon/cost.h - what being measured cost: the daemon's and its probes' own account */
#pragma once
#include <sys/types.h>
#include "record/fault.h"
#include "record/record.h"

/**
 * cost_enter_memory() - "pss_bytes": the memory that @pid and all beneath it use now
 *
 * To be called while the probes live. Absent with its reason where /proc does not tell.
 */
int cost_enter_memory(struct record *r, pid_t pid);

/**
 * cost_enter_work() - "cpu_us", "cpu_share_percent" (of all CPU used since boot), "wakeups" and
 * "written_bytes" of this process and of the children it has waited for
 *
 * To be called when the probes have ended, and before any collector runs.
 */
int cost_enter_work(struct record *r);
