/* The boot loader's EFI variables, from recorded trees, placed on the counter's axis */
#include "tests/test.h"
#include <string.h>
#include "tests/tree.h"
#include "witness/efi.h"
#include "witness/witness.h"

static void decoding(void **state)
{
        static const char plain[] = "\6\0\0\0"
                                    "a\0"
                                    "\xe9\0"
                                    "\xac\x20"
                                    "\0\0"
                                    "x\0";
        static const char pair[] = "\6\0\0\0"
                                   "\x3d\xd8\x00\xde";
        static const char half[] = "\6\0\0\0"
                                   "\x3d\xd8"
                                   "b\0";
        static const char last_half[] = "\6\0\0\0"
                                        "\x3d\xd8";
        static const struct {
                const char *data;
                size_t n_bytes;
                int want;
                const char *text;
        } cases[] = {
                { plain, sizeof plain - 1, 0, "a\xc3\xa9\xe2\x82\xac" },
                { pair, sizeof pair - 1, 0, "\xf0\x9f\x98\x80" },
                { half, sizeof half - 1, 0,
                  "\xef\xbf\xbd"
                  "b" },
                { last_half, sizeof last_half - 1, 0, "\xef\xbf\xbd" },
                { "\6\0\0\0", 4, 0, "" },
                { "\6\0\0", 3, -EINVAL, NULL },    /* attributes cut off */
                { "\6\0\0\0a", 5, -EINVAL, NULL }, /* half a unit */
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(freep) char *text = NULL;

                assert_int_equal(efi_decode_text(cases[i].data, cases[i].n_bytes, &text),
                                 cases[i].want);
                if (cases[i].want == 0)
                        assert_string_equal(text, cases[i].text);
                else
                        assert_null(text);
        }
}

/* ask() - the tree's loader where the counter saw @pre_kernel_us before the kernel; 0: it did not
 */
static int ask(const char *tree, int64_t pre_kernel_us, struct record *r, struct fault *fault)
{
        CLEANUP(closep) int fd = tree_open(tree);
        struct witness_context ctx = { .root_fd = fd };

        assert_true(fd >= 0);
        if (pre_kernel_us)
                ctx.pre_kernel =
                        (struct pre_kernel){ .is_known = true, .elapsed_us = pre_kernel_us };
        return witness_efi.ask(&ctx, r, fault);
}

static int64_t at(const struct record *r, const char *name)
{
        int64_t us;

        if (!record_at(r, name, &us))
                fail_msg("%s is not there", name);
        return us;
}

static void a_menu_that_timed_out(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state;
        assert_int_equal(ask("uefi", 16750000, r, NULL), 0);
        assert_int_equal(at(r, "loader.start"), 8150231 - 16750000);
        assert_int_equal(at(r, "menu.prompt"), 8300000 - 16750000);
        assert_int_equal(at(r, "menu.answered"), 8300000 + 5000000 - 16750000);
        assert_int_equal(at(r, "loader.end"), 13912744 - 16750000); /* 2.8 s of handover remain */
        assert_int_equal(record_find(r, "loader.end")->best.error_us, RECORD_ERROR_UNKNOWN);
        assert_int_equal(r->n_waits, 1);
        assert_string_equal(r->waits[0].kind, "menu");
        assert_int_equal(r->waits[0].to_us - r->waits[0].from_us, 5000000);
        assert_non_null(strstr(record_find(r, "menu.answered")->best.detail, "timeout of 5 s"));
}

static void without_a_menu(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state;
        assert_int_equal(ask("uefi-no-menu", 9500000, r, NULL), 0);
        assert_int_equal(at(r, "loader.end"), 8912744 - 9500000);
        assert_int_equal(r->n_waits, 0);
        assert_string_equal(record_absent_reason(r, "menu.prompt"), "the loader showed no menu");
}

static void an_answer_before_the_timeout(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        const struct efi_times t = {
                .init_us = 1000000, .menu_us = 2000000, .exec_us = 3500000, .timeout_s = 5
        };
        const struct pre_kernel p = { .is_known = true, .elapsed_us = 4000000 };

        (void) state;
        assert_int_equal(efi_enter(r, &t, &p), 0);
        assert_int_equal(at(r, "menu.answered"), at(r, "loader.end"));
        assert_int_equal(record_find(r, "menu.answered")->best.error_us, 1500000);
}

static void not_believed(void **state)
{
        static const struct {
                struct efi_times t;
                int64_t pre_kernel_us;
                const char *implausible, *want;
        } cases[] = {
                { { 8150231, 0, 8912744, 0 }, 2000000, "", "left over from another boot" },
                { { 8150231, 0, 8912744, 0 }, 3700 * (int64_t) US_PER_S, "", "before a kexec" },
                { { 8912744, 0, 8150231, 0 }, 9500000, "", "out of order" },
                { { 8150231, 9000000, 8912744, 0 }, 9500000, "", "out of order" },
                { { 8150231, 0, 8912744, 0 }, 9500000, "started by kexec", "started by kexec" },
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(record_freep) struct record *r = record_new();
                struct pre_kernel p = { .is_known = true, .elapsed_us = cases[i].pre_kernel_us };
                int64_t us;

                (void) snprintf(p.implausible, sizeof p.implausible, "%s", cases[i].implausible);
                assert_int_equal(efi_enter(r, &cases[i].t, &p), 0);
                assert_false(record_at(r, "loader.start", &us));
                assert_non_null(
                        strstr(record_find(r, "loader.start")->best.implausible, cases[i].want));
                assert_int_equal(r->n_waits, 0); /* no total may see a wait of another boot */
        }
}

static void what_is_missing_is_named(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_int_equal(ask("uefi-no-times", 9500000, r, &fault), -ENODATA);
        assert_non_null(strstr(fault.text, "LoaderTimeInitUSec"));
        assert_int_equal(ask("uefi-damaged", 9500000, r, &fault), -ENODATA);
        assert_int_equal(ask("uefi", 0, r, &fault), -ENODATA);
        assert_non_null(strstr(fault.text, "no counter"));
        assert_int_equal(ask("desktop", 9500000, r, &fault), -ENOENT);
        assert_non_null(strstr(fault.text, "EFI firmware"));
        assert_int_equal(r->n_milestones, 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(decoding),       cmocka_unit_test(a_menu_that_timed_out),
                cmocka_unit_test(without_a_menu), cmocka_unit_test(an_answer_before_the_timeout),
                cmocka_unit_test(not_believed),   cmocka_unit_test(what_is_missing_is_named),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
