/* analyze/manner.h - like with like: were two samples measured in the same way? */
#pragma once
#include <jansson.h>

/* How the values of a metric were measured; all borrowed from a record. NULL is "not said". */
struct manner {
        const char *unit, *tool, *tool_version;
        const json_t *parameters;
};

/**
 * manner_key() - @name and the manner as one text: equal just when they are like with like
 * @version: taken as the tool's version; NULL to leave versions out
 *
 * Return: to be freed; NULL when out of memory.
 */
char *manner_key(const char *name, const struct manner *m, const char *version);

/**
 * manner_difference() - how @b differs from @a: "tool version 0.4.12 against 1.0.20, threads 1
 * against 2"; empty when it does not
 * Return: to be freed; NULL when out of memory.
 */
char *manner_difference(const struct manner *a, const struct manner *b);

/** manner_text() - "sysbench 1.0.20, threads=1" for telling apart; to be freed; NULL no memory */
char *manner_text(const struct manner *m);
