/* tests/unit/test-store.c - records on disk: durable, checked, never rewritten by an older version
 */
#include "tests/test.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include "record/json.h"
#include "record/procfile.h"
#include "record/store.h"

#define KILLS 200

static char *scratch; /* a folder of its own for each test */

static int make_scratch(void **state)
{
        (void) state;
        scratch = strdup("/tmp/bootlap-test-store.XXXXXX");
        return mkdtemp(scratch) ? 0 : -1;
}

static int remove_scratch(void **state)
{
        CLEANUP(freep) char *command = NULL;

        (void) state;
        if (asprintf(&command, "rm -rf %s", scratch) < 0)
                return -1;
        free(scratch);
        return system(command);
}

static struct record *small_record(const char *id, int64_t realtime_us)
{
        struct record *r = record_new();

        r->id = strdup(id);
        r->machine = strdup("machine");
        r->tool_version = strdup("0.1.0");
        r->start = (struct clock_tuple){ 1, 1, 1, realtime_us };
        assert_int_equal(record_see_at(r, "kernel.start", 0, 0, "test", NULL), 0);
        return r;
}

static char *write_it(const struct record *r)
{
        struct fault fault = FAULT_NULL;
        char *path = NULL;

        if (store_write(scratch, r, &path, &fault) < 0)
                fail_msg("%s", fault.text);
        return path;
}

static void written_and_read(void **state)
{
        CLEANUP(record_freep)
        struct record *r = small_record("aa11", 1700000000000000), *back = NULL;
        CLEANUP(freep) char *path = write_it(r), *want = NULL;
        CLEANUP(json_decrefp) json_t *a = record_to_json(r), *b = NULL;

        (void) state;
        assert_true(asprintf(&want, "%s/machine/20231114T221320Z-aa11.json", scratch) > 0);
        assert_string_equal(path, want);
        assert_int_equal(store_read(path, &back, NULL, NULL), 0);
        b = record_to_json(back);
        assert_true(json_equal(a, b));
}

static void every_flipped_byte_is_found(void **state)
{
        CLEANUP(record_freep) struct record *r = small_record("aa11", 0);
        CLEANUP(freep) char *path = write_it(r), *text = NULL;
        size_t n;

        (void) state;
        assert_int_equal(procfile_read(AT_FDCWD, path, 1 << 20, &text, &n), 0);
        for (size_t i = 0; i < n; i++) {
                CLEANUP(record_freep) struct record *back = NULL;
                FILE *f = fopen(path, "w");
                char was = text[i];
                int code;

                if (was == ' ' || was == '\n') {
                        (void) fclose(f);
                        continue; /* layout is not content */
                }
                text[i] = was == '0' ? '1' : '0';
                assert_int_equal(fwrite(text, 1, n, f), n);
                assert_int_equal(fclose(f), 0);
                text[i] = was;
                code = store_read(path, &back, NULL, NULL);
                if (code == 0)
                        fail_msg("byte %zu changed from '%c' unnoticed", i, was);
                assert_null(back);
        }
}

static void every_truncation_is_found(void **state)
{
        CLEANUP(record_freep) struct record *r = small_record("aa11", 0);
        CLEANUP(freep) char *path = write_it(r);
        struct stat st;

        (void) state;
        assert_int_equal(stat(path, &st), 0);
        for (off_t n = st.st_size - 2; n >= 0; n -= 7) {
                CLEANUP(record_freep) struct record *back = NULL;
                struct fault fault = FAULT_NULL;

                assert_int_equal(truncate(path, n), 0);
                assert_true(store_read(path, &back, NULL, &fault) < 0);
                assert_non_null(strstr(fault.text, path));
        }
}

static void rewritten_under_one_name(void **state)
{
        CLEANUP(record_freep) struct record *r = small_record("aa11", 1700000000000000);
        CLEANUP(freep) char *first = write_it(r), *second = NULL;
        CLEANUP(store_list_done) struct store_list l = STORE_LIST_NULL;

        (void) state;
        r->start.realtime_us += 5 * (int64_t) US_PER_S; /* measured again, later */
        second = write_it(r);
        assert_string_not_equal(first, second);
        assert_int_equal(store_list(scratch, &l, NULL), 0);
        assert_int_equal(l.n_entries, 1);
        assert_string_equal(l.entries[0].path, second);
}

/* put_file() - an empty file in the machine's folder, as old as asked for */
static void put_file(const char *name, time_t age_s)
{
        CLEANUP(freep) char *path = NULL;
        CLEANUP(closep) int fd = -EBADF;
        struct timespec times[2] = { { .tv_sec = time(NULL) - age_s },
                                     { .tv_sec = time(NULL) - age_s } };

        assert_true(asprintf(&path, "%s/machine/%s", scratch, name) > 0);
        fd = open(path, O_WRONLY | O_CREAT, 0644);
        assert_int_equal(futimens(fd, times), 0);
}

static bool has_file(const char *name)
{
        CLEANUP(freep) char *path = NULL;

        assert_true(asprintf(&path, "%s/machine/%s", scratch, name) > 0);
        return access(path, F_OK) == 0;
}

static void leftovers_are_swept(void **state)
{
        CLEANUP(record_freep) struct record *r = small_record("aa11", 0);

        (void) state;
        free(write_it(r));
        put_file(".new-99", 7200);
        put_file(".new-98", 0); /* perhaps being written */
        put_file("notes.txt", 7200);
        put_file("undated-xaa11.json", 7200); /* another id with the same end */
        free(write_it(r));
        assert_false(has_file(".new-99"));
        assert_true(has_file(".new-98"));
        assert_true(has_file("notes.txt"));
        assert_true(has_file("undated-xaa11.json"));
}

static void newer_schema_is_kept(void **state)
{
        CLEANUP(record_freep) struct record *r = small_record("aa11", 0), *back = NULL;
        CLEANUP(freep) char *path = write_it(r), *text = NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        static const char newer[] = "{\"schema\": \"bootlap.record/2\", \"news\": [1]}";
        FILE *f = fopen(path, "w");

        (void) state;
        assert_int_equal(fputs(newer, f) < 0, 0);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(store_read(path, &back, &j, NULL), -EPROTONOSUPPORT);
        assert_null(back);
        assert_non_null(json_object_get(j, "news"));
        assert_int_equal(store_write(scratch, r, NULL, NULL), -EPROTONOSUPPORT);
        assert_int_equal(procfile_read(AT_FDCWD, path, 1 << 20, &text, NULL), 0);
        assert_string_equal(text, newer);
}

static void unusable_names_are_refused(void **state)
{
        static const char *const ids[] = { "", ".", "../x", "a/b", ".hidden" };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(ids); i++) {
                CLEANUP(record_freep) struct record *r = small_record(ids[i], 0);

                assert_int_equal(store_write(scratch, r, NULL, NULL), -EINVAL);
        }
}

static void listing_tells_what_is_damaged(void **state)
{
        CLEANUP(record_freep) struct record *a = small_record("aaaa", 1700000000000000);
        CLEANUP(record_freep) struct record *b = small_record("bbbb", 1600000000000000);
        CLEANUP(freep) char *path_a = write_it(a), *path_b = write_it(b);
        CLEANUP(store_list_done) struct store_list l = STORE_LIST_NULL;
        CLEANUP(store_list_done) struct store_list none = STORE_LIST_NULL;

        (void) state;
        assert_int_equal(truncate(path_a, 10), 0);
        assert_int_equal(store_list(scratch, &l, NULL), 0);
        assert_int_equal(l.n_entries, 2);
        assert_string_equal(l.entries[0].path, path_b); /* the older one */
        assert_non_null(l.entries[0].record);
        assert_null(l.entries[1].record);
        assert_non_null(strstr(l.entries[1].fault.text, path_a));
        assert_int_equal(store_list("/nonexistent/store", &none, NULL), 0);
        assert_int_equal(none.n_entries, 0);
}

/* A writer that is killed at a random moment, again and again: what was there stays whole, and what
 * is new is whole or not there. The record is large, so that the kill often falls inside. */
static void killed_while_writing(void **state)
{
        CLEANUP(record_freep) struct record *earlier = small_record("earlier", 1600000000000000);
        CLEANUP(record_freep) struct record *big = small_record("big", 1700000000000000);
        CLEANUP(freep) char *earlier_path = write_it(earlier);
        CLEANUP(freep) char *big_path = NULL;
        int n_killed_inside = 0;
        int64_t one_write_us;

        (void) state;
        srandom(1);
        for (int i = 0; i < 4000; i++)
                assert_int_equal(record_add_warning(big, "warning %d to make it long", i), 0);
        one_write_us = -clock_us(CLOCK_MONOTONIC); /* as busy as this machine is */
        big_path = write_it(big);
        one_write_us += clock_us(CLOCK_MONOTONIC);
        assert_int_equal(unlink(big_path), 0);
        for (int i = 0; i < KILLS; i++) {
                CLEANUP(store_list_done) struct store_list l = STORE_LIST_NULL;
                int64_t pause_us = random() % (4 * one_write_us + 1);
                struct timespec pause = { .tv_sec = pause_us / US_PER_S,
                                          .tv_nsec = pause_us % US_PER_S * NS_PER_US };
                int status;
                pid_t child = fork();

                assert_true(child >= 0);
                if (child == 0)
                        for (;;)
                                if (store_write(scratch, big, NULL, NULL) < 0)
                                        _exit(1);
                (void) nanosleep(&pause, NULL);
                assert_int_equal(kill(child, SIGKILL), 0);
                assert_int_equal(waitpid(child, &status, 0), child);
                assert_true(WIFSIGNALED(status)); /* it was still writing */

                assert_int_equal(store_list(scratch, &l, NULL), 0);
                assert_true(l.n_entries >= 1 && l.n_entries <= 2);
                for (size_t k = 0; k < l.n_entries; k++)
                        if (!l.entries[k].record)
                                fail_msg("kill %d: %s", i, l.entries[k].fault.text);
                assert_string_equal(l.entries[0].path, earlier_path);
                if (l.n_entries == 2) {
                        assert_int_equal(l.entries[1].record->n_warnings, 4000);
                        assert_int_equal(unlink(l.entries[1].path), 0);
                } else {
                        n_killed_inside++;
                }
        }
        /* A loop whose kills all fell after the first write would show nothing. */
        assert_true(n_killed_inside > 0 && n_killed_inside < KILLS);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make_scratch, remove_scratch)

int main(void)
{
        const struct CMUnitTest tests[] = {
                IN_SCRATCH(written_and_read),           IN_SCRATCH(every_flipped_byte_is_found),
                IN_SCRATCH(every_truncation_is_found),  IN_SCRATCH(rewritten_under_one_name),
                IN_SCRATCH(leftovers_are_swept),        IN_SCRATCH(newer_schema_is_kept),
                IN_SCRATCH(unusable_names_are_refused), IN_SCRATCH(listing_tells_what_is_damaged),
                IN_SCRATCH(killed_while_writing),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
