/* analyze/config_view.h - a record's configuration as a person reads it: group by group */
#pragma once
#include <stdio.h>
#include <jansson.h>
#include "record/record.h"

/** config_view_print() - factors and labels in groups, then what is absent */
int config_view_print(const struct record *r, FILE *f, bool color);

/** config_view_json() - {"groups": {group: {key: value}}, "labels": ..., "absent": ...} */
int config_view_json(const struct record *r, json_t **ret);
