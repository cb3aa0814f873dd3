/* tests/unit/test-collect.c - which program is run under a collector's name, and which is refused
 */
#include "tests/test.h"
#include "record/collect.h"

static void entering(void **state)
{
        static const char text[] =
                "{\"schema\":\"bootlap.result/1\",\"collector\":\"x\",\"samples\":["
                "{\"workload\":\"a\",\"run\":1,\"values\":{\"v\":{\"value\":1,\"unit\":\"s\"}}},"
                "{\"workload\":\"a\",\"run\":2,\"values\":{}},"
                "{\"workload\":\"b\",\"run\":1,\"values\":{}}],\"warnings\":[\"w\"]}";
        CLEANUP(record_freep) struct record *r = record_new();
        struct collected failed = { .status = COLLECT_FAILED, .reason = "why" };

        (void) state;
        assert_non_null(r);
        assert_int_equal(collect_enter(r, "x", &failed, NULL), 0);
        assert_string_equal(record_absent_reason(r, "collector.x"), "why");
        for (unsigned i = 0; i < 2; i++) {
                CLEANUP(collected_done) struct collected c = { .status = COLLECT_MEASURED };

                assert_int_equal(result_read(text, sizeof text - 1, &c.result, NULL), 0);
                assert_int_equal(collect_enter(r, "x", &c, NULL), 0);
                assert_null(record_absent_reason(r, "collector.x"));
                assert_int_equal(r->n_samples, 3 * (i + 1));
                assert_int_equal(r->samples[3 * i].run, 1 + 2 * i); /* numbered on */
                assert_int_equal(r->samples[3 * i + 1].run, 2 + 2 * i);
                assert_int_equal(r->samples[3 * i + 2].run, 1 + i);
        }
        assert_string_equal(r->warnings[0], "x: w");
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(entering),
        };

        return cmocka_run_group_tests_name("collect", tests, NULL, NULL);
}
