/* record/result.h - what a collector prints on stdout
 *
 *   { "schema": "bootlap.result/1", "collector": "maildir", "tool_version": "0.1.0",
 *     "samples": [ as in record/sample.h ], "warnings": [ "..." ],
 *     "faults": [ "..." ] }
 *
 * A fault is one line that names what was wrong with the thing measured: the samples stand all the
 * same, and the exit status of whoever ran the collector says that all was not well.
 */
#pragma once
#include <stddef.h>
#include <jansson.h>
#include "record/fault.h"
#include "record/sample.h"

#define RESULT_SCHEMA "bootlap.result/1"
#define RESULT_SCHEMA_MAJOR 1

struct result {
        char *collector;
        struct sample *samples; /* at least one */
        size_t n_samples;
        char **warnings;
        size_t n_warnings;
        char **faults;
        size_t n_faults;
};
#define RESULT_NULL ((struct result){ .collector = NULL })

void result_done(struct result *r);

/**
 * result_read() - parse a collector's whole output
 * Return: 0; -EINVAL when it is no result (or holds no sample); -EPROTONOSUPPORT for a newer
 * schema; -ENOMEM. @ret is only written on success.
 */
int result_read(const char *text, size_t n_bytes, struct result *ret, struct fault *fault);
