/* analyze/metric.h - what can be compared between boots: named spans and sampled fields
 *
 * A metric has at most one value a boot, since the boot is the unit: several samples of one run
 * number are reduced to their median, and the runs #1, #2 of a workload are metrics of their own.
 * Samples measured in different ways (tool, version, parameters, unit) never share a metric.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/manner.h"
#include "record/record.h"

struct metric {
        char *name;      /* "boot.to_desktop", "kernel.start..x.ready", "build.kernel.real#1" */
        char *from, *to; /* milestones of a span, as found in most boots; NULL for a sample */
        struct manner manner; /* of a span only the unit */
        enum better better;
        double *values;       /* one a boot, NAN where there is none */
        size_t n_implausible; /* values that were left out for that */
        size_t n_unversioned; /* boots whose tool's version is not said */
        double resolution;    /* larger median error of the two milestones, in the unit; 0 exact */
        bool resolution_unknown; /* most of the stamps of one milestone have no known error */
};

struct metrics {
        struct metric *metric; /* sorted by name, then manner */
        size_t n;
        size_t n_boots;
        char *from; /* where the to_ spans start, NULL when the boots share no start */
};
#define METRICS_NULL ((struct metrics){ .metric = NULL })

/**
 * metrics_of() - every to_ span and every sampled field of these boots
 * @boots: complete records, which must outlive @ret
 * @from: milestone at which the to_ spans start; NULL for the latest of kernel.start and
 *        loader.start that every boot has
 * @more: another metric by name: "boot.initrd" or another phase, "boot.unlock.wait",
 *        "boot.unlock.work", or "A..B" of two milestones; NULL for none. A name that belongs to a
 *        sample is no matter: those are there anyway.
 *
 * Return: 0; -ENOMEM.
 */
int metrics_of(const struct record *const *boots, size_t n_boots, const char *from,
               const char *more, struct metrics *ret);
void metrics_done(struct metrics *m);

/**
 * metric_has_name() - does the metric answer to @name?
 *
 * "build.kernel.real" answers for run 1: its name is "build.kernel.real#1".
 */
bool metric_has_name(const struct metric *m, const char *name);

/** metric_richest() - of the metrics called @name, measured in different manners, the one that most
 * boots have; NULL when there is no value */
const struct metric *metric_richest(const struct metrics *m, const char *name);

/** metric_is_time() - is the unit one of time, so that less is "faster"? */
bool metric_is_time(const struct metric *m);
