/* analyze/odd.c - externally studentized residuals of a one-way layout */
#include "analyze/odd.h"
#include <math.h>
#include <gsl/gsl_cdf.h>
#include "record/macros.h"

#define LEVEL 0.05
#define NO_SPREAD 1e-24 /* variance of logarithms that only rounding makes */

struct cell {
        double sum, mean;
        size_t n;
};

int odd_find(const double *values, const size_t *configuration, size_t n, struct odd *ret)
{
        CLEANUP(freep) struct cell *cells = calloc(n + 1, sizeof *cells);
        double squares = 0, df = (double) n;
        int n_odd = 0;

        if (!cells)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                cells[configuration[i]].sum += log(values[i]);
                cells[configuration[i]].n++;
        }
        for (size_t i = 0; i < n; i++)
                if (cells[i].n > 0) {
                        cells[i].mean = cells[i].sum / (double) cells[i].n;
                        df--;
                }
        for (size_t i = 0; i < n; i++)
                squares += pow(log(values[i]) - cells[configuration[i]].mean, 2);
        if (df < 2)
                return 0;
        for (size_t i = 0; i < n; i++) {
                const struct cell *c = &cells[configuration[i]];
                double residual = log(values[i]) - c->mean, room = 1 - 1 / (double) c->n;
                double variance, t, p;

                if (c->n < ODD_BOOTS_MIN)
                        continue;
                variance = (squares - residual * residual / room) / (df - 1);
                if (!(variance > NO_SPREAD)) /* all others alike: no measure of what is odd */
                        continue;
                t = residual / sqrt(variance * room);
                p = fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), df - 1) * (double) n);
                if (p < LEVEL)
                        ret[n_odd++] = (struct odd){ .boot = i, .t = t, .p = p };
        }
        return n_odd;
}
