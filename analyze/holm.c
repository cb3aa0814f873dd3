/* analyze/holm.c - the smallest p is multiplied by n, the next by n - 1, and none may undercut an
 * earlier one */
#include "analyze/holm.h"
#include <math.h>
#include <gsl/gsl_sort.h>
#include "record/macros.h"

int holm_adjust(const double *p, size_t n, double *ret)
{
        CLEANUP(freep) size_t *order = reallocarray(NULL, n ? n : 1, sizeof *order);
        double so_far = 0;

        if (!order)
                return -ENOMEM;
        gsl_sort_index(order, p, 1, n);
        for (size_t i = 0; i < n; i++) {
                so_far = fmax(so_far, fmin(1, (double) (n - i) * p[order[i]]));
                ret[order[i]] = so_far;
        }
        return 0;
}
