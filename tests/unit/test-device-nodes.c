/* Births of device nodes in trees made for the test: plain files have births as nodes do */
#include "tests/test.h"
#include <string.h>
#include <time.h>
#include "tests/tree.h"
#include "witness/witness.h"

static struct record *ask(int fd)
{
        struct witness_context ctx = { .root_fd = fd,
                                       .now = clock_tuple_now(),
                                       .wall = { .is_checked = true } };
        struct record *r = record_new();

        assert_int_equal(witness_device_nodes.ask(&ctx, r, NULL), 0);
        return r;
}

static void link_driver(int fd, const char *card, const char *driver)
{
        char path[128], target[128];

        (void) snprintf(path, sizeof path, "sys/class/drm/%s/device/driver", card);
        (void) snprintf(target, sizeof target, "../../../../bus/pci/drivers/%s", driver);
        tree_mkdirs(fd, path);
        assert_int_equal(symlinkat(target, fd, path), 0);
}

static void an_encrypted_machine_with_a_screen(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        int64_t before_us = birth_clock_us();
        CLEANUP(record_freep) struct record *r = NULL;
        const struct milestone *m;
        size_t n_mapped = 0;

        (void) state;
        assert_int_equal(tree_put(t.fd, "sys/block/dm-0/dm/uuid", "CRYPT-LUKS2-00-cryptroot\n"), 0);
        assert_int_equal(tree_put(t.fd, "sys/block/dm-0/dm/name", "cryptroot\n"), 0);
        assert_int_equal(tree_put(t.fd, "sys/block/dm-1/dm/uuid", "LVM-abc\n"), 0);
        assert_int_equal(tree_put(t.fd, "sys/block/dm-1/dm/name", "vg-root\n"), 0);
        assert_int_equal(tree_put(t.fd, "sys/block/dm-2/dm/uuid", "CRYPT-PLAIN-crypthome\n"), 0);
        assert_int_equal(tree_put(t.fd, "sys/block/dm-2/dm/name", "crypthome\n"), 0);
        assert_int_equal(tree_put(t.fd, "sys/block/sda/size", "1\n"), 0);
        assert_int_equal(tree_put(t.fd, "dev/dm-0", ""), 0);
        assert_int_equal(tree_put(t.fd, "dev/dm-1", ""), 0);
        assert_int_equal(tree_put(t.fd, "dev/dm-2", ""), 0);
        assert_int_equal(tree_put(t.fd, "dev/dri/card0", ""), 0);
        assert_int_equal(tree_put(t.fd, "dev/dri/card1", ""), 0);
        assert_int_equal(tree_put(t.fd, "dev/dri/renderD128", ""), 0);
        link_driver(t.fd, "card0", "simple-framebuffer");
        link_driver(t.fd, "card1", "i915");
        r = ask(t.fd);
        for (size_t i = 0; i < r->n_milestones; i++) {
                m = &r->milestones[i];
                if (strcmp(m->name, "unlock.mapped") != 0)
                        continue;
                n_mapped++;
                assert_true(strcmp(m->session, "cryptroot") == 0 ||
                            strcmp(m->session, "crypthome") == 0);
                assert_true(m->best.at_us >= before_us);
                assert_true(m->best.at_us - m->best.error_us <= clock_us(CLOCK_BOOTTIME));
        }
        assert_int_equal(n_mapped, 2);
        m = record_find(r, "gpu.ready");
        assert_non_null(m);
        assert_string_equal(m->best.detail, "card1 i915");
        assert_int_equal(m->n_also, 0); /* the firmware's frame buffer is no card */
}

static void a_server(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(record_freep) struct record *r = NULL;

        (void) state;
        assert_int_equal(tree_put(t.fd, "sys/block/sda/size", "1\n"), 0);
        r = ask(t.fd);
        assert_int_equal(r->n_milestones, 0);
        assert_string_equal(record_absent_reason(r, "unlock.mapped"), "no encrypted disk is open");
        assert_string_equal(record_absent_reason(r, "unlock.prompt"), "no encrypted disk is open");
        assert_non_null(strstr(record_absent_reason(r, "gpu.ready"), "/dev/dri"));
}

static void a_mapping_without_a_node(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(record_freep) struct record *r = NULL;

        (void) state;
        assert_int_equal(tree_put(t.fd, "sys/block/dm-0/dm/uuid", "CRYPT-LUKS2-00-x\n"), 0);
        r = ask(t.fd);
        assert_non_null(strstr(record_absent_reason(r, "unlock.mapped"), "/dev/dm-0"));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(an_encrypted_machine_with_a_screen),
                cmocka_unit_test(a_server),
                cmocka_unit_test(a_mapping_without_a_node),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
