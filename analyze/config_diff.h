/* analyze/config_diff.h - what differs between two machines, or one machine at two times */
#pragma once
#include <stdio.h>
#include <jansson.h>
#include "record/record.h"

struct config_side {
        const struct record *record;
        const json_t *options;      /* kernel_options_load()'s, or NULL */
        const char *options_absent; /* why there are none, when there are none */
};

/**
 * config_diff() - factors, labels and kernel options that are not the same
 *
 * {"factors": [{"group", "key", "a", "b"}], "labels": [...], "implied": [...], "drifts": [...],
 *  "kernel_options": [{"option", "a", "b"}], "kernel_options_absent": "..."}
 *
 * A side that does not know a factor has null, with the reason as "a_absent" or "b_absent". What
 * moves by itself (fill, temperature), and what only follows from other factors, is listed apart.
 * Return: a new reference; NULL when out of memory
 */
json_t *config_diff(const struct config_side *a, const struct config_side *b);

/** config_diff_print() - the same as tables; -EIO when @f cannot be written */
int config_diff_print(const json_t *diff, FILE *f, bool color);
