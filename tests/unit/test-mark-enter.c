/* tests/unit/test-mark-enter.c - marks become sightings, or reasons for their absence */
#include "tests/test.h"
#include <string.h>
#include "record/mark_enter.h"
#include "record/mark_detail.h"

#define NOW_US 1000000

static int enter(struct record *r, const char *line)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;

        assert_int_equal(mark_parse_line(line, &m, NULL), 0);
        return mark_enter(r, &m, NOW_US);
}

static void details_become_members(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        const struct milestone *m;

        (void) state;
        assert_int_equal(enter(r,
                               "wm.ready\t5000999\tprobe x11\tsession=:0 error_us=120 by=redirect "
                               "wm=a%20b bound=lower\n"),
                         0);
        m = record_find(r, "wm.ready");
        assert_non_null(m);
        assert_string_equal(m->session, ":0");
        assert_int_equal(m->best.at_us, 5000);
        assert_int_equal(m->best.error_us, 120);
        assert_int_equal(m->best.bound, BOUND_LOWER);
        assert_string_equal(m->best.source, "probe x11");
        assert_string_equal(m->best.detail, "by=redirect wm=a%20b");
}

static void remarks_stay_remarks(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state;
        assert_int_equal(enter(r, "unlock.prompt\t5000\t\tcryptroot"), 0);
        assert_string_equal(r->milestones[0].session, "cryptroot");
        assert_string_equal(r->milestones[0].best.detail, "cryptroot");
        assert_string_equal(r->milestones[0].best.source, "mark");
        assert_int_equal(r->milestones[0].best.error_us, RECORD_ERROR_UNKNOWN);
        assert_int_equal(enter(r, "unlock.answered\t6000\t\tsession=home\n"), 0);
        assert_string_equal(record_find(r, "unlock.answered")->session, "home");
        assert_int_equal(enter(r, "initrd.start\t6000\t\tremark\n"), 0);
        assert_null(record_find(r, "initrd.start")->session);
        assert_int_equal(enter(r, "user.a\t5000\t\terror_us=often"), 0);
        assert_int_equal(record_find(r, "user.a")->best.error_us, RECORD_ERROR_UNKNOWN);
}

static void the_last_reason_stands_until_it_is_seen(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state;
        assert_int_equal(enter(r, MARK_ABSENT "\t1\tp\tmilestone=x.ready reason=not%20yet"), 0);
        assert_string_equal(record_absent_reason(r, "x.ready"), "not yet");
        assert_int_equal(
                enter(r, MARK_ABSENT "\t2\tp\tsession=:0 milestone=x.ready reason=no%20answer"), 0);
        assert_string_equal(record_absent_reason(r, "x.ready"), ":0: no answer");
        assert_int_equal(r->n_absent, 1);
        assert_int_equal(enter(r, "x.ready\t3000\tp\tsession=:0 error_us=1"), 0);
        assert_null(record_absent_reason(r, "x.ready"));
        assert_int_equal(enter(r, MARK_ABSENT "\t1\tp\tmilestone=a/b reason=x"), 0);
        assert_int_equal(enter(r, MARK_ABSENT "\t1\tp\tmilestone=a.b"), 0);
        assert_int_equal(r->n_absent, 0);
        assert_int_equal(r->n_milestones, 1);
}

static void the_future_is_kept_and_not_believed(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        int64_t at_us;

        (void) state;
        assert_int_equal(enter(r, "user.late\t9223372036854775807"), 0);
        assert_string_equal(r->milestones[0].best.implausible, "lies in the future");
        assert_false(record_at(r, "user.late", &at_us));
}

static void a_greeters_desktop_is_not_the_desktop(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        int64_t at_us;

        (void) state;
        assert_int_equal(enter(r, "wm.ready\t1000000\tp\tsession=:0%20greeter"), 0);
        assert_int_equal(enter(r, "wm.ready\t2000000\tp\tsession=:5%20other"), 0);
        assert_false(record_at(r, "wm.ready", &at_us));
        assert_int_equal(enter(r, "wm.ready\t3000000\tp\tsession=:0"), 0);
        assert_true(record_at(r, "wm.ready", &at_us));
        assert_int_equal(at_us, 3000);
        assert_int_equal(r->n_milestones, 3);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(details_become_members),
                cmocka_unit_test(remarks_stay_remarks),
                cmocka_unit_test(the_last_reason_stands_until_it_is_seen),
                cmocka_unit_test(the_future_is_kept_and_not_believed),
                cmocka_unit_test(a_greeters_desktop_is_not_the_desktop),
        };

        return cmocka_run_group_tests_name("mark_enter", tests, NULL, NULL);
}
