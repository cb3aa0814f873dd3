/* analyze/config_keys.h - factors in the order and form in which every view shows them */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <jansson.h>
#include "analyze/table.h"

/* The groups in their order; the last is for what belongs to none. */
extern const char *const config_groups[];
extern const size_t n_config_groups;

/** config_group() - factor_group(), or "other" */
const char *config_group(const char *key);

/**
 * config_keys() - the keys of one or two objects, by group and name, a path's stack after the
 * root's
 * @b: may be NULL
 * Return: an array to free; its strings belong to the objects. NULL when out of memory
 */
const char **config_keys(const json_t *a, const json_t *b, size_t *ret_n);

/** config_add_value() - a factor's value as the next cell */
int config_add_value(struct table *t, const json_t *value);

/** config_is_factor() - whether an absent thing is a factor and no milestone */
bool config_is_factor(const char *name);
