/* analyze/explain_view.h - an explanation as text of at most 100 columns, and as JSON */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>
#include "analyze/explain.h"

/** explain_view_print() - -ENOMEM, -EIO */
int explain_view_print(const struct explanation *e, FILE *f, bool color);

/** explain_view_json() - NULL when out of memory */
json_t *explain_view_json(const struct explanation *e);
