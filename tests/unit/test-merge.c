/* A boot that is measured again keeps what was known of it */
#include "tests/test.h"
#include <string.h>
#include "record/merge.h"

static struct record *seen_earlier(void)
{
        struct record *r = record_new();
        struct sample s;

        r->start.monotonic_us = 10;
        r->boot_kind = strdup("cold");
        assert_int_equal(record_see_at(r, "x.socket", 5000100, 4000, "socket birth", "Xorg"), 0);
        assert_int_equal(record_see_at(r, "x.ready", 6000000, 900, "x11 probe", NULL), 0);
        assert_int_equal(record_see_at(r, "user.backup", 7000000, 0, "mark", NULL), 0);
        assert_int_equal(record_add_absent(r, "wm.ready", "probe was killed"), 0);
        assert_int_equal(record_add_absent(r, "odd.thing", "nobody looked"), 0);
        assert_int_equal(record_add_wait(r, "unlock", "root", 1, 2, 3), 0);
        assert_int_equal(record_add_unit(r, "slow.service", 1, 2), 0);
        assert_int_equal(record_add_warning(r, "the clock was set"), 0);
        assert_int_equal(record_set_string(r->labels, "drive", "old"), 0);
        assert_int_equal(record_set_string(r->config, "gpu.driver", "i915"), 0);
        assert_int_equal(record_set_string(r->config, "wm.name", "twm"), 0);
        assert_int_equal(sample_init(&s, "maildir.open", 1), 0);
        assert_int_equal(sample_add(&s, "real", 3.5, "s", BETTER_LOWER, NULL), 0);
        assert_int_equal(record_add_sample(r, &s), 0);
        return r;
}

static struct record *seen_now(void)
{
        struct record *r = record_new();

        r->start.monotonic_us = 20;
        assert_int_equal(record_see_at(r, "x.socket", 5000103, 4000, "socket birth", "Xorg"), 0);
        assert_int_equal(record_add_absent(r, "x.ready", "came before measuring started"), 0);
        assert_int_equal(record_add_absent(r, "wm.ready", "came before measuring started"), 0);
        assert_int_equal(record_add_absent(r, "gpu.driver", "not for this user to read"), 0);
        assert_int_equal(record_add_warning(r, "the clock was set"), 0);
        assert_int_equal(record_set_string(r->config, "wm.name", "openbox"), 0);
        return r;
}

static void what_is_kept(void **state)
{
        CLEANUP(record_freep) struct record *r = seen_now(), *earlier = seen_earlier();
        const struct milestone *m;

        (void) state;
        assert_int_equal(record_merge_earlier(r, earlier), 0);
        m = record_find(r, "x.socket");
        assert_int_equal(m->best.at_us, 5000103); /* the same witness spoke again */
        assert_int_equal(m->n_also, 0);
        assert_int_equal(record_find(r, "x.ready")->best.at_us, 6000000);
        assert_null(record_absent_reason(r, "x.ready"));
        assert_non_null(record_find(r, "user.backup"));
        assert_string_equal(record_absent_reason(r, "wm.ready"), "came before measuring started");
        assert_string_equal(record_absent_reason(r, "odd.thing"), "nobody looked");
        assert_int_equal(r->n_waits, 1);
        assert_int_equal(r->n_units, 1);
        assert_int_equal(r->n_warnings, 1);
        assert_int_equal(r->n_samples, 1);
        assert_string_equal(r->samples[0].workload, "maildir.open");
        assert_string_equal(json_string_value(json_object_get(r->labels, "drive")), "old");
        assert_string_equal(json_string_value(json_object_get(r->config, "gpu.driver")), "i915");
        assert_null(record_absent_reason(r, "gpu.driver"));
        assert_string_equal(json_string_value(json_object_get(r->config, "wm.name")), "openbox");
        assert_string_equal(r->boot_kind, "cold");
        assert_int_equal(r->start.monotonic_us, 10);
}

static void again_and_again(void **state)
{
        CLEANUP(record_freep) struct record *earlier = seen_earlier();

        (void) state;
        for (int i = 0; i < 5; i++) {
                struct record *r = seen_now();

                assert_int_equal(record_merge_earlier(r, earlier), 0);
                (void) record_free(earlier);
                earlier = r;
        }
        assert_int_equal(earlier->n_samples, 1);
        assert_int_equal(earlier->n_milestones, 3);
        assert_int_equal(record_find(earlier, "x.socket")->n_also, 0);
        assert_int_equal(earlier->n_waits, 1);
        assert_int_equal(earlier->n_warnings, 1);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_kept),
                cmocka_unit_test(again_and_again),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
