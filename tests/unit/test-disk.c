/* tests/unit/test-disk.c - where the profile's rows read, and what figures say about themselves */
#include "tests/test.h"
#include <math.h>
#include <string.h>
#include "collectors/disk_pattern.h"
#include "collectors/spread.h"

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

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(medium_cases) + ELEMENTSOF(interval_cases) + 4] = {
                cmocka_unit_test(places_are_those_of_diskinfo),
                cmocka_unit_test(a_large_drive_has_the_largest_step),
                cmocka_unit_test(what_is_too_small),
                cmocka_unit_test(moments_and_quantiles),
        };
        size_t n = 4;

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
