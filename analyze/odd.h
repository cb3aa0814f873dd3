/* analyze/odd.h - boots that do not fit the others of their configuration
 *
 * One metric at a time: ln(value) has a mean per configuration and one spread for all of them. A
 * boot is judged by a spread that it had no part in (externally studentized residual), and by a p
 * that is corrected for the number of boots looked at. The median deviation is not used: with ties,
 * which hand timings are full of, it is zero.
 */
#pragma once
#include <stddef.h>

#define ODD_BOOTS_MIN 3 /* of a configuration, below which nothing is odd about any of them */

struct odd {
        size_t boot; /* position in the values given */
        double t;    /* studentized residual; its sign is the direction */
        double p;    /* corrected for the number of boots, below 0.05 */
};

/**
 * odd_find() - odd values among @n
 * @values: above 0
 * @configuration: of each, numbered from 0, below @n
 * @ret: at least @n elements; filled in the order of the values
 *
 * Return: how many are odd; -ENOMEM.
 */
int odd_find(const double *values, const size_t *configuration, size_t n, struct odd *ret);
