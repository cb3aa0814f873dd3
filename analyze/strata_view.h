/* analyze/strata_view.h - comparisons by a factor as text and as JSON */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>
#include "analyze/strata.h"

/** by_factor_print() - one comparison after the other, then what was left out; -ENOMEM, -EIO */
int by_factor_print(const struct by_factor *b, FILE *f, bool color);

/** by_factor_json() - NULL when out of memory */
json_t *by_factor_json(const struct by_factor *b);
