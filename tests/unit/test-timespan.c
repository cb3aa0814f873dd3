/* tests/unit/test-timespan.c - lengths of time as people and tools write them */
#include "tests/test.h"
#include "analyze/import/timespan.h"

#define S 1000000
#define MIN (60 * (int64_t) S)
#define P TIMESPAN_BARE
#define C TIMESPAN_COMMA
#define D TIMESPAN_SYSTEMD

static const struct span_case {
        const char *text;
        unsigned flags;
        int64_t want_us, want_error_us;
        bool implausible, vague;
        int64_t to_us;
} span_cases[] = {
        { "1min 47.847s", D, 107847000, 1000, false, false, 0 },
        { "2h 3min 4.5s", D, 7384500000, 100000, false, false, 0 },
        { "0:60", 0, 60 * S, S, false, false, 0 },
        { "0:58", 0, 58 * S, S, false, false, 0 },
        { "23m24.829s", 0, 1404829000, 1000, false, false, 0 },
        { "1:02:03.4", 0, 3723400000, 100000, false, false, 0 },
        { "75:03", 0, 75 * MIN + 3 * S, S, false, false, 0 },
        { "1min 7ms", D, MIN + 7000, 1000, false, false, 0 },
        { "584542y", D, INT64_MAX, 0, true, false, 0 },
        { "213503982d", D, INT64_MAX, 0, true, false, 0 },
        { "18446744073709551616s", D, INT64_MAX, 0, true, false, 0 },
        { "99999999999999999999999999", P, INT64_MAX, 0, true, false, 0 },
        { "99999999999999999999:00", P, INT64_MAX, 0, true, false, 0 },
        { "1y 2month 3w 4d 5h 6min 7.000008s", D, 38995567000008, 1, true, false, 0 },
        { "100d", D, 8640000000000, 86400000000, false, false, 0 },
        { "101d", D, 8726400000000, 86400000000, true, false, 0 },
        { "infinity", D, INT64_MAX, 0, true, false, 0 },
        { "0", P, 0, S, false, false, 0 },
        { "0.0000005", P, 1, 1, false, false, 0 },
        { "0.0000004999", P, 0, 1, false, false, 0 },
        { "999ns", 0, 1, 1, false, false, 0 },
        { "499ns", 0, 0, 1, false, false, 0 },
        { "1,5 s", C, 1500000, 100000, false, false, 0 },
        { "0m1,234s", C, 1234000, 1000, false, false, 0 },
        { "1 minute and 5 seconds", 0, 65 * S, S, false, false, 0 },
        { "2 hours, 3 mins, 4 secs", 0, 7384 * (int64_t) S, S, false, false, 0 },
        { "850 ms", 0, 850000, 1000, false, false, 0 },
        { "850us", 0, 850, 1, false, false, 0 },
        { "3-3.5 min", 0, 180 * S, MIN, false, true, 210 * S },
        { "30 - 40s", 0, 30 * S, S, false, true, 40 * S },
        { "30 to 40", P, 30 * S, S, false, true, 40 * S },
        { "~40s", 0, 40 * S, S, false, true, 0 },
        { "about 18 seconds", 0, 18 * S, S, false, true, 0 },
        { "about 1:05", 0, 65 * S, S, false, true, 0 },
        { "12.50", P, 12500000, 10000, false, false, 0 },
        { "0.123456789y", D, 3895999964546, 31557, false, false, 0 },
};

static const struct refused_case {
        const char *text;
        unsigned flags;
} refused_cases[] = {
        { "", P },           { "abc", P },   { "12", 0 },      { "-5s", P },
        { "5 apples", 0 },   { "1:5", P },   { "1:234", P },   { "1:2:3:4", P },
        { "5s 3min", 0 },    { "5s 3s", 0 }, { "12,5", P },    { "5m", D },
        { "1.5.5s", P },     { ":30", P },   { "40-30 s", 0 }, { "1:30.5:20", P },
        { "5 minutesx", 0 },
};

static void check_span(void **state)
{
        const struct span_case *c = *state;
        struct timespan t;

        assert_int_equal(timespan_parse(c->text, c->flags, &t, NULL), 0);
        assert_int_equal(t.us, c->want_us);
        if (c->want_error_us)
                assert_int_equal(t.error_us, c->want_error_us);
        assert_int_equal(t.implausible != NULL, c->implausible);
        assert_int_equal(t.is_vague, c->vague);
        assert_int_equal(t.to_us, c->to_us ? c->to_us : c->want_us);
}

static void check_refused(void **state)
{
        const struct refused_case *c = *state;
        struct timespan t = { .us = 77 };

        assert_int_equal(timespan_parse(c->text, c->flags, &t, NULL), -EINVAL);
        assert_int_equal(t.us, 77);
}

static void how_far(void **state)
{
        struct timespan t;
        size_t used;

        (void) state;
        assert_int_equal(timespan_parse(" 27 X start", P, &t, &used), 0);
        assert_int_equal(used, 3);
        assert_int_equal(timespan_parse("1min 2s (kernel)", D, &t, &used), 0);
        assert_int_equal(used, 7);
        assert_int_equal(timespan_parse("5s and more", 0, &t, &used), 0);
        assert_int_equal(used, 2);
        assert_int_equal(t.us, 5 * S);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(span_cases) + ELEMENTSOF(refused_cases) + 1];
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(span_cases); i++)
                tests[n++] =
                        (struct CMUnitTest){ .name = span_cases[i].text,
                                             .test_func = check_span,
                                             .initial_state = (void *) (uintptr_t) &span_cases[i] };
        for (size_t i = 0; i < ELEMENTSOF(refused_cases); i++)
                tests[n++] = (struct CMUnitTest){
                        .name = refused_cases[i].text[0] ? refused_cases[i].text : "empty",
                        .test_func = check_refused,
                        .initial_state = (void *) (uintptr_t) &refused_cases[i]
                };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(how_far);
        return _cmocka_run_group_tests("timespan", tests, n, NULL, NULL);
}
