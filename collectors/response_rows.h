/* collectors/response_rows.h - the table of a response: a row for each load, and ratios to none */
#pragma once
#include <stdbool.h>
#include "collectors/harness.h"
#include "collectors/load.h"
#include "collectors/spread.h"

enum response_task { RESPONSE_SPAWN, RESPONSE_WINDOW, N_RESPONSE_TASKS };

enum { N_RESPONSE_LOADS = 8 };

struct response_load {
        const char *name;
        enum load_kind kind;
};

/* In the order in which they run: the idle machine first and last. */
extern const struct response_load response_loads[N_RESPONSE_LOADS];

/** response_load_find() - its index; -1 for no load of that name (idle is none) */
int response_load_find(const char *name);

struct response_row {
        double *points_ms; /* as they came; NULL when the load was not measured */
        struct spread spread;
};

struct response_rows {
        struct response_row rows[N_RESPONSE_LOADS];
};

void response_rows_done(struct response_rows *t);

/** response_rows_add() - @n points of load @k, in ms; copied; -ENOMEM */
int response_rows_add(struct response_rows *t, size_t k, const double *points_ms, size_t n);
bool response_rows_has(const struct response_rows *t, size_t k);

/** response_rows_enter() - low, high, median, average, sd, ratio, ratio_median, and the points */
int response_rows_enter(const struct response_rows *t, size_t k, struct sample *s);

/** response_idle_agrees() - does the median of either lie within the other's ends? */
bool response_idle_agrees(const struct spread *before, const struct spread *after);

/** response_is_suspect() - a load is at least 1 % faster than the idle machine, by mean or median
 */
bool response_is_suspect(const struct spread *idle, const struct spread *loaded);

/** response_rows_judge() - warn of an idle baseline that is none; @what: "window" */
void response_rows_judge(const struct response_rows *t, struct harness *h, const char *what);
