/* analyze/modes.c - the widest gap, and when it is too wide for one mode */
#include "analyze/modes.h"
#include <math.h>
#include "analyze/modes_critical.h"
#include "analyze/shift.h"
#include "record/macros.h"

#define SIDE_MIN 3
#define SIDE_SHARE 0.2

static size_t side_min(size_t n)
{
        size_t share = (size_t) ceil(SIDE_SHARE * (double) n - 1e-9);

        return share > SIDE_MIN ? share : SIDE_MIN;
}

/* grain() - with ties, values lie on a grid: its mesh is the smallest step between two of them */
static double grain(const double *sorted, size_t n, double resolution)
{
        double least = INFINITY;
        bool ties = false;

        for (size_t i = 1; i < n; i++) {
                double step = sorted[i] - sorted[i - 1];

                ties = ties || !(step > 0);
                if (step > 0)
                        least = fmin(least, step);
        }
        return ties && isfinite(least) ? fmax(least, resolution) : resolution;
}

double modes_gap(const double *sorted, size_t n, double resolution, size_t *ret_n_low)
{
        size_t side = side_min(n);
        double best = 0, mesh = grain(sorted, n, resolution);

        for (size_t k = side; k + side <= n; k++) {
                /* Rounding can widen a gap by a mesh and hide as much of a side's range. */
                double gap = sorted[k] - sorted[k - 1] - mesh;
                double range = fmax(sorted[k - 1] - sorted[0], sorted[n - 1] - sorted[k]) + mesh;
                double measure = range > 0 ? gap / range : 0;

                if (measure > best) {
                        best = measure;
                        if (ret_n_low)
                                *ret_n_low = k;
                }
        }
        return best;
}

static double critical(size_t n)
{
        size_t i = n - MODES_BOOTS_MIN;

        /* It falls with n: the last one is on the safe side of all that follow. */
        return modes_critical[i < ELEMENTSOF(modes_critical) ? i : ELEMENTSOF(modes_critical) - 1];
}

struct modes modes_of(const double *sorted, size_t n, double resolution)
{
        struct modes m = { .two = false };

        if (n < MODES_BOOTS_MIN)
                return m;
        m.gap = modes_gap(sorted, n, resolution, &m.n_low);
        m.two = m.gap > critical(n);
        if (!m.two)
                return m;
        m.n_high = n - m.n_low;
        m.low = shift_median(sorted, m.n_low);
        m.high = shift_median(sorted + m.n_low, m.n_high);
        return m;
}
