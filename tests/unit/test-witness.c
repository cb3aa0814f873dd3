/* All witnesses over recorded trees: everything is seen or absent with a reason, and nothing fails
 */
#include "tests/test.h"
#include <string.h>
#include "tests/tree.h"
#include "witness/logind.h"
#include "witness/witness.h"

/* The plan's list: a record says something of each. */
static const char *const known[] = {
        "power.on",       "loader.start",    "loader.end",        "menu.prompt",
        "menu.answered",  "kernel.start",    "initrd.start",      "userspace.start",
        "unlock.prompt",  "unlock.answered", "unlock.mapped",     "root.mounted",
        "sysinit.target", "basic.target",    "multi-user.target", "graphical.target",
        "gpu.ready",      "display.exec",    "x.socket",          "x.ready",
        "wayland.socket", "wayland.ready",   "login.prompt",      "login.answered",
        "wm.ready",       "desktop.windows", "desktop.settled",
};

static struct record *ask_all(int fd)
{
        struct witness_context ctx;
        struct record *r = record_new();

        witness_context_init(&ctx, fd, false);
        ctx.now.monotonic_us = 3600LL * US_PER_S; /* the trees are of machines that ran as long */
        assert_int_equal(witness_ask_all(&ctx, r), 0);
        witness_context_done(&ctx);
        for (size_t i = 0; i < ELEMENTSOF(known); i++)
                if (!record_find(r, known[i]) == !record_absent_reason(r, known[i]))
                        fail_msg("%s is neither seen nor absent, or both", known[i]);
        return r;
}

static void a_tree_with_nothing_in_it(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(record_freep) struct record *r = ask_all(t.fd);

        (void) state;
        assert_int_equal(r->n_milestones, 1); /* kernel.start, by definition */
        assert_string_equal(record_absent_reason(r, "userspace.start"), "systemd is not PID 1");
        assert_string_equal(record_absent_reason(r, "wm.ready"),
                            "came before measuring started; needs bootlapd");
}

static void a_desktop(void **state)
{
        CLEANUP(closep) int fd = tree_open("desktop");
        CLEANUP(record_freep) struct record *r = ask_all(fd);
        int64_t at;

        (void) state;
        record_sort(r);
        assert_true(record_at(r, "initrd.start", &at)); /* a hook's mark */
        assert_int_equal(at, 3100000);
        assert_string_equal(record_find(r, "initrd.start")->best.source, "initramfs-tools");
        assert_int_equal(r->n_waits, 2); /* a wrong try and a right one */
        assert_string_equal(r->waits[0].name, "cryptroot");
        assert_int_equal(r->waits[0].to_us - r->waits[0].from_us, 1000000);
        assert_int_equal(r->waits[1].to_us - r->waits[1].from_us, 2000000);
        assert_true(record_at(r, "unlock.prompt", &at));
        assert_int_equal(at, 4200000);
        assert_true(record_at(r, "unlock.answered", &at));
        assert_int_equal(at, 9000000);
        assert_string_equal(record_find(r, "unlock.answered")->session, "cryptroot");
        assert_true(record_at(r, "user.desktop", &at));
        assert_int_equal(at, 27500000);
        assert_string_equal(record_find(r, "user.desktop")->best.detail, "from ~/.xsession");
        assert_false(record_at(r, "user.future", &at));
        assert_non_null(record_find(r, "user.future")); /* kept, and not believed */
        assert_int_equal(r->n_warnings, 1);
        assert_non_null(strstr(r->warnings[0], "marks:6"));
        assert_non_null(strstr(r->warnings[0], "2 bad lines"));
        assert_true(record_at(r, "display.exec", &at));
        assert_int_equal(at, 18120000); /* the first in order; the log's of :0 is another session */
}

static void odd_trees(void **state)
{
        static const char *const trees[] = { "uefi", "uefi-damaged", "fpdt-ticks", "kmsg-initrd",
                                             "kmsg-lost" };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(trees); i++) {
                CLEANUP(closep) int fd = tree_open(trees[i]);
                CLEANUP(record_freep) struct record *r = ask_all(fd);

                assert_true(r->n_milestones >= 1);
        }
}

/* Neither knows how far its figures are off, but systemd's are short of the handover. */
static void loader_times_of_efi_and_systemd(void **state)
{
        CLEANUP(closep) int fd = tree_open("uefi");
        CLEANUP(record_freep) struct record *r = record_new();
        struct witness_context ctx;
        const struct milestone *m;

        (void) state;
        witness_context_init(&ctx, fd, false);
        ctx.pre_kernel = (struct pre_kernel){ .is_known = true, .elapsed_us = 16750000 };
        ctx.systemd_firmware_us = 13912744;
        ctx.systemd_loader_us = 13912744 - 8150231;
        assert_int_equal(witness_ask_all(&ctx, r), 0);
        witness_context_done(&ctx);
        m = record_find(r, "loader.start");
        assert_non_null(m);
        assert_int_equal(m->best.at_us, 8150231 - 16750000);
        assert_int_equal(m->n_also, 1);
        assert_string_equal(m->also[0].source, "systemd");
        assert_int_equal(m->also[0].at_us, 8150231 - 13912744);
}

static void marks_that_are_no_file(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(record_freep) struct record *r = NULL;

        (void) state;
        tree_mkdirs(t.fd, "run/bootlap/marks/x");
        r = ask_all(t.fd);
        assert_int_equal(r->n_warnings, 1);
        assert_non_null(strstr(r->warnings[0], "/run/bootlap/marks"));
}

static void whose_session(void **state)
{
        static const struct login_session sessions[] = {
                { 9000000, "user", "login", "", false }, /* a serial console's */
                { 9500000, "user", "sshd", "", true },
                { 9600000, "user", "vnc", "seat0", true },
                { 12000000, "greeter", "lightdm-greeter", "seat0", false },
                { 15000000, "manager", "systemd-user", "", false },
                { 31000000, "user", "lightdm", "seat0", false },
                { 99000000, "user", "login", "seat0", false },
        };
        CLEANUP(record_freep) struct record *r = record_new();
        const struct milestone *m;

        (void) state;
        assert_int_equal(record_add_wait(r, "login", ":0 greeter", 13000000, 31200000, 1), 0);
        assert_int_equal(record_add_wait(r, "unlock", NULL, 5000000, 31200000, 1), 0);
        assert_int_equal(login_sessions_enter(r, sessions, ELEMENTSOF(sessions)), 0);
        assert_int_equal(r->waits[0].to_us, 31000000); /* not when it was noticed */
        assert_int_equal(r->waits[1].to_us, 31200000);
        m = record_find(r, "login.answered");
        assert_non_null(m);
        assert_int_equal(m->best.at_us, 31000000);
        assert_int_equal(m->best.error_us, 0);
        assert_int_equal(m->n_also, 0);
        m = record_find(r, "login.prompt");
        assert_non_null(m);
        assert_int_equal(m->best.at_us, 12000000);
        assert_int_equal(m->best.bound, BOUND_LOWER);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_tree_with_nothing_in_it),
                cmocka_unit_test(a_desktop),
                cmocka_unit_test(odd_trees),
                cmocka_unit_test(loader_times_of_efi_and_systemd),
                cmocka_unit_test(marks_that_are_no_file),
                cmocka_unit_test(whose_session),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
