/* tests/unit/test-number.c - decimals of several countries, and when two figures agree */
#include "tests/test.h"
#include <math.h>
#include <string.h>
#include "analyze/import/number.h"

#define G COMMA_GROUPS
#define D COMMA_DECIMAL
#define T COMMA_THREE

static const struct number_case {
        const char *text;
        enum number_comma comma;
        double value, digit;
        bool ambiguous;
} cases[] = {
        { "0", G, 0, 1, false },
        { "12.50", G, 12.5, 0.01, false },
        { "-0.048", D, -0.048, 0.001, false },
        { "+5", G, 5, 1, false },
        { "1,5", G, 1.5, 0.1, false },
        { "0,123", G, 0.123, 0.001, false },
        { "1,234", G, 1234, 1, true },
        { "1,234", D, 1.234, 0.001, true },
        { "1,234", T, 1.234, 0.001, false },
        { "1234,567", G, 1234.567, 0.001, false },
        { "1,234,567", D, 1234567, 1, false },
        { "1.234.567", D, 1234567, 1, false },
        { "1,234.5", G, 1234.5, 0.1, false },
        { "1.234,5", G, 1234.5, 0.1, false },
        { "1'234'567.25", G, 1234567.25, 0.01, false },
        { "1.5e+03", G, 1500, 100, false },
        { "2E-2", G, 0.02, 0.01, false },
        { "1021145821.2", G, 1021145821.2, 0.1, false },
};

static const char *const refused[] = { "",    "x",     "-",   ".5",  "1.2.x",
                                       "5 s", "1e999", "nan", "inf", "0x10" };

static void check_case(void **state)
{
        const struct number_case *c = *state;
        struct number n;

        assert_true(number_parse(c->text, c->comma, &n, NULL));
        assert_true(n.value == c->value);
        assert_true(fabs(n.digit - c->digit) < c->digit * 1e-9);
        assert_int_equal(n.ambiguous, c->ambiguous);
}

static void refusals(void **state)
{
        struct number n = { .value = 77 };
        size_t used;

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(refused); i++)
                assert_false(number_parse(refused[i], G, &n, NULL));
        assert_true(n.value == 77);
        assert_true(number_parse("12.5ms", G, &n, &used));
        assert_int_equal(used, 4);
}

static void agreement(void **state)
{
        struct number index = { .value = 931.5, .digit = 0.1 },
                      rate = { .value = 5.18, .digit = 0.01 };
        struct number ratio = { .value = 1.49, .digit = 0.01 }, a = { .value = 121, .digit = 1 };
        struct number b = { .value = 81, .digit = 1 };

        (void) state;
        assert_true(number_agrees(&index, 931.5));
        assert_true(number_agrees(&index, 931.6));
        assert_true(number_agrees(&index, 931.4));
        assert_false(number_agrees(&index, 931.61));
        assert_false(number_agrees_within(&rate, 5.30, 0.02));
        assert_true(number_agrees_within(&rate, 5.2038, 0.02));
        assert_true(number_agrees_ratio(&ratio, &a, &b));
        ratio.value = 1.56;
        assert_false(number_agrees_ratio(&ratio, &a, &b));
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(cases) + 2];
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                tests[n++] = (struct CMUnitTest){ .name = cases[i].text,
                                                  .test_func = check_case,
                                                  .initial_state = (void *) (uintptr_t) &cases[i] };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(refusals);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(agreement);
        return _cmocka_run_group_tests("number", tests, n, NULL, NULL);
}
