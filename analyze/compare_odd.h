/* analyze/compare_odd.h - which boots of a comparison are odd, and what the figures are without
 * them */
#pragma once
#include "analyze/compare.h"

/**
 * compare_find_odd() - fill @c->odd and @c->without
 * @pool: boots whose spread is the measure: more of them, of other configurations, tell it better
 *
 * Return: 0; -ENOMEM.
 */
int compare_find_odd(struct comparison *c, const struct record *const *pool, size_t n_pool);
