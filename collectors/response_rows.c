/* collectors/response_rows.c - what the points of each load come to */
#include "collectors/response_rows.h"
#include <string.h>
#include "record/json.h"

#define SUSPECT_BELOW 0.99

enum { IDLE_BEFORE = 0, IDLE_AFTER = N_RESPONSE_LOADS - 1 };

const struct response_load response_loads[N_RESPONSE_LOADS] = {
        { "noload", LOAD_NONE },
        { "smallwrite", LOAD_SMALL_WRITE },
        { "largewrite", LOAD_LARGE_WRITE },
        { "cpuload", LOAD_CPU },
        { "spawnload", LOAD_SPAWN },
        { "8ctx-mem", LOAD_8_MEMORY },
        { "2ctx-mem", LOAD_2_MEMORY },
        { "noload_after", LOAD_NONE },
};

int response_load_find(const char *name)
{
        for (int k = 0; k < N_RESPONSE_LOADS; k++)
                if (response_loads[k].kind != LOAD_NONE &&
                    strcmp(response_loads[k].name, name) == 0)
                        return k;
        return -1;
}

void response_rows_done(struct response_rows *t)
{
        for (size_t k = 0; k < N_RESPONSE_LOADS; k++)
                free(t->rows[k].points_ms);
        *t = (struct response_rows){ .rows = { { .points_ms = NULL } } };
}

int response_rows_add(struct response_rows *t, size_t k, const double *points_ms, size_t n)
{
        CLEANUP(freep) double *kept = calloc(n, sizeof *kept);
        CLEANUP(freep) double *sorted = calloc(n, sizeof *sorted);

        if (!kept || !sorted)
                return -ENOMEM;
        memcpy(kept, points_ms, n * sizeof *kept);
        memcpy(sorted, points_ms, n * sizeof *sorted);
        spread_sort(sorted, n);
        t->rows[k].spread = spread_of(sorted, n);
        t->rows[k].points_ms = TAKE(kept);
        return 0;
}

bool response_rows_has(const struct response_rows *t, size_t k)
{
        return t->rows[k].points_ms != NULL;
}

static int add(struct sample *s, const char *field, double value, const char *unit)
{
        return sample_add(s, field, value, unit, BETTER_LOWER, NULL);
}

int response_rows_enter(const struct response_rows *t, size_t k, struct sample *s)
{
        const struct response_row *row = &t->rows[k];
        const struct spread *x = &row->spread, *idle = &t->rows[IDLE_BEFORE].spread;
        CLEANUP(json_decrefp) json_t *points = json_array();

        for (size_t i = 0; i < x->n; i++)
                if (json_array_append_new(points, json_real(row->points_ms[i])) < 0)
                        return -ENOMEM;
        if (add(s, "low", x->low, "ms") < 0 || add(s, "high", x->high, "ms") < 0 ||
            add(s, "median", x->median, "ms") < 0 || add(s, "average", x->average, "ms") < 0 ||
            add(s, "sd", x->sd, "ms") < 0 || add(s, "ratio", x->average / idle->average, "") < 0 ||
            add(s, "ratio_median", x->median / idle->median, "") < 0)
                return -ENOMEM;
        return json_put(s->details, "points_ms", TAKE(points));
}

static bool is_within(const struct spread *s, double value)
{
        return value >= s->low && value <= s->high;
}

bool response_idle_agrees(const struct spread *before, const struct spread *after)
{
        return is_within(before, after->median) && is_within(after, before->median);
}

bool response_is_suspect(const struct spread *idle, const struct spread *loaded)
{
        return loaded->average < SUSPECT_BELOW * idle->average ||
               loaded->median < SUSPECT_BELOW * idle->median;
}

void response_rows_judge(const struct response_rows *t, struct harness *h, const char *what)
{
        const struct spread *before = &t->rows[IDLE_BEFORE].spread;
        const struct spread *after = &t->rows[IDLE_AFTER].spread;

        for (size_t k = IDLE_BEFORE + 1; k < IDLE_AFTER; k++)
                if (response_rows_has(t, k) && response_is_suspect(before, &t->rows[k].spread))
                        harness_warn(h,
                                     "idle baseline suspect: a %s under %s took %.3f of its idle "
                                     "mean, %.3f of its median",
                                     what, response_loads[k].name,
                                     t->rows[k].spread.average / before->average,
                                     t->rows[k].spread.median / before->median);
        if (!response_idle_agrees(before, after))
                harness_warn(h,
                             "idle baseline suspect: a %s took %.3f ms (median; %.3f to %.3f) "
                             "before the loads and %.3f ms (%.3f to %.3f) after them",
                             what, before->median, before->low, before->high, after->median,
                             after->low, after->high);
}
