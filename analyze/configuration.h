/* analyze/configuration.h - boots numbered by what they ran on: alike in every factor, alike a
 * number */
#pragma once
#include <stddef.h>
#include "record/record.h"

/**
 * configuration_of() - number the configurations of @n boots, from 0 in the order they first occur
 * @ret: @n numbers; to be freed
 * @ret_n: how many configurations; may be NULL
 *
 * Return: 0; -ENOMEM.
 */
int configuration_of(const struct record *const *boots, size_t n, size_t **ret, size_t *ret_n);
