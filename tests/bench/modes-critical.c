/* tests/bench/modes-critical.c - the critical values of analyze/modes.c, by simulation
 *
 * For each number of boots the largest of the 95 % points over distributions with one mode: normal,
 * log-normal (sigma 0.25), uniform, exponential. Prints analyze/modes_critical.h; seeded, so that
 * the same file comes out again.  Usage: modes-critical [DRAWS] >analyze/modes_critical.h */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include "analyze/modes.h"

#define N_MAX 60
#define LEVEL 0.95
#define DRAWS 40000

static double normal(gsl_rng *g) { return gsl_ran_gaussian_ziggurat(g, 1); }

static double log_normal(gsl_rng *g) { return exp(gsl_ran_gaussian_ziggurat(g, 0.25)); }

static double uniform(gsl_rng *g) { return gsl_rng_uniform(g); }

static double exponential(gsl_rng *g) { return gsl_ran_exponential(g, 1); }

static double point(gsl_rng *g, double (*draw)(gsl_rng *), size_t n, size_t draws, double *gaps)
{
        double values[N_MAX];

        for (size_t d = 0; d < draws; d++) {
                for (size_t i = 0; i < n; i++)
                        values[i] = draw(g);
                gsl_sort(values, 1, n);
                gaps[d] = modes_gap(values, n, 0, NULL);
        }
        gsl_sort(gaps, 1, draws);
        return gaps[(size_t) (LEVEL * (double) draws)];
}

int main(int argc, char **argv)
{
        static double (*const laws[])(gsl_rng *) = { normal, log_normal, uniform, exponential };
        size_t draws = argc > 1 ? strtoul(argv[1], NULL, 10) : DRAWS;
        double *gaps = calloc(draws + 1, sizeof *gaps);
        gsl_rng *g = gsl_rng_alloc(gsl_rng_mt19937);

        if (!gaps || !g || draws < 100)
                return 1;
        gsl_rng_set(g, 8);
        (void) printf(
                "/* analyze/modes_critical.h - critical values of the gap between two modes\n *\n"
                " * Made by tests/bench/modes-critical with %zu draws a distribution: the largest\n"
                " * 95 %% point over normal, log-normal, uniform and exponential values, for %d\n"
                " * boots and on. */\n#pragma once\n\n"
                "static const double modes_critical[] = {\n",
                draws, MODES_BOOTS_MIN);
        for (size_t n = MODES_BOOTS_MIN; n <= N_MAX; n++) {
                double most = 0;

                for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++)
                        most = fmax(most, point(g, laws[l], n, draws, gaps));
                (void) printf("        %.4f, /* %zu */\n", most, n);
        }
        (void) printf("};\n");
        gsl_rng_free(g);
        free(gaps);
        return fflush(stdout) ? 1 : 0;
}
