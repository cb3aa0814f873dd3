/* analyze/ols.c - GSL's QRPT, and what to make of it when the rank is short */
#include "analyze/ols.h"
#include <math.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include "record/macros.h"

/* What is smaller than this against the largest pivot counts as dependent. */
#define DEPENDENT 1e-9

/* The decomposition X P = Q R while it is in use. */
struct qr {
        gsl_matrix *qr;
        gsl_vector *tau, *norm, *y;
        gsl_permutation *permutation;
        size_t rank;
};

static void qr_done(struct qr *d)
{
        gsl_matrix_free(d->qr);
        gsl_vector_free(d->tau);
        gsl_vector_free(d->norm);
        gsl_vector_free(d->y);
        gsl_permutation_free(d->permutation);
}

/* qr_init() - rows of zeros are added where there are fewer rows than columns: they change no fit
 */
static int qr_init(struct qr *d, const double *x, size_t n, size_t p, const double *y)
{
        size_t rows = n > p ? n : p;
        int sign;

        *d = (struct qr){ .qr = gsl_matrix_calloc(rows, p),
                          .tau = gsl_vector_alloc(p),
                          .norm = gsl_vector_alloc(p),
                          .y = gsl_vector_calloc(rows),
                          .permutation = gsl_permutation_alloc(p) };
        if (!d->qr || !d->tau || !d->norm || !d->y || !d->permutation)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                gsl_vector_set(d->y, i, y[i]);
                for (size_t k = 0; k < p; k++)
                        gsl_matrix_set(d->qr, i, k, x[i * p + k]);
        }
        (void) gsl_linalg_QRPT_decomp(d->qr, d->tau, d->permutation, &sign, d->norm);
        (void) gsl_linalg_QR_QTvec(d->qr, d->tau, d->y);
        while (d->rank < p && fabs(gsl_matrix_get(d->qr, d->rank, d->rank)) >
                                      DEPENDENT * fabs(gsl_matrix_get(d->qr, 0, 0)))
                d->rank++;
        return 0;
}

static size_t column_of(const struct qr *d, size_t pivot)
{
        return gsl_permutation_get(d->permutation, pivot);
}

static void solve(const struct qr *d, CBLAS_TRANSPOSE_t transposed, gsl_vector *v)
{
        gsl_matrix_const_view r = gsl_matrix_const_submatrix(d->qr, 0, 0, d->rank, d->rank);

        (void) gsl_blas_dtrsv(CblasUpper, transposed, CblasNonUnit, &r.matrix, v);
}

static void set_coefficients(struct ols *f, const struct qr *d, gsl_vector *work)
{
        for (size_t i = 0; i < d->rank; i++)
                gsl_vector_set(work, i, gsl_vector_get(d->y, i));
        solve(d, CblasNoTrans, work);
        for (size_t i = 0; i < d->rank; i++)
                f->coefficient[column_of(d, i)] = gsl_vector_get(work, i);
}

/* set_errors() - row i of the inverse of R has the squared error of coefficient i, in variances */
static void set_errors(struct ols *f, const struct qr *d, gsl_vector *work)
{
        for (size_t i = 0; i < d->rank; i++) {
                gsl_vector_set_zero(work);
                gsl_vector_set(work, i, 1);
                solve(d, CblasTrans, work);
                f->error[column_of(d, i)] = sqrt(f->variance) * gsl_blas_dnrm2(work);
        }
}

static void set_aliases(struct ols *f, const struct qr *d, gsl_vector *work)
{
        for (size_t k = 0; k < f->p; k++)
                f->estimable[k] = true;
        for (size_t j = d->rank; j < f->p; j++) {
                double *alias = f->alias + (j - d->rank) * f->p;

                for (size_t i = 0; i < d->rank; i++)
                        gsl_vector_set(work, i, gsl_matrix_get(d->qr, i, j));
                solve(d, CblasNoTrans, work);
                alias[column_of(d, j)] = 1;
                f->estimable[column_of(d, j)] = false;
                for (size_t i = 0; i < d->rank; i++) {
                        double c = gsl_vector_get(work, i);

                        if (fabs(c) < sqrt(DEPENDENT))
                                continue;
                        alias[column_of(d, i)] = -c;
                        f->estimable[column_of(d, i)] = false;
                }
        }
}

static void set_residuals(struct ols *f, const struct qr *d, const double *x, const double *y,
                          gsl_vector *work)
{
        double squares = 0;

        for (size_t i = 0; i < f->n; i++) {
                const double *row = x + i * f->p;

                f->residual[i] = y[i];
                for (size_t k = 0; k < f->p; k++)
                        f->residual[i] -= row[k] * f->coefficient[k];
                squares += f->residual[i] * f->residual[i];
                for (size_t k = 0; k < d->rank; k++)
                        gsl_vector_set(work, k, row[column_of(d, k)]);
                solve(d, CblasTrans, work);
                f->leverage[i] = pow(gsl_blas_dnrm2(work), 2);
        }
        f->variance = f->df > 0 ? squares / (double) f->df : 0;
}

static int allocate(struct ols *f)
{
        f->coefficient = calloc(f->p, sizeof *f->coefficient);
        f->error = calloc(f->p, sizeof *f->error);
        f->estimable = calloc(f->p, sizeof *f->estimable);
        f->alias = calloc((f->p - f->rank) * f->p + 1, sizeof *f->alias);
        f->residual = calloc(f->n, sizeof *f->residual);
        f->leverage = calloc(f->n, sizeof *f->leverage);
        return f->coefficient && f->error && f->estimable && f->alias && f->residual && f->leverage
                       ? 0
                       : -ENOMEM;
}

int ols_fit(const double *x, size_t n, size_t p, const double *y, struct ols *ret)
{
        CLEANUP(qr_done) struct qr d = { .rank = 0 };
        CLEANUP(ols_done) struct ols f = { .n = n, .p = p };
        gsl_vector *work;

        if (qr_init(&d, x, n, p, y) < 0)
                return -ENOMEM;
        f.rank = d.rank;
        f.df = n - d.rank;
        if (allocate(&f) < 0)
                return -ENOMEM;
        if (d.rank > 0) {
                work = gsl_vector_alloc(d.rank);
                if (!work)
                        return -ENOMEM;
                set_coefficients(&f, &d, work);
                set_residuals(&f, &d, x, y, work);
                set_errors(&f, &d, work);
                set_aliases(&f, &d, work);
                gsl_vector_free(work);
        }
        *ret = f;
        f = OLS_NULL;
        return 0;
}

void ols_done(struct ols *f)
{
        free(f->coefficient);
        free(f->error);
        free(f->estimable);
        free(f->alias);
        free(f->residual);
        free(f->leverage);
        *f = OLS_NULL;
}

double ols_quantile(const struct ols *f, double level)
{
        return f->df > 0 ? gsl_cdf_tdist_Pinv((1 + level) / 2, (double) f->df) : INFINITY;
}

double ols_p(const struct ols *f, size_t column)
{
        if (f->df == 0 || !f->estimable[column])
                return 1;
        if (!(f->error[column] > 0))
                return f->coefficient[column] != 0 ? 0 : 1;
        return fmin(1, 2 * gsl_cdf_tdist_Q(fabs(f->coefficient[column] / f->error[column]),
                                           (double) f->df));
}
