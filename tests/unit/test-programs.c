/* tests/unit/test-programs.c - which program is run under a name, and which is refused */
#include "tests/test.h"
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include "record/programs.h"
#include "tests/tree.h"

#define NOBODY 65534

static void put_program(const struct tree *t, const char *path, mode_t mode)
{
        assert_int_equal(tree_put(t->fd, path, "#!/bin/sh\n"), 0);
        assert_int_equal(fchmodat(t->fd, path, mode, 0), 0);
}

static int find(const struct tree *t, bool roots_only, const char *name, char **ret)
{
        char first[256], second[256];
        const struct program_folders where = { .what = "collector",
                                               .environment = "BOOTLAP_TEST_PROGRAMS",
                                               .user = roots_only ? first : "",
                                               .installed = second };

        (void) snprintf(first, sizeof first, "%s/first", t->path);
        (void) snprintf(second, sizeof second, "%s/second", t->path);
        if (roots_only)
                (void) unsetenv("BOOTLAP_TEST_PROGRAMS");
        else
                (void) setenv("BOOTLAP_TEST_PROGRAMS", first, 1);
        return program_find(&where, name, ret, NULL);
}

static void first_folder_wins(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(freep) char *path = NULL, *other = NULL;

        (void) state;
        put_program(&t, "first/both", 0755);
        put_program(&t, "second/both", 0755);
        put_program(&t, "second/plain", 0644);
        put_program(&t, "second/only", 0755);
        assert_int_equal(find(&t, false, "both", &path), 0);
        assert_non_null(strstr(path, "/first/both"));
        assert_int_equal(find(&t, false, "only", &other), 0);
        assert_non_null(strstr(other, "/second/only"));
        assert_int_equal(find(&t, false, "none", &other), -ENOENT);
        if (geteuid() != 0) /* root may execute what anybody may */
                assert_int_equal(find(&t, false, "plain", &other), -ENOENT);
}

static void names(void **state)
{
        static const char *const wrong[] = { "", ".", "..", "../x", "a/b", ".hidden", "a b" };
        CLEANUP(tree_remove) struct tree t = tree_make();
        char *path;

        (void) state;
        put_program(&t, "first/.hidden", 0755);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++)
                assert_int_equal(find(&t, false, wrong[i], &path), -EINVAL);
}

/* What may run as root must be root's alone; a folder that others may write lets them replace it.
 */
static void roots_only(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(freep) char *path = NULL;
        char *none;

        (void) state;
        put_program(&t, "first/own", 0755);
        assert_int_equal(fchmodat(t.fd, "first", 0755, 0), 0);
        if (geteuid() == 0) {
                assert_int_equal(find(&t, true, "own", &path), 0);
                assert_int_equal(fchownat(t.fd, "first/own", NOBODY, (gid_t) -1, 0), 0);
                assert_int_equal(find(&t, true, "own", &none), -EPERM);
                assert_int_equal(fchownat(t.fd, "first/own", 0, (gid_t) -1, 0), 0);
                assert_int_equal(fchownat(t.fd, "first", NOBODY, (gid_t) -1, 0), 0);
                assert_int_equal(find(&t, true, "own", &none), -EPERM);
                assert_int_equal(fchownat(t.fd, "first", 0, (gid_t) -1, 0), 0);
        }
        for (mode_t bit = S_IWOTH; bit <= S_IWGRP; bit *= S_IWGRP / S_IWOTH) {
                assert_int_equal(fchmodat(t.fd, "first/own", 0755 | bit, 0), 0);
                assert_int_equal(find(&t, true, "own", &none), -EPERM);
                assert_int_equal(fchmodat(t.fd, "first/own", 0755, 0), 0);
                assert_int_equal(fchmodat(t.fd, "first", 0755 | bit, 0), 0);
                assert_int_equal(find(&t, true, "own", &none), -EPERM);
                assert_int_equal(fchmodat(t.fd, "first", 0755, 0), 0);
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(first_folder_wins),
                cmocka_unit_test(names),
                cmocka_unit_test(roots_only),
        };

        return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
