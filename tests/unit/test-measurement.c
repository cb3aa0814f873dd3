/* tests/unit/test-measurement.c - a boot that is measured again: what names it is hidden, and what
 * is hidden is known again */
#include "tests/test.h"
#include <string.h>
#include "daemon/measurement.h"
#include "record/store.h"

#define VOLUME "luks-1b2c3d4e-aaaa-bbbb-cccc-0123456789ab"

static char folder[] = "/tmp/bootlap-test-measurement.XXXXXX";

static int make_folder(void **state)
{
        (void) state;
        return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
        CLEANUP(freep) char *command = NULL;

        (void) state;
        if (asprintf(&command, "rm -rf '%s'", folder) < 0)
                return -1;
        return system(command);
}

/* see() - what witnesses say of the boot each time they are asked */
static struct record *see(void)
{
        struct record *r = record_new();

        assert_non_null(r);
        r->id = strdup("0123456789abcdef0123456789abcdef");
        r->machine = strdup("machine");
        assert_int_equal(record_see_at(r, "unlock.mapped", 5, 0, "udev", VOLUME), 0);
        assert_int_equal(record_add_wait(r, "unlock", VOLUME, 1, 4, 1), 0);
        assert_int_equal(record_add_warning(r, "%s was slow", VOLUME), 0);
        return r;
}

static void measured_again(void **state)
{
        CLEANUP(freep) char *store = NULL, *path = NULL;

        (void) state;
        assert_true(asprintf(&store, "%s/records", folder) > 0);
        for (int i = 0; i < 3; i++) {
                CLEANUP(record_freep) struct record *r = see();

                free(TAKE(path));
                assert_int_equal(measurement_keep_earlier(r, store, NULL), 0);
                assert_int_equal(measurement_store(r, store, &path, NULL), 0);
                assert_int_equal(r->n_waits, 1);
                assert_int_equal(r->n_warnings, 1);
                assert_int_equal(r->n_milestones, 1);
                assert_int_equal(r->milestones[0].n_also, 0);
                assert_null(strstr(r->waits[0].name, "cccc"));
                assert_null(strstr(r->warnings[0], "cccc"));
                assert_string_equal(r->id, "0123456789abcdef0123456789abcdef");
        }
}

int main(void)
{
        static const struct CMUnitTest tests[] = { cmocka_unit_test(measured_again) };

        return cmocka_run_group_tests_name("measurement", tests, make_folder, remove_folder);
}
