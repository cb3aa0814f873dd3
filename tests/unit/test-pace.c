/* tests/unit/test-pace.c - how long a probe rests between two looks */
#include "tests/test.h"
#include <time.h>
#include "daemon/probes/pace.h"

#define MS ((int64_t) 1000000)

static void a_cheap_look_keeps_to_the_interval(void **state)
{
        (void) state;
        assert_int_equal(pace_next_ns(1000 * MS, 20 * MS, 0), 1020 * MS);
        assert_int_equal(pace_next_ns(1000 * MS, 20 * MS, 20 * MS / PACE_REST), 1020 * MS);
}

static void a_dear_one_is_followed_by_a_rest(void **state)
{
        (void) state;
        assert_int_equal(pace_next_ns(1000 * MS, 20 * MS, 10 * MS), (1000 + 10 * PACE_REST) * MS);
}

/* Sleeping is no cost, and working is. */
static void cost_is_processor_time(void **state)
{
        int64_t before_ns = pace_cpu_ns(), after_ns;
        const struct timespec nap = { .tv_nsec = 50 * MS };

        (void) state;
        assert_int_equal(nanosleep(&nap, NULL), 0);
        assert_true(pace_cpu_ns() - before_ns < 50 * MS);
        before_ns = after_ns = pace_cpu_ns();
        for (long i = 0; i < 100000000 && after_ns - before_ns < 5 * MS; i++)
                after_ns = pace_cpu_ns();
        assert_true(after_ns - before_ns >= 5 * MS);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_cheap_look_keeps_to_the_interval),
                cmocka_unit_test(a_dear_one_is_followed_by_a_rest),
                cmocka_unit_test(cost_is_processor_time),
        };

        return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
