/* analyze/history_view.h - histories as text of at most 100 columns, and as JSON */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <jansson.h>
#include "analyze/history.h"

/** histories_print() - machine by machine; -ENOMEM, -EIO */
int histories_print(const struct histories *h, FILE *f, bool color);

/** histories_json() - NULL when out of memory */
json_t *histories_json(const struct histories *h);
