/* witness/counter.h - the counter's arithmetic and the judgement on it, apart from the reading */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "witness/counter_reading.h"

/**
 * counter_span_us() - from the counter's reset to the raw clock's zero, the kernel's start
 * @a, @b: two readings, @b the later one
 * @ret_hz: the counter's rate between them
 * @ret_error_us: from the width of the readings, drawn out over the counter's whole age
 *
 * Return: microseconds; negative when the counter is younger than the kernel.
 */
int64_t counter_span_us(const struct counter_reading *a, const struct counter_reading *b,
                        double *ret_hz, int64_t *ret_error_us);

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
