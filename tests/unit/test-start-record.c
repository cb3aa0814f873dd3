/* tests/unit/test-start-record.c - what is left of boots that were cut off */
#include "tests/test.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include "daemon/start_record.h"
#include "record/store.h"

struct scratch {
        char path[64], started[80], store[80];
        unsigned n_warnings;
};

static int set_up(void **state)
{
        static struct scratch s;

        s = (struct scratch){ .path = "/tmp/bootlap-test.XXXXXX" };
        if (!mkdtemp(s.path))
                return -1;
        (void) snprintf(s.started, sizeof s.started, "%s/started", s.path);
        (void) snprintf(s.store, sizeof s.store, "%s/records", s.path);
        *state = &s;
        return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
        (void) st;
        (void) flag;
        (void) ftw;
        return remove(path);
}

static int tear_down(void **state)
{
        struct scratch *s = *state;

        return nftw(s->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static struct record *a_boot(const char *id, size_t n_milestones)
{
        struct record *r = record_new();

        r->id = strdup(id);
        r->machine = strdup("m");
        r->tool_version = strdup("0");
        r->end.monotonic_us = 12345678;
        for (size_t i = 0; i < n_milestones; i++) {
                char name[32];

                (void) snprintf(name, sizeof name, "user.n%zu", i);
                assert_int_equal(record_see_at(r, name, (int64_t) i, 0, "test", "a detail"), 0);
        }
        return r;
}

static void write_one(const struct scratch *s, const char *id, size_t n, size_t *ret_bytes)
{
        CLEANUP(record_freep) struct record *r = a_boot(id, n);

        assert_int_equal(start_record_write(s->started, r, ret_bytes, NULL), 0);
}

static size_t size_of(const char *dir, const char *id)
{
        CLEANUP(freep) char *path = NULL;
        struct stat st;

        assert_int_equal(store_find(dir, "m", id, &path, NULL), 0);
        assert_int_equal(stat(path, &st), 0);
        return (size_t) st.st_size;
}

static void it_stays_small(void **state)
{
        struct scratch *s = *state;
        CLEANUP(freep) char *path = NULL;
        CLEANUP(record_freep) struct record *r = NULL;
        size_t n_bytes;

        write_one(s, "many", 300, &n_bytes);
        assert_in_range(size_of(s->started, "many"), START_RECORD_MAX_BYTES / 2,
                        START_RECORD_MAX_BYTES);
        assert_true(size_of(s->started, "many") <= n_bytes);
        assert_int_equal(store_find(s->started, "m", "many", &path, NULL), 0);
        assert_int_equal(store_read(path, &r, NULL, NULL), 0);
        assert_string_equal(r->incomplete, "cut off: nothing is known after 12.3 s");
        assert_string_equal(r->milestones[0].name, "user.n0"); /* the first are kept */
}

static void a_boot_that_ends_well_leaves_none(void **state)
{
        struct scratch *s = *state;

        assert_int_equal(start_record_remove(s->started, "m", "mine", NULL), 0);
        write_one(s, "mine", 1, NULL);
        assert_int_equal(start_record_remove(s->started, "m", "mine", NULL), 0);
        assert_int_equal(start_record_recover(s->started, s->store, "next", NULL, NULL, NULL), 0);
}

static void count_warning(void *userdata, const char *text)
{
        struct scratch *s = userdata;

        assert_true(text[0]);
        s->n_warnings++;
}

static void those_cut_off_are_recovered(void **state)
{
        struct scratch *s = *state;
        CLEANUP(record_freep) struct record *whole = a_boot("stored", 2), *back = NULL;
        CLEANUP(freep) char *path = NULL;
        char damaged[160];
        int fd;

        write_one(s, "lost", 3, NULL);
        write_one(s, "stored", 1, NULL); /* cut off between its record and the removal */
        write_one(s, "mine", 1, NULL);
        assert_int_equal(store_write(s->store, whole, NULL, NULL), 0);
        (void) snprintf(damaged, sizeof damaged, "%s/m/undated-torn.json", s->started);
        fd = open(damaged, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        assert_int_equal(write(fd, "{\"sch", 5), 5);
        (void) close(fd);

        assert_int_equal(start_record_recover(s->started, s->store, "mine", count_warning, s, NULL),
                         1);
        assert_int_equal(s->n_warnings, 1);
        assert_int_equal(access(damaged, F_OK), -1);
        assert_int_equal(store_find(s->store, "m", "lost", &path, NULL), 0);
        assert_int_equal(store_read(path, &back, NULL, NULL), 0);
        assert_non_null(back->incomplete);
        assert_int_equal(back->n_milestones, 3);
        back = record_free(back);
        free(TAKE(path));
        assert_int_equal(store_find(s->store, "m", "stored", &path, NULL), 0);
        assert_int_equal(store_read(path, &back, NULL, NULL), 0);
        assert_null(back->incomplete); /* the whole one was not replaced */
        free(TAKE(path));
        assert_int_equal(store_find(s->store, "m", "mine", &path, NULL), -ENOENT);
        assert_true(size_of(s->started, "mine") > 0);
        assert_int_equal(start_record_recover(s->started, s->store, "mine", NULL, NULL, NULL), 0);
}

static void a_store_that_cannot_be_written_loses_nothing(void **state)
{
        struct scratch *s = *state;
        int fd;

        write_one(s, "lost", 3, NULL);
        fd = open(s->store, O_WRONLY | O_CREAT | O_CLOEXEC,
                  0644); /* a file in the folder's place */
        (void) close(fd);
        assert_int_equal(start_record_recover(s->started, s->store, "mine", count_warning, s, NULL),
                         0);
        assert_int_equal(s->n_warnings, 1);
        assert_true(size_of(s->started, "lost") > 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
                TEST(it_stays_small),
                TEST(a_boot_that_ends_well_leaves_none),
                TEST(those_cut_off_are_recovered),
                TEST(a_store_that_cannot_be_written_loses_nothing),
        };

        return cmocka_run_group_tests_name("start record", tests, NULL, NULL);
}
