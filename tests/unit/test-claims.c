/* tests/unit/test-claims.c - what the views say of data that invite a wrong word
 *
 * Each case fills the sets, prints one view and looks for what must be in it and what must not. */
#include "tests/test.h"
#include <gsl/gsl_errno.h>
#include "analyze/compare_view.h"
#include "analyze/effects_view.h"
#include "analyze/explain_view.h"
#include "analyze/figure.h"
#include "analyze/history_view.h"
#include "analyze/strata_view.h"
#include "tests/boots.h"

#define DESKTOP_US 40000000

static struct boots boots; /* large, so not on the stack */

static void label(struct record *r, const char *key, const char *value)
{
        assert_int_equal(record_set_string(r->labels, key, value), 0);
}

static void by_label(void)
{
        static char key[] = "k";
        static char *keys[] = { key };

        for (size_t i = 0; i < boots.n; i++)
                label(boots.records[i], "k", i % 2 ? "b" : "a");
        boots.a.keys = boots.b.keys = keys;
        boots.a.n_keys = boots.b.n_keys = 1;
}

/* Most values are 0 in both sets, so the median difference is; where they are not, B has more. */
static void more_errors(void)
{
        for (int i = 0; i < 60; i++)
                boots_measure(boots_add(&boots, i % 2, 0, DESKTOP_US), "w", 1, "errors",
                              i % 2 && i % 3 == 0 ? 5 : 0, "");
}

/* B is the slower in more pairs, and by the median of the logarithms' differences; but where A is
 * slower, it is so by far more. */
static void other_shape(void)
{
        static const double a[] = { 1.0, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 90, 91, 92, 93, 94 };
        static const double b[] = { 2.0, 2.01, 2.02, 2.03, 2.04, 2.05, 2.06, 95, 96, 97, 98, 99 };

        for (int i = 0; i < 24; i++)
                boots_measure(boots_add(&boots, i % 2, 0, DESKTOP_US), "w", 1, "errors",
                              i % 2 ? b[i / 2] : -a[i / 2], "");
}

/* AAAABABBBB: dated, overlapping by a hair, and rising */
static void mostly_before(void)
{
        static const double rising_s[] = { 40.1, 41, 42, 43.05, 43.4, 43.1, 44, 45, 46.02, 47.01 };

        for (size_t i = 0; i < ELEMENTSOF(rising_s); i++)
                boots_add(&boots, i == 4 || i > 5, (int) i + 1, (int64_t) (rising_s[i] * 1e6));
}

/* A B A B A B, each pair a little later than the one before: a line, and an offset that is exact */
static void six_on_a_line(void)
{
        for (int i = 0; i < 6; i++)
                boots_add(&boots, i % 2, i + 1, DESKTOP_US + i / 2 * 2000);
}

static void all_zero(void)
{
        for (int i = 0; i < 6; i++)
                label(boots_add(&boots, i % 2, i + 1, 0), "own", i % 2 ? "1" : "0");
        for (size_t i = 0; i < boots.n; i++)
                boots_measure(boots.records[i], "w", 1, "real", 0, "s");
}

/* One boot of each set with the tool's old version, seven with the new one */
static void two_versions(void)
{
        for (int i = 0; i < 16; i++) {
                struct sample *s = boots_measure(boots_add(&boots, i % 2, 0, DESKTOP_US), "w", 1,
                                                 "real", 10 + i / 2 + i % 2 * 20, "s");

                s->tool = strdup("w");
                s->tool_version = strdup(i < 2 ? "0.4" : "1.0");
        }
}

static void hundred_changes(void)
{
        for (int i = 0; i < 10; i++) {
                struct record *r = boots_add(&boots, i % 2, 0, DESKTOP_US + i);

                for (int k = 0; k < 100; k++) {
                        char key[16];

                        (void) snprintf(key, sizeof key, "own%02d", k);
                        label(r, key, i % 2 ? "1" : "0");
                }
        }
}

static void one_set_dated(void)
{
        for (int i = 0; i < 10; i++)
                boots_add(&boots, i % 2, i % 2 ? i + 1 : 0, DESKTOP_US + i * 1000);
}

static void other_shares(void)
{
        for (int i = 0; i < 12; i++)
                label(boots_add(&boots, i % 2, 0, DESKTOP_US + i), "kernel.release",
                      (i < 10) == i % 2 ? "6.1" : "6.2");
}

static void five_each(void)
{
        for (int i = 0; i < 10; i++)
                boots_add(&boots, i % 2, 0, DESKTOP_US + (i % 2) * 10000000 + i * 1000);
}

static void two_machines(void)
{
        five_each();
        for (size_t i = 1; i < 10; i += 2) {
                free(boots.records[i]->machine);
                boots.records[i]->machine = strdup("m2");
        }
}

static void mixed_machines(void)
{
        five_each();
        for (size_t i = 0; i < 4; i++) {
                free(boots.records[i]->machine);
                boots.records[i]->machine = strdup("m2");
        }
}

static void machines_and_a_factor(void)
{
        mixed_machines();
        for (size_t i = 0; i < 10; i++)
                label(boots.records[i], "kernel.release", i % 2 ? "6.2" : "6.1");
}

static void named_by_a_change(void)
{
        five_each();
        by_label();
        for (size_t i = 0; i < 10; i++)
                label(boots.records[i], "kernel.release", i % 2 ? "6.2" : "6.1");
}

static void left_out(void)
{
        static struct fault fault = { .text = "x.json: carries no checksum" };

        five_each();
        boots.a.n_incomplete = 2;
        boots.b.n_unreadable = 1;
        boots.b.unreadable = &fault;
}

/* 5400 in five boots, 7200 in five, and five of an older record that does not say */
static void unsaid(void)
{
        for (int i = 0; i < 18; i++) {
                struct record *r = boots_add(&boots, false, 0, DESKTOP_US + i * 1000);

                if (i >= 8)
                        label(r, "drive.rpm", i % 2 ? "5400" : "7200");
        }
}

static void unsaid_and_aliased(void)
{
        for (int i = 0; i < 15; i++) {
                struct record *r = boots_add(&boots, false, 0, DESKTOP_US + i * 1000);

                label(r, "kernel.release", i % 3 ? "6.2" : "6.1");
                if (i % 3 != 2)
                        label(r, "drive.rpm", i % 3 ? "5400" : "7200");
        }
}

static void split_at_x(struct record *r, int64_t x_us)
{
        assert_int_equal(record_see_at(r, "x.ready", x_us, 0, "test", NULL), 0);
}

static void nothing_moved(void)
{
        for (int i = 0; i < 8; i++)
                split_at_x(boots_add(&boots, i % 2, 0, DESKTOP_US), DESKTOP_US / 2);
}

static void parts_cancel_out(void)
{
        for (int i = 0; i < 8; i++)
                split_at_x(boots_add(&boots, i % 2, 0, DESKTOP_US + (i % 2) * 10),
                           DESKTOP_US / 2 + (i % 2) * 10000000);
}

/* Eight levels, each with a secondary that nearly stands out by itself: p is 0.029. */
static void many_levels(void)
{
        for (int i = 0; i < 32; i++) {
                struct record *r = boots_add(&boots, false, 0, DESKTOP_US + i % 4 * 1000);
                char level[8];

                (void) snprintf(level, sizeof level, "%d", i / 4);
                label(r, "own", level);
                boots_measure(r, "w", 1, "real", i < 4 ? 10 + i : 20 + i, "s");
        }
}

enum view { COMPARE, EFFECTS, HISTORY, EXPLAIN, BY };

static const struct claim_case {
        const char *what;
        void (*fill)(void);
        enum view view;
        const char *primary;
        const char *says, *says_not; /* NULL for nothing */
} cases[] = {
        { "ties: no shift, and yet higher", more_errors, COMPARE, "w.errors",
          "B is more often higher than A, by no one amount (shift +0, p", "lower" },
        { "a shift that agrees", other_shape, COMPARE, "w.errors", "higher than A", "lower" },
        { "a drift that cannot be told from the sets", mostly_before, COMPARE, NULL,
          "One set was mostly measured before the other", "equivalent" },
        { "too few boots for a fit", six_on_a_line, COMPARE, NULL, "A and B are equivalent",
          "faster" },
        { "no value above 0", all_zero, EFFECTS, "w.real",
          "No effects: no boot has a value of w.real above 0.", "varies" },
        { "the manner that most boots share", two_versions, COMPARE, "w.real",
          "Primary: w.real#1 (w 1.0 s)", NULL },
        { "a hundred changes in a sentence", hundred_changes, COMPARE, NULL,
          "own06, own07 and 92 more changed together", NULL },
        { "and in the base", hundred_changes, EFFECTS, NULL, "own19=0 and 80 groups more.", NULL },
        { "one set is not dated", one_set_dated, COMPARE, NULL, "Not all boots are dated", NULL },
        { "unbalanced", other_shares, COMPARE, NULL, "Unbalanced: kernel. What A and B hold",
          NULL },
        { "balanced", five_each, COMPARE, NULL, NULL, "Unbalanced" },
        { "two machines", two_machines, COMPARE, NULL,
          "come from different machines or installations", NULL },
        { "one of several machines", mixed_machines, COMPARE, NULL,
          "The boots are of several machines", NULL },
        { "one machine", five_each, COMPARE, NULL, NULL, "machines" },
        { "chosen by what may be a change", named_by_a_change, COMPARE, NULL,
          "chosen by k, and kernel changed with it", NULL },
        { "the level of a secondary's interval", five_each, COMPARE,
          "kernel.start..desktop.windows", "] 96.8 % 0.008", NULL },
        { "left out, of compare", left_out, COMPARE, NULL, "A: 2 incomplete boots are left out.",
          NULL },
        { "left out, of effects", left_out, EFFECTS, NULL,
          "2 incomplete boots are left out. 1 file could not be read and is not counted; the "
          "first: x.json: carries no checksum",
          NULL },
        { "left out, of history", left_out, HISTORY, NULL, "2 incomplete boots are left out.",
          NULL },
        { "left out, of explain", left_out, EXPLAIN, NULL,
          "A: 2 incomplete boots are left out. B: 1 file could not be read", NULL },
        { "left out, of compare --by", left_out, BY, NULL, "2 incomplete boots are left out.",
          NULL },
        { "what is not said is no base", unsaid, EFFECTS, NULL, "Base: drive.rpm=5400.", NULL },
        { "and gets no verdict", unsaid, EFFECTS, NULL, "1 of 2 changes have boots enough", NULL },
        { "and separates nothing", unsaid_and_aliased, EFFECTS, NULL, "Inseparable",
          "- drive.rpm=not said" },
        { "effects of several machines", machines_and_a_factor, EFFECTS, NULL,
          "The boots are of 2 machines", NULL },
        { "the model's level", unsaid, EFFECTS, NULL, "intervals at 95 %", NULL },
        { "nothing moved", nothing_moved, EXPLAIN, NULL, "B takes as much machine time as A",
          "moved" },
        { "parts that cancel out have no shares", parts_cancel_out, EXPLAIN, NULL,
          "what moved most is", "%" },
        { "secondaries of many levels", many_levels, BY, NULL, "cannot tell", "slower" },
};

static struct boot_set all_boots(void)
{
        static const struct record *joined[BOOTS_MAX];
        struct boot_set all = boots_joined(&boots, joined);

        all.n_incomplete = boots.a.n_incomplete;
        all.n_unreadable = boots.b.n_unreadable;
        all.unreadable = boots.b.unreadable;
        return all;
}

static void print_view(const struct claim_case *c, FILE *f)
{
        CLEANUP(comparison_done) struct comparison k = COMPARISON_NULL;
        CLEANUP(effects_done) struct effects e = EFFECTS_NULL;
        CLEANUP(histories_done) struct histories h = HISTORIES_NULL;
        CLEANUP(explanation_done) struct explanation x = EXPLANATION_NULL;
        CLEANUP(by_factor_done) struct by_factor b = BY_FACTOR_NULL;
        const struct compare_options options = { .within = COMPARE_WITHIN, .primary = c->primary };
        struct boot_set all = all_boots();
        int r = -1;

        switch (c->view) {
        case COMPARE:
                assert_int_equal(compare_sets(&boots.a, &boots.b, &options, &k), 0);
                r = compare_view_print(&k, f, false);
                break;
        case EFFECTS:
                assert_int_equal(effects_of(&all, &options, &e), 0);
                r = effects_view_print(&e, f, false);
                break;
        case HISTORY:
                assert_int_equal(histories_of(&all, &options, &h), 0);
                r = histories_print(&h, f, false);
                break;
        case EXPLAIN:
                assert_int_equal(explain_sets(&boots.a, &boots.b, &options, &x), 0);
                r = explain_view_print(&x, f, false);
                break;
        case BY:
                assert_int_equal(by_factor(&all, "own", &options, &b), 0);
                r = by_factor_print(&b, f, false);
                break;
        }
        assert_int_equal(r, 0);
}

/* join_lines() - with single blanks, so that neither wrapping nor columns matter */
static void join_lines(char *text)
{
        char *to = text;

        for (const char *p = text; *p; p++)
                if (*p != '\n' && *p != ' ')
                        *to++ = *p;
                else if (to > text && to[-1] != ' ')
                        *to++ = ' ';
        *to = '\0';
}

static void check_case(void **state)
{
        const struct claim_case *c = *state;
        CLEANUP(freep) char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        assert_non_null(f);
        c->fill();
        boots_sort(&boots);
        print_view(c, f);
        assert_int_equal(fclose(f), 0);
        join_lines(text);
        if (c->says && !strstr(text, c->says))
                fail_msg("want '%s' in:\n%s", c->says, text);
        if (c->says_not && strstr(text, c->says_not))
                fail_msg("want no '%s' in:\n%s", c->says_not, text);
}

static void p_near_the_level(void **state)
{
        char text[FIGURE_BYTES];

        (void) state;
        assert_string_equal(figure_p(0.05, text), "0.050");
        assert_string_equal(figure_p(0.0496, text), "0.050");
        assert_string_equal(figure_p(0.0504, text), "0.0504");
        assert_string_equal(figure_p(0.05000001, text), "0.0501");
        assert_string_equal(figure_p(0.0506, text), "0.051");
}

static int clear(void **state)
{
        (void) state;
        boots_done(&boots);
        return 0;
}

int main(void)
{
        struct CMUnitTest tests[ELEMENTSOF(cases) + 1]; /* one TAP line per case */

        (void) gsl_set_error_handler_off(); /* as bootlap's main() does */
        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                tests[i] = (struct CMUnitTest){ .name = cases[i].what,
                                                .test_func = check_case,
                                                .teardown_func = clear,
                                                .initial_state = (void *) (uintptr_t) &cases[i] };
        tests[ELEMENTSOF(cases)] = (struct CMUnitTest) cmocka_unit_test(p_near_the_level);
        return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
