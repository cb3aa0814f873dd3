/* witness/systemd_times.h - what PID 1 knows of its boot, as it says it, and what that means
 *
 * systemd counts in unsigned microseconds of CLOCK_MONOTONIC; 0 is "never". Firmware and loader
 * stamps are distances back from the kernel's start, and carry garbage when their source did.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "record/clock.h"
#include "record/record.h"
#include "witness/wall_clock.h"

enum systemd_stamp {
        STAMP_FIRMWARE_BEFORE_KERNEL,
        STAMP_LOADER_BEFORE_KERNEL,
        STAMP_INITRD,
        STAMP_USERSPACE,
        STAMP_USERSPACE_REALTIME,
        STAMP_FINISH,
        SYSTEMD_STAMPS,
};
extern const char *const systemd_stamp_names[SYSTEMD_STAMPS]; /* the Manager's properties */

enum unit_stamp {
        STAMP_INACTIVE_EXIT, /* activation began */
        STAMP_ACTIVE_ENTER,  /* active */
        STAMP_ACTIVE_EXIT,
        UNIT_STAMPS,
};
extern const char *const unit_stamp_names[UNIT_STAMPS];

struct systemd_unit {
        char *name;
        uint64_t stamp[UNIT_STAMPS];
};

struct systemd_times {
        uint64_t stamp[SYSTEMD_STAMPS];
        struct systemd_unit *unit;
        size_t n_units;
};
#define SYSTEMD_TIMES_NULL ((struct systemd_times){ .unit = NULL })

/** systemd_times_add_unit() - copy @u under @name; -ENOMEM */
int systemd_times_add_unit(struct systemd_times *t, const char *name, const struct systemd_unit *u);
void systemd_times_done(struct systemd_times *t);

/** systemd_times_check_clock() - userspace's start is kept on both clocks: was one set since? */
int systemd_times_check_clock(const struct systemd_times *t, const struct clock_tuple *now,
                              struct wall_clock *w);

/**
 * systemd_times_enter() - milestones and the slowest units into @r
 * Return: 0; -ENOMEM.
 */
int systemd_times_enter(const struct systemd_times *t, struct record *r);

/**
 * systemd_before_kernel_enter() - its figures of firmware and loader, which count back from the
 * loader's end as if that were the kernel's start; 0 is none
 * Return: as above
 */
int systemd_before_kernel_enter(uint64_t firmware_us, uint64_t loader_us, struct record *r);
