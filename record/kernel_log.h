/* record/kernel_log.h - what single lines of the kernel log say about a boot
 *
 * The same lines come from /dev/kmsg, from the journal where that is refused or has run over, and
 * from what people publish.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/record.h"

/* What the real-time clock said when the kernel set the system's by it. */
struct rtc_reading {
        int64_t at_us;   /* CLOCK_MONOTONIC */
        int64_t epoch_s; /* as if the clock were in UTC; 0 not seen */
};

struct kernel_log {
        const char *source;   /* "kernel log" or "journal kernel" */
        const char *rdinit;   /* the initrd's first program, "/init" unless the command line says */
        char root_device[64]; /* kernel name of what / lies on ("dm-0"); "" unknown */
        int64_t counter_khz;  /* the counter's rate as the kernel found it; 0 not seen */
        struct rtc_reading rtc;
        bool has_root; /* a line about root's mount was seen */
};

/**
 * kernel_log_line() - enter what one line says, if anything
 * @at_us: its stamp, CLOCK_MONOTONIC (printk's clock, which is the scheduler's: within
 * milliseconds) Return: 0; -ENOMEM.
 */
int kernel_log_line(struct kernel_log *k, struct record *r, int64_t at_us, const char *text);

/**
 * kmsg_parse() - one record as /dev/kmsg gives it: "priority,sequence,stamp_us,flags;text"
 * @line: NUL-terminated, without the newline
 * @ret_text: into @line
 * Return: 0; -EINVAL for a continuation (" KEY=value") or damage.
 */
int kmsg_parse(const char *line, int64_t *ret_sequence, int64_t *ret_at_us, const char **ret_text);
