/* tests/unit/test-desktop-conf.c - lines that name windows, and the windows that fit */
#include "tests/test.h"
#include <string.h>
#include "daemon/desktop_conf.h"

static const struct line_case {
        const char *what, *value, *want; /* "class|instance|title|count", or what the fault holds */
        int code;
} line_cases[] = {
        { "class alone", "class=XTerm", "XTerm|-|-|1", 0 },
        { "all of them", "class=A instance=b title=c count=64", "A|b|c|64", 0 },
        { "quotes", "title=\"a b = c\"\tclass=\"X\"", "X|-|a b = c|1", 0 },
        { "nothing", "  ", "wants class=", -EINVAL },
        { "count alone", "count=3", "wants class=", -EINVAL },
        { "count of none", "class=a count=0", "1 to 64", -EINVAL },
        { "count of too many", "class=a count=65", "1 to 64", -EINVAL },
        { "count of words", "class=a count=3x", "1 to 64", -EINVAL },
        { "another key", "class=a color=red", "not 'color='", -EINVAL },
        { "no key", "class=a XTerm", "not 'XTerm'", -EINVAL },
        { "key without value", "class=", "empty", -EINVAL },
        { "empty quotes", "title=\"\"", "empty", -EINVAL },
        { "open quotes", "title=\"a", "not closed", -EINVAL },
        { "quotes and more", "title=\"a\"b", "want a blank", -EINVAL },
        { "twice", "class=a class=b", "twice", -EINVAL },
};

static void check_line(void **state)
{
        const struct line_case *c = *state;
        CLEANUP(desktop_window_done) struct desktop_window w = { .count = 77 };
        struct fault fault = FAULT_NULL;
        char got[128];

        assert_int_equal(desktop_window_parse(c->value, &w, &fault), c->code);
        if (c->code < 0) {
                assert_int_equal(w.count, 77); /* untouched */
                assert_non_null(strstr(fault.text, c->want));
                return;
        }
        (void) snprintf(got, sizeof got, "%s|%s|%s|%u", w.class ? w.class : "-",
                        w.instance ? w.instance : "-", w.title ? w.title : "-", w.count);
        assert_string_equal(got, c->want);
}

static void fitting(void **state)
{
        CLEANUP(desktop_window_done) struct desktop_window w = { .count = 0 };
        char text[64];

        (void) state;
        assert_int_equal(desktop_window_parse("class=X* title=\"a ? c\" count=2", &w, NULL), 0);
        assert_true(desktop_window_fits(&w, "XTerm", NULL, "a b c"));
        assert_false(desktop_window_fits(&w, "xterm", NULL, "a b c"));
        assert_false(desktop_window_fits(&w, "XTerm", "XTerm", "a b c d"));
        assert_false(desktop_window_fits(&w, NULL, NULL, "a b c"));
        assert_false(desktop_window_fits(&w, "XTerm", NULL, NULL));
        desktop_window_text(&w, text, sizeof text);
        assert_string_equal(text, "class=X* title=a ? c count=2");
        desktop_window_text(&w, text, 10);
        assert_string_equal(text, "class=X* ");
}

static void files(void **state)
{
        CLEANUP(desktop_conf_done) struct desktop_conf c = DESKTOP_CONF_NULL;
        char path[] = "/tmp/bootlap-test.XXXXXX";
        struct fault fault = FAULT_NULL;
        FILE *f = fdopen(mkstemp(path), "w");

        (void) state;
        assert_non_null(f);
        (void) fputs("[plan]\nmaildir = --path x\n[desktop]\n; three\nwindow = class=A count=3\n"
                     "windows = class=B\nwindow = class=C\n[daemon]\ndeadline = soon\n",
                     f);
        (void) fclose(f);
        assert_int_equal(desktop_conf_read(&c, path, &fault), -EINVAL);
        assert_non_null(strstr(fault.text, ":6: [desktop] has no 'windows'"));
        assert_int_equal(c.n_windows, 2);
        assert_string_equal(c.windows[1].class, "C");
        (void) unlink(path);
        assert_int_equal(desktop_conf_read(&c, path, &fault), 0); /* no file, no windows */
        assert_int_equal(c.n_windows, 2);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(line_cases) + 2];
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(line_cases); i++)
                tests[n++] =
                        (struct CMUnitTest){ .name = line_cases[i].what,
                                             .test_func = check_line,
                                             .initial_state = (void *) (uintptr_t) &line_cases[i] };
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(fitting);
        tests[n++] = (struct CMUnitTest) cmocka_unit_test(files);
        return _cmocka_run_group_tests("desktop_conf", tests, n, NULL, NULL);
}
