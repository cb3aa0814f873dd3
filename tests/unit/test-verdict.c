/* tests/unit/test-verdict.c - the rules in their order, and the boots that could and would tell */
#include "tests/test.h"
#include <math.h>
#include "analyze/holm.h"
#include "analyze/power.h"
#include "analyze/verdict.h"

#define NEAR 1e-9

static struct verdict judge(const double *a, size_t n, const double *b, size_t m, double resolution)
{
        CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;

        assert_int_equal(contrast_of(a, n, b, m, 0.05, &c), 0);
        return verdict_of(&c, &(struct verdict_rule){ .p = c.test.p,
                                                      .equivalence_p = c.equivalence_p,
                                                      .level = 0.05,
                                                      .within = 0.05,
                                                      .resolution = resolution });
}

static void rules(void **state)
{
        double low[] = { 10, 10.1, 10.2, 10.3 }, high[] = { 20, 20.1, 20.2, 20.3 };
        double close[] = { 10.35, 10.36, 10.37, 10.38 }, mixed[] = { 9, 10.15, 12, 13 };
        struct verdict v = judge(high, 4, low, 4, 0);

        (void) state;
        assert_int_equal(v.kind, VERDICT_DIFFERENT);
        assert_false(v.also_equivalent);
        v = judge(low, 4, close, 4, 0); /* different, and yet within 5 % */
        assert_int_equal(v.kind, VERDICT_DIFFERENT);
        assert_true(v.also_equivalent);
        v = judge(low, 4, close, 4, 1); /* clocks that may be late by 1 s */
        assert_int_equal(v.kind, VERDICT_EQUIVALENT);
        assert_true(v.below_resolution);
        v = judge(low, 4, high, 4, 11);
        assert_int_equal(v.kind, VERDICT_UNRESOLVED);
        v = judge(low, 4, high, 3, 11);
        assert_int_equal(v.kind, VERDICT_UNRESOLVED);
        v = judge(low, 3, low, 3, 0); /* 3+3, the first that can be equivalent */
        assert_int_equal(v.kind, VERDICT_EQUIVALENT);
        v = judge(low, 3, low, 2, 0);
        assert_int_equal(v.kind, VERDICT_CANNOT_TELL);
        v = judge(low, 3, high, 3, 0); /* p is 0.10 */
        assert_int_equal(v.kind, VERDICT_EVERY_BOOT);
        assert_false(v.one_more_of_a);
        assert_int_equal(v.could_sum, 8);
        v = judge(low, 4, high, 3, 0);
        assert_int_equal(v.kind, VERDICT_EVERY_BOOT);
        assert_true(v.one_more_of_a && v.one_more_of_b);
        v = judge(low, 3, high, 2, 0); /* apart, but p is 0.20 */
        assert_int_equal(v.kind, VERDICT_CANNOT_TELL);
        v = judge(low, 4, mixed, 4, 0);
        assert_int_equal(v.kind, VERDICT_CANNOT_TELL);
        v = judge(low, 0, mixed, 4, 0);
        assert_int_equal(v.kind, VERDICT_CANNOT_TELL);
}

/* With a drift taken out the fit decides, and it may see B where no boot of it is. */
static void every_boot_but(void **state)
{
        double low[] = { 10, 10.1, 10.2, 10.3 }, high[] = { 20, 20.1, 20.2 };
        CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;
        struct verdict_rule rule = { .p = 0.08, .equivalence_p = 1, .level = 0.05, .within = 0.05 };

        (void) state;
        assert_int_equal(contrast_of(low, 4, high, 3, 0.05, &c), 0);
        assert_int_equal(c.tendency, TENDENCY_HIGHER);
        assert_int_equal(verdict_of(&c, &rule).kind, VERDICT_EVERY_BOOT);
        c.tendency = TENDENCY_LOWER;
        assert_int_equal(verdict_of(&c, &rule).kind, VERDICT_CANNOT_TELL);
}

/* The ranks say which way, for sets of any sizes; without a majority of pairs there is none. */
static void tendencies(void **state)
{
        double few[] = { 0, 0, 1 }, more[] = { 0, 0, 1, 1, 1, 1, 1 };
        static const struct {
                size_t n, m;
                bool swapped;
                enum tendency want;
        } cases[] = { { 3, 7, false, TENDENCY_HIGHER },
                      { 3, 7, true, TENDENCY_LOWER },
                      { 3, 3, false, TENDENCY_NONE },
                      { 0, 7, false, TENDENCY_NONE } };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;
                const double *a = cases[i].swapped ? more : few, *b = cases[i].swapped ? few : more;
                size_t n = cases[i].swapped ? cases[i].m : cases[i].n;
                size_t m = cases[i].swapped ? cases[i].n : cases[i].m;

                assert_int_equal(contrast_of(a, n, b, m, 0.05, &c), 0);
                assert_int_equal(c.tendency, cases[i].want);
        }
}

static void could(void **state)
{
        static const struct {
                size_t n, m;
                double level;
                size_t want, want_n, want_m;
        } cases[] = {
                { 2, 1, 0.05, 8, 4, 4 }, { 4, 3, 0.05, 8, 4, 4 },  { 1, 1, 0.05, 8, 4, 4 },
                { 0, 0, 0.05, 8, 4, 4 }, { 6, 1, 0.05, 9, 6, 3 },  { 39, 1, 0.05, 40, 39, 1 },
                { 4, 3, 0.1, 7, 4, 3 },  { 5, 5, 0.05, 10, 5, 5 }, { 4, 3, 0.005, 11, 6, 5 },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct boots_needed need;

                assert_int_equal(power_could(cases[i].n, cases[i].m, cases[i].level, &need),
                                 cases[i].want);
                assert_int_equal(need.n + need.m, cases[i].want);
                assert_true((need.n == cases[i].want_n && need.m == cases[i].want_m) ||
                            (need.n == cases[i].want_m && need.m == cases[i].want_n));
                assert_true(need.n >= cases[i].n && need.m >= cases[i].m);
        }
}

/* The power of the whole test, simulated in another program (6,000 draws, so within 0.01): */
static void would(void **state)
{
        static const struct {
                double d;         /* in standard deviations */
                size_t low, high; /* boots a set around 80 % */
        } cases[] = {
                { 3.2, 4, 4 },    /* 4+4: 0.88 */
                { 2.44, 5, 5 },   /* 4+4: 0.66, 5+5: 0.85 */
                { 1.9, 6, 7 },    /* 6+6: 0.79 */
                { 1.35, 10, 11 }, /* 10+10: 0.77, 11+11: 0.83 */
                { 0.93, 20, 21 }, /* 20+20: 0.79, 22+22: 0.84 */
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                assert_in_range(power_would(1, cases[i].d, 0.05), cases[i].low, cases[i].high);
        assert_int_equal(power_would(0.02, 2.44 * 0.02, 0.05), 5); /* only the ratio counts */
        assert_int_equal(power_would(1, 1e-4, 0.05), 0);           /* beyond reason */
        assert_int_equal(power_would(1e-9, 0.05, 0.05), 4);
}

static void holm(void **state)
{
        double p[] = { 0.04, 0.01, 0.03, 0.6 }, one[] = { 0.03 }, tied[] = { 0.02, 0.02 };
        double want[] = { 0.09, 0.04, 0.09, 0.6 };

        (void) state;
        assert_int_equal(holm_adjust(p, 4, p), 0);
        for (size_t i = 0; i < 4; i++)
                assert_true(fabs(p[i] - want[i]) < NEAR);
        assert_int_equal(holm_adjust(one, 1, one), 0);
        assert_true(fabs(one[0] - 0.03) < NEAR);
        assert_int_equal(holm_adjust(tied, 2, tied), 0);
        assert_true(fabs(tied[0] - 0.04) < NEAR && fabs(tied[1] - 0.04) < NEAR);
        assert_int_equal(holm_adjust(NULL, 0, NULL), 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(rules),      cmocka_unit_test(every_boot_but),
                cmocka_unit_test(tendencies), cmocka_unit_test(could),
                cmocka_unit_test(would),      cmocka_unit_test(holm),
        };

        return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
