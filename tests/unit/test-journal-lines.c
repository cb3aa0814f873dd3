/* What journal entries say of the unlock and of the desktop */
#include "tests/test.h"
#include <string.h>
#include "record/cryptsetup_unit.h"
#include "record/journal_lines.h"

#define AGENT "systemd-tty-ask-password-agent"
#define CRYPTSETUP "systemd-cryptsetup"
#define UNIT "systemd-cryptsetup@luks\\x2d1f2e.service"

static void read_into(struct record *r, const struct journal_entry *entries, size_t n)
{
        struct journal_lines j;

        journal_lines_open(&j, r);
        for (size_t i = 0; i < n; i++)
                assert_int_equal(journal_lines_entry(&j, r, &entries[i]), 0);
        assert_int_equal(journal_lines_close(&j, r), 0);
}

static struct record *read_all(const struct journal_entry *entries, size_t n)
{
        struct record *r = record_new();

        read_into(r, entries, n);
        return r;
}

static const struct milestone *find(const struct record *r, const char *name, const char *session)
{
        for (size_t i = 0; i < r->n_milestones; i++) {
                const struct milestone *m = &r->milestones[i];

                if (strcmp(m->name, name) == 0 && m->session && strcmp(m->session, session) == 0)
                        return m;
        }
        fail_msg("no %s of %s", name, session);
        return NULL;
}

static void mapping_names(void **state)
{
        static const struct {
                const char *unit;
                bool want;
                const char *name;
        } cases[] = {
                { UNIT, true, "luks-1f2e" },
                { "systemd-cryptsetup@cryptroot.service", true, "cryptroot" },
                { "systemd-cryptsetup@a-b.service", true, "a/b" },
                { "systemd-cryptsetup@a\\xzz.service", true, "a\\xzz" },
                { "systemd-cryptsetup@.service", false, NULL },
                { "systemd-cryptsetup@x", false, NULL },
                { "dev-mapper-x.device", false, NULL },
                { "systemd-cryptsetup@far-too-long-for-the-room-given.service", false, NULL },
        };
        char name[20];

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                assert_int_equal(cryptsetup_unit_mapping(cases[i].unit, name, sizeof name),
                                 cases[i].want);
                if (cases[i].want)
                        assert_string_equal(name, cases[i].name);
        }
        assert_false(cryptsetup_unit_mapping(NULL, name, sizeof name));
}

static void asked_on_a_console(void **state)
{
        static const struct journal_entry entries[] = {
                { 4100000, AGENT, "Starting password query on /dev/ttyS0.", .uid = 0 },
                { 9300000, AGENT, "Password query on /dev/ttyS0 finished successfully.", .uid = 0 },
                { 9310000, CRYPTSETUP, "Set cipher aes, mode xts-plain64, key size 512 bits",
                  .own_unit = UNIT, .uid = 0 },
                { 11900000, "systemd", "Finished Cryptography Setup.", MESSAGE_UNIT_STARTED,
                  .unit = UNIT, .uid = 0 },
        };
        CLEANUP(record_freep) struct record *r = read_all(entries, ELEMENTSOF(entries));

        (void) state;
        assert_int_equal(find(r, "unlock.prompt", "luks-1f2e")->best.at_us, 4100000);
        assert_int_equal(find(r, "unlock.answered", "luks-1f2e")->best.at_us, 9300000);
        assert_int_equal(find(r, "unlock.mapped", "luks-1f2e")->best.at_us, 11900000);
        assert_int_equal(r->n_waits, 1);
        assert_string_equal(r->waits[0].name, "luks-1f2e");
        assert_int_equal(r->waits[0].attempts, 1);
        assert_int_equal(r->waits[0].to_us - r->waits[0].from_us, 5200000); /* typing alone */
}

static void two_wrong_tries(void **state)
{
        static const struct journal_entry entries[] = {
                { 4000000, AGENT, "Starting password query on /dev/tty1.", .uid = 0 },
                { 5000000, AGENT, "Password query on /dev/tty1 finished successfully.", .uid = 0 },
                { 5100000, CRYPTSETUP, "Set cipher aes", .own_unit = UNIT, .uid = 0 },
                { 7000000, CRYPTSETUP,
                  "Failed to activate with specified passphrase. (Passphrase incorrect?)",
                  .own_unit = UNIT, .uid = 0 },
                { 7100000, AGENT, "Starting password query on /dev/tty1.", .uid = 0 },
                { 8000000, AGENT, "Password query on /dev/tty1 finished successfully.", .uid = 0 },
                { 9900000, CRYPTSETUP, "Failed to activate with specified passphrase.",
                  .own_unit = UNIT, .uid = 0 },
                { 10000000, AGENT, "Starting password query on /dev/tty1.", .uid = 0 },
                { 12000000, AGENT, "Password query on /dev/tty1 finished successfully.", .uid = 0 },
                { 14000000, "systemd", NULL, MESSAGE_UNIT_STARTED, .unit = UNIT, .uid = 0 },
        };
        CLEANUP(record_freep) struct record *r = read_all(entries, ELEMENTSOF(entries));

        (void) state;
        assert_int_equal(r->n_waits, 3); /* what the machine does between two is its own time */
        for (size_t i = 0; i < 3; i++) {
                assert_int_equal(r->waits[i].attempts, 1);
                assert_string_equal(r->waits[i].name, "luks-1f2e");
        }
        assert_int_equal(r->waits[0].to_us - r->waits[0].from_us, 1000000);
        assert_int_equal(r->waits[1].to_us - r->waits[1].from_us, 900000);
        assert_int_equal(r->waits[2].to_us - r->waits[2].from_us, 2000000);
        assert_int_equal(find(r, "unlock.prompt", "luks-1f2e")->best.at_us, 4000000);
        assert_int_equal(find(r, "unlock.answered", "luks-1f2e")->best.at_us, 12000000);
}

static void two_disks(void **state)
{
        static const struct journal_entry entries[] = {
                { 1000000, AGENT, "Starting password query on /dev/tty1.", .uid = 0 },
                { 2000000, AGENT, "Password query on /dev/tty1 finished successfully.", .uid = 0 },
                { 3000000, "systemd", NULL, MESSAGE_UNIT_STARTED,
                  .unit = "systemd-cryptsetup@root.service", .uid = 0 },
                { 4000000, AGENT, "Starting password query on /dev/tty1.", .uid = 0 },
                { 6000000, AGENT, "Password query on /dev/tty1 finished successfully.", .uid = 0 },
                { 7000000, "systemd", NULL, MESSAGE_UNIT_STARTED,
                  .unit = "systemd-cryptsetup@home.service", .uid = 0 },
        };
        CLEANUP(record_freep) struct record *r = read_all(entries, ELEMENTSOF(entries));

        (void) state;
        assert_int_equal(r->n_waits, 2);
        assert_int_equal(find(r, "unlock.prompt", "root")->best.at_us, 1000000);
        assert_int_equal(find(r, "unlock.prompt", "home")->best.at_us, 4000000);
        assert_int_equal(find(r, "unlock.mapped", "home")->best.at_us, 7000000);
}

static void told_by_marks_already(void **state)
{
        static const struct journal_entry entries[] = {
                { 1000000, AGENT, "Starting password query on /dev/tty1.", .uid = 0 },
                { 2000000, AGENT, "Password query on /dev/tty1 finished successfully.", .uid = 0 },
        };
        CLEANUP(record_freep) struct record *r = record_new();
        struct journal_lines j;

        (void) state;
        assert_int_equal(record_add_wait(r, "unlock", "root", 990000, 2000100, 1), 0);
        journal_lines_open(&j, r);
        for (size_t i = 0; i < ELEMENTSOF(entries); i++)
                assert_int_equal(journal_lines_entry(&j, r, &entries[i]), 0);
        assert_int_equal(journal_lines_close(&j, r), 0);
        assert_int_equal(r->n_waits, 1);
        assert_non_null(record_find(r, "unlock.prompt"));
}

/* With initramfs-tools the disk is open before systemd runs, and the unit finds the work done. */
static void a_unit_without_a_question(void **state)
{
        static const struct journal_entry entries[] = {
                { 39000000, CRYPTSETUP, "Volume cryptroot already active.",
                  .own_unit = "systemd-cryptsetup@cryptroot.service", .uid = 0 },
                { 39100000, "systemd", NULL, MESSAGE_UNIT_STARTED,
                  .unit = "systemd-cryptsetup@cryptroot.service", .uid = 0 },
        };
        CLEANUP(record_freep) struct record *r = read_all(entries, ELEMENTSOF(entries));

        (void) state;
        assert_int_equal(r->n_milestones, 0);
        assert_int_equal(r->n_waits, 0);
}

static void greeter_and_desktop(void **state)
{
        static const struct journal_entry entries[] = {
                { 20000000, "gnome-session-binary", "Entering running state",
                  MESSAGE_GNOME_SESSION_RUNNING, .uid = 117 },
                { 30000000, "gnome-session-binary", "Entering running state",
                  MESSAGE_GNOME_SESSION_RUNNING, .uid = 1000 },
                { 31000000, "systemd", NULL, MESSAGE_UNIT_STARTED,
                  .user_unit = "graphical-session.target", .uid = 1000 },
                { 32000000, "gnome-shell", "GNOME Shell started", MESSAGE_GNOME_SHELL_STARTED,
                  .uid = 1000 },
        };
        CLEANUP(record_freep) struct record *r = read_all(entries, ELEMENTSOF(entries));
        const struct milestone *m = record_find(r, "desktop.windows");

        (void) state;
        assert_int_equal(record_find(r, "login.prompt")->best.at_us, 20000000);
        assert_non_null(m);
        assert_int_equal(m->best.at_us, 31000000);
        assert_non_null(
                strstr(m->best.source, "graphical-session.target")); /* the weaker meaning */
        assert_int_equal(m->best.error_us, RECORD_ERROR_UNKNOWN);
        assert_int_equal(m->n_also,
                         0); /* the first that says so; the shell is part of the session */
}

static void a_desktop_that_was_seen(void **state)
{
        static const struct journal_entry entries[] = {
                { 20000000, "gnome-session-binary", "Entering running state",
                  MESSAGE_GNOME_SESSION_RUNNING, .uid = 117 },
                { 31000000, "systemd", NULL, MESSAGE_UNIT_STARTED,
                  .user_unit = "graphical-session.target", .uid = 1000 },
        };
        static const struct {
                const char *name, *session;
        } seen[] = { { "login.prompt", "wayland-0@117 greeter" },
                     { "desktop.windows", "wayland-0@1000" } };
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(seen); i++)
                assert_int_equal(record_see(r, seen[i].name, seen[i].session,
                                            &(struct sighting){ .at_us = 50000000,
                                                                .source = (char[]){ "a probe" } }),
                                 0);
        read_into(r, entries, ELEMENTSOF(entries));
        assert_int_equal(r->n_milestones, ELEMENTSOF(seen));
        assert_int_equal(record_find(r, "desktop.windows")->best.at_us, 50000000);
        assert_int_equal(record_find(r, "desktop.windows")->n_also, 0);
}

static void the_first_time_of_a_target(void **state)
{
        static const struct journal_entry entries[] = {
                { 17700000, "systemd", NULL, MESSAGE_UNIT_STARTED, .unit = "graphical.target",
                  .uid = 0 },
                { 99900000, "systemd", NULL, MESSAGE_UNIT_STARTED, .unit = "graphical.target",
                  .uid = 0 },
        };
        CLEANUP(record_freep) struct record *r = read_all(entries, ELEMENTSOF(entries));

        (void) state;
        assert_int_equal(r->n_milestones, 1);
        assert_int_equal(r->milestones[0].best.at_us, 17700000);
        assert_int_equal(r->milestones[0].n_also, 0);
}

static void endings(void **state)
{
        static const struct {
                struct journal_entry e;
                enum ending want;
        } cases[] = {
                { { .message = "System is rebooting." }, ENDING_REBOOT },
                { { .unit = "reboot.target", .message = "Reached target" }, ENDING_REBOOT },
                { { .message = "System is powering down." }, ENDING_POWEROFF },
                { { .unit = "poweroff.target" }, ENDING_POWEROFF },
                { { .unit = "kexec.target" }, ENDING_KEXEC },
                { { .message = "rebooting is what I like" }, ENDING_UNKNOWN },
                { { .message = NULL }, ENDING_UNKNOWN },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                assert_int_equal(journal_ending(&cases[i].e), cases[i].want);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(mapping_names),
                cmocka_unit_test(asked_on_a_console),
                cmocka_unit_test(two_wrong_tries),
                cmocka_unit_test(two_disks),
                cmocka_unit_test(told_by_marks_already),
                cmocka_unit_test(a_unit_without_a_question),
                cmocka_unit_test(greeter_and_desktop),
                cmocka_unit_test(a_desktop_that_was_seen),
                cmocka_unit_test(the_first_time_of_a_target),
                cmocka_unit_test(endings),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
