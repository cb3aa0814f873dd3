/* tests/unit/test-odd-data.c - whatever the records hold: a plain sentence, never a crash, NaN or
 * claim
 *
 * Each case fills the sets; then every view is printed as text and as JSON. */
#include "tests/test.h"
#include <math.h>
#include <gsl/gsl_errno.h>
#include "analyze/compare_view.h"
#include "analyze/effects_view.h"
#include "analyze/explain_view.h"
#include "analyze/history_view.h"
#include "analyze/strata_view.h"
#include "tests/boots.h"

#define WIDTH 100
#define DESKTOP_US 40000000

static struct boots boots; /* large, so not on the stack */

static void none(void) {}

static void one_record(void) { boots_add(&boots, false, 1, DESKTOP_US); }

static void one_each(void)
{
        boots_add(&boots, false, 1, DESKTOP_US);
        boots_add(&boots, true, 2, DESKTOP_US * 2);
}

static void all_equal(void)
{
        for (int i = 0; i < 10; i++)
                boots_add(&boots, i % 2, i + 1, DESKTOP_US);
}

static void missing_in_half(void)
{
        for (int i = 0; i < 12; i++)
                boots_measure(
                        boots_add(&boots, i % 2, i + 1, i % 4 < 2 ? DESKTOP_US + i * 1000 : 0),
                        i % 3 ? "w" : "v", 1, "real", i, "s");
}

static void missing_in_one_set(void)
{
        for (int i = 0; i < 10; i++)
                boots_add(&boots, i % 2, i + 1, i % 2 ? 0 : DESKTOP_US);
}

static void implausible(void)
{
        for (int i = 0; i < 8; i++) {
                struct record *r =
                        boots_add(&boots, i % 2, i + 1, i < 4 ? DESKTOP_US : INT64_MAX / 2);

                for (size_t k = 0; i >= 4 && k < r->n_milestones; k++)
                        if (strcmp(r->milestones[k].name, "desktop.windows") == 0)
                                r->milestones[k].best.implausible = strdup("584542 years");
                boots_measure(r, "w", 1, "real", 1e300, "s");
                r->samples[0].values[0].implausible = i % 2 ? strdup("longer than the boot") : NULL;
        }
}

/* A record cannot hold them, but a library's caller might. */
static void not_numbers(void)
{
        for (int i = 0; i < 8; i++) {
                struct record *r = boots_add(&boots, i % 2, i + 1, DESKTOP_US + i);

                boots_measure(r, "nan", 1, "x", 1, "s")->values[0].value = NAN;
                boots_measure(r, "inf", 1, "x", 1, "s")->values[0].value =
                        i % 2 ? (double) INFINITY : 1;
                boots_measure(r, "some", 1, "x", i, "s")->values[0].value =
                        i == 3 ? -(double) INFINITY : i;
        }
}

static void negative(void)
{
        for (int i = 0; i < 8; i++)
                boots_measure(boots_add(&boots, i % 2, i + 1, -DESKTOP_US - i), "w", 1, "real",
                              -5.0 - i * 0.25, "s");
}

static void zero(void)
{
        for (int i = 0; i < 8; i++)
                boots_measure(boots_add(&boots, i % 2, i + 1, i < 4 ? DESKTOP_US : 1), "w", 1,
                              "real", 0, "s");
}

static void huge(void)
{
        for (int i = 0; i < 8; i++) {
                struct record *r = boots_add(&boots, i % 2, i + 1, 1000000000000000 + i);

                boots_measure(r, "w", 1, "real", 1e15 + i, "s");
                boots_measure(r, "edge", 1, "real", i % 2 ? 1.7e308 : -1.7e308, "s");
                boots_measure(r, "tiny", 1, "real", i % 2 ? 5e-324 : 1e-300, "s");
                boots_measure(r, "both", 1, "real", i % 2 ? 1e-300 : 1e300, "s");
        }
}

static void thousands_of_metrics(void)
{
        unsigned random = 1;

        for (int i = 0; i < 8; i++) {
                struct record *r = boots_add(&boots, i % 2, i + 1, DESKTOP_US + i * 10000);

                for (int k = 0; k < 3000; k++) {
                        char name[64];

                        (void) snprintf(name, sizeof name, "workload-%d.with-rather-a-long-name",
                                        k);
                        random = random * 1103515245 + 12345;
                        boots_measure(r, name, 1, "real", 10 + (random >> 16) % 17, "s");
                }
        }
}

static void two_hundred_factors(void)
{
        for (int i = 0; i < 12; i++) {
                struct record *r = boots_add(&boots, i % 2, i + 1, DESKTOP_US + i * 10000);

                for (int k = 0; k < 200; k++) {
                        char key[32], value[32];

                        (void) snprintf(key, sizeof key, "factor%d", k);
                        (void) snprintf(value, sizeof value, "%d", k % 3 ? (i * k) % 5 : i % 2);
                        assert_int_equal(record_set_string(r->labels, key, value), 0);
                }
        }
}

static void foreign_text(void)
{
        for (int i = 0; i < 8; i++) {
                struct record *r = boots_add(&boots, i % 2, i + 1, DESKTOP_US + i);

                assert_int_equal(record_set_string(r->labels, "drive.model",
                                                   i % 2 ? "\033[31m\n%s%n" : "\303\244, b=c"),
                                 0);
                assert_int_equal(record_set_string(r->labels, "", ""), 0);
                free(r->machine);
                r->machine = NULL;
        }
}

static void long_names(void)
{
        char name[301];

        memset(name, 'x', sizeof name - 1);
        name[sizeof name - 1] = '\0';
        for (int i = 0; i < 10; i++) {
                struct record *r = boots_add(&boots, i % 2, i + 1, DESKTOP_US + i);
                char *workload = name + sizeof name - 64, *unit = name + sizeof name - 40;

                name[0] = i % 2 ? 'a' : 'b';
                assert_int_equal(record_set_string(r->labels, "drive.model", name), 0);
                assert_int_equal(record_set_string(r->labels, name + 1, name), 0);
                boots_measure(r, workload, 1, "real", 10 + i % 2 * 5 + i, unit);
                assert_int_equal(record_add_unit(r, name + 1, 0, 5000000 + i % 2 * 1000000), 0);
        }
}

static void one_boot_each_day(void)
{
        for (int i = 0; i < 1000; i++)
                boots_add(&boots, i % 2, i + 1, DESKTOP_US + (i * 7919) % 1009 * 1000);
}

static const struct odd_case {
        const char *what;
        void (*fill)(void);
        int status;
        bool may_claim; /* the figures allow one; what is tested is that nothing breaks */
} odd_cases[] = {
        { "no record", none, 3, false },
        { "one record", one_record, 3, false },
        { "one each", one_each, 0, false },
        { "all equal", all_equal, 0, false },
        { "a metric missing in half of them", missing_in_half, 0, false },
        { "a metric missing in one set", missing_in_one_set, 3, false },
        { "implausible values", implausible, 0, false },
        { "no numbers", not_numbers, 0, false },
        { "negative values", negative, 3, false },
        { "zeros", zero, 0, false },
        { "10^15 and the ends of doubles", huge, 0, true },
        { "thousands of metrics", thousands_of_metrics, 0, false },
        { "200 factors", two_hundred_factors, 4, false },
        { "foreign text", foreign_text, 0, false },
        { "names of hundreds of letters", long_names, 4, true },
        { "a thousand boots", one_boot_each_day, 0, false },
};

static const struct compare_options options = { .within = COMPARE_WITHIN };

/* check_text() - no word that only arithmetic utters, nothing too wide, nothing that steers a
 * terminal */
static void check_text(const char *text, const char *what)
{
        static const char *const bad[] = { "nan", "inf ", "inf]", "inf,", "-0 ", "\033", "(null)" };
        const char *line = text;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                if (strstr(text, bad[i]) && strcmp(what, "no numbers") != 0)
                        fail_msg("%s: '%s' in:\n%.2000s", what, bad[i], text);
        for (const char *end; *line; line = *end ? end + 1 : end) {
                end = line + strcspn(line, "\n");
                if (end - line > WIDTH + 4) /* four bytes may be those of two letters */
                        fail_msg("%s: %d wide: %.*s", what, (int) (end - line), (int) (end - line),
                                 line);
        }
}

static void check_no_claim(const struct comparison *c, const char *what)
{
        for (size_t i = 0; i < c->n_rows; i++)
                if (!c->rows[i].incomparable && c->rows[i].verdict.kind == VERDICT_DIFFERENT)
                        fail_msg("%s: %s is said to differ", what, c->rows[i].name);
}

static FILE *open_text(char **text)
{
        static size_t size;
        FILE *f = open_memstream(text, &size);

        assert_non_null(f);
        return f;
}

/* check_json() - it can be written, which NaN cannot */
static void check_json(json_t *j, const char *what)
{
        CLEANUP(freep) char *text = j ? json_dumps(j, 0) : NULL;

        if (!text)
                fail_msg("%s: no JSON", what);
        json_decref(j);
}

static void check_compare(const struct odd_case *c)
{
        CLEANUP(comparison_done) struct comparison k = COMPARISON_NULL;
        CLEANUP(freep) char *text = NULL;
        FILE *f;

        assert_int_equal(compare_sets(&boots.a, &boots.b, &options, &k), 0);
        f = open_text(&text);
        assert_int_equal(compare_view_print(&k, f, false), 0);
        assert_int_equal(fclose(f), 0);
        check_text(text, c->what);
        check_json(compare_view_json(&k), c->what);
        if (compare_status(&k) != c->status)
                fail_msg("%s: status %d, want %d", c->what, compare_status(&k), c->status);
        if (!c->may_claim)
                check_no_claim(&k, c->what);
}

static void check_others(const struct odd_case *c, const struct boot_set *all)
{
        CLEANUP(effects_done) struct effects e = EFFECTS_NULL;
        CLEANUP(histories_done) struct histories h = HISTORIES_NULL;
        CLEANUP(explanation_done) struct explanation x = EXPLANATION_NULL;
        CLEANUP(by_factor_done) struct by_factor b = BY_FACTOR_NULL;
        CLEANUP(freep) char *text = NULL;
        FILE *f;

        assert_int_equal(effects_of(all, &options, &e), 0);
        assert_int_equal(histories_of(all, &options, &h), 0);
        assert_int_equal(explain_sets(&boots.a, &boots.b, &options, &x), 0);
        assert_int_equal(by_factor(all, "drive.model", &options, &b), 0);
        f = open_text(&text);
        assert_int_equal(effects_view_print(&e, f, false), 0);
        assert_int_equal(histories_print(&h, f, false), 0);
        assert_int_equal(explain_view_print(&x, f, false), 0);
        assert_int_equal(by_factor_print(&b, f, false), 0);
        assert_int_equal(fclose(f), 0);
        check_text(text, c->what);
        check_json(effects_view_json(&e), c->what);
        check_json(histories_json(&h), c->what);
        check_json(explain_view_json(&x), c->what);
        check_json(by_factor_json(&b), c->what);
}

static void check_case(void **state)
{
        static const struct record *joined[BOOTS_MAX];
        const struct odd_case *c = *state;
        struct boot_set all;

        c->fill();
        boots_sort(&boots);
        all = boots_joined(&boots, joined);
        boots.a.name = boots.a.name ? boots.a.name : (char *) (uintptr_t) "A";
        boots.b.name = boots.b.name ? boots.b.name : (char *) (uintptr_t) "B";
        check_compare(c);
        check_others(c, &all);
}

static int clear(void **state)
{
        (void) state;
        boots_done(&boots);
        return 0;
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(odd_cases)]; /* one TAP line per case */

        (void) gsl_set_error_handler_off(); /* as bootlap's main() does */
        for (size_t i = 0; i < ELEMENTSOF(tests); i++)
                tests[i] =
                        (struct CMUnitTest){ .name = odd_cases[i].what,
                                             .test_func = check_case,
                                             .teardown_func = clear,
                                             .initial_state = (void *) (uintptr_t) &odd_cases[i] };
        return cmocka_run_group_tests_name("odd data", tests, NULL, NULL);
}
