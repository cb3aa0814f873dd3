/* record/json.h - records and results as JSON, the only place where the schema is spelled out
 *
 * Unknown members are kept beside what is known (the extra members of the model) and written back,
 * so a record survives a round trip through an older bootlap.
 */
#pragma once
#include <jansson.h>
#include "record/record.h"

/**
 * json_text() - a JSON string of foreign text
 *
 * Invalid UTF-8 (window titles, file names, unit names) becomes U+FFFD instead of being refused.
 * Return: a new reference; JSON null for NULL; NULL when out of memory.
 */
json_t *json_text(const char *text);

/** json_put() - object[key] = value, the reference taken; -ENOMEM when either is NULL */
int json_put(json_t *object, const char *key, json_t *value);

/** json_read_file() - parse a whole JSON file; the fault names file, line and column */
int json_read_file(const char *path, json_t **ret, struct fault *fault);

/** record_to_json() - the whole record without its checksum; NULL when out of memory */
json_t *record_to_json(const struct record *r);

/**
 * record_from_json() - the reverse
 * Return: 0; -EINVAL malformed; -EPROTONOSUPPORT when the schema is of another family or of a newer
 * major version (the caller may show the JSON itself, and must not rewrite it); -ENOMEM.
 */
int record_from_json(const json_t *j, struct record **ret, struct fault *fault);
