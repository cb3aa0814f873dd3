/* analyze/view_json.h - figures in JSON, for every view */
#pragma once
#include <jansson.h>
#include "analyze/shift.h"

/** view_json_real() - like json_put(), but a figure that is none is null: NaN is not JSON; -ENOMEM
 */
int view_json_real(json_t *j, const char *key, double value);

/** view_json_estimate() - {"value", "low", "high", "level"}, the last three with an interval only
 */
int view_json_estimate(json_t *j, const char *key, const struct estimate *e);
