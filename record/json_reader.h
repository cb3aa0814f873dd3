/* record/json_reader.h - take known members out of a JSON object and keep the rest
 *
 * The first error sticks: later calls do nothing, so a decoder reads all its members in a row and
 * looks once. A member that is null counts as absent.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <jansson.h>
#include "record/fault.h"

struct json_reader {
        json_t *rest;     /* shallow copy, from which the known members are taken */
        const char *what; /* for faults: "milestone kernel.start" */
        struct fault *fault;
        int error; /* 0, or the first negative errno */
};

/** json_reader_open() - -EINVAL sticks when @j is no object; close with json_reader_rest() */
struct json_reader json_reader_open(const json_t *j, const char *what, struct fault *fault);

/** json_reader_rest() - what was not asked for, or NULL when that is nothing; ends the reader */
json_t *json_reader_rest(struct json_reader *in);

void json_reader_fail(struct json_reader *in, int error, const char *format, ...) PRINTF_LIKE(3, 4);

/* Each leaves *ret alone when the member is absent; @ret_has may be NULL. Text, objects and arrays
 * are the caller's afterwards (a copy, or a reference). json_read_flat() wants scalars only. */
void json_read_text(struct json_reader *in, const char *key, char **ret);
void json_read_integer(struct json_reader *in, const char *key, int64_t *ret, bool *ret_has);
void json_read_real(struct json_reader *in, const char *key, double *ret, bool *ret_has);
void json_read_boolean(struct json_reader *in, const char *key, bool *ret);
void json_read_object(struct json_reader *in, const char *key, json_t **ret);
void json_read_flat(struct json_reader *in, const char *key, json_t **ret);
void json_read_array(struct json_reader *in, const char *key, json_t **ret);
