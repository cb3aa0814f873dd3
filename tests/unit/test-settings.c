/* tests/unit/test-settings.c - bootlap.conf, right and wrong */
#include "tests/test.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "daemon/settings.h"

static int read_text(struct settings *s, const char *text, struct fault *fault)
{
        char path[] = "/tmp/bootlap-test.XXXXXX";
        int fd = mkstemp(path), r;

        assert_true(fd >= 0);
        assert_int_equal(write(fd, text, strlen(text)), strlen(text));
        (void) close(fd);
        r = settings_read(s, path, fault);
        (void) unlink(path);
        return r;
}

static void defaults(void **state)
{
        CLEANUP(settings_done) struct settings s = SETTINGS_NULL;

        (void) state;
        assert_int_equal(settings_read(&s, "/nonexistent/bootlap.conf", NULL), 0);
        assert_int_equal(s.deadline_us, SETTINGS_DEADLINE_US);
        assert_int_equal(s.desktop, DESKTOP_AUTO);
        assert_int_equal(s.n_plan, 0);
}

static void everything(void **state)
{
        CLEANUP(settings_done) struct settings s = SETTINGS_NULL;

        (void) state;
        assert_int_equal(read_text(&s,
                                   "[daemon]\ndeadline = 90\ndesktop=yes\n[windows]\nxterm = 3\n"
                                   "[plan]\n; a remark\nmaildir = --path /home/me/Mail\nbuild =\n"
                                   "maildir = --path /srv\n",
                                   NULL),
                         0);
        assert_int_equal(s.deadline_us, 90000000);
        assert_int_equal(s.desktop, DESKTOP_YES);
        assert_int_equal(s.n_plan, 3);
        assert_string_equal(s.plan[0].name, "maildir");
        assert_int_equal(s.plan[0].n_arguments, 2);
        assert_string_equal(s.plan[0].arguments[1], "/home/me/Mail");
        assert_string_equal(s.plan[1].name, "build");
        assert_int_equal(s.plan[1].n_arguments, 0);
        assert_string_equal(s.plan[2].arguments[1], "/srv");
}

static const struct wrong {
        const char *text, *want; /* behind the file's name */
} wrongs[] = {
        { "[daemon]\ndeadline = soon\ndesktop = no\n",
          ":2: deadline wants 1 to 604800 seconds, not 'soon'" },
        { "[daemon]\ndeadline = 0\ndesktop = no\n",
          ":2: deadline wants 1 to 604800 seconds, not '0'" },
        { "[daemon]\ndesktop = no\n\ndeadlin = 5\n", ":4: [daemon] has no 'deadlin'" },
        { "[daemon]\ndesktop = no\ndesktop = maybe\n",
          ":3: desktop wants auto, yes or no, not 'maybe'" },
        { "[daemon]\nwhat is this\ndesktop = no\n", ":2: want [section] or name = value" },
};

static void wrong_lines(void **state)
{
        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(wrongs); i++) {
                CLEANUP(settings_done) struct settings s = SETTINGS_NULL;
                struct fault fault = FAULT_NULL;

                assert_int_equal(read_text(&s, wrongs[i].text, &fault), -EINVAL);
                assert_non_null(strstr(fault.text, wrongs[i].want));
                assert_int_equal(s.desktop, DESKTOP_NO); /* the other lines are read */
                assert_int_equal(s.deadline_us, SETTINGS_DEADLINE_US);
        }
}

static void too_long_a_plan(void **state)
{
        CLEANUP(settings_done) struct settings s = SETTINGS_NULL;
        struct fault fault = FAULT_NULL;
        char text[1024] = "[plan]\n";

        (void) state;
        for (unsigned i = 0; i <= SETTINGS_PLAN_MAX; i++)
                (void) strncat(text, "a = b\n", sizeof text - strlen(text) - 1);
        assert_int_equal(read_text(&s, text, &fault), -E2BIG);
        assert_int_equal(s.n_plan, SETTINGS_PLAN_MAX);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(defaults),
                cmocka_unit_test(everything),
                cmocka_unit_test(wrong_lines),
                cmocka_unit_test(too_long_a_plan),
        };

        return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
