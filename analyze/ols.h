/* analyze/ols.h - ordinary least squares that says what the data cannot separate
 *
 * The rank is revealed by a QR decomposition with column pivoting. Where columns depend on one
 * another there is no one answer for their coefficients: they are marked as not estimable, and the
 * combinations that leave every fitted value as it is are returned.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct ols {
        size_t n, p, rank;
        size_t df;           /* n - rank */
        double variance;     /* of the residuals; 0 with df 0 */
        double *coefficient; /* p; a dependent column left out by pivoting has 0 */
        double *error;       /* p; standard errors, 0 with df 0 */
        bool *estimable;     /* p */
        double *alias;       /* (p - rank) rows of p: combinations of columns that are zero */
        double *residual;    /* n */
        double *leverage;    /* n; 1 for a row that nothing else tells anything about */
};
#define OLS_NULL ((struct ols){ .n = 0 })

/**
 * ols_fit() - least squares of @y on the columns of @x
 * @x: @n rows of @p, row by row; the intercept is a column like others. Columns should be of like
 *     size, since what is dependent is told by size.
 *
 * Return: 0; -ENOMEM.
 */
int ols_fit(const double *x, size_t n, size_t p, const double *y, struct ols *ret);
void ols_done(struct ols *f);

/** ols_quantile() - half width of a coefficient's interval at @level, in standard errors */
double ols_quantile(const struct ols *f, double level);

/** ols_p() - two-sided p of a coefficient being 0; 1 when it is not estimable or df is 0 */
double ols_p(const struct ols *f, size_t column);
