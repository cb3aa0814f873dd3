/* analyze/separate.h - what always changed together, and which boots would separate it */
#pragma once
#include "analyze/effects.h"
#include "analyze/ols.h"

/**
 * separate() - fill @e->inseparable from the combinations that the fit could not tell apart
 * @f: the fit of @e->design
 *
 * Return: 0; -ENOMEM.
 */
int separate(struct effects *e, const struct ols *f);
