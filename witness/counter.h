/* witness/counter.h - the counter's arithmetic and the judgement on it, apart from the reading */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "witness/counter_reading.h"

/* A rate, and how far off it may be as a share of itself. */
struct counter_rate {
        double hz;
        double error;
};

/** counter_measure_rate() - from two readings, @b the later one: the raw clock's idea of a second
 */
struct counter_rate counter_measure_rate(const struct counter_reading *a,
                                         const struct counter_reading *b);

/**
 * counter_choose_rate() - the kernel's own figure where it is one and fits what was measured
 * @kernel_khz: what the kernel log says that the raw clock is scaled by; 0 unknown
 *
 * Its whole kilohertz are exact to a ten-millionth, which measuring takes seconds to reach.
 */
struct counter_rate counter_choose_rate(struct counter_rate measured, int64_t kernel_khz);

/**
 * counter_span_us() - from the counter's reset to the raw clock's zero, the kernel's start
 * Return: microseconds; negative when the counter is younger than the kernel.
 */
int64_t counter_span_us(const struct counter_reading *r, struct counter_rate rate,
                        int64_t *ret_error_us);

struct counter_facts {
        int64_t elapsed_us; /* counter_span_us() */
        double hz;
        double stated_hz;              /* counter_stated_hz(), or 0 */
        int64_t slept_us;              /* BOOTTIME - MONOTONIC */
        int64_t earlier_end_before_us; /* from the end of the boot before this one to the kernel's
                                          start; -1 unknown */
        bool was_kexec;
        bool has_hypervisor;
};

/**
 * counter_judge() - can the machine have been switched on when the counter says so?
 * Return: 0; -ERANGE with words in @reason.
 */
int counter_judge(const struct counter_facts *f, char *reason, size_t reason_bytes);
