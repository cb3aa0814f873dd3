/* record/sample.h - one run of one workload inside a boot
 *
 * The JSON form, here and in a collector's result:
 *
 *   { "workload": "build.kernel", "run": 1,
 *     "tool": "make", "tool_version": "4.3",
 *     "parameters": { "jobs": 2, "config": "tinyconfig" },
 *     "values": { "real": { "value": 1404.829, "unit": "s", "better": "lower" } },
 *     "details": { ... } }
 *
 * A metric's name is workload "." field ("build.kernel.real"); run numbers are compared position by
 * position, never pooled. Two samples are like with like only when tool, tool_version, parameters
 * and unit agree, so what merely describes (paths, proofs of a cold cache) belongs in "details".
 */
#pragma once
#include <stddef.h>
#include <jansson.h>
#include "record/fault.h"

enum better { BETTER_UNSTATED, BETTER_LOWER, BETTER_HIGHER };

struct sample_value {
        char *field;  /* "real", "messages_per_s" */
        double value; /* finite; in @unit */
        char *unit;   /* "s", "ms", "B", "1/s", ... as the workload defines it */
        enum better better;
        char *raw;         /* as an imported file printed it, or NULL */
        char *implausible; /* the reason it cannot be true, or NULL */
        json_t *extra;     /* members this version does not know, or NULL */
};

struct sample {
        char *workload; /* dotted; "maildir.open" or, with a name given, "maildir.open.rcvd" */
        unsigned run;   /* position inside the boot, from 1 */
        char *tool;     /* program that did the work, or NULL */
        char *tool_version;
        json_t *parameters; /* flat object of scalars, or NULL for none */
        json_t *details;    /* any object, or NULL: never compared */
        struct sample_value *values;
        size_t n_values;
        json_t *extra;
};
#define SAMPLE_NULL ((struct sample){ .run = 1 })

void sample_done(struct sample *s);

/**
 * sample_init() - a sample of @workload with nothing measured yet
 * Return: 0; -EINVAL when @workload is not a dotted name; -ENOMEM.
 */
int sample_init(struct sample *s, const char *workload, unsigned run);

/**
 * sample_add() - append one value
 * @unit, @better: as in struct sample_value
 * @ret: the stored value, for setting raw or implausible; may be NULL; valid until the next add
 *
 * Return: 0; -EINVAL for a value that is not finite; -EEXIST for a second @field; -ENOMEM.
 */
int sample_add(struct sample *s, const char *field, double value, const char *unit,
               enum better better, struct sample_value **ret);

/** sample_find() - the value called @field, or NULL */
const struct sample_value *sample_find(const struct sample *s, const char *field);

/** sample_to_json() - a new reference, or NULL when out of memory */
json_t *sample_to_json(const struct sample *s);

/** sample_from_json() - Return: 0; -EINVAL with a reason in @fault; -ENOMEM. @ret only on success.
 */
int sample_from_json(const json_t *j, struct sample *ret, struct fault *fault);
