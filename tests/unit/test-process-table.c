/* /proc/PID/stat with names that try hard, and a recorded /proc */
#include "tests/test.h"
#include <string.h>
#include <time.h>
#include "record/clock.h"
#include "tests/tree.h"
#include "witness/process_table.h"
#include "witness/witness.h"

#define TAIL " S 1 2 2 0 -1 4194560 900 0 3 0 17 9 0 0 20 0 1 0 18123 8294400 890"

static void names(void **state)
{
        static const struct {
                const char *stat, *name;
        } cases[] = {
                { "720 (Xorg)" TAIL, "Xorg" },
                { "720 (tmux: server (2))" TAIL, "tmux: server (2)" },
                { "720 (a b)" TAIL, "a b" },
                { "720 ())" TAIL, ")" },
                { "720 ()" TAIL, "" },
                { "720 () S 1 2 3)" TAIL, ") S 1 2 3" },
                { "720 (new\nline)" TAIL "\n", "new\nline" },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct process p;

                assert_int_equal(process_parse_stat(cases[i].stat, 100, &p), 0);
                assert_int_equal(p.pid, 720);
                assert_int_equal(p.parent, 1);
                assert_string_equal(p.name, cases[i].name);
                assert_int_equal(p.forked_us, 181230000);
        }
}

static void damage(void **state)
{
        static const char *const cases[] = {
                "",
                "720",
                "720 (Xorg",
                "720 Xorg)" TAIL,
                "720 )(" TAIL,
                "x (Xorg)" TAIL,
                "0 (Xorg)" TAIL,
                "720 (Xorg) S 1 2 2 0 -1 4194560 900 0 3 0 17 9 0 0 20 0 1 0",
                "720 (Xorg) S 1 2 2 0 -1 4194560 900 0 3 0 17 9 0 0 20 0 1 0 -4 8294400",
                "720 (Xorg) S 1 2 2 0 -1 4194560 900 0 3 0 17 9 0 0 20 0 1 0 9223372036854775807 1",
                "99999999999 (Xorg)" TAIL,
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct process p = { .pid = 77 };

                assert_int_equal(process_parse_stat(cases[i], 100, &p), -EINVAL);
                assert_int_equal(p.pid, 77);
        }
}

static void ourselves(void **state)
{
        CLEANUP(process_table_done) struct process_table t = { .n = 0 };
        CLEANUP(closep) int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const struct process *p;

        (void) state;
        assert_int_equal(process_table_read(&t, fd, NULL), 0);
        p = process_find(&t, getpid());
        assert_non_null(p);
        assert_int_equal(p->uid, geteuid());
        assert_int_equal(p->parent, getppid());
        assert_true(p->forked_us > 0 && p->forked_us <= clock_us(CLOCK_BOOTTIME));
        assert_null(process_find(&t, 0));
}

static struct record *ask(const char *tree, int want, struct fault *fault)
{
        CLEANUP(closep) int fd = tree_open(tree);
        struct witness_context ctx = { .root_fd = fd };
        struct record *r = record_new();

        assert_true(fd >= 0);
        assert_int_equal(witness_processes.ask(&ctx, r, fault), want);
        witness_context_done(&ctx);
        return r;
}

/* Ticks of 1/100 s, as every Linux has them in /proc */
static void lower_bounds_only(void **state)
{
        CLEANUP(record_freep) struct record *r = ask("desktop", 0, NULL);
        const struct milestone *m = record_find(r, "display.exec");

        (void) state;
        assert_non_null(m);
        assert_int_equal(m->best.at_us, 18120000);
        assert_int_equal(m->best.bound, BOUND_LOWER);
        assert_string_equal(m->best.detail, "Xorg");
        m = record_find(r, "wm.exec");
        assert_non_null(m);
        assert_int_equal(m->best.at_us, 23890000);
        assert_string_equal(m->best.detail, "openbox");
        m = record_find(r, "login.exec");
        assert_non_null(m);
        assert_int_equal(m->best.at_us, 16440000);
        assert_null(record_find(r, "wm.ready")); /* a start is not readiness */
}

static void no_proc(void **state)
{
        struct fault fault = FAULT_NULL;
        CLEANUP(record_freep) struct record *r = ask("fpdt", -ENOENT, &fault);

        (void) state;
        (void) r;
        assert_non_null(strstr(fault.text, "/proc"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(names),     cmocka_unit_test(damage),
                cmocka_unit_test(ourselves), cmocka_unit_test(lower_bounds_only),
                cmocka_unit_test(no_proc),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
