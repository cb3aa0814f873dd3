/* tests/unit/test-quiet.c - when a machine has settled: the rule on made-up series of samples */
#include "tests/test.h"
#include <string.h>
#include "daemon/probes/quiet.h"

#define STEP_NS ((int64_t) 100000000)

/* One character a sample of 0.1 s: "." quiet, "x" busy, "h" for half of it. Where it settles is
 * counted in samples; -1 never. */
static const struct series {
        const char *what, *samples;
        int repeat; /* the whole of it */
        int want;
} series[] = {
        { "quiet from the start", ".", 50, 0 },
        { "49 samples are too few", ".", 49, -1 },
        { "busy for ever", "x", 500, -1 },
        { "a second of work, then rest",
          "xxxxxxxxxx..................................................", 1, 10 },
        { "one sample a second", "x.........", 50, 1 },
        { "two in a row each second", "xx........", 50, -1 },
        { "one across two samples each second", "hh........", 50, 2 },
        { "two across three", "hxh.......", 50, -1 },
        { "half of each, for ever", "h", 500, -1 },
        { "a half is no less than one", ".h.h.h.h.h.h......................................", 1,
          -1 },
        { "begins quiet, but work comes back",
          "..............................xxxxxxxxxx.........."
          "........................................",
          1, 40 },
        { "has to begin quiet", "xxxx..................................................", 1, 4 },
        { "five of fifty are a tenth", ".xxxxx............................................", 1, 0 },
        { "six are more", ".xxxxxx...........................................", 1, -1 },
};

static void check_series(void **state)
{
        const struct series *s = *state;
        struct quiet q = QUIET_NULL;
        int n = 0;

        for (int i = 0; i < s->repeat; i++)
                for (const char *p = s->samples; *p; p++, n++)
                        (void) quiet_add(&q, (struct quiet_sample){ n * STEP_NS, (n + 1) * STEP_NS,
                                                                    *p == '.'   ? 0
                                                                    : *p == 'h' ? STEP_NS / 2
                                                                                : STEP_NS });
        assert_int_equal(q.is_settled, s->want >= 0);
        if (s->want >= 0)
                assert_int_equal(q.settled_ns, s->want * STEP_NS);
}

/* The machine let us wait: one sample of 0.6 s is more than a tenth of 5 s, however few it is. */
static void a_late_sample_counts_for_its_time(void **state)
{
        struct quiet q = QUIET_NULL;
        int64_t at_ns = 0;

        (void) state;
        for (int i = 0; i < 60; i++) {
                int64_t end_ns = at_ns + (i == 20 ? 6 * STEP_NS : STEP_NS);

                (void) quiet_add(
                        &q, (struct quiet_sample){ at_ns, end_ns, i == 20 ? end_ns - at_ns : 0 });
                at_ns = end_ns;
        }
        assert_false(q.is_settled);
        for (int i = 0; i < 20; i++, at_ns += STEP_NS)
                (void) quiet_add(&q, (struct quiet_sample){ at_ns, at_ns + STEP_NS, 0 });
        assert_true(q.is_settled);
        /* It may lie in the window's end for a tenth of it, and not more. */
        assert_int_equal(q.settled_ns, 26 * STEP_NS);
}

static void an_empty_sample_is_none(void **state)
{
        struct quiet q = QUIET_NULL;

        (void) state;
        assert_false(quiet_add(&q, (struct quiet_sample){ 5, 5, 0 }));
        assert_false(quiet_add(&q, (struct quiet_sample){ 5, 4, 0 }));
        assert_int_equal(q.n, 0);
}

/* More samples than are kept: the newest stand. */
static void a_flood_of_samples_is_bounded(void **state)
{
        struct quiet q = QUIET_NULL;

        (void) state;
        for (int i = 0; i < 10 * QUIET_SAMPLES_MAX; i++)
                (void) quiet_add(&q, (struct quiet_sample){ i, i + 1, 0 });
        assert_false(q.is_settled);
        assert_int_equal(q.n, QUIET_SAMPLES_MAX);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(series) + 3] = {
                cmocka_unit_test(a_late_sample_counts_for_its_time),
                cmocka_unit_test(an_empty_sample_is_none),
                cmocka_unit_test(a_flood_of_samples_is_bounded),
        };

        for (size_t i = 0; i < ELEMENTSOF(series); i++)
                tests[3 + i] =
                        (struct CMUnitTest){ .name = series[i].what,
                                             .test_func = check_series,
                                             .initial_state = (void *) (uintptr_t) &series[i] };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
