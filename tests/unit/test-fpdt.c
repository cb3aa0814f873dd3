/* The firmware's performance table, sane and not, from recorded trees */
#include "tests/test.h"
#include <string.h>
#include "tests/tree.h"
#include "witness/witness.h"

static int ask(const char *tree, int64_t pre_kernel_us, struct record *r, struct fault *fault)
{
        CLEANUP(closep) int fd = tree_open(tree);
        struct witness_context ctx = { .root_fd = fd };

        assert_true(fd >= 0);
        if (pre_kernel_us)
                ctx.pre_kernel =
                        (struct pre_kernel){ .is_known = true, .elapsed_us = pre_kernel_us };
        return witness_fpdt.ask(&ctx, r, fault);
}

static void with_the_counter(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        int64_t at;

        (void) state;
        assert_int_equal(ask("fpdt", 9900000, r, NULL), 0);
        assert_true(record_at(r, "power.on", &at));
        assert_int_equal(at, -9900000);
        assert_true(record_at(r, "loader.start", &at));
        assert_int_equal(at, 5855973 - 9900000);
        assert_true(record_at(r, "loader.end", &at));
        assert_int_equal(at, 9244000 - 9900000);
}

static void without_the_counter(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        int64_t at;

        (void) state;
        assert_int_equal(ask("fpdt", 0, r, NULL), 0);
        assert_true(record_at(r, "power.on", &at));
        assert_int_equal(at, -9244000);
        assert_int_equal(record_find(r, "power.on")->best.error_us, RECORD_ERROR_UNKNOWN);
        assert_true(record_at(r, "loader.end", &at));
        assert_int_equal(at, 0);
}

static void not_believed(void **state)
{
        static const struct {
                const char *tree;
                int64_t pre_kernel_us;
                const char *want;
        } cases[] = {
                { "fpdt-ticks", 9900000, "counted in ticks" },
                { "fpdt-unreset", 0, "1702 s to the kernel" },
                { "fpdt-disorder", 9900000, "out of order" },
                { "fpdt", 4000000, "saw only 4.000 s" },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(record_freep) struct record *r = record_new();
                const struct milestone *m;
                int64_t at;

                assert_int_equal(ask(cases[i].tree, cases[i].pre_kernel_us, r, NULL), 0);
                assert_false(record_at(r, "power.on", &at));
                assert_false(record_at(r, "loader.start", &at));
                m = record_find(r, "power.on");
                assert_non_null(m); /* kept, with the reason */
                assert_non_null(strstr(m->best.implausible, cases[i].want));
        }
}

static void none(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_int_equal(ask("fpdt-empty", 0, r, &fault), -ENODATA);
        assert_int_equal(ask("desktop", 0, r, &fault), -ENOENT);
        assert_non_null(strstr(fault.text, "/sys/firmware/acpi/fpdt/boot/"));
        assert_int_equal(r->n_milestones, 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(with_the_counter),
                cmocka_unit_test(without_the_counter),
                cmocka_unit_test(not_believed),
                cmocka_unit_test(none),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
