/* tests/unit/test-random.c - the generator against published values: a corpus is known by its seed
 */
#include "tests/test.h"
#include "collectors/random.h"

static void splitmix64(void **state)
{
        /* Rosetta Code, "Pseudo-random numbers/Splitmix64", seed 1234567. */
        static const uint64_t want[] = { 6457827717110365317u, 3203168211198807973u,
                                         9817491932198370423u, 4593380528125082431u,
                                         16408922859458223821u };
        uint64_t s = 1234567;

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(want); i++)
                assert_true(random_mix(&s) == want[i]);
}

static void xoshiro256starstar(void **state)
{
        /* The reference vector of the rand_xoshiro crate, made with the authors' C code. */
        static const uint64_t want[] = { 11520u,
                                         0u,
                                         1509978240u,
                                         1215971899390074240u,
                                         1216172134540287360u,
                                         607988272756665600u,
                                         16172922978634559625u,
                                         8476171486693032832u,
                                         10595114339597558777u,
                                         2904607092377533576u };
        struct random_stream r = { .state = { 1, 2, 3, 4 } };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(want); i++)
                assert_true(random_next(&r) == want[i]);
}

static void powers_of_two(void **state)
{
        (void) state;
        assert_int_equal(random_exp2(1000, 0), 1000);
        assert_int_equal(random_exp2(1000, 65536), 2000);
        assert_int_equal(random_exp2(1000, 3 * 65536 + 32768), 12000); /* 2^3.5 is 11.31 */
        assert_int_equal(random_exp2(1000, -65536), 500);
        assert_int_equal(random_exp2(1000, -1), 999); /* just below 2^0, not at 2^-1 */
        assert_int_equal(random_exp2(1000, -32768), 750);
        assert_int_equal(random_exp2(1000, -131072), 250);
}

static void ranges(void **state)
{
        struct random_stream r;
        unsigned seen[7] = { 0 };

        (void) state;
        random_seed(&r, 42, 7);
        for (int i = 0; i < 70000; i++) {
                uint32_t n = random_between(&r, 3, 9);

                assert_in_range(n, 3, 9);
                seen[n - 3]++;
        }
        /* 10,000 each expected, standard deviation 93: six of them for what chance may do. */
        for (size_t i = 0; i < ELEMENTSOF(seen); i++)
                assert_in_range(seen[i], 10000 - 558, 10000 + 558);
}

static void lognormal_median(void **state)
{
        struct random_stream r;
        unsigned below = 0, far = 0;

        (void) state;
        random_seed(&r, 42, 8);
        for (int i = 0; i < 20000; i++) {
                uint64_t n = random_lognormal(&r, 5000, 65536);

                below += n < 5000;
                far += n > 5000 * 4; /* two octaves: two sigma, 2.3 % */
        }
        assert_in_range(below, 10000 - 424, 10000 + 424);
        assert_in_range(far, 455 - 130, 455 + 130);
}

static void streams_differ(void **state)
{
        struct random_stream a, b;

        (void) state;
        random_seed(&a, 1, 1);
        random_seed(&b, 1, 2);
        assert_true(random_next(&a) != random_next(&b));
        random_seed(&b, 2, 0);
        random_seed(&a, 1, 1);
        assert_true(random_next(&a) != random_next(&b));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(splitmix64),       cmocka_unit_test(xoshiro256starstar),
                cmocka_unit_test(powers_of_two),    cmocka_unit_test(ranges),
                cmocka_unit_test(lognormal_median), cmocka_unit_test(streams_differ),
        };

        return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
