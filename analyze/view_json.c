/* analyze/view_json.c - finite numbers and estimates */
#include "analyze/view_json.h"
#include <math.h>
#include "record/json.h"

int view_json_real(json_t *j, const char *key, double value)
{
        return json_put(j, key, isfinite(value) ? json_real(value) : json_null());
}

int view_json_estimate(json_t *j, const char *key, const struct estimate *e)
{
        json_t *inner = json_object();

        if (json_put(j, key, inner) < 0 || view_json_real(inner, "value", e->value) < 0)
                return -ENOMEM;
        if (!e->has_interval)
                return 0;
        return view_json_real(inner, "low", e->low) < 0 ||
                               view_json_real(inner, "high", e->high) < 0 ||
                               view_json_real(inner, "level", e->level) < 0
                       ? -ENOMEM
                       : 0;
}
