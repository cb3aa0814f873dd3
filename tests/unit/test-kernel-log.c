/* The kernel log's lines, one by one and from recorded logs */
#include "tests/test.h"
#include <string.h>
#include "tests/tree.h"
#include "witness/kernel_log.h"
#include "witness/witness.h"

static void heads(void **state)
{
        int64_t sequence, at_us;
        const char *text;

        (void) state;
        assert_int_equal(
                kmsg_parse("6,500,2820417,-;Run /init as init process", &sequence, &at_us, &text),
                0);
        assert_int_equal(sequence, 500);
        assert_int_equal(at_us, 2820417);
        assert_string_equal(text, "Run /init as init process");
        assert_int_equal(kmsg_parse("4,1,2,c,caller=T1;a;b", &sequence, &at_us, &text), 0);
        assert_string_equal(text, "a;b");
        assert_int_equal(kmsg_parse(" SUBSYSTEM=pci", &sequence, &at_us, &text), -EINVAL);
        assert_int_equal(kmsg_parse("6,500;x", &sequence, &at_us, &text), -EINVAL);
        assert_int_equal(kmsg_parse("6,500,12", &sequence, &at_us, &text), -EINVAL);
        assert_int_equal(kmsg_parse("6,,12,-;x", &sequence, &at_us, &text), -EINVAL);
        assert_int_equal(kmsg_parse("", &sequence, &at_us, &text), -EINVAL);
}

/* which() - the milestone that a line makes on a machine whose root is dm-0; "" for none */
static const char *which(const char *line, char name[64])
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct kernel_log k = { .source = "kernel log", .root_device = "dm-0" };

        assert_int_equal(kernel_log_line(&k, r, 5000000, line), 0);
        (void) snprintf(name, 64, "%s", r->n_milestones ? r->milestones[0].name : "");
        return name;
}

static void clocks(void **state)
{
        struct kernel_log k = { .source = "kernel log" };

        (void) state;
        assert_int_equal(kernel_log_line(&k, NULL, 5, "rtc_cmos 00:04: registered as rtc0"), 0);
        assert_int_equal(kernel_log_line(&k, NULL, 6,
                                         "rtc_cmos 00:04: setting system clock to "
                                         "2026-12-01T03:44:28 UTC (x)"),
                         0);
        assert_int_equal(k.rtc.epoch_s, 0);
        assert_int_equal(kernel_log_line(&k, NULL, 7,
                                         "rtc_cmos 00:04: setting system clock to "
                                         "2026-12-01T03:44:28 UTC (1796096668)"),
                         0);
        assert_int_equal(k.rtc.epoch_s, 1796096668);
        assert_int_equal(k.rtc.at_us, 7);
}

static void lines(void **state)
{
        static const struct {
                const char *line, *want;
        } cases[] = {
                { "Run /init as init process", "initrd.start" },
                { "Run /sbin/init as init process", "userspace.start" },
                { "Run /bin/sh as init process", "userspace.start" },
                { "EXT4-fs (dm-0): mounted filesystem with ordered data mode. Quota mode: none.",
                  "root.mounted" },
                { "EXT4-fs (dm-0): mounted filesystem 5f0a r/w with ordered data mode.",
                  "root.mounted" },
                { "EXT4-fs (dm-0): re-mounted 5f0a r/w. Quota mode: none.", "" },
                { "EXT4-fs (dm-01): mounted filesystem with ordered data mode.", "" },
                { "EXT4-fs (sda1): mounted filesystem with ordered data mode.", "" },
                { "XFS (dm-0): Ending clean mount", "root.mounted" },
                { "XFS (dm-0): Mounting V5 Filesystem", "" },
                { "BTRFS info (device dm-0): using free space tree", "root.mounted" },
                { "BTRFS info (device dm-0 state M): using free space tree", "root.mounted" },
                { "F2FS-fs (dm-0): Mounted with checkpoint version = 1a2b", "root.mounted" },
                { "VFS: Mounted root (ext4 filesystem) readonly on device 8:1.", "root.mounted" },
                { "[drm] Initialized i915 1.6.0 20201103 for 0000:00:02.0 on minor 0",
                  "gpu.ready" },
                { "[drm] Initialized simpledrm 1.0.0 20200625 for simple-framebuffer.0 on minor 0",
                  "" },
                { "[drm] Initialized overlay support", "" },
                { "systemd[1]: Run /init as init process", "" },
        };
        char name[64];

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                assert_string_equal(which(cases[i].line, name), cases[i].want);
}

static void rates(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct kernel_log k = { .source = "kernel log" };

        (void) state;
        assert_int_equal(kernel_log_line(&k, r, 1, "tsc: Detected 2394.454 MHz processor"), 0);
        assert_int_equal(k.counter_khz, 2394454);
        assert_int_equal(kernel_log_line(&k, r, 1, "tsc: Marking TSC unstable due to clocksource"),
                         0);
        assert_int_equal(kernel_log_line(&k, r, 1, "tsc: Detected MHz"), 0);
        assert_int_equal(kernel_log_line(&k, r, 1, "tsc: x.1 MHz"), 0);
        assert_int_equal(k.counter_khz, 2394454);
        assert_int_equal(
                kernel_log_line(&k, r, 1, "tsc: Refined TSC clocksource calibration: 2394.374 MHz"),
                0);
        assert_int_equal(k.counter_khz, 2394374);
}

static struct record *ask(const char *tree, int64_t *ret_khz)
{
        CLEANUP(closep) int fd = tree_open(tree);
        struct witness_context ctx = { .root_fd = fd };
        struct record *r = record_new();

        assert_true(fd >= 0);
        assert_int_equal(witness_kernel_log.ask(&ctx, r, NULL), 0);
        if (ret_khz)
                *ret_khz = ctx.kernel_counter_khz;
        return r;
}

static void a_log_with_an_initrd(void **state)
{
        int64_t khz, at;
        CLEANUP(record_freep) struct record *r = ask("kmsg-initrd", &khz);

        (void) state;
        assert_int_equal(khz, 2394374);
        assert_true(record_at(r, "initrd.start", &at));
        assert_int_equal(at, 2820417);
        assert_true(record_at(r, "root.mounted", &at));
        assert_int_equal(at, 25012345);
        assert_true(record_at(r, "gpu.ready", &at));
        assert_int_equal(at, 6012345);
        assert_null(record_find(r, "userspace.start"));
        assert_int_equal(record_find(r, "root.mounted")->n_also, 0);
}

static void a_log_without_an_initrd(void **state)
{
        CLEANUP(record_freep) struct record *r = ask("kmsg-no-initrd", NULL);
        int64_t at;

        (void) state;
        assert_true(record_at(r, "userspace.start", &at));
        assert_int_equal(at, 2000000);
        assert_true(record_at(r, "root.mounted", &at));
        assert_int_equal(at, 1900000);
        assert_string_equal(record_absent_reason(r, "initrd.start"),
                            "the kernel log has no line about it");
}

static void a_log_that_ran_over(void **state)
{
        CLEANUP(record_freep) struct record *r = ask("kmsg-lost", NULL);

        (void) state;
        assert_int_equal(r->n_milestones, 0);
        assert_string_equal(record_absent_reason(r, "root.mounted"),
                            "the kernel log's beginning is lost");
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(heads),
                cmocka_unit_test(clocks),
                cmocka_unit_test(lines),
                cmocka_unit_test(rates),
                cmocka_unit_test(a_log_with_an_initrd),
                cmocka_unit_test(a_log_without_an_initrd),
                cmocka_unit_test(a_log_that_ran_over),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
