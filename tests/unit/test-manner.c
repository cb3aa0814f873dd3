/* tests/unit/test-manner.c - which samples were measured in the same way */
#include "tests/test.h"
#include <stdbool.h>
#include <string.h>
#include "analyze/manner.h"
#include "record/macros.h"

/* equal() - do two sets of parameters make one key, and no difference to tell? */
static bool equal(const char *a_text, const char *b_text)
{
        json_t *a_parameters = json_loads(a_text, 0, NULL);
        json_t *b_parameters = json_loads(b_text, 0, NULL);
        const struct manner a = { "s", "sysbench", "1.0.20", a_parameters };
        const struct manner b = { "s", "sysbench", "1.0.20", b_parameters };
        CLEANUP(freep) char *a_key = manner_key("sysbench.cpu", &a, NULL);
        CLEANUP(freep) char *b_key = manner_key("sysbench.cpu", &b, NULL);
        CLEANUP(freep) char *difference = manner_difference(&a, &b);
        bool same_key;

        assert_non_null(a_parameters);
        assert_non_null(b_parameters);
        assert_non_null(a_key);
        assert_non_null(b_key);
        assert_non_null(difference);
        same_key = strcmp(a_key, b_key) == 0;
        assert_int_equal(same_key, *difference == '\0');
        json_decref(a_parameters);
        json_decref(b_parameters);
        return same_key;
}

static void like_with_like(void **state)
{
        (void) state;
        assert_true(equal("{}", "{}"));
        assert_true(equal("{\"threads\": 1, \"test\": \"cpu\"}",
                          "{\"test\": \"cpu\", \"threads\": 1.0}"));
        assert_false(equal("{\"threads\": 1}", "{\"threads\": 2}"));
        assert_false(equal("{\"threads\": 1}", "{\"threads\": 1.5}"));
        assert_false(equal("{\"threads\": 1}", "{\"threads\": \"1\"}"));
        assert_false(equal("{\"threads\": 1}", "{}"));
        assert_false(equal("{}", "{\"threads\": 1}"));
}

int main(void)
{
        const struct CMUnitTest tests[] = { cmocka_unit_test(like_with_like) };

        return cmocka_run_group_tests_name("manner", tests, NULL, NULL);
}
