/* Placing wall-clock stamps: steps, sleeps, and the births of real files */
#include "tests/test.h"
#include <string.h>
#include "tests/tree.h"
#include "witness/wall_clock.h"

#define S ((int64_t) US_PER_S)
#define BOOT_REALTIME (INT64_C(1796070000) * US_PER_S)

/* 1000 s after a boot at BOOT_REALTIME */
static const struct clock_tuple now = { .monotonic_us = 1000 * S,
                                        .raw_us = 1000 * S,
                                        .boottime_us = 1000 * S,
                                        .realtime_us = BOOT_REALTIME + 1000 * S };

static void a_steady_clock(void **state)
{
        struct wall_clock w = { .is_checked = false };
        struct sighting s = { .at_us = 0 };

        (void) state;
        wall_clock_check(&w, &now, 9 * S, BOOT_REALTIME + 9 * S, 0);
        assert_int_equal(w.step_us, 0);
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME + 23 * S, 0, &s, NULL), 0);
        assert_int_equal(s.at_us, 23 * S);
        assert_int_equal(s.error_us, 0);
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME - S, 0, &s, NULL), -ERANGE);
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME + 1100 * S, 0, &s, NULL),
                         -ERANGE);
}

static void an_unchecked_clock_bounds_nothing(void **state)
{
        struct wall_clock w = { .is_checked = false };
        struct sighting s = { .at_us = 0 };

        (void) state;
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME + 23 * S, 0, &s, NULL), 0);
        assert_int_equal(s.error_us, RECORD_ERROR_UNKNOWN);
        wall_clock_check(&w, &now, 2 * S, BOOT_REALTIME + 3 * S, 2 * S); /* roughly right */
        assert_int_equal(w.step_us, 0);
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME + 23 * S, 0, &s, NULL), 0);
        assert_int_equal(s.error_us, RECORD_ERROR_UNKNOWN);
}

static void a_better_check_replaces_a_rough_one(void **state)
{
        struct wall_clock w = { .is_checked = false };

        (void) state;
        wall_clock_check(&w, &now, 2 * S, BOOT_REALTIME + 2 * S, 2 * S);
        wall_clock_check(&w, &now, 9 * S, BOOT_REALTIME + 8 * S, 0);
        assert_int_equal(w.step_us, S);
        wall_clock_check(&w, &now, 9 * S, BOOT_REALTIME + 4 * S, S); /* rougher: not taken */
        assert_int_equal(w.step_us, S);
}

static void a_step_makes_two_places(void **state)
{
        struct wall_clock w = { .is_checked = false };
        struct fault fault = FAULT_NULL;
        struct sighting s = { .at_us = 0 };

        (void) state;
        /* A machine without a battery for its clock: it began in 1970 and was set by NTP. */
        wall_clock_check(&w, &now, 9 * S, 9 * S, 0);
        assert_int_equal(w.step_us, BOOT_REALTIME);
        assert_int_equal(wall_clock_place(&w, &now, 23 * S, 0, &s, NULL), 0); /* before the step */
        assert_int_equal(s.at_us, 23 * S);
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME + 700 * S, 0, &s, NULL), 0);
        assert_int_equal(s.at_us, 700 * S); /* after it */

        /* A few seconds: both places are possible, and neither is taken ... */
        w = (struct wall_clock){ .is_checked = true, .step_us = 5 * S };
        s = (struct sighting){ .at_us = 77 };
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME + 20 * S, 0, &s, &fault),
                         -ESTALE);
        assert_int_equal(s.at_us, 77);
        assert_non_null(strstr(fault.text, "set by 5.0 s"));
        /* ... unless the maker's start rules one out. */
        assert_int_equal(wall_clock_place(&w, &now, BOOT_REALTIME + 20 * S, 22 * S, &s, NULL), 0);
        assert_int_equal(s.at_us, 25 * S);
}

static void a_sleep_is_no_step(void **state)
{
        struct clock_tuple slept = now;
        struct wall_clock w = { .is_checked = false };
        struct sighting s = { .at_us = 0 };

        (void) state;
        slept.boottime_us += 3600 * S;
        slept.realtime_us += 3600 * S;
        wall_clock_check(&w, &slept, 9 * S, BOOT_REALTIME + 9 * S, 0);
        assert_int_equal(w.step_us, 0);
        assert_int_equal(wall_clock_place(&w, &slept, BOOT_REALTIME + 23 * S, 0, &s, NULL), 0);
        assert_int_equal(s.at_us, 23 * S);
}

static void a_file_made_now(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        struct wall_clock w = { .is_checked = true };
        int64_t before_us = birth_clock_us();
        struct clock_tuple after;
        struct sighting s = { .at_us = 0 };
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_int_equal(tree_put(t.fd, "a", "x"), 0);
        after = clock_tuple_now();
        assert_int_equal(birth_place(&w, &after, t.fd, "a", 0, &s, &fault), 0);
        assert_true(s.error_us > 0); /* ticks of the kernel's coarse clock */
        assert_true(s.at_us >= before_us);
        assert_true(s.at_us - s.error_us <= after.boottime_us);
        assert_int_equal(birth_place(&w, &after, t.fd, "absent", 0, &s, &fault), -ENOENT);
        assert_non_null(strstr(fault.text, "/absent"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_steady_clock),
                cmocka_unit_test(an_unchecked_clock_bounds_nothing),
                cmocka_unit_test(a_better_check_replaces_a_rough_one),
                cmocka_unit_test(a_step_makes_two_places),
                cmocka_unit_test(a_sleep_is_no_step),
                cmocka_unit_test(a_file_made_now),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
