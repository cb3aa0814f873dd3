/* analyze/compare_view.h - a comparison as text of at most 100 columns, and as JSON */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>
#include "analyze/compare.h"

/** compare_view_print() - the verdict in a sentence first, then the figures; -ENOMEM, -EIO */
int compare_view_print(const struct comparison *c, FILE *f, bool color);

/** compare_view_json() - every figure, also those the text leaves out; NULL when out of memory */
json_t *compare_view_json(const struct comparison *c);
