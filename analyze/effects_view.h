/* analyze/effects_view.h - effects as text of at most 100 columns, and as JSON */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>
#include "analyze/effects.h"

/** effects_view_print() - -ENOMEM, -EIO */
int effects_view_print(const struct effects *e, FILE *f, bool color);

/** effects_view_json() - NULL when out of memory */
json_t *effects_view_json(const struct effects *e);
