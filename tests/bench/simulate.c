/* tests/bench/simulate.c - do the analyzer's claims hold as often as it says?
 *
 * Each cell draws boots from a known law, asks the functions that ship, and counts. Seeded: the
 * same number of draws gives the same table.  Usage: simulate [DRAWS [SECTION...]]   (10,000 and
 * all of them unless said)
 *
 * With fewer draws a share is less certain, so every limit is widened by three standard errors of a
 * share at the limit beyond those of 10,000 draws; the table says by how much. Exit status 1 when a
 * cell is outside its limit. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include "analyze/contrast.h"
#include "analyze/drift.h"
#include "analyze/modes.h"
#include "analyze/odd.h"
#include "analyze/power.h"
#include "analyze/steps.h"
#include "record/macros.h"

#define FULL 10000
#define ROWS_SHARE 5 /* a fifth of the draws for rows that are steady or drift */
#define MAX 64
#define SEED 20261130

struct simulation {
        gsl_rng *rng;
        size_t draws;
        size_t n_cells, n_failed;
};

enum side { AT_MOST, AT_LEAST };

/* report_of() - @full: draws with which the limit holds as it stands */
static void report_of(struct simulation *s, const char *what, size_t hits, size_t draws,
                      size_t full, enum side side, double limit)
{
        double share = (double) hits / (double) draws;
        double slack = draws < full ? 3 * sqrt(limit * (1 - limit) / (double) draws) : 0;
        bool good = side == AT_MOST ? share <= limit + slack : share >= limit - slack;

        (void) printf("%-58s %6.2f %%  %s %5.1f %%", what, 100 * share,
                      side == AT_MOST ? "at most " : "at least", 100 * limit);
        if (slack > 0)
                (void) printf(" (%s%.1f)", side == AT_MOST ? "+" : "-", 100 * slack);
        (void) printf("%s\n", good ? "" : "  OUTSIDE");
        s->n_cells++;
        s->n_failed += !good;
}

static void report(struct simulation *s, const char *what, size_t hits, enum side side,
                   double limit)
{
        report_of(s, what, hits, s->draws, FULL, side, limit);
}

/* ---- laws, all around 1 with a spread near 0.05 unless said */

static double normal(gsl_rng *g) { return 1 + gsl_ran_gaussian_ziggurat(g, 0.05); }

static double log_normal(gsl_rng *g) { return exp(gsl_ran_gaussian_ziggurat(g, 0.3)); }

static double bimodal(gsl_rng *g)
{
        return (gsl_rng_uniform(g) < 0.5 ? 1 : 1.18) * (1 + gsl_ran_gaussian_ziggurat(g, 0.02));
}

static double uniform(gsl_rng *g) { return 1 + 0.1 * gsl_rng_uniform(g); }

static double exponential(gsl_rng *g) { return 1 + gsl_ran_exponential(g, 0.1); }

static const struct law {
        const char *name;
        double (*draw)(gsl_rng *);
} laws[] = { { "normal", normal },
             { "log-normal", log_normal },
             { "bimodal", bimodal },
             { "uniform", uniform },
             { "exponential", exponential } };

static void fill(struct simulation *s, const struct law *law, double *x, size_t n)
{
        for (size_t i = 0; i < n; i++)
                x[i] = law->draw(s->rng);
}

/* ---- the same law twice */

static void same_law(struct simulation *s)
{
        static const size_t sizes[][2] = { { 4, 4 },   { 5, 5 },   { 6, 6 },   { 7, 7 },
                                           { 8, 8 },   { 10, 10 }, { 12, 12 }, { 15, 15 },
                                           { 20, 20 }, { 25, 25 }, { 30, 30 }, { 4, 8 },
                                           { 5, 20 },  { 10, 30 } };
        double a[MAX], b[MAX];

        for (size_t l = 0; l < 4; l++)
                for (size_t k = 0; k < ELEMENTSOF(sizes); k++) {
                        size_t n = sizes[k][0], m = sizes[k][1], hits = 0;
                        bool outlier = l == 3;
                        char what[80];

                        for (size_t d = 0; d < s->draws; d++) {
                                struct rank_test t = { .p = 1 };

                                fill(s, &laws[outlier ? 0 : l], a, n);
                                fill(s, &laws[outlier ? 0 : l], b, m);
                                if (outlier)
                                        *(gsl_rng_uniform(s->rng) < 0.5 ? a : b) *= 1.5;
                                (void) rank_test(a, n, b, m, &t);
                                hits += t.p <= 0.05;
                        }
                        (void) snprintf(what, sizeof what, "A/A: %s, %zu+%zu: claimed to differ",
                                        outlier ? "one outlier" : laws[l].name, n, m);
                        report(s, what, hits, AT_MOST, 0.058);
                }
}

/* ---- intervals */

static void coverage(struct simulation *s)
{
        static const size_t sizes[][2] = { { 2, 1 }, { 2, 2 }, { 3, 2 },   { 3, 3 },   { 4, 3 },
                                           { 5, 3 }, { 4, 4 }, { 5, 5 },   { 6, 6 },   { 8, 8 },
                                           { 4, 9 }, { 8, 3 }, { 12, 12 }, { 20, 20 }, { 30, 30 } };
        double a[MAX], b[MAX];

        for (size_t l = 0; l < ELEMENTSOF(laws); l++)
                for (size_t k = 0; k < ELEMENTSOF(sizes); k++)
                        for (int scaled = 0; scaled < 2; scaled++) {
                                size_t n = sizes[k][0], m = sizes[k][1], hits = 0;
                                double level = 0;
                                char what[80];

                                for (size_t d = 0; d < s->draws; d++) {
                                        CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;
                                        const struct estimate *e = scaled ? &c.ratio : &c.shift;
                                        double truth = scaled ? 0.8 : 0.07;

                                        fill(s, &laws[l], a, n);
                                        fill(s, &laws[l], b, m);
                                        for (size_t i = 0; i < m; i++)
                                                b[i] = scaled ? b[i] * truth : b[i] + truth;
                                        if (contrast_of(a, n, b, m, 0.05, &c) < 0)
                                                exit(1);
                                        hits += e->low <= truth && truth <= e->high;
                                        level = e->level;
                                }
                                (void) snprintf(what, sizeof what,
                                                "%s, %s, %zu+%zu: interval at %.1f %% covers",
                                                scaled ? "ratio" : "shift", laws[l].name, n, m,
                                                100 * level);
                                report(s, what, hits, AT_LEAST,
                                       level >= 0.95 ? 0.93 : level - 0.02);
                                if (level < 0.95)
                                        report(s, what, hits, AT_MOST, level + 0.02);
                        }
}

/* ---- equivalence and power */

static void equivalence(struct simulation *s)
{
        static const size_t sizes[] = { 3, 4, 6, 10, 20 };
        double a[MAX], b[MAX];

        for (size_t k = 0; k < ELEMENTSOF(sizes); k++) {
                size_t n = sizes[k], hits = 0;
                char what[80];

                for (size_t d = 0; d < s->draws; d++) {
                        CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;

                        for (size_t i = 0; i < n; i++) {
                                a[i] = exp(gsl_ran_gaussian_ziggurat(s->rng, 0.01));
                                b[i] = 1.05 * exp(gsl_ran_gaussian_ziggurat(s->rng, 0.01));
                        }
                        if (contrast_of(a, n, b, n, 0.05, &c) < 0)
                                exit(1);
                        hits += c.equivalence_p <= 0.05 + 1e-9;
                }
                (void) snprintf(what, sizeof what, "ratio just at the margin, %zu+%zu: equivalent",
                                n, n);
                report(s, what, hits, AT_MOST, 0.058);
        }
}

static void power(struct simulation *s)
{
        static const double spreads[] = { 0.01, 0.02, 0.03, 0.05, 0.08 };
        double a[MAX], b[MAX];

        for (size_t k = 0; k < ELEMENTSOF(spreads); k++) {
                size_t n = power_would(spreads[k], log1p(0.05), 0.05), hits = 0;
                char what[80];

                for (size_t d = 0; d < s->draws; d++) {
                        struct rank_test t = { .p = 1 };

                        for (size_t i = 0; i < n; i++) {
                                a[i] = gsl_ran_gaussian_ziggurat(s->rng, spreads[k]);
                                b[i] = gsl_ran_gaussian_ziggurat(s->rng, spreads[k]) + log1p(0.05);
                        }
                        (void) rank_test(a, n, b, n, &t);
                        hits += t.p <= 0.05;
                }
                (void) snprintf(what, sizeof what,
                                "5 %% at spread %g %%, the %zu+%zu that would: seen",
                                100 * spreads[k], n, n);
                report(s, what, hits, AT_LEAST, 0.78);
        }
}

/* ---- two modes */

static void one_mode(struct simulation *s)
{
        static const size_t sizes[] = { 8, 9, 10, 12, 15, 16, 20, 30, 45, 60 };
        static const size_t with_one_mode[] = { 0, 1, 3, 4 };
        double x[MAX];

        for (size_t l = 0; l < ELEMENTSOF(with_one_mode); l++)
                for (size_t k = 0; k < ELEMENTSOF(sizes); k++) {
                        const struct law *law = &laws[with_one_mode[l]];
                        size_t hits = 0;
                        char what[80];

                        for (size_t d = 0; d < s->draws; d++) {
                                fill(s, law, x, sizes[k]);
                                gsl_sort(x, 1, sizes[k]);
                                hits += modes_of(x, sizes[k], 0).two;
                        }
                        (void) snprintf(what, sizeof what, "one mode: %s, n = %zu: two named",
                                        law->name, sizes[k]);
                        report(s, what, hits, AT_MOST, 0.06);
                }
}

static void two_modes(struct simulation *s, size_t n, double share, bool exactly, double limit)
{
        double x[MAX];
        size_t hits = 0;
        char what[80];

        for (size_t d = 0; d < s->draws; d++) {
                for (size_t i = 0; i < n; i++) {
                        bool low = exactly ? (double) i < share * (double) n
                                           : gsl_rng_uniform(s->rng) < share;

                        x[i] = (low ? 1 : 1.18) * (1 + gsl_ran_gaussian_ziggurat(s->rng, 0.02));
                }
                gsl_sort(x, 1, n);
                hits += modes_of(x, n, 0).two;
        }
        (void) snprintf(what, sizeof what, "two modes 18 %% apart, %.0f/%.0f %s, n = %zu: named",
                        100 * share, 100 - 100 * share, exactly ? "exactly" : "by chance", n);
        report(s, what, hits, AT_LEAST, limit);
}

/* ---- steps along a row */

static void steps(struct simulation *s)
{
        static const size_t at[] = { 8, 12, 16, 20, 24, 28, 32 };
        double x[40];

        for (size_t k = 0; k < ELEMENTSOF(at); k++) {
                size_t hits = 0;
                char what[80];

                for (size_t d = 0; d < s->draws; d++) {
                        CLEANUP(steps_done) struct steps found = STEPS_NULL;
                        bool near = false;

                        for (size_t i = 0; i < 40; i++)
                                x[i] = (i < at[k] ? 1 : 1.05) *
                                       (1 + gsl_ran_gaussian_ziggurat(s->rng, 0.02));
                        if (steps_of(x, 40, &found) < 0)
                                exit(1);
                        for (size_t i = 1; i < found.n; i++)
                                near = near || (found.segment[i].from + 3 >= at[k] &&
                                                found.segment[i].from <= at[k] + 3);
                        hits += near;
                }
                (void) snprintf(what, sizeof what,
                                "step of 5 %% after boot %zu of 40: within 3 boots", at[k]);
                report(s, what, hits, AT_LEAST, 0.93);
        }
}

static void no_steps(struct simulation *s)
{
        static const size_t sizes[] = { 8, 15, 40, 100 };
        double x[100];
        size_t draws = s->draws / ROWS_SHARE;

        for (size_t k = 0; k < ELEMENTSOF(sizes); k++) {
                size_t hits = 0;
                char what[80];

                for (size_t d = 0; d < draws; d++) {
                        CLEANUP(steps_done) struct steps found = STEPS_NULL;

                        for (size_t i = 0; i < sizes[k]; i++)
                                x[i] = 1 + gsl_ran_gaussian_ziggurat(s->rng, 0.02);
                        if (steps_of(x, sizes[k], &found) < 0)
                                exit(1);
                        hits += found.n > 1 || found.segment[0].trend;
                }
                (void) snprintf(what, sizeof what, "steady row of %zu: any change named", sizes[k]);
                report_of(s, what, hits, draws, FULL / ROWS_SHARE, AT_MOST, 0.06);
        }
}

static void trends(struct simulation *s)
{
        static const double drifts[] = { 0.002, 0.005, 0.01 }, limits[] = { 0.7, 0.9, 0.97 };
        double x[40];
        size_t draws = s->draws / ROWS_SHARE;

        for (size_t k = 0; k < ELEMENTSOF(drifts); k++) {
                size_t hits = 0;
                char what[80];

                for (size_t d = 0; d < draws; d++) {
                        CLEANUP(steps_done) struct steps found = STEPS_NULL;

                        for (size_t i = 0; i < 40; i++)
                                x[i] = (1 + drifts[k] * (double) i) *
                                       (1 + gsl_ran_gaussian_ziggurat(s->rng, 0.02));
                        if (steps_of(x, 40, &found) < 0)
                                exit(1);
                        hits += found.n == 1 && found.segment[0].trend;
                }
                (void) snprintf(what, sizeof what, "drift of %g %% a boot over 40: called a trend",
                                100 * drifts[k]);
                report_of(s, what, hits, draws, FULL / ROWS_SHARE, AT_LEAST, limits[k]);
        }
}

/* ---- alternating sets */

/* decide() - as a comparison does: the fit's p when the drift matters, else the rank test's */
static double decide(const double *x, const bool *in_b, const size_t *position, size_t n)
{
        double a[MAX], b[MAX];
        size_t n_a = 0, n_b = 0;
        struct rank_test t = { .p = 1 };
        struct drift drift;

        if (drift_of(x, in_b, position, n, 0.05, &drift) < 0)
                exit(1);
        if (drift.matters)
                return drift.p;
        for (size_t i = 0; i < n; i++) {
                if (in_b[i])
                        b[n_b++] = x[i];
                else
                        a[n_a++] = x[i];
        }
        (void) rank_test(a, n_a, b, n_b, &t);
        return t.p;
}

static void alternating(struct simulation *s, size_t each, double drift, double effect,
                        enum side side, double limit)
{
        size_t hits = 0, n = 2 * each, position[MAX];
        bool in_b[MAX];
        double x[MAX];
        char what[80];

        for (size_t i = 0; i < n; i++) {
                position[i] = i;
                in_b[i] = i % 4 == 1 || i % 4 == 2; /* A B B A */
        }
        for (size_t d = 0; d < s->draws; d++) {
                for (size_t i = 0; i < n; i++)
                        x[i] = (in_b[i] ? 1 + effect : 1) * (1 + drift * (double) i) *
                               (1 + gsl_ran_gaussian_ziggurat(s->rng, 0.02));
                hits += decide(x, in_b, position, n) <= 0.05;
        }
        (void) snprintf(what, sizeof what, "ABBA %zu+%zu, drift %g %% a boot, effect %g %%: found",
                        each, each, 100 * drift, 100 * effect);
        report(s, what, hits, side, limit);
}

/* ---- odd boots */

static void odd(struct simulation *s)
{
        static const size_t configuration[] = { 0, 0, 0, 0, 1, 1, 1, 2, 2, 3 };
        double x[ELEMENTSOF(configuration)];
        struct odd found[ELEMENTSOF(configuration)];
        size_t hits = 0, named = 0;

        for (size_t d = 0; d < s->draws; d++) {
                fill(s, &laws[0], x, ELEMENTSOF(x));
                hits += odd_find(x, configuration, ELEMENTSOF(x), found) > 0;
                x[2] = 1.5;
                named +=
                        odd_find(x, configuration, ELEMENTSOF(x), found) == 1 && found[0].boot == 2;
        }
        report(s, "odd boots: 4+3+2+1 normal: any named", hits, AT_MOST, 0.058);
        report(s, "odd boots: one 10 standard deviations off: named", named, AT_LEAST, 0.9);
}

static void two_modes_all(struct simulation *s)
{
        two_modes(s, 20, 0.5, true, 0.90);
        two_modes(s, 20, 0.5, false, 0.90);
        two_modes(s, 30, 0.3, true, 0.85);
        two_modes(s, 30, 0.3, false, 0.85);
}

/* shuffled() - sets of one law, their boots in any order and without a drift: whether the fit
 * decides or the ranks do, a claim is false as seldom, and the interval covers as often */
static void shuffled(struct simulation *s)
{
        static const size_t sizes[][2] = { { 4, 4 }, { 6, 6 }, { 10, 10 }, { 20, 20 }, { 4, 8 } };
        double x[MAX], a[MAX], b[MAX];
        size_t position[MAX];
        bool in_b[MAX];

        for (size_t l = 0; l < ELEMENTSOF(laws); l++)
                for (size_t k = 0; k < ELEMENTSOF(sizes); k++) {
                        size_t n = sizes[k][0] + sizes[k][1], hits = 0, n_false = 0;
                        char what[80];

                        for (size_t d = 0; d < s->draws; d++) {
                                CLEANUP(contrast_done) struct contrast c = CONTRAST_NULL;
                                size_t n_a = 0, n_b = 0;

                                for (size_t i = 0; i < n; i++) {
                                        in_b[i] = i >= sizes[k][0];
                                        position[i] = i;
                                }
                                gsl_ran_shuffle(s->rng, in_b, n, sizeof *in_b);
                                fill(s, &laws[l], x, n);
                                for (size_t i = 0; i < n; i++)
                                        *(in_b[i] ? &b[n_b++] : &a[n_a++]) = x[i];
                                if (contrast_of(a, n_a, b, n_b, 0.05, &c) < 0 ||
                                    contrast_take_order(&c, x, in_b, position, n, 0.05) < 0)
                                        exit(1);
                                n_false += c.p <= 0.05;
                                hits += c.ratio.low <= 1 && 1 <= c.ratio.high;
                        }
                        (void) snprintf(what, sizeof what,
                                        "shuffled: %s, %zu+%zu: claimed to differ", laws[l].name,
                                        sizes[k][0], sizes[k][1]);
                        report(s, what, n_false, AT_MOST, 0.058);
                        (void) snprintf(what, sizeof what, "shuffled: %s, %zu+%zu: ratio covers",
                                        laws[l].name, sizes[k][0], sizes[k][1]);
                        report(s, what, hits, AT_LEAST, 0.93);
                }
}

static void alternating_all(struct simulation *s)
{
        alternating(s, 4, 0, 0, AT_MOST, 0.058);
        alternating(s, 8, 0, 0, AT_MOST, 0.058);
        alternating(s, 16, 0, 0, AT_MOST, 0.058);
        alternating(s, 4, 0.01, 0, AT_MOST, 0.06);
        alternating(s, 8, 0.01, 0, AT_MOST, 0.06);
        alternating(s, 16, 0.01, 0, AT_MOST, 0.06);
        alternating(s, 4, 0.01, 0.05, AT_LEAST, 0.75);
        alternating(s, 8, 0.01, 0.05, AT_LEAST, 0.95);
}

/* Each starts from the seed, so that it says the same alone as in the whole table. */
static const struct section {
        const char *name;
        void (*run)(struct simulation *s);
} sections[] = {
        { "same-law", same_law },
        { "coverage", coverage },
        { "equivalence", equivalence },
        { "power", power },
        { "one-mode", one_mode },
        { "two-modes", two_modes_all },
        { "steps", steps },
        { "steady", no_steps },
        { "trends", trends },
        { "alternating", alternating_all },
        { "shuffled", shuffled },
        { "odd", odd },
};

static bool is_wanted(const struct section *s, int argc, char **argv)
{
        for (int i = 2; i < argc; i++)
                if (strcmp(argv[i], s->name) == 0)
                        return true;
        return argc < 3;
}

int main(int argc, char **argv)
{
        struct simulation s = { .draws = argc > 1 ? strtoul(argv[1], NULL, 10) : FULL };

        (void) gsl_set_error_handler_off();
        s.rng = gsl_rng_alloc(gsl_rng_mt19937);
        if (!s.rng || s.draws < 10) {
                (void) fprintf(stderr, "simulate: wants a number of draws from 10\n");
                return 2;
        }
        (void) printf("%zu draws a cell (a fifth of that for steady and drifting rows), seed %d\n",
                      s.draws, SEED);
        for (size_t i = 0; i < ELEMENTSOF(sections); i++) {
                gsl_rng_set(s.rng, SEED);
                if (is_wanted(&sections[i], argc, argv))
                        sections[i].run(&s);
                (void) fflush(stdout);
        }
        (void) printf("%zu cells, %zu outside their limit\n", s.n_cells, s.n_failed);
        gsl_rng_free(s.rng);
        return s.n_failed > 0 || s.n_cells == 0;
}
