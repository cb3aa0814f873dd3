/* tests/unit/test-mark.c - the mark line, read and written */
#include "tests/test.h"
#include <errno.h>
#include <string.h>
#include "record/mark.h"

static const struct line_case {
        const char *what, *line;
        int want;
        uint64_t want_ns;
        const char *want_source, *want_detail;
} line_cases[] = {
        { "four fields", "unlock.prompt\t12\taskpass\tcryptroot\n", 0, 12, "askpass", "cryptroot" },
        { "two fields", "initrd.start\t12", 0, 12, "", "" },
        { "empty source, a detail", "a\t1\t\tx y\n", 0, 1, "", "x y" },
        { "largest, newline", "initrd\t9223372036854775807\n", 0, INT64_MAX, "", "" },
        { "one past 63 bits", "initrd\t9223372036854775808", -ERANGE, 0, NULL, NULL },
        { "far past 64 bits", "initrd\t99999999999999999999999", -ERANGE, 0, NULL, NULL },
        { "negative", "initrd\t-1", -EINVAL, 0, NULL, NULL },
        { "plus", "initrd\t+1", -EINVAL, 0, NULL, NULL },
        { "blank before", "initrd\t 1", -EINVAL, 0, NULL, NULL },
        { "rest after the number", "initrd\t12s", -EINVAL, 0, NULL, NULL },
        { "no number", "initrd\t", -EINVAL, 0, NULL, NULL },
        { "no tab", "initrd 12", -EINVAL, 0, NULL, NULL },
        { "quote in name", "init\"rd\t12", -EINVAL, 0, NULL, NULL },
        { "no name", "\t12", -EINVAL, 0, NULL, NULL },
        { "empty", "", -EINVAL, 0, NULL, NULL },
        { "five fields", "a\t1\tb\tc\td", -EINVAL, 0, NULL, NULL },
        { "two lines", "a\t1\nb\t2\n", -EINVAL, 0, NULL, NULL },
        { "name of 64", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\t1",
          -EINVAL, 0, NULL, NULL },
};

static void check_line(void **state)
{
        const struct line_case *c = *state;
        CLEANUP(mark_done) struct mark m = { .monotonic_ns = 77 };
        struct fault fault = FAULT_NULL;

        assert_int_equal(mark_parse_line(c->line, &m, &fault), c->want);
        assert_int_equal(m.monotonic_ns, c->want < 0 ? 77 : c->want_ns); /* untouched on failure */
        assert_int_equal(fault.text[0] != '\0', c->want < 0);            /* a reason, just then */
        if (c->want == 0) {
                assert_string_equal(m.source, c->want_source);
                assert_string_equal(m.detail, c->want_detail);
        }
}

static void too_long_a_line(void **state)
{
        char line[MARK_LINE_MAX_BYTES + 2];
        struct mark m = MARK_NULL;

        (void) state;
        memset(line, 'x', sizeof line - 1);
        memcpy(line, "a\t1\t", 4);
        line[sizeof line - 1] = '\0';
        assert_int_equal(mark_parse_line(line, &m, NULL), -EINVAL);
        line[sizeof line - 2] = '\0';
        assert_int_equal(mark_parse_line(line, &m, NULL), 0);
        mark_done(&m);
}

static void formatting(void **state)
{
        char line[MARK_LINE_MAX_BYTES + 1], name[] = "user.a", source[] = "sh\tx", huge[4096];
        struct mark m = { .name = name, .monotonic_ns = 5, .source = source };
        CLEANUP(mark_done) struct mark back = MARK_NULL;

        int n = mark_format_line(&m, line);

        (void) state;
        assert_int_equal(n, (int) strlen(line));
        assert_string_equal(line, "user.a\t5\tsh x\t\n");

        memset(huge, 'd', sizeof huge - 1);
        huge[100] = '\n';
        huge[sizeof huge - 1] = '\0';
        m.detail = huge;
        assert_true(mark_format_line(&m, line) <= MARK_LINE_MAX_BYTES);
        assert_int_equal(mark_parse_line(line, &back, NULL), 0); /* what is cut is still a mark */
        name[0] = ' ';
        assert_int_equal(mark_format_line(&m, line), -EINVAL);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(line_cases) + 2]; /* one TAP line per case */
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(line_cases); i++)
                tests[n++] =
                        (struct CMUnitTest){ .name = line_cases[i].what,
                                             .test_func = check_line,
                                             .initial_state = (void *) (uintptr_t) &line_cases[i] };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(too_long_a_line);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(formatting);
        return _cmocka_run_group_tests("mark", tests, n, NULL, NULL);
}
