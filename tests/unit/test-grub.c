/* GRUB's clock on the kernel's command line, placed by what the kernel read from the same clock */
#include "tests/test.h"
#include "tests/tree.h"
#include "witness/witness.h"

#define RTC_S INT64_C(1796096668) /* 2026-12-01T03:44:28 */
#define RTC_US 6575336

/* ask() - a machine with that command line, whose counter saw @pre_kernel_us before the kernel */
static int ask(const char *cmdline, int64_t pre_kernel_us, struct record *r, struct fault *fault)
{
        struct tree t = tree_make();
        struct witness_context ctx = { .root_fd = t.fd,
                                       .rtc = { .at_us = RTC_US, .epoch_s = RTC_S } };
        int code;

        if (pre_kernel_us)
                ctx.pre_kernel =
                        (struct pre_kernel){ .is_known = true, .elapsed_us = pre_kernel_us };
        assert_int_equal(tree_put(t.fd, "proc/cmdline", cmdline), 0);
        code = witness_grub.ask(&ctx, r, fault);
        tree_remove(&t);
        return code;
}

static int64_t at(const struct record *r, const char *name)
{
        int64_t us;

        if (!record_at(r, name, &us))
                fail_msg("%s is not there", name);
        return us;
}

static void placed_by_the_same_clock(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state;
        assert_int_equal(
                ask("quiet bootlap.grub=2026-12-1T3:44:10,2026-12-1T3:44:20 rw\n", 0, r, NULL), 0);
        assert_int_equal(at(r, "loader.start"), RTC_US - 18 * US_PER_S);
        assert_int_equal(at(r, "loader.end"), RTC_US - 8 * US_PER_S);
        assert_int_equal(record_find(r, "loader.end")->best.error_us, US_PER_S);
        assert_string_equal(record_find(r, "loader.end")->best.detail, "2026-12-1T3:44:20");
}

static void between_the_reset_and_the_kernel(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state; /* 11.4 s and -0.6 s by the clock's whole seconds */
        assert_int_equal(ask("bootlap.grub=2026-12-1T3:44:10,2026-12-1T3:44:22", 11000000, r, NULL),
                         0);
        assert_int_equal(at(r, "loader.start"), -11000000);
        assert_int_equal(at(r, "loader.end"), 0);
}

static void not_believed(void **state)
{
        static const struct {
                const char *cmdline, *want;
        } cases[] = {
                { "bootlap.grub=2026-12-1T3:24:10,2026-12-1T3:24:22",
                  "before the machine's start" },
                { "bootlap.grub=2026-12-1T3:44:40,2026-12-1T3:44:41", "after the kernel's start" },
                { "bootlap.grub=9999-12-31T23:59:59,1970-1-1T0:0:0", "after the kernel's start" },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(record_freep) struct record *r = record_new();
                int64_t us;

                assert_int_equal(ask(cases[i].cmdline, 20000000, r, NULL), 0);
                assert_false(record_at(r, "loader.start", &us));
                assert_non_null(
                        strstr(record_find(r, "loader.start")->best.implausible, cases[i].want));
        }
}

static void no_times(void **state)
{
        static const char *const cmdlines[] = {
                "bootlap.grub=,--T::",
                "bootlap.grub=2026-13-1T3:44:10,2026-12-1T24:44:22",
                "bootlap.grub=2026-12-1T3:44:10x,99999999999-1-1T1:1:1",
                "bootlap.grub=0-0-0T0:0:0,2026-12-1T3:44",
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cmdlines); i++) {
                CLEANUP(record_freep) struct record *r = record_new();

                assert_int_equal(ask(cmdlines[i], 0, r, NULL), 0);
                assert_int_equal(r->n_milestones, 0);
                assert_non_null(strstr(record_absent_reason(r, "loader.start"), "did not tell"));
                assert_non_null(strstr(record_absent_reason(r, "loader.end"), "did not tell"));
        }
}

static void not_for_us(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_int_equal(
                ask("quiet notbootlap.grub=2026-12-1T3:44:10,2026-12-1T3:44:22", 0, r, NULL), 0);
        assert_int_equal(ask("", 0, r, NULL), 0);
        assert_int_equal(r->n_milestones + r->n_absent, 0);
        assert_int_equal(ask("bootlap.grub=2026-12-1T3:44:10", 0, r, &fault), -EINVAL);
        assert_non_null(strstr(fault.text, "want two times"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(placed_by_the_same_clock),
                cmocka_unit_test(between_the_reset_and_the_kernel),
                cmocka_unit_test(not_believed),
                cmocka_unit_test(no_times),
                cmocka_unit_test(not_for_us),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
