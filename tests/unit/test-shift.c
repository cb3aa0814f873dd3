/* tests/unit/test-shift.c - Hodges-Lehmann, intervals and equivalence against listed differences */
#include "tests/test.h"
#include <math.h>
#include <gsl/gsl_sort.h>
#include "analyze/contrast.h"
#include "analyze/shift.h"

#define NEAR 1e-9

/* Published hand timings of one machine, in seconds; figures worked out by another program. */
static const struct pair {
        const char *what;
        double a[4], b[3];
        size_t n, m;
        double shift, low, high, ratio, ratio_low, ratio_high, level;
} pairs[] = {
        { "desktop",
          { 50, 41, 46, 42 },
          { 36, 34, 35 },
          4,
          3,
          -9,
          -16,
          -5,
          0.795952493978634,
          0.68,
          0.8780487804878047,
          33 / 35.0 },
        { "X",
          { 27, 23, 25, 23 },
          { 21, 21, 21 },
          4,
          3,
          -3,
          -6,
          -2,
          0.8757605390397141,
          0.7777777777777778,
          0.9130434782608696,
          33 / 35.0 },
        { "sent",
          { 52, 34, 34, 33 },
          { 25, 21, 20 },
          4,
          3,
          -13,
          -32,
          -8,
          0.6118264057738428,
          0.38461538461538447,
          0.7575757575757575,
          33 / 35.0 },
        { "received",
          { 58, 58, 58, 60 },
          { 48, 63, 39 },
          4,
          3,
          -10,
          -21,
          5,
          0.8275862068965522,
          0.65,
          1.0862068965517242,
          33 / 35.0 },
        { "build 1",
          { 1404.829, 1383.003, 1459.828 },
          { 1402.448, 1378.988 },
          3,
          2,
          -14.928,
          -80.84,
          19.445,
          0.9893209228603499,
          0.9446236131927868,
          1.0140599839624354,
          0.8 },
        { "build 2",
          { 1367.524, 1358.859, 1431.198 },
          { 1363.217 },
          3,
          1,
          -4.307,
          -67.981,
          4.358,
          0.9968505123127642,
          0.9525006323373844,
          1.0032071024293172,
          0.5 },
        { "2+1",
          { 40, 39 },
          { 36 },
          2,
          1,
          -3.5,
          -4,
          -3,
          0.9114654303752999,
          0.9,
          0.9230769230769231,
          1 / 3.0 },
};

static void near(double got, double want)
{
        if (!(fabs(got - want) <= NEAR * fmax(1, fabs(want))))
                fail_msg("%.15g, want %.15g", got, want);
}

static void hand_timings(void **state)
{
        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(pairs); i++) {
                const struct pair *p = &pairs[i];
                CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;

                assert_int_equal(contrast_of(p->a, p->n, p->b, p->m, 0.05, &c), 0);
                near(c.shift.value, p->shift);
                near(c.shift.low, p->low);
                near(c.shift.high, p->high);
                near(c.shift.level, p->level);
                assert_true(c.has_ratio);
                near(c.ratio.value, p->ratio);
                near(c.ratio.low, p->ratio_low);
                near(c.ratio.high, p->ratio_high);
                near(c.ratio.level, p->level);
        }
}

/* 7+6 values: the interval at 95 % starts at the 7th difference, at 90 % at the 9th. */
static void deeper_intervals(void **state)
{
        double a[] = { 10.1, 11.3, 9.8, 10.7, 10.2, 12.0, 9.9 };
        double b[] = { 10.9, 11.8, 12.4, 11.1, 13.0, 10.8 };
        CLEANUP(rank_null_done) struct rank_null null = RANK_NULL_NULL;
        struct estimate e;

        (void) state;
        gsl_sort(a, 1, 7);
        gsl_sort(b, 1, 6);
        assert_int_equal(rank_null_init(&null, 7, 6), 0);
        e = shift_of(a, 7, b, 6, &null, 0.95);
        near(e.value, 1.0);
        near(e.low, -0.2);
        near(e.high, 2.3);
        near(e.level, 0.965034965034965);
        e = shift_of(a, 7, b, 6, &null, 0.90);
        near(e.low, 0.2);
        near(e.high, 2.2);
        near(e.level, 0.9265734265734266);
}

static int compare_doubles(const void *va, const void *vb)
{
        double a = *(const double *) va, b = *(const double *) vb;

        return a < b ? -1 : a > b;
}

/* Bisection must find the very difference that listing and sorting finds. */
static void listing(void **state)
{
        unsigned random = 7;

        (void) state;
        for (size_t n = 1; n <= 9; n++)
                for (size_t m = 1; m <= 9; m++) {
                        double a[9], b[9], d[81], k = (double) (n * m);
                        CLEANUP(rank_null_done) struct rank_null null = RANK_NULL_NULL;
                        struct estimate e;
                        size_t depth;

                        for (size_t i = 0; i < n + m; i++) {
                                random = random * 1103515245 + 12345;
                                *(i < n ? &a[i] : &b[i - n]) =
                                        ((random >> 16 & 0x7fff) - 16000.0) / 700;
                        }
                        gsl_sort(a, 1, n);
                        gsl_sort(b, 1, m);
                        for (size_t i = 0; i < n * m; i++)
                                d[i] = b[i % m] - a[i / m];
                        qsort(d, n * m, sizeof *d, compare_doubles);
                        assert_int_equal(rank_null_init(&null, n, m), 0);
                        e = shift_of(a, n, b, m, &null, 0.95);
                        near(e.value, (d[((size_t) k - 1) / 2] + d[(size_t) k / 2]) / 2);
                        depth = rank_null_depth(&null, 0.95);
                        depth = depth ? depth : 1;
                        assert_int_equal(e.has_interval, k > 1);
                        if (e.has_interval) {
                                assert_true(d[depth - 1] <= e.low && e.low <= d[depth - 1]);
                                assert_true(d[n * m - depth] <= e.high &&
                                            e.high <= d[n * m - depth]);
                        }
                }
}

static void no_interval(void **state)
{
        double a[] = { 3 }, b[] = { 5 };
        CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;

        (void) state;
        assert_int_equal(contrast_of(a, 1, b, 1, 0.05, &c), 0);
        near(c.shift.value, 2);
        assert_false(c.shift.has_interval); /* 1+1 */
        assert_false(c.a.median_interval.has_interval);
        assert_false(c.has_spread);
}

/* 1 - 2 (1/2)^6 for 6 values; the 2nd and 8th of 9; from the binomial distribution by hand. */
static void median_intervals(void **state)
{
        double six[] = { 1, 2, 3, 4, 5, 6 }, nine[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
        struct estimate e;

        (void) state;
        assert_false(shift_median_interval(six, 5, &e));
        assert_true(shift_median_interval(six, 6, &e));
        near(e.value, 3.5);
        near(e.low, 1);
        near(e.high, 6);
        near(e.level, 1 - 2 / 64.0);
        assert_true(shift_median_interval(nine, 9, &e));
        near(e.low, 2);
        near(e.high, 8);
        near(e.level, 1 - 2 * 10 / 512.0);
}

/* 3+3 is the first that can be equivalent: one-sided 1/20. */
static void equivalence(void **state)
{
        double a[] = { 100, 101, 102 }, b[] = { 101, 100.5, 102.5 }, far[] = { 101, 100.5, 106 };
        CLEANUP(contrast_done)
        struct contrast near_c = CONTRAST_NULL,
                        far_c = CONTRAST_NULL, few = CONTRAST_NULL;

        (void) state;
        assert_int_equal(contrast_of(a, 3, b, 3, 0.05, &near_c), 0);
        near(near_c.equivalence_p, 0.05);
        assert_int_equal(contrast_of(a, 3, far, 3, 0.05, &far_c), 0);
        near(far_c.equivalence_p, 0.1); /* 106 / 100 lies outside, 106 / 101 just inside */
        assert_int_equal(contrast_of(a, 3, b, 2, 0.05, &few), 0);
        near(few.equivalence_p, 0.1);
}

static void no_ratio(void **state)
{
        double zero[] = { 0, 1, 2 }, below[] = { -1, 4, 5 }, huge[] = { 1e15, 1e15, 2e15 };
        CLEANUP(contrast_done)
        struct contrast c = CONTRAST_NULL,
                        d = CONTRAST_NULL, empty = CONTRAST_NULL;

        (void) state;
        assert_int_equal(contrast_of(zero, 3, below, 3, 0.05, &c), 0);
        assert_false(c.has_ratio);
        near(c.equivalence_p, 1);
        near(c.shift.value, 3);
        assert_int_equal(contrast_of(huge, 3, huge, 3, 0.05, &d), 0);
        near(d.shift.value, 0);
        near(d.ratio.value, 1);
        near(d.test.p, 1);
        assert_int_equal(contrast_of(zero, 0, below, 3, 0.05, &empty), 0);
        near(empty.test.p, 1);
        near(empty.b.median, 4);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(hand_timings), cmocka_unit_test(deeper_intervals),
                cmocka_unit_test(listing),      cmocka_unit_test(no_interval),
                cmocka_unit_test(equivalence),  cmocka_unit_test(median_intervals),
                cmocka_unit_test(no_ratio),
        };

        return cmocka_run_group_tests_name("shift", tests, NULL, NULL);
}
