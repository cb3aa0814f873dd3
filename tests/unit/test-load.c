/* tests/unit/test-load.c - CPUs and disks from small trees that look like /proc and /sys */
#include "tests/test.h"
#include "daemon/probes/load.h"
#include "tests/tree.h"

#define MS ((int64_t) 1000000)

/* CPUs in ticks of 10 ms: user nice system idle iowait irq softirq steal guest guest_nice */
static void put_cpus(const struct tree *t, int idle, int iowait, int steal)
{
        char text[256];

        (void) snprintf(text, sizeof text,
                        "cpu  100 0 50 %d %d 0 0 %d 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
                        "cpu1 1 1 1 1 1 1 1 1 1 1\nintr 5 0\nctxt 7\n",
                        idle, iowait, steal);
        assert_int_equal(tree_put(t->fd, "proc/stat", text), 0);
}

static void put_disk(const struct tree *t, const char *name, const char *slave, int busy_ms)
{
        char path[128], text[128];

        (void) snprintf(path, sizeof path, "sys/block/%s/stat", name);
        (void) snprintf(text, sizeof text, "  9 1 80 7 3 2 40 5 0 %d 12 0 0 0 0 0 0\n", busy_ms);
        assert_int_equal(tree_put(t->fd, path, text), 0);
        (void) snprintf(path, sizeof path, "sys/block/%s/slaves/%s", name, slave ? slave : "");
        tree_mkdirs(t->fd, path);
        if (slave)
                assert_int_equal(tree_put(t->fd, path, ""), 0);
}

static void read_at(struct load_reader *r, int64_t at_ms, int want, struct load *ret)
{
        struct fault fault = FAULT_NULL;

        assert_int_equal(load_read(r, at_ms * MS, ret, &fault), want);
}

static void cpus_are_what_is_not_idle(void **state)
{
        static const struct {
                int idle, iowait, steal, want;
        } steps[] = {
                { 20, 0, 0, 0 },  /* 2 CPUs for 100 ms are 20 ticks */
                { 16, 0, 0, 20 }, /* one fifth */
                { 0, 0, 0, 100 }, /* */
                { 10, 10, 0, 0 }, /* waiting for a disk is not work */
                { 10, 0, 10, 0 }, /* nor is what another guest took */
                { 15, -20, 0, 25 } /* the kernel's count of waiting goes back at times */,
                { 25, 0, 0, 0 }, /* ticks that came late */
        };
        struct tree t = tree_make();
        struct load_reader r;
        struct load l;
        int idle = 500, iowait = 40, steal = 7;

        (void) state;
        put_cpus(&t, idle, iowait, steal);
        assert_int_equal(load_reader_init(&r, t.fd, 0, NULL), 0);
        read_at(&r, 1000, 0, &l);
        for (size_t i = 0; i < ELEMENTSOF(steps); i++) {
                idle += steps[i].idle;
                iowait += steps[i].iowait;
                steal += steps[i].steal;
                put_cpus(&t, idle, iowait, steal);
                read_at(&r, 1100 + 100 * (int64_t) i, 1, &l);
                if (steps[i].iowait >= 0)
                        assert_int_equal(l.cpu_percent, steps[i].want);
                assert_int_equal(l.end_ns - l.start_ns, 100 * MS);
                assert_int_equal(l.disk_percent, 0);
        }
        load_reader_done(&r);
        tree_remove(&t);
}

static void the_busiest_leaf_disk_counts(void **state)
{
        struct tree t = tree_make();
        struct load_reader r;
        struct load l;

        (void) state;
        put_cpus(&t, 0, 0, 0);
        put_disk(&t, "sda", NULL, 1000);
        put_disk(&t, "nvme0n1", NULL, 0);
        put_disk(&t, "dm-0", "sda", 1000);
        put_disk(&t, "bcache0", "sda", 1000);
        put_disk(&t, "loop0", NULL, 1000);
        put_disk(&t, "zram0", NULL, 1000);
        assert_int_equal(load_reader_init(&r, t.fd, 0, NULL), 0);
        read_at(&r, 1000, 0, &l);
        put_disk(&t, "sda", NULL, 1010);
        put_disk(&t, "nvme0n1", NULL, 30);
        put_disk(&t, "dm-0", "sda", 1100);
        put_disk(&t, "bcache0", "sda", 1100);
        put_disk(&t, "loop0", NULL, 1100);
        put_disk(&t, "zram0", NULL, 1100);
        read_at(&r, 1100, 1, &l);
        assert_int_equal(l.disk_percent, 30);
        assert_string_equal(l.disk, "nvme0n1");
        read_at(&r, 1200, 1, &l);
        assert_int_equal(l.disk_percent, 0);
        load_reader_done(&r);
        tree_remove(&t);
}

/* Its count so far is not what it did in the last 100 ms; and one that goes is no trouble. */
static void disks_come_and_go(void **state)
{
        struct tree t = tree_make();
        struct load_reader r;
        struct load l;
        char command[128];

        (void) state;
        put_cpus(&t, 0, 0, 0);
        put_disk(&t, "sdb", NULL, 5000);
        assert_int_equal(load_reader_init(&r, t.fd, 0, NULL), 0);
        read_at(&r, 1000, 0, &l);
        put_disk(&t, "sdc", NULL, 5000); /* found with the next look for disks, a second later */
        put_disk(&t, "sdb", NULL, 5500);
        read_at(&r, 2000, 1, &l);
        assert_int_equal(l.disk_percent, 50);
        assert_string_equal(l.disk, "sdb");
        put_disk(&t, "sdc", NULL, 5100);
        read_at(&r, 2100, 1, &l);
        assert_int_equal(l.disk_percent, 100);
        assert_string_equal(l.disk, "sdc");
        (void) snprintf(command, sizeof command, ": >%s/sys/block/sdc/stat", t.path);
        assert_int_equal(system(command), 0);
        read_at(&r, 2200, 1, &l);
        assert_int_equal(l.disk_percent, 0);
        assert_int_equal(r.n_disks, 1);
        load_reader_done(&r);
        tree_remove(&t);
}

static void our_own_work_is_not_the_machines(void **state)
{
        static const char self[] = "proc/77/schedstat", child[] = "proc/4242/schedstat";
        struct tree t = tree_make();
        struct load_reader r;
        struct load l;

        (void) state;
        put_cpus(&t, 0, 0, 0);
        assert_int_equal(tree_put(t.fd, self, "1000000000 5 6\n"), 0);
        assert_int_equal(tree_put(t.fd, "proc/77/task/77/children", "4242 \n"), 0);
        assert_int_equal(tree_put(t.fd, child, "3000000 5 6\n"), 0);
        assert_int_equal(load_reader_init(&r, t.fd, 77, NULL), 0);
        read_at(&r, 1000, 0, &l);
        put_cpus(&t, 10, 0, 0); /* 100 of 200 ms */
        assert_int_equal(tree_put(t.fd, self, "1040000000 5 6\n"), 0);
        assert_int_equal(tree_put(t.fd, child, "33000000 5 6\n"), 0);
        read_at(&r, 1100, 1, &l);
        assert_int_equal(l.cpu_percent, 15); /* less 40 and 30 */
        load_reader_done(&r);
        tree_remove(&t);
}

static void nonsense_is_refused(void **state)
{
        static const char *const texts[] = { "", "cpus\n", "cpu  1 2 3\n",
                                             "cpu  1 2 3 4 5 6 7 8\n" };
        struct tree t = tree_make();
        struct load_reader r;
        struct load l;

        (void) state;
        assert_int_equal(load_reader_init(&r, t.fd, 0, NULL), -ENOENT);
        load_reader_done(&r);
        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                struct fault fault = FAULT_NULL;

                assert_int_equal(tree_put(t.fd, "proc/stat", texts[i]), 0);
                assert_int_equal(load_reader_init(&r, t.fd, 0, &fault), 0);
                assert_int_equal(load_read(&r, 5, &l, &fault), -EPROTO);
                assert_true(fault.text[0] != '\0');
                load_reader_done(&r);
        }
        tree_remove(&t);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(cpus_are_what_is_not_idle),
                cmocka_unit_test(the_busiest_leaf_disk_counts),
                cmocka_unit_test(disks_come_and_go),
                cmocka_unit_test(our_own_work_is_not_the_machines),
                cmocka_unit_test(nonsense_is_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
