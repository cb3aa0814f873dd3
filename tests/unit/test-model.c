/* tests/unit/test-model.c - least squares, drift, odd boots, modes and steps. The figures of least
 * squares come from another program that solved the normal equations in fractions, those of odd
 * boots from leaving each boot out in turn. */
#include "tests/test.h"
#include <math.h>
#include <gsl/gsl_sort.h>
#include "analyze/drift.h"
#include "analyze/modes.h"
#include "analyze/odd.h"
#include "analyze/ols.h"
#include "analyze/steps.h"

#define NEAR 1e-9

static void near(double got, double want)
{
        if (!(fabs(got - want) <= NEAR * fmax(1, fabs(want))))
                fail_msg("%.15g, want %.15g", got, want);
}

static const double abba[] = { 10, 12, 13, 11, 12, 14, 16, 13 };
static const bool abba_in_b[] = { false, true, true, false, false, true, true, false };

static void least_squares(void **state)
{
        static const double coefficient[] = { 9.089285714285714, 2.25, 0.5357142857142857 };
        static const double error[] = { 0.4984030620340308, 0.411877235523957,
                                        0.08987898137227084 };
        CLEANUP(ols_done) struct ols f = OLS_NULL;
        double x[8 * 3];

        (void) state;
        for (size_t i = 0; i < 8; i++) {
                x[3 * i] = 1;
                x[3 * i + 1] = abba_in_b[i];
                x[3 * i + 2] = (double) i + 1;
        }
        assert_int_equal(ols_fit(x, 8, 3, abba, &f), 0);
        assert_int_equal(f.rank, 3);
        assert_int_equal(f.df, 5);
        near(f.variance, 0.3392857142857143);
        near(f.leverage[0], 0.5416666666666666);
        near(f.leverage[3], 0.25595238095238093);
        for (size_t k = 0; k < 3; k++) {
                near(f.coefficient[k], coefficient[k]);
                near(f.error[k], error[k]);
                assert_true(f.estimable[k]);
        }
        near(ols_p(&f, 1), 0.0027971240917520467);
        near(ols_quantile(&f, 0.95), 2.5705818356363075);
}

/* Columns 1 and 2 always change together; column 3 is free of them. */
static void aliased(void **state)
{
        static const double x[] = { 1, 0, 0, 0, /**/ 1, 0, 0, 1, /**/ 1, 1, 1, 0,
                                    1, 1, 1, 1, /**/ 1, 0, 0, 0, /**/ 1, 1, 1, 1 };
        static const double y[] = { 1, 3, 6, 8, 1, 8 };
        CLEANUP(ols_done) struct ols f = OLS_NULL;

        (void) state;
        assert_int_equal(ols_fit(x, 6, 4, y, &f), 0);
        assert_int_equal(f.rank, 3);
        assert_true(f.estimable[0]);
        assert_false(f.estimable[1]);
        assert_false(f.estimable[2]);
        assert_true(f.estimable[3]);
        near(f.coefficient[1] + f.coefficient[2], 5); /* only their sum is known */
        near(f.coefficient[3], 2);
        near(f.alias[1], -f.alias[2]);
        near(fabs(f.alias[1]), 1);
        near(f.alias[0], 0);
        near(f.alias[3], 0);
}

static void more_columns_than_rows(void **state)
{
        static const double x[] = { 1, 0, 0, /**/ 1, 1, 1 }, y[] = { 2, 5 };
        CLEANUP(ols_done) struct ols f = OLS_NULL;

        (void) state;
        assert_int_equal(ols_fit(x, 2, 3, y, &f), 0);
        assert_int_equal(f.rank, 2);
        assert_int_equal(f.df, 0);
        near(f.coefficient[0], 2);
        near(f.coefficient[1] + f.coefficient[2], 3);
        near(ols_p(&f, 0), 1);
        assert_true(isinf(ols_quantile(&f, 0.95)));
}

static void drift(void **state)
{
        static const size_t position[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
        static const double steady[] = { 10, 12.1, 11.9, 10.1, 10.1, 11.9, 12.1, 10 };
        struct drift d;

        (void) state;
        assert_int_equal(drift_of(abba, abba_in_b, position, 8, 0.5, &d), 0);
        assert_true(d.matters);
        near(d.slope_percent, 4.359364483607945);
        near(d.ratio.value, 1.1945761323688628);
        near(d.ratio.low, 1.1180581648280556);
        near(d.ratio.high, 1.2763308572991898);
        near(d.p, 0.0009768657150541831);
        near(d.equivalence_p, 0.00015382090297789982);
        assert_int_equal(drift_of(steady, abba_in_b, position, 8, 0.5, &d), 0);
        assert_false(d.matters);
        assert_int_equal(drift_of(abba, abba_in_b, position, 5, 0.5, &d), 0);
        assert_false(d.matters); /* too few */
        assert_int_equal(drift_of(abba, abba_in_b, position, 0, 0.5, &d), 0);
        assert_false(d.matters);
}

/* Ten boots on four configurations, as published. */
static void odd_boots(void **state)
{
        static const size_t ten[] = { 0, 0, 0, 0, 1, 1, 1, 2, 2, 3 };
        static const size_t eight[] = { 0, 0, 0, 1, 1, 2, 2, 3 }, seven[] = { 0, 0, 0, 1, 2, 2, 3 };
        static const struct {
                const char *what;
                double values[10];
                const size_t *configuration;
                size_t n;
                int odd; /* position, or -1 */
                double t, p;
        } cases[] = {
                { "desktop", { 50, 41, 46, 42, 36, 34, 35, 40, 39, 36 }, ten, 10, -1, 0, 0 },
                { "X", { 27, 23, 25, 23, 21, 21, 21, 27, 26, 24 }, ten, 10, -1, 0, 0 },
                { "received", { 58, 58, 58, 60, 48, 63, 39, 18, 14, 14 }, ten, 10, -1, 0, 0 },
                { "sent",
                  { 52, 34, 34, 33, 25, 21, 20, 19, 18, 20 },
                  ten,
                  10,
                  0,
                  4.895988757058868,
                  0.04490087393334347 },
                { "build 1 real",
                  { 1404.829, 1383.003, 1459.828, 1402.448, 1378.988, 1394.759, 1385.225,
                    1380.698 },
                  eight,
                  8,
                  -1,
                  0,
                  0 },
                { "build 1 sys",
                  { 256.530, 257.200, 275.624, 253.604, 252.7, 251.470, 251.592, 243.892 },
                  eight,
                  8,
                  2,
                  31.689294013734866,
                  0.0005524186423651298 },
                { "build 2 real",
                  { 1367.524, 1358.859, 1431.198, 1363.217, 1366.385, 1367.208, 1359.361 },
                  seven,
                  7,
                  2,
                  12.452472870088798,
                  0.04471058493715628 },
                { "build 2 sys",
                  { 256.569, 261.401, 277.391, 254.976, 251.9, 251.155, 243.924 },
                  seven,
                  7,
                  -1,
                  0,
                  0 },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct odd found[10];
                int n = odd_find(cases[i].values, cases[i].configuration, cases[i].n, found);

                if (n != (cases[i].odd >= 0))
                        fail_msg("%s: %d odd boots", cases[i].what, n);
                if (n == 0)
                        continue;
                assert_int_equal(found[0].boot, cases[i].odd);
                near(found[0].t, cases[i].t);
                near(found[0].p, cases[i].p);
        }
}

static void nothing_odd(void **state)
{
        static const size_t one[] = { 0, 0, 0, 0, 0 }, pairs[] = { 0, 0, 1, 1, 2 };
        static const double tied[] = { 7, 7, 7, 7, 9 }, far[] = { 1, 90, 1, 1, 1 };
        struct odd found[5];

        (void) state;
        assert_int_equal(odd_find(tied, one, 5, found), 0);  /* the others have no spread at all */
        assert_int_equal(odd_find(far, pairs, 5, found), 0); /* sets of two have no odd one out */
        assert_int_equal(odd_find(far, one, 2, found), 0);
        assert_int_equal(odd_find(far, one, 0, found), 0);
}

static void modes(void **state)
{
        double two[] = { 10, 10.1, 10.2, 10.3, 12, 12.1, 12.2, 12.3 };
        double even[] = { 10, 11, 12, 13, 14, 15, 16, 17 };
        double lonely[] = { 10, 10.1, 10.2, 10.3, 10.4, 10.5, 12, 12.1 };
        double seconds[] = { 40, 40, 40, 40, 41, 41, 41, 41 };
        struct modes m = modes_of(two, 8, 0);

        (void) state;
        assert_true(m.two);
        assert_int_equal(m.n_low, 4);
        assert_int_equal(m.n_high, 4);
        near(m.low, 10.15);
        near(m.high, 12.15);
        near(m.gap, 1.7 / 0.3);
        assert_false(modes_of(two, 7, 0).two); /* too few to say */
        assert_false(modes_of(even, 8, 0).two);
        assert_false(modes_of(lonely, 8, 0).two);  /* two values are no mode */
        assert_false(modes_of(seconds, 8, 0).two); /* whole seconds make such gaps by themselves */
        assert_false(modes_of(two, 8, 1).two);     /* so does a clock that is late by up to 1 */
        assert_false(modes_of(NULL, 0, 0).two);
}

static void steps(void **state)
{
        double up[20], drifting[30], steady[20], tied[20];
        CLEANUP(steps_done) struct steps s = STEPS_NULL, again = STEPS_NULL;

        (void) state;
        for (size_t i = 0; i < 20; i++) {
                steady[i] = 10 + (double) (i * 7 % 20) / 100;
                up[i] = steady[i] + (i >= 12 ? 2 : 0);
                tied[i] = 5;
        }
        for (size_t i = 0; i < 30; i++)
                drifting[i] = 10 + (double) i / 10 + (double) (i * 7 % 10) / 50;
        assert_int_equal(steps_of(up, 20, &s), 0);
        assert_int_equal(s.n, 2);
        assert_int_equal(s.segment[1].from, 12);
        assert_int_equal(s.segment[1].n, 8);
        assert_true(s.segment[1].p <= 0.05);
        near(s.segment[1].median - s.segment[0].median, 12.115 - 10.085);
        assert_int_equal(steps_of(up, 20, &again), 0);
        assert_int_equal(again.n, 2);
        assert_int_equal(again.segment[1].from, 12);
        near(again.segment[1].p, s.segment[1].p);
        steps_done(&s);
        assert_int_equal(steps_of(steady, 20, &s), 0);
        assert_int_equal(s.n, 1);
        assert_false(s.segment[0].trend);
        steps_done(&s);
        assert_int_equal(steps_of(drifting, 30, &s), 0);
        assert_int_equal(s.n, 1);
        assert_true(s.segment[0].trend);
        assert_true(fabs(s.segment[0].last - s.segment[0].first - 2.9) < 0.1);
        steps_done(&s);
        assert_int_equal(steps_of(tied, 20, &s), 0);
        assert_int_equal(s.n, 1);
        steps_done(&s);
        assert_int_equal(steps_of(up, 1, &s), 0);
        assert_int_equal(s.n, 1);
        steps_done(&s);
        assert_int_equal(steps_of(up, 0, &s), 0);
        assert_int_equal(s.n, 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(least_squares),
                cmocka_unit_test(aliased),
                cmocka_unit_test(more_columns_than_rows),
                cmocka_unit_test(drift),
                cmocka_unit_test(odd_boots),
                cmocka_unit_test(nothing_odd),
                cmocka_unit_test(modes),
                cmocka_unit_test(steps),
        };

        return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
