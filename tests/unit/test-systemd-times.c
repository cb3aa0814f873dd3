/* What PID 1 says of its boot, and what is made of it */
#include "tests/test.h"
#include <string.h>
#include "record/record.h"
#include "witness/systemd_times.h"

static void systemd_timesp(struct systemd_times *t) { systemd_times_done(t); }

/* An ordinary boot with a loader that keeps its times and an initrd with systemd in it */
static const uint64_t ordinary[SYSTEMD_STAMPS] = {
        [STAMP_FIRMWARE_BEFORE_KERNEL] = 11672000,
        [STAMP_LOADER_BEFORE_KERNEL] = 3520000,
        [STAMP_INITRD] = 2870123,
        [STAMP_USERSPACE] = 9012345,
        [STAMP_USERSPACE_REALTIME] = 1796070000000000,
        [STAMP_FINISH] = 30123456,
};

static void add(struct systemd_times *t, const char *name, uint64_t inactive_exit,
                uint64_t active_enter, uint64_t active_exit)
{
        struct systemd_unit u = { .stamp = { inactive_exit, active_enter, active_exit } };

        assert_int_equal(systemd_times_add_unit(t, name, &u), 0);
}

static struct record *enter(const uint64_t stamp[SYSTEMD_STAMPS])
{
        CLEANUP(systemd_timesp) struct systemd_times t = SYSTEMD_TIMES_NULL;
        struct record *r = record_new();

        memcpy(t.stamp, stamp, sizeof t.stamp);
        add(&t, "sysinit.target", 11000000, 11000000, 0);
        add(&t, "basic.target", 12000001, 12000001, 0);
        add(&t, "graphical.target", 40000000, 40000000, 0); /* left and entered again */
        add(&t, "initrd-root-fs.target", 7000000, 7000000, 0);
        add(&t, "systemd-cryptsetup@luks\\x2d1f2e.service", 4000000, 6500000, 0);
        add(&t, "systemd-cryptsetup@late.service", 20000000, 20000001, 0); /* "already active" */
        add(&t, "slow.service", 12100000, 19100000, 0);
        add(&t, "oneshot.service", 12200000, 0, 12900000);
        add(&t, "later.service", 3600000000, 3700000000, 0);
        add(&t, "never.service", 0, 0, 0);
        add(&t, "backwards.service", 20000000, 100, 0);
        assert_non_null(r);
        assert_int_equal(systemd_times_enter(&t, r), 0);
        assert_int_equal(systemd_before_kernel_enter(t.stamp[STAMP_FIRMWARE_BEFORE_KERNEL],
                                                     t.stamp[STAMP_LOADER_BEFORE_KERNEL], r),
                         0);
        return r;
}

static void an_ordinary_boot(void **state)
{
        CLEANUP(record_freep) struct record *r = enter(ordinary);
        int64_t at;

        (void) state;
        assert_true(record_at(r, "power.on", &at));
        assert_int_equal(at, -11672000);
        assert_int_equal(record_find(r, "power.on")->best.error_us, RECORD_ERROR_UNKNOWN);
        assert_true(record_at(r, "loader.start", &at));
        assert_int_equal(at, -3520000);
        assert_null(record_find(r, "loader.end")); /* systemd takes it for the kernel's start */
        assert_true(record_at(r, "initrd.start", &at));
        assert_int_equal(at, 2870123);
        assert_true(record_at(r, "userspace.start", &at));
        assert_int_equal(at, 9012345);
        assert_int_equal(record_find(r, "userspace.start")->best.error_us, 0);
        assert_true(record_at(r, "basic.target", &at));
        assert_int_equal(at, 12000001);
        assert_non_null(strstr(record_absent_reason(r, "graphical.target"), "entered again"));
        assert_non_null(record_absent_reason(r, "multi-user.target"));
        assert_int_equal(r->n_warnings, 0);
        assert_true(record_at(r, "root.mounted", &at));
        assert_int_equal(at, 7000000);
        assert_true(record_at(r, "unlock.mapped", &at));
        assert_int_equal(at, 6500000);
        assert_string_equal(record_find(r, "unlock.mapped")->session, "luks-1f2e");
        for (size_t i = 0; i < r->n_milestones; i++)
                assert_true(!r->milestones[i].session ||
                            strcmp(r->milestones[i].session, "late") != 0);
}

static void slowest_units_of_the_boot(void **state)
{
        CLEANUP(record_freep) struct record *r = enter(ordinary);

        (void) state;
        assert_int_equal(r->n_units, 4); /* what took no time is not slow */
        assert_string_equal(r->units[0].name, "slow.service");
        assert_int_equal(r->units[0].started_us, 12100000);
        assert_int_equal(r->units[0].elapsed_us, 7000000);
        assert_string_equal(r->units[2].name, "oneshot.service");
        assert_int_equal(r->units[2].elapsed_us, 700000);
}

static void a_subtraction_below_zero(void **state)
{
        uint64_t stamp[SYSTEMD_STAMPS];
        CLEANUP(record_freep) struct record *r = NULL;
        const struct milestone *m;
        int64_t at;

        (void) state;
        memcpy(stamp, ordinary, sizeof stamp);
        stamp[STAMP_LOADER_BEFORE_KERNEL] = UINT64_MAX - 1000000; /* "584542y" in systemd-analyze */
        stamp[STAMP_FIRMWARE_BEFORE_KERNEL] = 1702000000;         /* 28 minutes */
        r = enter(stamp);
        assert_false(record_at(r, "loader.start", &at));
        m = record_find(r, "loader.start");
        assert_non_null(m);
        assert_non_null(strstr(m->best.implausible, "584542 years"));
        assert_non_null(strstr(m->best.detail, "18446744073708551615"));
        assert_true(m->best.at_us < 0);
        assert_false(record_at(r, "power.on", &at));
        m = record_find(r, "power.on");
        assert_int_equal(m->best.at_us, -1702000000); /* kept as it was said */
        assert_non_null(m->best.implausible);
}

static void nothing_before_userspace(void **state)
{
        static const uint64_t stamp[SYSTEMD_STAMPS] = { [STAMP_USERSPACE] = 4000000 };
        CLEANUP(record_freep) struct record *r = enter(stamp);

        (void) state;
        assert_null(record_find(r, "power.on")); /* 0 is "unknown", not "at the kernel's start" */
        assert_null(record_find(r, "loader.start"));
        assert_null(record_find(r, "initrd.start"));
        assert_null(record_find(r, "unlock.mapped"));        /* no initrd of systemd's */
        assert_non_null(record_find(r, "graphical.target")); /* not finished: not entered again */
        assert_int_equal(r->n_warnings, 1);
}

static void clock_is_checked(void **state)
{
        struct systemd_times t = SYSTEMD_TIMES_NULL;
        struct clock_tuple now = { .monotonic_us = 100000000,
                                   .raw_us = 100000000,
                                   .boottime_us = 100000000,
                                   .realtime_us = 1796070000000000 + (100000000 - 9012345) };
        struct wall_clock w = { .is_checked = false };

        (void) state;
        memcpy(t.stamp, ordinary, sizeof t.stamp);
        assert_int_equal(systemd_times_check_clock(&t, &now, &w), 0);
        assert_true(w.is_checked);
        assert_int_equal(w.step_us, 0);
        assert_int_equal(w.slack_us, 0);
        w = (struct wall_clock){ .is_checked = false };
        now.realtime_us += 5000000; /* was set forward since */
        assert_int_equal(systemd_times_check_clock(&t, &now, &w), 0);
        assert_int_equal(w.step_us, 5000000);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(an_ordinary_boot),
                cmocka_unit_test(slowest_units_of_the_boot),
                cmocka_unit_test(a_subtraction_below_zero),
                cmocka_unit_test(nothing_before_userspace),
                cmocka_unit_test(clock_is_checked),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
