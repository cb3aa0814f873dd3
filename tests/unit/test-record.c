/* tests/unit/test-record.c - the model: sightings, absences, machine time, phases, round trips */
#include "tests/test.h"
#include <math.h>
#include <string.h>
#include "record/json.h"
#include "record/phases.h"
#include "record/record.h"

static struct sighting sighting(int64_t at_us, int64_t error_us, const char *source)
{
        return (struct sighting){ .at_us = at_us,
                                  .error_us = error_us,
                                  .source = (char *) (uintptr_t) source };
}

static void see(struct record *r, const char *name, int64_t at_us)
{
        assert_int_equal(record_see_at(r, name, at_us, 0, "test", NULL), 0);
}

static void smallest_error_wins(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct sighting poll = sighting(1200, 100, "poll"), kernel = sighting(1100, 0, "kernel");
        struct sighting unbounded = sighting(1000, RECORD_ERROR_UNKNOWN, "nobody");
        struct sighting fork = sighting(900, 0, "proc"), absurd = sighting(5, 0, "firmware");
        const struct milestone *m;

        (void) state;
        fork.bound = BOUND_LOWER;
        absurd.implausible = (char *) (uintptr_t) "before power-on";
        assert_int_equal(record_see(r, "display.exec", NULL, &absurd), 0);
        m = record_find(r, "display.exec");
        assert_string_equal(m->best.source, "firmware");
        assert_false(record_at(r, "display.exec", &(int64_t){ 0 }));

        /* each is better than all before it */
        assert_int_equal(record_see(r, "display.exec", NULL, &fork), 0);
        assert_string_equal(record_find(r, "display.exec")->best.source, "proc");
        assert_int_equal(record_see(r, "display.exec", NULL, &unbounded), 0);
        assert_string_equal(record_find(r, "display.exec")->best.source, "nobody");
        assert_int_equal(record_see(r, "display.exec", NULL, &poll), 0);
        assert_string_equal(record_find(r, "display.exec")->best.source, "poll");
        assert_int_equal(record_see(r, "display.exec", NULL, &kernel), 0);
        /* and a worse one does not displace it */
        assert_int_equal(record_see(r, "display.exec", NULL, &poll), 0);
        m = record_find(r, "display.exec");
        assert_string_equal(m->best.source, "kernel");
        assert_int_equal(m->n_also, 5);
        assert_int_equal(r->n_milestones, 1);
}

static void sessions_are_apart(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct sighting a = sighting(1, 0, "x"), b = sighting(2, 0, "x");

        (void) state;
        assert_int_equal(record_see(r, "wm.ready", ":0 greeter", &a), 0);
        assert_int_equal(record_see(r, "wm.ready", ":1", &b), 0);
        assert_int_equal(record_see(r, "wm.ready", NULL, &b), 0);
        assert_int_equal(r->n_milestones, 3);
        assert_int_equal(record_see(r, "bad name", NULL, &b), -EINVAL);
}

static void absence_ends_when_seen(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();

        (void) state;
        assert_int_equal(record_add_absent(r, "x.ready", "no %s", "display"), 0);
        assert_int_equal(record_add_absent(r, "x.ready", "another reason"), 0);
        assert_string_equal(record_absent_reason(r, "x.ready"), "no display");
        assert_int_equal(r->n_absent, 1);
        see(r, "x.ready", 7);
        assert_null(record_absent_reason(r, "x.ready"));
        assert_int_equal(record_add_absent(r, "x.ready", "too late"), 0);
        assert_int_equal(r->n_absent, 0);
}

static void waits_are_subtracted_once(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct span s;

        (void) state;
        /* 10..40 and 20..50 overlap, 60..70 inside, 90..200 sticks out, -5..5 sticks out before */
        assert_int_equal(record_add_wait(r, "unlock", "b", 20, 50, 1), 0);
        assert_int_equal(record_add_wait(r, "unlock", "a", 10, 40, 3), 0);
        assert_int_equal(record_add_wait(r, "menu", NULL, -5, 5, 0), 0);
        assert_int_equal(record_add_wait(r, "unlock", "c", 30, 35, 0), 0);
        assert_int_equal(record_add_wait(r, "login", NULL, 60, 70, 0), 0);
        assert_int_equal(record_add_wait(r, "login", NULL, 90, 200, 0), 0);
        assert_int_equal(record_add_wait(r, "login", NULL, 9, 8, 0), -EINVAL);
        s = span_between(r, 0, 100);
        assert_int_equal(s.elapsed_us, 100);
        assert_int_equal(s.machine_us, 100 - (5 + 40 + 10 + 10));
        assert_int_equal(span_between(r, 300, 400).machine_us, 100);
        assert_int_equal(span_between(r, 12, 18).machine_us, 0);
}

static void phases_add_up(const struct phases *p)
{
        int64_t elapsed_us = 0, machine_us = 0;

        for (size_t i = 0; i < p->n; i++) {
                elapsed_us += p->phase[i].span.elapsed_us;
                machine_us += p->phase[i].span.machine_us;
        }
        assert_int_equal(elapsed_us, p->total.elapsed_us);
        assert_int_equal(machine_us, p->total.machine_us);
        assert_string_equal(p->phase[p->n - 1].name, PHASE_UNACCOUNTED);
}

static const struct phase *phase(const struct phases *p, const char *name)
{
        for (size_t i = 0; i < p->n; i++)
                if (strcmp(p->phase[i].name, name) == 0)
                        return &p->phase[i];
        return NULL;
}

static void phases_of_a_desktop(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct sighting absurd = sighting(-1680000000, 0, "efi");
        struct phases p;

        (void) state;
        absurd.implausible = (char *) (uintptr_t) "28 minutes of firmware";
        assert_false(phases_of(r, &p));
        assert_int_equal(record_see(r, "power.on", NULL, &absurd), 0);
        see(r, "loader.start", -8000);
        see(r, "loader.end", -3000);
        see(r, "kernel.start", 0);
        see(r, "initrd.start", 2000);
        see(r, "userspace.start", 30000);
        see(r, "graphical.target", 60000); /* on a desktop no link of the chain */
        see(r, "wm.ready", 71000);         /* x.ready is missing: unaccounted */
        see(r, "desktop.windows", 80000);
        assert_int_equal(record_add_wait(r, "menu", NULL, -6000, -4000, 0), 0);
        assert_int_equal(record_add_wait(r, "unlock", "root", 5000, 25000, 1), 0);
        assert_true(phases_of(r, &p));
        phases_add_up(&p);
        assert_string_equal(p.from, "loader.start");
        assert_string_equal(p.to, "desktop.windows");
        assert_int_equal(p.total.elapsed_us, 88000);
        assert_int_equal(p.total.machine_us, 88000 - 22000);
        assert_int_equal(phase(&p, "boot.loader")->span.machine_us, 3000);
        assert_int_equal(phase(&p, "boot.handover")->span.elapsed_us, 3000);
        assert_int_equal(phase(&p, "boot.kernel")->span.elapsed_us, 2000);
        assert_int_equal(phase(&p, "boot.initrd")->span.elapsed_us, 28000);
        assert_int_equal(phase(&p, "boot.initrd")->span.machine_us, 8000);
        assert_int_equal(phase(&p, "boot.desktop")->span.elapsed_us, 9000);
        assert_int_equal(phase(&p, PHASE_UNACCOUNTED)->span.elapsed_us, 41000);
        assert_null(phase(&p, "boot.firmware"));
        assert_null(phase(&p, "boot.userspace"));
}

static void phases_of_a_server(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct phases p;

        (void) state;
        see(r, "kernel.start", 0);
        see(r, "userspace.start", 4000);
        see(r, "multi-user.target", 9000);
        assert_true(phases_of(r, &p));
        phases_add_up(&p);
        assert_int_equal(phase(&p, "boot.kernel+initrd")->span.elapsed_us, 4000);
        assert_int_equal(phase(&p, "boot.userspace")->span.elapsed_us, 5000);
        assert_string_equal(phase(&p, "boot.userspace")->to, "multi-user.target");
}

static void crossed_stamps_make_no_negative_phase(void **state)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct phases p;

        (void) state;
        see(r, "kernel.start", 0);
        see(r, "initrd.start", 5000);
        see(r, "userspace.start", 4999);
        see(r, "x.ready", 9000);
        assert_true(phases_of(r, &p));
        phases_add_up(&p);
        for (size_t i = 0; i < p.n; i++)
                assert_true(p.phase[i].span.elapsed_us >= 0);
        assert_int_equal(p.total.elapsed_us, 9000);
}

/* A record that uses every member, with nasty text. */
static struct record *full_record(void)
{
        CLEANUP(record_freep) struct record *r = record_new();
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        struct sample_value *v;
        struct sighting seen = sighting(-5, 0, "a \"quoted\" \\ source");

        r->id = strdup("0123456789abcdef0123456789abcdef");
        r->machine = strdup("m");
        r->tool_version = strdup("0.1.0");
        r->boot_kind = strdup("warm");
        r->boot_number = 2;
        r->incomplete = strdup("cut off");
        r->origin = strdup("loader.start");
        r->start = r->end = (struct clock_tuple){ 1, 2, 3, 4 };
        seen.detail = (char *) (uintptr_t) "tab\there, \xff\xfe bad UTF-8, \xc3\xa9 good";
        assert_int_equal(record_see(r, "wm.ready", ":0", &seen), 0);
        assert_int_equal(record_see(r, "wm.ready", ":0", &seen), 0);
        assert_int_equal(record_add_wait(r, "unlock", "root", 1, 2, 3), 0);
        assert_int_equal(record_add_absent(r, "power.on", "no counter"), 0);
        assert_int_equal(record_add_unit(r, "dev-sda\\x2d1.device", 5, 6), 0);
        assert_int_equal(record_add_warning(r, "100 %% %s", "odd"), 0);
        assert_int_equal(sample_init(&s, "build.kernel", 2), 0);
        s.tool = strdup("make");
        s.tool_version = strdup("4.3");
        s.parameters = json_pack("{s:i}", "jobs", 4);
        s.details = json_pack("{s:[i,i]}", "raw", 1, 2);
        assert_int_equal(sample_add(&s, "real", 0.1 + 0.2, "s", BETTER_LOWER, &v), 0);
        v->raw = strdup("0:00.3");
        v->implausible = strdup("no");
        assert_int_equal(record_add_sample(r, &s), 0);
        assert_int_equal(record_set_string(r->config, "drive.model", "x"), 0);
        assert_int_equal(record_set_integer(r->config, "drive.size_bytes", INT64_MAX), 0);
        assert_int_equal(record_set_real(r->labels, "weight", 1.5), 0);
        assert_int_equal(record_set_boolean(r->labels, "new", true), 0);
        assert_int_equal(record_set_integer(r->cost, "cpu_us", 1), 0);
        return TAKE(r);
}

static void round_trip(void **state)
{
        CLEANUP(record_freep) struct record *r = full_record(), *back = NULL;
        CLEANUP(json_decrefp) json_t *j = record_to_json(r), *again = NULL;
        struct fault fault = FAULT_NULL;

        (void) state;
        assert_non_null(j);
        if (record_from_json(j, &back, &fault) < 0)
                fail_msg("%s", fault.text);
        again = record_to_json(back);
        assert_true(json_equal(j, again));
        assert_true(back->samples[0].values[0].value == 0.1 + 0.2);
        assert_string_equal(back->milestones[0].best.detail,
                            "tab\there, \xef\xbf\xbd\xef\xbf\xbd bad UTF-8, \xc3\xa9 good");
}

/* put_everywhere() - a foreign member in every object below @j but the flat ones and details */
static void put_everywhere(json_t *j)
{
        const char *key;
        json_t *value;
        size_t i;

        if (json_is_array(j)) {
                json_array_foreach(j, i, value) put_everywhere(value);
                return;
        }
        if (!json_is_object(j))
                return;
        json_object_foreach(j, key, value) if (strcmp(key, "values") == 0)
                put_everywhere(json_object_get(value, "real"));
        else if (strcmp(key, "config") && strcmp(key, "labels") && strcmp(key, "cost") &&
                 strcmp(key, "parameters") && strcmp(key, "details")) put_everywhere(value);
        assert_int_equal(json_object_set_new(j, "from_the_future", json_pack("[i, {}]", 1)), 0);
}

static void unknown_members_survive(void **state)
{
        CLEANUP(record_freep) struct record *r = full_record(), *back = NULL;
        CLEANUP(json_decrefp) json_t *j = record_to_json(r), *again = NULL;
        struct fault fault = FAULT_NULL;

        (void) state;
        put_everywhere(j);
        if (record_from_json(j, &back, &fault) < 0)
                fail_msg("%s", fault.text);
        again = record_to_json(back);
        assert_true(json_equal(j, again));
}

static void malformed_is_refused(void **state)
{
        static const char *const cases[] = {
                "[]",
                "{}",
                "{\"schema\": 1}",
                "{\"schema\": \"other/1\"}",
                "{\"schema\": \"bootlap.record/1\"}",
                "{\"schema\": \"bootlap.record/1\", \"id\": 1, \"machine\": \"m\"}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\\u0000b\", \"machine\": \"m\"}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"milestones\": 3}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"milestones\": [3]}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"milestones\": [{\"name\": \"x\", \"at_us\": 1.5, \"source\": \"s\"}]}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"milestones\": [{\"name\": \"x\", \"at_us\": 1, \"source\": \"s\", \"error_us\": "
                "-2}]}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"waits\": [{\"kind\": \"x\", \"from_us\": 2, \"to_us\": 1}]}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"config\": {\"a\": {}}}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"samples\": [{\"workload\": \"x\", \"run\": 0, \"values\": {}}]}",
                "{\"schema\": \"bootlap.record/1\", \"id\": \"a\", \"machine\": \"m\", "
                "\"samples\": [{\"workload\": \"x\", \"values\": {\"real\": {\"value\": \"1\"}}}]}",
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                CLEANUP(json_decrefp) json_t *j = json_loads(cases[i], JSON_ALLOW_NUL, NULL);
                CLEANUP(record_freep) struct record *r = NULL;
                struct fault fault = FAULT_NULL;

                assert_non_null(j);
                if (record_from_json(j, &r, &fault) != -EINVAL)
                        fail_msg("taken: %s", cases[i]);
                assert_null(r);
                assert_true(fault.text[0] != '\0');
        }
}

static void newer_schema_is_told_apart(void **state)
{
        CLEANUP(json_decrefp) json_t *j = json_pack("{s:s}", "schema", "bootlap.record/2");
        CLEANUP(record_freep) struct record *r = NULL;

        (void) state;
        assert_int_equal(record_from_json(j, &r, NULL), -EPROTONOSUPPORT);
}

static void samples_refuse_what_is_no_figure(void **state)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;

        (void) state;
        assert_int_equal(sample_init(&s, "two words", 1), -EINVAL);
        assert_int_equal(sample_init(&s, "w", 0), -EINVAL);
        assert_int_equal(sample_init(&s, "w", 1), 0);
        assert_int_equal(sample_add(&s, "real", NAN, "s", BETTER_LOWER, NULL), -EINVAL);
        assert_int_equal(sample_add(&s, "real", INFINITY, "s", BETTER_LOWER, NULL), -EINVAL);
        assert_int_equal(sample_add(&s, "real", 1, "s", BETTER_LOWER, NULL), 0);
        assert_int_equal(sample_add(&s, "real", 1, "s", BETTER_LOWER, NULL), -EEXIST);
        assert_int_equal(s.n_values, 1);
}

static void clock_flags(void **state)
{
        struct clock_tuple start = { 1000000, 1000000, 1000000, 5000000000 }, end;

        (void) state;
        end = (struct clock_tuple){ 61000000, 61000000, 61000000, 5060000000 };
        assert_int_equal(clock_tuple_flags(&start, &end), 0);
        end.realtime_us += 3600LL * US_PER_S;
        assert_int_equal(clock_tuple_flags(&start, &end), CLOCK_STEPPED);
        end = (struct clock_tuple){ 61000000, 61000000, 961000000, 5960000000 };
        assert_int_equal(clock_tuple_flags(&start, &end), CLOCK_SUSPENDED);
        end = (struct clock_tuple){ 61000000, 64000000, 61000000, 5060000000 };
        assert_int_equal(clock_tuple_flags(&start, &end), CLOCK_DRIFTED);
        end = (struct clock_tuple){ 0, 0, 0, 0 };
        assert_int_equal(clock_tuple_flags(&start, &end), 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(smallest_error_wins),
                cmocka_unit_test(sessions_are_apart),
                cmocka_unit_test(absence_ends_when_seen),
                cmocka_unit_test(waits_are_subtracted_once),
                cmocka_unit_test(phases_of_a_desktop),
                cmocka_unit_test(phases_of_a_server),
                cmocka_unit_test(crossed_stamps_make_no_negative_phase),
                cmocka_unit_test(round_trip),
                cmocka_unit_test(unknown_members_survive),
                cmocka_unit_test(malformed_is_refused),
                cmocka_unit_test(newer_schema_is_told_apart),
                cmocka_unit_test(samples_refuse_what_is_no_figure),
                cmocka_unit_test(clock_flags),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
