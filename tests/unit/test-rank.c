/* tests/unit/test-rank.c - the rank test and its distribution, against values that were worked out
 * by listing every assignment in another program, and against such a listing here */
#include "tests/test.h"
#include <math.h>
#include <string.h>
#include "analyze/rank_null.h"
#include "analyze/rank_test.h"

#define A_BIT 1e-12

static const struct p_case {
        const char *what;
        double a[8], b[8];
        size_t n, m;
        double want;
} p_cases[] = {
        { "4+3 apart", { 50, 41, 46, 42 }, { 36, 34, 35 }, 4, 3, 2 / 35.0 },
        { "4+3 apart, ties inside", { 52, 34, 34, 33 }, { 25, 21, 20 }, 4, 3, 2 / 35.0 },
        { "all of one set tied", { 27, 23, 25, 23 }, { 21, 21, 21 }, 4, 3, 2 / 35.0 },
        { "4+3 mixed, a tie of three", { 58, 58, 58, 60 }, { 48, 63, 39 }, 4, 3, 22 / 35.0 },
        { "3+2", { 1404.829, 1383.003, 1459.828 }, { 1402.448, 1378.988 }, 3, 2, 0.4 },
        { "3+1 in the middle", { 1367.524, 1358.859, 1431.198 }, { 1363.217 }, 3, 1, 1 },
        { "2+1", { 40, 39 }, { 36 }, 2, 1, 2 / 3.0 },
        { "1+1", { 1 }, { 2 }, 1, 1, 1 },
        { "ties across, 6+7",
          { 1, 2, 2, 3, 5, 5 },
          { 2, 4, 5, 6, 6, 7, 8 },
          6,
          7,
          0.04428904428904429 },
        { "skewed by ties, 4+3", { 1, 1, 1, 1 }, { 1, 1, 2 }, 4, 3, 0.8571428571428571 },
        { "skewed by ties, 5+2", { 3, 1, 2, 2, 2 }, { 2, 9 }, 5, 2, 0.47619047619047616 },
        { "7+6",
          { 10.1, 11.3, 9.8, 10.7, 10.2, 12.0, 9.9 },
          { 10.9, 11.8, 12.4, 11.1, 13.0, 10.8 },
          7,
          6,
          0.05128205128205128 },
        { "all alike", { 5, 5, 5 }, { 5, 5, 5, 5 }, 3, 4, 1 },
};

static void p_values(void **state)
{
        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(p_cases); i++) {
                const struct p_case *c = &p_cases[i];
                struct rank_test forth, back;

                assert_int_equal(rank_test(c->a, c->n, c->b, c->m, &forth), 0);
                assert_int_equal(rank_test(c->b, c->m, c->a, c->n, &back), 0);
                if (fabs(forth.p - c->want) > A_BIT)
                        fail_msg("%s: p %.15g, want %.15g", c->what, forth.p, c->want);
                assert_true(fabs(back.p - c->want) <
                            A_BIT); /* which is A and which B: the same p */
                assert_true(fabs(forth.u + back.u - (double) (c->n * c->m)) < A_BIT);
                assert_int_equal(forth.method, RANK_EXACT);
        }
}

/* listed_p() - by going through every choice of n of the n+m values */
static double listed_p(const double *values, size_t n, size_t all)
{
        double ranks[16], observed = 0;
        size_t at_most = 0, at_least = 0, total = 0;

        assert_int_equal(rank_midranks(values, all, ranks), 0);
        for (size_t i = 0; i < n; i++)
                observed += ranks[i];
        for (unsigned set = 0; set < 1u << all; set++) {
                double sum = 0;

                if ((size_t) __builtin_popcount(set) != n)
                        continue;
                for (size_t i = 0; i < all; i++)
                        if (set & 1u << i)
                                sum += ranks[i];
                total++;
                at_most += sum <= observed;
                at_least += sum >= observed;
        }
        return fmin(1, 2 * (double) (at_most < at_least ? at_most : at_least) / (double) total);
}

/* Every split of up to 12 values drawn from few levels, so that ties abound. */
static void listing(void **state)
{
        unsigned random = 1;

        (void) state;
        for (size_t all = 2; all <= 12; all++)
                for (size_t n = 1; n < all; n++)
                        for (unsigned levels = 2; levels <= 16; levels += 7) {
                                double values[16];
                                struct rank_test t;

                                for (size_t i = 0; i < all; i++) {
                                        random = random * 1103515245 + 12345;
                                        values[i] = random >> 16 & 0x7fff;
                                        values[i] = floor(values[i] / 32768 * levels);
                                }
                                assert_int_equal(rank_test(values, n, values + n, all - n, &t), 0);
                                assert_true(fabs(t.p - listed_p(values, n, all)) < A_BIT);
                        }
}

static void order_and_copies(void **state)
{
        double a[] = { 3, 1, 2, 9 }, a_sorted[] = { 1, 2, 3, 9 }, b[] = { 4, 8, 5 },
               b_sorted[] = { 4, 5, 8 };
        struct rank_test one, other;

        (void) state;
        assert_int_equal(rank_test(a, 4, b, 3, &one), 0);
        assert_int_equal(rank_test(a_sorted, 4, b_sorted, 3, &other), 0);
        assert_memory_equal(&one.p, &other.p, sizeof one.p);
}

static void midranks(void **state)
{
        double values[] = { 5, 1, 5, 2, 5 }, ranks[5], want[] = { 4, 1, 4, 2, 4 };

        (void) state;
        assert_int_equal(rank_midranks(values, 5, ranks), 0);
        assert_memory_equal(ranks, want, sizeof want);
}

/* The table that every claim about too few boots rests on. */
static void least_p(void **state)
{
        static const struct {
                size_t n, m;
                double want;
        } cases[] = { { 1, 1, 1 },     { 2, 1, 0.667 }, { 2, 2, 0.333 }, { 3, 2, 0.200 },
                      { 3, 3, 0.100 }, { 4, 3, 0.057 }, { 5, 3, 0.036 }, { 4, 4, 0.029 },
                      { 5, 5, 0.008 }, { 8, 1, 0.222 } };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(rank_null_done) struct rank_null null = RANK_NULL_NULL;
                size_t n = cases[i].n, m = cases[i].m;

                assert_true(fabs(rank_least_p(n, m) - cases[i].want) < 0.0005);
                assert_int_equal(rank_null_init(&null, n, m), 0);
                assert_true(fabs(rank_null_least_p(&null) - fmin(1, 2 * rank_null_tail(&null, 0))) <
                            A_BIT);
                assert_true(fabs(rank_least_p(m, n) - rank_least_p(n, m)) < A_BIT);
        }
        assert_true(rank_least_p(5000, 5000) < 1e-300);
        assert_true(rank_least_p(0, 3) >= 1);
}

/* U for 3+3: of the 20 choices 1, 1, 2, 3, 3, 3, 3, 2, 1, 1 have U = 0, 1, ... 9. */
static void null_distribution(void **state)
{
        static const double counts[] = { 1, 1, 2, 3, 3, 3, 3, 2, 1, 1 };
        CLEANUP(rank_null_done) struct rank_null null = RANK_NULL_NULL;
        double sum = 0;

        (void) state;
        assert_int_equal(rank_null_init(&null, 3, 3), 0);
        for (size_t u = 0; u < ELEMENTSOF(counts); u++) {
                sum += counts[u] / 20;
                assert_true(fabs(rank_null_tail(&null, (double) u) - sum) < A_BIT);
        }
        assert_true(rank_null_tail(&null, -1) <= 0);
        assert_true(rank_null_tail(&null, 100) >= 1);
        assert_int_equal(rank_null_depth(&null, 0.95), 0);
        assert_int_equal(rank_null_depth(&null, 0.90), 1); /* reached exactly: 1 - 2/20 */
}

/* Published critical values of U (two-sided 5 %): 5+5: 2, 8+8: 13, 10+10: 23, 20+20: 127. */
static void depths(void **state)
{
        static const size_t cases[][3] = { { 5, 5, 2 },     { 8, 8, 13 }, { 10, 10, 23 },
                                           { 20, 20, 127 }, { 4, 4, 0 },  { 5, 3, 0 },
                                           { 7, 9, 12 } };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(rank_null_done) struct rank_null null = RANK_NULL_NULL;

                assert_int_equal(rank_null_init(&null, cases[i][0], cases[i][1]), 0);
                assert_int_equal(rank_null_depth(&null, 0.95), cases[i][2] + 1);
        }
}

/* Large sets: the three methods have to agree where one takes over from another. */
static void large(void **state)
{
        static double a[1500], b[1500];
        CLEANUP(rank_null_done) struct rank_null counted = RANK_NULL_NULL, normal = RANK_NULL_NULL;
        struct rank_test t;

        (void) state;
        for (size_t i = 0; i < 1500; i++) {
                a[i] = (double) (i * 7919 % 1500);
                b[i] = (double) (i * 7919 % 1500) + 60;
        }
        assert_int_equal(rank_test(a, 60, b, 60, &t), 0);
        assert_int_equal(t.method, RANK_EXACT);
        assert_int_equal(rank_test(a, 300, b, 300, &t), 0);
        assert_int_equal(t.method, RANK_MONTE_CARLO);
        assert_true(t.p > 0.01 && t.p < 0.3);
        assert_int_equal(rank_test(a, 1500, b, 1500, &t), 0);
        assert_int_equal(t.method, RANK_NORMAL);
        assert_true(t.p > 1e-5 && t.p < 1e-3);
        assert_int_equal(rank_null_init(&counted, 80, 80), 0);
        assert_int_equal(rank_null_init(&normal, 100, 100), 0);
        assert_false(counted.approximate);
        assert_true(normal.approximate);
        normal.n = normal.m = 80;
        assert_true(fabs(rank_null_tail(&normal, 2600) - rank_null_tail(&counted, 2600)) < 3e-4);
        assert_int_equal(rank_null_init(&normal, 1000000, 1000000), 0);
        assert_true(fabs(rank_null_tail(&normal, 5e11) - 0.5) < 1e-3);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(p_values),         cmocka_unit_test(listing),
                cmocka_unit_test(order_and_copies), cmocka_unit_test(midranks),
                cmocka_unit_test(least_p),          cmocka_unit_test(null_distribution),
                cmocka_unit_test(depths),           cmocka_unit_test(large),
        };

        return cmocka_run_group_tests_name("rank", tests, NULL, NULL);
}
