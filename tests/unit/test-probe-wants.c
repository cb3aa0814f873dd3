/* tests/unit/test-probe-wants.c - files that say what a probe waits for, and what fits them */
#include "tests/test.h"
#include <string.h>
#include "daemon/probe_wants.h"

static char *folder;

static void write_wants(const char *text)
{
        CLEANUP(freep) char *path = NULL;
        FILE *f;

        assert_true(asprintf(&path, "%s/probe.wants", folder) > 0);
        f = fopen(path, "we");
        assert_non_null(f);
        assert_true(fputs(text, f) >= 0);
        assert_int_equal(fclose(f), 0);
}

static int read_wants(const char *text, struct probe_wants *ret, struct fault *fault)
{
        CLEANUP(freep) char *program = NULL;

        write_wants(text);
        assert_true(asprintf(&program, "%s/probe", folder) > 0);
        return probe_wants_read(program, ret, fault);
}

static bool fits(const struct probe_wants *w, const char *name, const char *detail)
{
        struct mark m = { .name = (char *) (uintptr_t) name,
                          .source = (char[]){ "test" },
                          .detail = (char *) (uintptr_t) detail };

        return probe_wants_mark(w, &m);
}

static void no_file(void **state)
{
        CLEANUP(probe_wants_done) struct probe_wants w = { .n = 7 };

        (void) state;
        assert_int_equal(probe_wants_read("/nonexistent/probe", &w, NULL), 0);
        assert_int_equal(w.n, 0);
}

static void marks(void **state)
{
        CLEANUP(probe_wants_done) struct probe_wants w = { .n = 0 };

        (void) state;
        assert_int_equal(read_wants("# why\n\nmark desktop.windows\n"
                                    "\tmark  display.exec\t*session=:*",
                                    &w, NULL),
                         0);
        assert_int_equal(w.n, 2);
        assert_true(fits(&w, "desktop.windows", NULL));
        assert_true(fits(&w, "desktop.windows", "session=:0"));
        assert_false(fits(&w, "desktop.settled", NULL));
        assert_true(fits(&w, "display.exec", "session=:0 error_us=1"));
        assert_true(fits(&w, "display.exec", "error_us=1 session=:0"));
        assert_false(fits(&w, "display.exec", "session=sway@1000"));
        assert_false(fits(&w, "display.exec", NULL));
        assert_false(probe_wants_is_there(&w));
}

static void files(void **state)
{
        CLEANUP(probe_wants_done) struct probe_wants w = { .n = 0 };
        CLEANUP(freep) char *text = NULL, *path = NULL;

        (void) state;
        assert_true(asprintf(&text, "path %s/X*\n", folder) > 0);
        assert_true(asprintf(&path, "%s/X0", folder) > 0);
        assert_int_equal(read_wants(text, &w, NULL), 0);
        assert_false(probe_wants_is_there(&w));
        assert_int_equal(symlink("nowhere", path), 0); /* there is there */
        assert_true(probe_wants_is_there(&w));
        assert_int_equal(unlink(path), 0);
        assert_false(fits(&w, path, NULL));
}

static const struct wrong_case {
        const char *text, *want;
} wrong_cases[] = {
        { "mark", "wants:1: want 'mark NAME" },
        { "mark a\npath relative\n", "wants:2" },
        { "path /a b\n", "wants:1" },
        { "mark a b c\n", "wants:1" },
        { "\n\nwhen a\n", "wants:3: want 'mark NAME [DETAIL]' or 'path PATTERN', not 'when'" },
        { "mark a\nmark b\nmark c\nmark d\nmark e\nmark f\nmark g\nmark h\nmark i\n",
          "wants:9: more than 8 lines" },
};

static void wrong(void **state)
{
        const struct wrong_case *c = *state;
        struct probe_wants w = { .n = 7 };
        struct fault fault = FAULT_NULL;

        assert_int_equal(read_wants(c->text, &w, &fault), -EINVAL);
        assert_int_equal(w.n, 7); /* untouched */
        assert_non_null(strstr(fault.text, c->want));
}

/* What is shipped, read as it is installed: a display server's start wants its probe alone. */
static void shipped(void **state)
{
        static const char *const probes[] = { "x11", "wayland", "settle" };
        struct probe_wants w[ELEMENTSOF(probes)] = { { .n = 0 } };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(probes); i++) {
                CLEANUP(freep) char *path = NULL;

                assert_true(asprintf(&path, "%s/daemon/probes/%s", getenv("srcdir"), probes[i]) >
                            0);
                assert_int_equal(probe_wants_read(path, &w[i], NULL), 0);
                assert_true(w[i].n > 0);
        }
        assert_true(fits(&w[0], "display.exec", "session=:0 error_us=1 pid=7 program=Xorg"));
        assert_true(fits(&w[0], "display.exec", "session=:0%20greeter error_us=1"));
        assert_false(fits(&w[1], "display.exec", "session=:0 error_us=1 pid=7 program=Xorg"));
        assert_true(fits(&w[1], "display.exec", "session=gnome-shell@1000 error_us=1"));
        assert_false(fits(&w[0], "display.exec", "session=gnome-shell@1000 error_us=1"));
        assert_true(fits(&w[2], "desktop.windows", "session=:0"));
        for (size_t i = 0; i < ELEMENTSOF(probes); i++)
                probe_wants_done(&w[i]);
}

static int make_folder(void **state)
{
        char path[] = "/tmp/bootlap-wants.XXXXXX";

        (void) state;
        folder = mkdtemp(path) ? strdup(path) : NULL;
        return folder ? 0 : -1;
}

static int remove_folder(void **state)
{
        CLEANUP(freep) char *path = NULL;

        (void) state;
        if (asprintf(&path, "%s/probe.wants", folder) < 0)
                return -1;
        (void) unlink(path);
        (void) rmdir(folder);
        free(folder);
        return 0;
}

int main(void)
{
        struct CMUnitTest tests[4 + ELEMENTSOF(wrong_cases)] = {
                cmocka_unit_test(no_file),
                cmocka_unit_test(marks),
                cmocka_unit_test(files),
                cmocka_unit_test(shipped),
        };
        size_t n = 4;

        for (size_t i = 0; i < ELEMENTSOF(wrong_cases); i++)
                tests[n++] = (struct CMUnitTest){ .name = wrong_cases[i].want,
                                                  .test_func = wrong,
                                                  .initial_state =
                                                          (void *) (uintptr_t) &wrong_cases[i] };
        return _cmocka_run_group_tests("probe_wants", tests, n, make_folder, remove_folder);
}
