/* tests/unit/test-disk.c - where the profile's rows read, and what figures say about themselves */
#include "tests/test.h"
#include <math.h>
#include <string.h>
#include "collectors/cipher_cost.h"
#include "collectors/disk_pattern.h"
#include "collectors/spread.h"
#include "tests/tree.h"

static const struct medium_case {
        const char *what;
        struct disk_medium medium;
} medium_cases[] = {
        { "the smallest", { 1 << 20, 512 } },
        { "the smallest with sectors of 4096", { 8 << 20, 4096 } },
        { "no power of two", { UINT64_C(1000215216128), 512 } },
        { "1 GiB", { 1 << 30, 512 } },
        { "4 TB with sectors of 4096", { UINT64_C(4000787030016), 4096 } },
};

static void no_row_leaves_the_medium(void **state)
{
        const struct medium_case *c = *state;

        assert_true(disk_medium_is_large_enough(&c->medium));
        for (size_t k = 0; k < DISK_N_ROWS; k++) {
                struct disk_row row = disk_row(&c->medium, k);

                assert_true(row.n_reads > 0);
                assert_int_equal(row.first_bytes, disk_row_offset(&c->medium, k, 0));
                for (uint32_t i = 0; i < row.n_reads; i++) {
                        uint64_t at = disk_row_offset(&c->medium, k, i);

                        assert_int_equal(at % c->medium.sector_bytes, 0);
                        assert_in_range(at, 0, c->medium.size_bytes - row.read_bytes);
                }
        }
}

/* diskinfo's own places on 1 GiB of 512-byte sectors: its step is then 2048 sectors. */
static void places_are_those_of_diskinfo(void **state)
{
        static const struct {
                const char *name;
                uint32_t n_reads;
                uint64_t sectors[3]; /* of the first reads */
                uint64_t last;
        } want[DISK_N_ROWS] = {
                { "full_stroke", 250, { 0, 2095104, 2048 }, 2095104 - 124 * 2048 },
                { "half_stroke", 250, { 524288, 1572864, 526336 }, 1572864 + 124 * 2048 },
                { "quarter_stroke", 500, { 524288, 1048576, 526336 }, 1048576 + 249 * 2048 },
                { "short_forward", 400, { 1048576, 1050624, 1052672 }, 1048576 + 399 * 2048 },
                { "short_backward", 400, { 1048576, 1046528, 1044480 }, 1048576 - 399 * 2048 },
                { "seq_outer", 2048, { 0, 1, 2 }, 2047 },
                { "seq_inner", 2048, { 2095104, 2095105, 2095106 }, 2097151 },
                { "outside", 100, { 0, 2048, 4096 }, 99 * 2048 },
                { "middle", 100, { 946176, 948224, 950272 }, 946176 + 99 * 2048 },
                { "inside", 100, { 1892352, 1894400, 1896448 }, 1892352 + 99 * 2048 },
        };
        const struct disk_medium m = { 1 << 30, 512 };

        (void) state;
        for (size_t k = 0; k < DISK_N_ROWS; k++) {
                struct disk_row row = disk_row(&m, k);

                assert_string_equal(row.name, want[k].name);
                assert_int_equal(row.n_reads, want[k].n_reads);
                for (uint32_t i = 0; i < 3; i++)
                        assert_int_equal(disk_row_offset(&m, k, i), want[k].sectors[i] * 512);
                assert_int_equal(disk_row_offset(&m, k, row.n_reads - 1), want[k].last * 512);
        }
}

static void a_large_drive_has_the_largest_step(void **state)
{
        const struct disk_medium m = { UINT64_C(500107862016), 512 };

        (void) state;
        assert_int_equal(disk_row_offset(&m, 3, 1) - disk_row_offset(&m, 3, 0), 16384 * 512);
}

static void what_is_too_small(void **state)
{
        (void) state;
        assert_false(disk_medium_is_large_enough(&(struct disk_medium){ (1 << 20) - 512, 512 }));
        assert_false(disk_medium_is_large_enough(&(struct disk_medium){ 1 << 20, 4096 }));
        assert_false(disk_medium_is_large_enough(&(struct disk_medium){ 0, 512 }));
}

static void moments_and_quantiles(void **state)
{
        double v[] = { 9, 4, 5, 2, 4, 7, 4, 5 }, one[] = { 3 };
        struct spread s;

        (void) state;
        spread_sort(v, ELEMENTSOF(v));
        s = spread_of(v, ELEMENTSOF(v));
        assert_true(s.low == 2 && s.high == 9 && s.average == 5 && s.median == 4.5);
        assert_true(fabs(s.sd - 2.1380899352993952) < 1e-12); /* R: sd(c(2,4,4,4,5,5,7,9)) */
        assert_true(spread_quantile(v, ELEMENTSOF(v), 0) == 2);
        assert_true(spread_quantile(v, ELEMENTSOF(v), 1) == 9);
        assert_true(fabs(spread_quantile(v, ELEMENTSOF(v), 0.9) - 7.6) < 1e-12); /* R: type 7 */
        s = spread_of(one, 1);
        assert_true(s.low == 3 && s.high == 3 && s.median == 3 && isnan(s.sd));
}

/* Levels from the binomial law's tables. */
static const struct interval_case {
        const char *what;
        size_t n, low, high;
        double level;
        bool reached;
} interval_cases[] = {
        { "one figure has no interval", 1, 0, 0, 0, false },
        { "five cannot reach 95 %", 5, 0, 4, 0.9375, false },
        { "six just can", 6, 0, 5, 0.96875, true },
        { "ten", 10, 1, 8, 0.978515625, true },
        { "twenty", 20, 5, 14, 0.958610534668, true },
        { "a thousand", 1000, 468, 531, 0.9537088026, true },
        { "more than a double's range of powers", 3000, 1445, 1554, 0.9534335506, true },
};

static void interval_of_a_median(void **state)
{
        const struct interval_case *c = *state;
        size_t low, high;
        double level;

        assert_int_equal(spread_median_interval(c->n, 0.95, &low, &high, &level), c->reached);
        assert_int_equal(low, c->low);
        assert_int_equal(high, c->high);
        assert_true(fabs(level - c->level) < 1e-9);
}

static void ciphers_in_two(void **state)
{
        char cipher[16], mode[16];

        (void) state;
        assert_true(cipher_cost_split("aes-xts-plain64", cipher, mode, sizeof cipher));
        assert_string_equal(cipher, "aes");
        assert_string_equal(mode, "xts-plain64");
        assert_true(cipher_cost_split("aes-cbc-essiv:sha", cipher, mode, sizeof cipher));
        assert_string_equal(mode, "cbc-essiv:sha");
        assert_false(cipher_cost_split("capi:xts(aes)-plain64", cipher, mode, sizeof cipher));
        assert_false(cipher_cost_split("aes", cipher, mode, sizeof cipher));
        assert_false(cipher_cost_split("-xts", cipher, mode, sizeof cipher));
        assert_false(cipher_cost_split("aes-", cipher, mode, sizeof cipher));
        assert_false(cipher_cost_split("aes-seventeen-letters", cipher, mode, sizeof cipher));
}

/* A recorded machine: that there is dm-crypt stands in sysfs, its cipher in the kernel alone. */
static void what_a_path_lies_on(void **state)
{
        static const struct {
                const char *machine;
                bool is_there;
        } want[] = { { "luks2-lvm-md", true }, { "sata-5400", false } };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(want); i++) {
                CLEANUP(tree_remove) struct tree tree = tree_make();
                struct machine_context m = MACHINE_CONTEXT_NULL;
                struct cipher_cost c = CIPHER_COST_NULL;
                char command[512];

                (void) snprintf(command, sizeof command,
                                "sh '%s/tests/unpack-tree' '%s/tests/data/machine/%s.tree' %s",
                                getenv("srcdir"), getenv("srcdir"), want[i].machine, tree.path);
                assert_int_equal(system(command), 0);
                assert_int_equal(machine_open(&m, tree.path, NULL), 0);
                cipher_cost_read(&c, &m, "/");
                machine_close(&m);
                assert_int_equal(c.is_there, want[i].is_there);
                assert_string_equal(c.cipher, "");
                assert_string_equal(c.why,
                                    want[i].is_there ? "only the running device mapper tells" : "");
        }
}

static struct harness empty_harness(void)
{
        return (struct harness){ .samples = json_array(), .warnings = json_array() };
}

/* What cannot be told is a warning and no failure. */
static void a_cost_that_is_not_known(void **state)
{
        struct harness h = empty_harness();
        struct cipher_cost c = CIPHER_COST_NULL;
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_int_equal(cipher_cost_measure(&c, &h, &fault), 0);
        assert_int_equal(json_array_size(h.warnings), 0);
        c.is_there = true;
        (void) snprintf(c.why, sizeof c.why, "reasons");
        assert_int_equal(cipher_cost_measure(&c, &h, &fault), 0);
        assert_string_equal(json_string_value(json_array_get(h.warnings, 0)),
                            "it lies on dm-crypt, whose cost is not known: reasons");
        c.why[0] = '\0';
        (void) snprintf(c.cipher, sizeof c.cipher, "none-at-all");
        c.key_bits = 512;
        assert_int_equal(cipher_cost_measure(&c, &h, &fault), 0);
        assert_int_equal(json_array_size(h.warnings), 2);
        assert_int_equal(json_array_size(h.samples), 0);
        json_decref(h.samples);
        json_decref(h.warnings);
}

/* The real thing, where this kernel lends ciphers to programs: the rate of the one by the rate of a
 * file in the place of the drive. */
static void a_cost_that_is(void **state)
{
        static char block[1 << 20];
        CLEANUP(tree_remove) struct tree tree = tree_make();
        CLEANUP(cipher_cost_done) struct cipher_cost c = CIPHER_COST_NULL;
        struct harness h = empty_harness();
        struct fault fault = FAULT_NULL;
        const json_t *values;
        char path[96];
        FILE *f;

        (void) state;
        (void) snprintf(path, sizeof path, "%s/drive", tree.path);
        f = fopen(path, "w");
        assert_non_null(f);
        for (size_t i = 0; i < 8; i++)
                assert_int_equal(fwrite(block, sizeof block, 1, f), 1);
        assert_int_equal(fclose(f), 0);
        c.is_there = true;
        c.key_bits = 512;
        (void) snprintf(c.cipher, sizeof c.cipher, "aes-xts-plain64");
        if (disk_target_open(&c.drive, path, &fault) < 0) {
                print_message("# not tried: %s\n", fault.text);
        } else {
                assert_int_equal(cipher_cost_measure(&c, &h, &fault), 0);
                if (json_array_size(h.samples) == 0) {
                        print_message("# %s\n", json_string_value(json_array_get(h.warnings, 0)));
                        assert_int_equal(json_array_size(h.warnings), 1);
                } else {
                        values = json_object_get(json_array_get(h.samples, 0), "values");
                        assert_int_equal(json_object_size(values), 3);
                }
        }
        json_decref(h.samples);
        json_decref(h.warnings);
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(medium_cases) + ELEMENTSOF(interval_cases) + 8] = {
                cmocka_unit_test(places_are_those_of_diskinfo),
                cmocka_unit_test(a_large_drive_has_the_largest_step),
                cmocka_unit_test(what_is_too_small),
                cmocka_unit_test(moments_and_quantiles),
                cmocka_unit_test(ciphers_in_two),
                cmocka_unit_test(what_a_path_lies_on),
                cmocka_unit_test(a_cost_that_is_not_known),
                cmocka_unit_test(a_cost_that_is),
        };
        size_t n = 8;

        for (size_t i = 0; i < ELEMENTSOF(medium_cases); i++)
                tests[n++] = (struct CMUnitTest){ .name = medium_cases[i].what,
                                                  .test_func = no_row_leaves_the_medium,
                                                  .initial_state = (void *) &medium_cases[i] };
        for (size_t i = 0; i < ELEMENTSOF(interval_cases); i++)
                tests[n++] = (struct CMUnitTest){ .name = interval_cases[i].what,
                                                  .test_func = interval_of_a_median,
                                                  .initial_state = (void *) &interval_cases[i] };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
