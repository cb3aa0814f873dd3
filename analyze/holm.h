/* analyze/holm.h - p-values of a family of questions, corrected together (Holm 1979) */
#pragma once
#include <stddef.h>

/** holm_adjust() - @ret[i] is the corrected @p[i], at most 1; they may be the same array; -ENOMEM
 */
int holm_adjust(const double *p, size_t n, double *ret);
