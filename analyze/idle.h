/* analyze/idle.h - a kernel's response under load, as ratios to its response without
 *
 * A load cannot make a machine faster. Where one beats the idle baseline, in the mean or in the
 * median, the baseline is suspect: a clock that had not come up to speed, a cache that was cold.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <jansson.h>
#include "record/record.h"

#define IDLE_SUSPECT_BELOW 0.99

/* "response-window.noload.ssd" taken apart: all but the load may be empty. */
struct response_name {
        const char *task; /* "window"; n_task bytes */
        size_t n_task;
        const char *load; /* "noload"; n_load bytes */
        size_t n_load;
        const char *name; /* ".ssd", to the end */
};

/** response_name_parse() - false when @workload is none of a response */
bool response_name_parse(const char *workload, struct response_name *ret);

/** response_name_is_alike() - the same task and name */
bool response_name_is_alike(const struct response_name *a, const struct response_name *b);

struct idle_ratio {
        const char *load; /* "spawnload"; the record's */
        unsigned run;
        double by_mean, by_median; /* loaded / idle; 0 where one of the two is missing */
        bool suspect;
};

/**
 * idle_ratios() - of every response.<load> sample of a boot against its response.noload, task by
 * task; the idle machine measured again (noload_after) is no load
 * @ret: in the order of the samples; to be freed; NULL for none
 *
 * Return: how many; -ENOMEM.
 */
int idle_ratios(const struct record *r, struct idle_ratio **ret);

/** idle_print() - a table of them, nothing when there are none; -ENOMEM, -EIO */
int idle_print(const struct record *r, FILE *f, bool color);

/** idle_json() - an array, empty for none; NULL when out of memory */
json_t *idle_json(const struct record *r);
