/* tests/unit/test-blockdev.c - from a stack of devices to its drives, on trees like /sys/dev/block
 */
#include "tests/test.h"
#include <fcntl.h>
#include <string.h>
#include "collectors/blockdev.h"
#include "tests/tree.h"

/* device() - MAJ:MIN with the name that the kernel's link has, made of @slaves ("8:1 8:17") */
static void device(const struct tree *t, const char *number, const char *name, const char *slaves)
{
        char path[128], link[128];
        CLEANUP(freep) char *rest = strdup(slaves);

        (void) snprintf(path, sizeof path, "devices/%s/dev", name);
        assert_int_equal(tree_put(t->fd, path, number), 0);
        (void) snprintf(path, sizeof path, "devices/%s/stat", name);
        /* reads merged sectors ms, writes merged sectors ms, in flight, ms busy, ms weighted */
        assert_int_equal(
                tree_put(t->fd, path, "  10  1  160  7  20  2  320  8  0  55  66  0 0 0 0 0 0\n"),
                0);
        (void) snprintf(path, sizeof path, "%s", number);
        (void) snprintf(link, sizeof link, "devices/%s", name);
        assert_int_equal(symlinkat(link, t->fd, path), 0);
        for (char *save = NULL, *s = strtok_r(rest, " ", &save); s;
             s = strtok_r(NULL, " ", &save)) {
                (void) snprintf(path, sizeof path, "devices/%s/slaves/%s/dev", name, s);
                assert_int_equal(tree_put(t->fd, path, s), 0);
        }
}

static const char *names(const struct blockdev_set *set)
{
        static char text[256];

        text[0] = '\0';
        for (size_t i = 0; i < set->n_leaves; i++)
                (void) snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                                i ? " " : "", set->leaves[i].name);
        return text;
}

static void stacks(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        struct blockdev_set set;
        struct blockdev_counters c;

        (void) state;
        device(&t, "8:1", "sda1", "");
        device(&t, "8:17", "sdb1", "");
        device(&t, "9:0", "md0", "8:1 8:17");
        device(&t, "253:0", "dm-0", "9:0");       /* crypt on md */
        device(&t, "253:1", "dm-1", "253:0 8:1"); /* LVM on both: sda1 is reached twice */
        device(&t, "253:2", "dm-2", "253:3");     /* a loop, which no kernel makes */
        device(&t, "253:3", "dm-3", "253:2");
        device(&t, "253:4", "dm-4", "1:99"); /* a slave that went away */

        assert_int_equal(blockdev_leaves(t.path, 8, 1, &set), 0);
        assert_string_equal(names(&set), "sda1");
        assert_int_equal(blockdev_leaves(t.path, 253, 1, &set), 0);
        assert_true(strcmp(names(&set), "sda1 sdb1") == 0 || strcmp(names(&set), "sdb1 sda1") == 0);
        assert_true(blockdev_count(&set, &c));
        assert_int_equal(c.reads, 20);
        assert_int_equal(c.read_bytes, 2 * 160 * 512);
        assert_int_equal(c.writes, 40);
        assert_int_equal(c.write_bytes, 2 * 320 * 512);
        assert_int_equal(c.busy_ms, 110);
        assert_int_equal(blockdev_leaves(t.path, 253, 2, &set), -ELOOP);
        assert_int_equal(blockdev_leaves(t.path, 253, 4, &set), -ENOENT);
        assert_int_equal(blockdev_leaves(t.path, 7, 7, &set), -ENOENT);
}

static void loop_device(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        struct blockdev_set set;

        (void) state;
        device(&t, "7:0", "loop0", "");
        /* Its file is gone: then the loop device is the last that can be seen. */
        assert_int_equal(tree_put(t.fd, "devices/loop0/loop/backing_file", "/nowhere/image\n"), 0);
        assert_int_equal(blockdev_leaves(t.path, 7, 0, &set), 0);
        assert_string_equal(names(&set), "loop0");
}

static void without_a_device(void **state)
{
        struct blockdev_set set;
        struct blockdev_counters c;

        (void) state;
        assert_int_equal(blockdev_beneath("/proc", &set), 0);
        assert_int_equal(set.n_leaves, 0);
        assert_true(strstr(set.reason, "no block device") != NULL);
        assert_false(blockdev_count(&set, &c));
        assert_int_equal(blockdev_beneath("/nowhere/at/all", &set), -ENOENT);
}

static void counters_that_cannot_be_read(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        struct blockdev_set set;
        struct blockdev_counters c;

        (void) state;
        device(&t, "8:1", "sda1", "");
        assert_int_equal(blockdev_leaves(t.path, 8, 1, &set), 0);
        assert_int_equal(tree_put(t.fd, "devices/sda1/stat", "10 1\n"), 0);
        assert_false(blockdev_count(&set, &c));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(stacks),
                cmocka_unit_test(loop_device),
                cmocka_unit_test(without_a_device),
                cmocka_unit_test(counters_that_cannot_be_read),
        };

        return cmocka_run_group_tests_name("blockdev", tests, NULL, NULL);
}
