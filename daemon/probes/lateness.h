/* daemon/probes/lateness.h - how late a stamp may be, measured where it is taken
 *
 * A probe sleeps in poll() and stamps what it finds when it wakes. The stamp is late by the time
 * that the woken process waited for a CPU, which the kernel counts (second field of
 * /proc/self/schedstat), plus what it did since it woke. Both are known, so every stamp carries its
 * own bound instead of a constant that is wrong on a busy machine.
 *
 * A wait that found something at once was none: what it found may have come at any time since the
 * last real one, when nothing was there. So only a wait in which the process slept (its count of
 * voluntary context switches tells) is a new beginning. What a hypervisor takes from a processor
 * that sleeps is not counted; a source that stamps its events itself is better (file_time.h).
 */
#pragma once
#include <stdint.h>

struct lateness {
        int schedstat_fd;       /* -EBADF where the kernel keeps no such count */
        uint64_t run_delay_ns;  /* waited for a CPU so far, as of the last sleep */
        uint64_t wake_delay_ns; /* of it, in the last wake-up */
        int64_t woke_ns;        /* CLOCK_MONOTONIC: from the last wait in which we slept */
        long n_sleeps;          /* as of the last lateness_sleep() */
};

/** monotonic_ns() - CLOCK_MONOTONIC now */
int64_t monotonic_ns(void);

/** lateness_init() - call before privileges are dropped; lateness_done() closes what it opened */
void lateness_init(struct lateness *l);
void lateness_done(struct lateness *l);

/** lateness_sleep() - about to wait: what was waited for a CPU until now is old */
void lateness_sleep(struct lateness *l);

/** lateness_woke() - the wait is over */
void lateness_woke(struct lateness *l);

/**
 * lateness_us() - upper bound for a stamp taken at @at_ns of an event that ended the last wait, or
 * came after it
 */
int64_t lateness_us(const struct lateness *l, int64_t at_ns);
