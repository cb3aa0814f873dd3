/* tests/unit/test-level-change.c - what of two long levels is worth a reader's time */
#include "tests/test.h"
#include "analyze/level_change.h"

#define ROOT "root=UUID=<1> ro quiet splash loglevel=3"

static void changes(void **state)
{
        static const struct {
                const char *before, *after, *want;
        } cases[] = {
                { "5400", "7200", "5400 -> 7200" },
                { "ro quiet", "ro", "ro quiet -> ro" },
                { ROOT, ROOT " mitigations=off", "... -> ... mitigations=off" },
                { ROOT " a=1 nosmt", ROOT " a=2 nosmt", "... a=1 ... -> ... a=2 ..." },
                { "first " ROOT, ROOT " quiet1", "first ... -> ... quiet1" },
                { "quie " ROOT, "quiets " ROOT, "quie ... -> quiets ..." },
                { "  spaced  " ROOT " ", ROOT "  ", "spaced ... -> ..." },
                { "a " ROOT, ROOT " a", "a " ROOT " -> " ROOT " a" },
                { ROOT, "", ROOT " -> " },
                { ROOT " and as many words again of its own", "not said",
                  ROOT " and as many words again of its own -> not said" },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(freep) char *got = level_change(cases[i].before, cases[i].after);

                assert_string_equal(got, cases[i].want);
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = { cmocka_unit_test(changes) };

        return cmocka_run_group_tests_name("level-change", tests, NULL, NULL);
}
