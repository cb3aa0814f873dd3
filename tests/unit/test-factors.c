/* tests/unit/test-factors.c - the groups, held together with the page that documents them */
#include "tests/test.h"
#include <string.h>
#include "record/factors.h"

static void groups(void **state)
{
        static const struct {
                const char *key, *group;
        } cases[] = { { "drive.rpm", "drive" },
                      { "path.maildir.drive.rpm", "drive" },
                      { "path.x.fs.type", "filesystem" },
                      { "crypt.type", "crypt" },
                      { "kernel.mitigation.mds", "kernel" },
                      { "himem", "kernel" },
                      { "HIMEM", "kernel" },
                      { "dm-crypt", "crypt" },
                      { "storage.stack", "summary" },
                      { "lvm", "volume" } };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                assert_string_equal(factor_group(cases[i].key), cases[i].group);
        assert_null(factor_group("tuning"));
        assert_null(factor_group("driver")); /* begins like "drive", and is something else */
        assert_null(factor_group("path.maildir"));
        assert_null(factor_group(""));
}

static void drift(void **state)
{
        (void) state;
        assert_true(factor_drifts("fs.used_percent"));
        assert_true(factor_drifts("path.maildir.fs.used_percent"));
        assert_false(factor_drifts("fs.type"));
}

/* cell() - the text of column @n of a "| a | b |" row, without blanks and backquotes around it */
static char *cell(char *row, int n)
{
        char *start = row, *end;

        for (int i = 0; i <= n; i++) {
                start = strchr(start, '|');
                if (!start)
                        return NULL;
                start++;
        }
        start += strspn(start, " `");
        end = start + strcspn(start, "|");
        while (end > start && strchr(" `", end[-1]))
                end--;
        return strndup(start, (size_t) (end - start));
}

/* Every row of docs/factors.md whose first cell is a key states the group of factor_group(), and
 * says "drifts" when factor_drifts() does. */
static void the_page_agrees(void **state)
{
        CLEANUP(freep) char *path = NULL, *line = NULL;
        CLEANUP(fclosep) FILE *f = NULL;
        size_t size = 0, n_keys = 0;

        (void) state;
        assert_true(asprintf(&path, "%s/docs/factors.md", getenv("srcdir")) > 0);
        f = fopen(path, "re");
        assert_non_null(f);
        while (getline(&line, &size, f) > 0) {
                CLEANUP(freep) char *key = NULL, *group = NULL;

                if (strncmp(line, "| `", 3) != 0)
                        continue;
                key = cell(line, 0);
                group = cell(line, 1);
                assert_non_null(key);
                assert_non_null(group);
                if (!factor_group(key) || strcmp(factor_group(key), group) != 0)
                        fail_msg("%s is documented as %s", key, group);
                if (factor_drifts(key) != (strstr(line, "(drifts)") != NULL))
                        fail_msg("%s: the page and factor_drifts() disagree", key);
                n_keys++;
        }
        assert_true(n_keys > 20);
}

int main(void)
{
        static const struct CMUnitTest tests[] = { cmocka_unit_test(groups),
                                                   cmocka_unit_test(drift),
                                                   cmocka_unit_test(the_page_agrees) };

        return cmocka_run_group_tests_name("factors", tests, NULL, NULL);
}
