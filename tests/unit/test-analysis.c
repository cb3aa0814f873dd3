/* tests/unit/test-analysis.c - comparisons, effects, histories and explanations of whole records */
#include "tests/test.h"
#include <math.h>
#include "analyze/compare.h"
#include "analyze/compare_view.h"
#include "analyze/effects.h"
#include "analyze/explain.h"
#include "analyze/explain_view.h"
#include "analyze/history.h"
#include "analyze/history_view.h"
#include "analyze/idle.h"
#include "analyze/strata.h"
#include "tests/boots.h"

#define NEAR 1e-9

static struct boots boots; /* large, so not on the stack; each test clears it */

static const struct compare_options plain = { .within = COMPARE_WITHIN };

static void near(double got, double want)
{
        if (!(fabs(got - want) <= NEAR * fmax(1, fabs(want))))
                fail_msg("%.15g, want %.15g", got, want);
}

static int clear(void **state)
{
        (void) state;
        boots_done(&boots);
        return 0;
}

static void label(struct record *r, const char *key, const char *value)
{
        assert_int_equal(record_set_string(r->labels, key, value), 0);
}

/* The published ten boots: desktop times, drives, encryption, kernels. */
static void add_notes(void)
{
        static const struct {
                int desktop_s, rpm, size_gb;
                const char *maker, *crypt, *highmem;
        } notes[] = { { 50, 5400, 160, "seagate", "none", "64g" },
                      { 41, 5400, 160, "seagate", "none", "64g" },
                      { 46, 5400, 160, "seagate", "none", "64g" },
                      { 42, 5400, 160, "seagate", "none", "64g" },
                      { 36, 7200, 160, "seagate", "none", "64g" },
                      { 34, 7200, 160, "seagate", "none", "64g" },
                      { 35, 7200, 160, "seagate", "none", "64g" },
                      { 40, 7200, 500, "hitachi", "dm-crypt", "64g" },
                      { 39, 7200, 500, "hitachi", "dm-crypt", "64g" },
                      { 36, 7200, 500, "hitachi", "dm-crypt", "4g" } };

        for (size_t i = 0; i < ELEMENTSOF(notes); i++) {
                struct record *r = boots_add(&boots, notes[i].size_gb == 500, 0,
                                             notes[i].desktop_s * (int64_t) US_PER_S);

                assert_int_equal(record_set_integer(r->labels, "drive.rpm", notes[i].rpm), 0);
                assert_int_equal(record_set_integer(r->labels, "drive.size_gb", notes[i].size_gb),
                                 0);
                label(r, "drive.maker", notes[i].maker);
                label(r, "crypt.type", notes[i].crypt);
                label(r, "kernel.highmem", notes[i].highmem);
        }
        boots_sort(&boots);
}

/* Figures from another program: means of logarithms a cell, and the spread pooled over cells. */
static void effects(void **state)
{
        const struct record *all[10];
        struct boot_set set;
        CLEANUP(effects_done) struct effects e = EFFECTS_NULL;
        const struct effect *drive = NULL, *kernel = NULL;
        const struct inseparable *s;

        (void) state;
        add_notes();
        set = boots_joined(&boots, all);
        assert_int_equal(effects_of(&set, &plain, &e), 0);
        assert_null(e.problem);
        assert_int_equal(e.n_configurations, 4);
        assert_int_equal(e.df, 6);
        near(e.spread, 0.06666098135577404);
        near(e.base.value, 44.610824069675274); /* 5400 rpm, plain, 64g: the commonest */
        for (size_t i = 0; i < e.n_effects; i++) {
                const char *group = e.design.groups[e.effects[i].group].name;

                if (!e.effects[i].estimable)
                        continue;
                if (strcmp(group, "drive") == 0)
                        drive = &e.effects[i];
                if (strcmp(group, "kernel") == 0)
                        kernel = &e.effects[i];
        }
        assert_non_null(drive);
        assert_non_null(kernel);
        near(drive->ratio.value, 0.7843494113253255);
        near(drive->ratio.low, 0.6924766857795022);
        near(drive->ratio.high, 0.8884111359703992);
        near(drive->p, 0.003091628499175013);
        assert_false(drive->could); /* 4+3 cannot reach 0.05, whatever the model says */
        assert_int_equal(drive->rests_on, 7);
        near(kernel->ratio.value, 0.9114654303752997);
        near(kernel->p, 0.29949685798838976);
        assert_int_equal(kernel->rests_on, 3);

        assert_int_equal(e.n_inseparable, 1);
        s = &e.inseparable[0];
        assert_int_equal(s->n_effects, 2);
        assert_true(s->has_together);
        near(s->together.value, 0.8853643961962011);
        near(s->together.low, 0.7687292550506142);
        near(s->together.high, 1.0196959578444205);
        assert_int_equal(s->n_would, 3);
        for (size_t i = 0; i < s->n_would; i++)
                assert_true(!strstr(s->would[i], "crypt.type=none") ==
                            !strstr(s->would[i], "=500"));
}

/* With boots enough, alike in all else, an effect has a verdict of its own. */
static void effects_with_verdict(void **state)
{
        const struct record *all[12];
        struct boot_set set;
        CLEANUP(effects_done) struct effects e = EFFECTS_NULL;

        (void) state;
        for (int i = 0; i < 12; i++)
                label(boots_add(&boots, i % 2, 0, 40000000 + i * 10000 - (i % 2) * 5000000),
                      "crypt.type", i % 2 ? "none" : "luks2");
        set = boots_joined(&boots, all);
        assert_int_equal(effects_of(&set, &plain, &e), 0);
        assert_int_equal(e.n_effects, 1);
        assert_true(e.effects[0].could);
        assert_int_equal(e.effects[0].verdict.kind, VERDICT_DIFFERENT);
        assert_int_equal(e.effects[0].matched.a.n, 6);
}

static void confounding(void **state)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;

        (void) state;
        add_notes();
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        assert_true(c.changes.confounded); /* 160 GB plain against 500 GB dm-crypt */
        assert_int_equal(c.changes.n_disjoint, 2);
        assert_string_equal(c.changes.change[0].group, "crypt");
        assert_string_equal(c.changes.change[1].group, "drive");
        assert_int_equal(c.changes.change[2].kind, CHANGE_UNBALANCED); /* 64g against 64g and 4g */
        assert_int_equal(compare_status(&c), 4);
}

/* What differs between any two sets, and what only names them, is no further change. */
static void not_confounding(void **state)
{
        static char key[] = "set";
        static char *keys[] = { key };
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL, named = COMPARISON_NULL;

        (void) state;
        for (int i = 0; i < 8; i++) {
                struct record *r = boots_add(&boots, i % 2, 0, 40000000 + i);

                label(r, "drive.model", i % 2 ? "new" : "old");
                label(r, "set", i % 2 ? "after" : "before");
                label(r, "note", i % 2 ? "first try" : "as it was");
                label(r, "campaign", i % 2 ? "c2" : "c1");
                assert_int_equal(record_set_real(r->config, "fs.used_percent", 40 + i % 2 * 30), 0);
                if (i % 2)
                        label(r, "gpu.vram_bytes", "1"); /* a newer bootlap knows more */
        }
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        assert_int_equal(c.changes.n_disjoint, 2); /* drive, and a label that might be a factor */
        boots.a.keys = keys;
        boots.a.n_keys = 1;
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &named), 0);
        assert_int_equal(named.changes.n_disjoint,
                         1); /* unless it is what the sets were chosen by */
        assert_false(named.changes.confounded);
        assert_int_equal(compare_status(&named), 0);
}

static char *json_of(const struct compare_options *options)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        char *text;

        assert_int_equal(compare_sets(&boots.a, &boots.b, options, &c), 0);
        j = compare_view_json(&c);
        assert_non_null(j);
        text = json_dumps(j, JSON_SORT_KEYS);
        assert_non_null(text);
        return text;
}

/* add_builds() - two runs a boot, @copies of each */
static void add_builds(int copies, bool backwards)
{
        for (int i = 0; i < 9; i++) {
                int boot = backwards ? 8 - i : i;
                struct record *r = boots_add(&boots, boot >= 5, 0, 40000000 + boot * 300000);

                free(r->id);
                assert_true(asprintf(&r->id, "%032x", boot + 1) > 0);
                for (int k = 0; k < 2 * copies; k++) {
                        int run = backwards ? 2 - k % 2 : 1 + k % 2;

                        boots_measure(r, "build.kernel", (unsigned) run, "real",
                                      1400 + 7 * boot - 20 * run, "s");
                }
        }
        boots_sort(&boots);
}

static void copies_and_order(void **state)
{
        CLEANUP(freep) char *once = NULL, *ten_times = NULL, *backwards = NULL;

        (void) state;
        add_builds(1, false);
        once = json_of(&plain);
        boots_done(&boots);
        add_builds(10, false);
        ten_times = json_of(&plain);
        boots_done(&boots);
        add_builds(1, true);
        backwards = json_of(&plain);
        assert_string_equal(once, ten_times);
        assert_string_equal(once, backwards);
        assert_non_null(strstr(once, "build.kernel.real#2"));
}

static const struct row *find_row(const struct comparison *c, const char *name)
{
        for (size_t i = 0; i < c->n_rows; i++)
                if (strcmp(c->rows[i].metric->name, name) == 0)
                        return &c->rows[i];
        return NULL;
}

static void measure_primes(struct record *r, const char *workload, const char *version, int limit,
                           int threads, const char *unit)
{
        struct sample *s = boots_measure(r, workload, 1, "time", 10, unit);

        s->tool = strdup("sysbench");
        s->tool_version = version ? strdup(version) : NULL;
        s->parameters = json_pack("{s:i,s:i}", "prime_limit", limit, "threads", threads);
        assert_true(s->tool && s->parameters);
}

static void like_with_like(void **state)
{
        static const struct {
                const char *workload, *version_b;
                int limit_b, threads_b;
                const char *unit_b, *reason;
        } cases[] = {
                { "same", "1.0.20", 15000, 1, "s", NULL },
                { "unversioned", NULL, 15000, 1, "s", NULL },
                { "limit", "1.0.20", 150000, 1, "s", "prime_limit 15000 against 150000" },
                { "threads", "1.0.20", 15000, 4, "s", "threads 1 against 4" },
                { "version", "0.4.12", 15000, 1, "s", "tool version 1.0.20 against 0.4.12" },
                { "unit", "1.0.20", 15000, 1, "ms", "unit s against ms" },
        };
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL, primary = COMPARISON_NULL;
        struct compare_options options = { .primary = "limit.time", .within = 0.05 };
        bool warned = false;

        (void) state;
        for (int i = 0; i < 8; i++) {
                struct record *r = boots_add(&boots, i % 2, 0, 40000000 + i);

                for (size_t k = 0; k < ELEMENTSOF(cases); k++)
                        if (i % 2)
                                measure_primes(r, cases[k].workload, cases[k].version_b,
                                               cases[k].limit_b, cases[k].threads_b,
                                               cases[k].unit_b);
                        else
                                measure_primes(r, cases[k].workload, "1.0.20", 15000, 1, "s");
        }
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        for (size_t k = 0; k < ELEMENTSOF(cases); k++) {
                CLEANUP(freep) char *name = NULL;
                const struct row *r;

                assert_true(asprintf(&name, "%s.time#1", cases[k].workload) > 0);
                r = find_row(&c, name);
                assert_non_null(r);
                if (cases[k].reason)
                        assert_string_equal(r->incomparable, cases[k].reason);
                else
                        assert_null(r->incomparable);
        }
        assert_int_equal(c.n_family, 2);
        for (size_t i = 0; i < c.n_warnings; i++)
                warned = warned || strstr(c.warnings[i], "unversioned.time#1");
        assert_true(warned);
        assert_int_equal(compare_status(&c), 0); /* the primary is fine */
        assert_int_equal(compare_sets(&boots.a, &boots.b, &options, &primary), 0);
        assert_int_equal(compare_status(&primary), 3);
        assert_non_null(strstr(primary.problem, "prime_limit 15000 against 150000"));
}

/* Where only some boots were measured alike, they alone are compared, and the others mentioned. */
static void partly_alike(void **state)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;
        const struct row *r;
        bool said = false;

        (void) state;
        for (int i = 0; i < 12; i++)
                measure_primes(boots_add(&boots, i % 2, 0, 40000000 + i), "cpu", "1.0.20",
                               i < 4 && i % 2 == 0 ? 150000 : 15000, 1, "s");
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        r = find_row(&c, "cpu.time#1");
        assert_non_null(r);
        assert_int_equal(r->contrast.a.n, 4);
        assert_int_equal(r->contrast.b.n, 6);
        for (size_t i = 0; i < c.n_warnings; i++)
                said = said || strstr(c.warnings[i], "2 boots were measured otherwise");
        assert_true(said);
}

/* Alternating boots with a drift: without it B is slower, with it hidden nothing is seen. */
static void alternating(void **state)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;
        const struct row *r;

        (void) state;
        for (int i = 0; i < 16; i++) {
                bool in_b = i % 4 == 1 || i % 4 == 2;

                boots_add(&boots, in_b, i + 1,
                          (int64_t) (4e7 * (1 + 0.02 * i) * (in_b ? 1.05 : 1) +
                                     (i * 7 % 5) * 100000));
        }
        boots_sort(&boots);
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        r = compare_primary(&c);
        assert_non_null(r);
        assert_true(r->contrast.drift.matters);
        assert_true(r->contrast.test.p > 0.05); /* the drift hides it from the rank test */
        assert_int_equal(r->verdict.kind, VERDICT_DIFFERENT);
        assert_true(r->contrast.ratio.low < 1.05 && 1.05 < r->contrast.ratio.high);
        for (size_t i = 0; i < c.n_warnings; i++)
                assert_null(strstr(c.warnings[i], "overlap in time"));
}

static void one_after_the_other(void **state)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;
        bool warned = false;

        (void) state;
        for (int i = 0; i < 8; i++)
                boots_add(&boots, i >= 4, i + 1, 40000000 + i);
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        for (size_t i = 0; i < c.n_warnings; i++)
                warned = warned || strstr(c.warnings[i], "do not overlap in time");
        assert_true(warned); /* A A A A B B B B */
        assert_false(compare_primary(&c)->contrast.drift.matters);
        assert_int_equal(compare_status(&c), 0);
}

static void starts(void **state)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL, none = COMPARISON_NULL;

        (void) state;
        for (int i = 0; i < 6; i++)
                assert_int_equal(record_see_at(boots_add(&boots, i % 2, 0, 40000000 + i),
                                               "loader.start", -3000000, 1000000, "test", NULL),
                                 0);
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        assert_string_equal(c.metrics.from, "kernel.start"); /* the later of the two */
        near(compare_primary(&c)->contrast.a.least, 40);
        record_freep(&boots.records[0]); /* a boot that knows neither */
        boots.records[0] = record_new();
        boots.a.boots[0] = boots.records[0];
        boots.records[0]->id = strdup("x");
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &none), 0);
        assert_null(none.metrics.from);
        assert_int_equal(compare_status(&none), 3);
        assert_non_null(strstr(none.problem, "share no start"));
}

/* Waits for a person are taken out: machine time. */
static void machine_time(void **state)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;

        (void) state;
        for (int i = 0; i < 6; i++)
                assert_int_equal(record_add_wait(boots_add(&boots, i % 2, 0, 40000000), "unlock",
                                                 "root", 1000000, (5 + i) * (int64_t) US_PER_S, 1),
                                 0);
        assert_int_equal(compare_sets(&boots.a, &boots.b, &plain, &c), 0);
        near(compare_primary(&c)->contrast.a.most, 36);
        near(compare_primary(&c)->contrast.b.least, 31);
}

static void history(void **state)
{
        const struct record *all[30];
        struct boot_set set;
        CLEANUP(histories_done) struct histories h = HISTORIES_NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        const struct history_change *change;
        const json_t *machine, *second;

        (void) state;
        for (int i = 0; i < 30; i++) {
                struct record *r =
                        boots_add(&boots, false, i + 1,
                                  40000000 + (i * 7 % 10) * 100000 + (i >= 18) * 3000000);

                label(r, "kernel.release", i >= 17 ? "6.1.0-26" : "6.1.0-25");
                label(r, "drive.model", i == 18 ? "guest" : "usual"); /* comes and goes */
        }
        set = boots_joined(&boots, all);
        assert_int_equal(histories_of(&set, &plain, &h), 0);
        assert_int_equal(h.n, 1);
        assert_int_equal(h.history[0].n_segments, 2);
        assert_int_equal(h.history[0].segments[1].segment.from, 18);
        assert_int_equal(h.history[0].segments[1].n_changes, 1);
        change = &h.history[0].segments[1].changes[0];
        assert_string_equal(change->key, "kernel.release");
        assert_string_equal(change->before, "6.1.0-25");
        assert_string_equal(change->after, "6.1.0-26");
        assert_int_equal(change->offset, -1);
        assert_int_equal(histories_status(&h), 0);
        j = histories_json(&h);
        machine = json_array_get(json_object_get(j, "machines"), 0);
        second = json_array_get(json_object_get(machine, "segments"), 1);
        near(json_real_value(json_object_get(second, "change")),
             h.history[0].segments[1].segment.median - h.history[0].segments[0].segment.median);
        assert_int_equal(json_integer_value(json_object_get(second, "last_realtime_us")),
                         all[29]->start.realtime_us);
}

static void add_chain(bool in_b, int i, bool with_wm)
{
        struct record *r = boots_add(&boots, in_b, i + 1, 20000000 + i * 10000 - in_b * 2000000);

        assert_int_equal(record_see_at(r, "initrd.start", 2000000 + i, 0, "test", NULL), 0);
        assert_int_equal(
                record_see_at(r, "userspace.start", 6000000 - in_b * 1500000, 0, "test", NULL), 0);
        assert_int_equal(record_see_at(r, "x.ready", 15000000 - in_b * 1700000, 0, "test", NULL),
                         0);
        if (with_wm)
                assert_int_equal(record_see_at(r, "wm.ready", 16000000, 0, "test", NULL), 0);
        assert_int_equal(record_add_wait(r, "unlock", "root", 2500000, 3100000 + i, 1), 0);
        assert_int_equal(record_add_unit(r, "net.service", 7000000, 3000000 - in_b * 500000), 0);
        assert_int_equal(record_add_unit(r, in_b ? "b.service" : "a.service", 7000000, 9000000), 0);
}

static void explain(void **state)
{
        CLEANUP(explanation_done) struct explanation e = EXPLANATION_NULL;
        static const char *const names[] = { "boot.kernel", "boot.initrd", "boot.userspace",
                                             "x.ready..desktop.windows" };
        double sum_a = 0, sum_b = 0;

        (void) state;
        for (int i = 0; i < 7; i++)
                add_chain(i >= 4, i, i != 2); /* one boot without wm.ready: no cut there */
        assert_int_equal(explain_sets(&boots.a, &boots.b, &plain, &e), 0);
        assert_null(e.problem);
        assert_int_equal(e.n_parts, ELEMENTSOF(names));
        for (size_t i = 0; i < e.n_parts; i++) {
                assert_string_equal(e.parts[i].name, names[i]);
                sum_a += e.parts[i].a_us;
                sum_b += e.parts[i].b_us;
        }
        near(sum_a, e.total_a_us);
        near(sum_b, e.total_b_us);
        near(e.parts[1].b_us - e.parts[1].a_us,
             -1500007);                 /* and the waits' own difference of 3.5 us */
        assert_int_equal(e.n_units, 1); /* only what both list */
        near(e.units[0].b_us - e.units[0].a_us, -500000);
}

/* Delays in ms as published for kernel 2.4.18: mean and median differ by more than half. */
static void idle(void **state)
{
        static const struct {
                const char *workload;
                double median, average;
        } rows[] = { { "response.noload", 239.419, 240.904 },
                     { "response.cpuload", 239.678, 257.048 },
                     { "response.spawnload", 229.801, 246.484 },
                     { "response.8ctx-mem", 4402.521, 9767.470 } };
        struct record *r = boots_add(&boots, false, 0, 0);
        CLEANUP(freep) struct idle_ratio *ratios = NULL;

        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                struct sample *s =
                        boots_measure(r, rows[i].workload, 1, "median", rows[i].median, "ms");

                assert_int_equal(
                        sample_add(s, "average", rows[i].average, "ms", BETTER_LOWER, NULL), 0);
        }
        assert_int_equal(idle_ratios(r, &ratios), 3);
        assert_false(ratios[0].suspect);
        assert_true(ratios[1].suspect); /* by its median alone */
        near(ratios[1].by_mean, 246.484 / 240.904);
        assert_false(ratios[2].suspect);
        assert_true(fabs(ratios[2].by_mean - 40.545) < 0.0005);
        assert_true(fabs(ratios[2].by_median - 18.388) < 0.0005);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_teardown(effects, clear),
                cmocka_unit_test_teardown(effects_with_verdict, clear),
                cmocka_unit_test_teardown(confounding, clear),
                cmocka_unit_test_teardown(not_confounding, clear),
                cmocka_unit_test_teardown(copies_and_order, clear),
                cmocka_unit_test_teardown(like_with_like, clear),
                cmocka_unit_test_teardown(partly_alike, clear),
                cmocka_unit_test_teardown(alternating, clear),
                cmocka_unit_test_teardown(one_after_the_other, clear),
                cmocka_unit_test_teardown(starts, clear),
                cmocka_unit_test_teardown(machine_time, clear),
                cmocka_unit_test_teardown(history, clear),
                cmocka_unit_test_teardown(explain, clear),
                cmocka_unit_test_teardown(idle, clear),
        };

        return cmocka_run_group_tests_name("analysis", tests, NULL, NULL);
}
