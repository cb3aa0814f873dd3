/* tests/unit/test-x11-setup.c - a setup reply is believed only when its parts fit into it */
#include "tests/test.h"
#include <string.h>
#include <xcb/xcb.h>
#include "witness/x11_setup.h"

/* A server with one screen of one depth with two visuals, as bytes. */
struct made {
        xcb_setup_t setup;
        char vendor[8];
        xcb_format_t format;
        xcb_screen_t screen;
        xcb_depth_t depth;
        xcb_visualtype_t visuals[2];
};

static struct made made(void)
{
        struct made m = { .setup = { .status = 1,
                                     .protocol_major_version = 11,
                                     .resource_id_base = 0x200000,
                                     .resource_id_mask = 0x1fffff,
                                     .vendor_len = 6, /* padded to 8 */
                                     .roots_len = 1,
                                     .pixmap_formats_len = 1 },
                          .screen = { .allowed_depths_len = 1 },
                          .depth = { .visuals_len = 2 } };

        return m;
}

static void one_that_fits(void **state)
{
        struct made m = made();

        (void) state;
        assert_true(x11_setup_is_sane(&m, sizeof m));
        assert_false(x11_setup_is_sane(&m, sizeof m - 1));
        assert_false(x11_setup_is_sane(&m, 0));
}

static void lengths_that_lead_outside(void **state)
{
        struct made m = made();

        (void) state;
        m.depth.visuals_len = 3;
        assert_false(x11_setup_is_sane(&m, sizeof m));
        m = made();
        m.screen.allowed_depths_len = 255;
        assert_false(x11_setup_is_sane(&m, sizeof m));
        m = made();
        m.setup.roots_len = 2;
        assert_false(x11_setup_is_sane(&m, sizeof m));
        m = made();
        m.setup.vendor_len = 0xffff;
        assert_false(x11_setup_is_sane(&m, sizeof m));
        m = made();
        m.setup.pixmap_formats_len = 255;
        assert_false(x11_setup_is_sane(&m, sizeof m));
}

static void claims_that_no_server_makes(void **state)
{
        struct made m = made();

        (void) state;
        m.setup.roots_len = 0;
        assert_false(x11_setup_is_sane(&m, sizeof m));
        m = made();
        m.setup.protocol_major_version = 10;
        assert_false(x11_setup_is_sane(&m, sizeof m));
        m = made();
        m.setup.resource_id_mask = 0;
        assert_false(x11_setup_is_sane(&m, sizeof m));
        m = made();
        m.setup.resource_id_base = 0x100000;
        assert_false(x11_setup_is_sane(&m, sizeof m));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(one_that_fits),
                cmocka_unit_test(lengths_that_lead_outside),
                cmocka_unit_test(claims_that_no_server_makes),
        };

        return cmocka_run_group_tests_name("x11_setup", tests, NULL, NULL);
}
