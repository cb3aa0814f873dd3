/* analyze/odd_beside.h - what else was unusual in a boot that is odd */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "record/record.h"

/**
 * odd_beside() - a unit that took longer than in any other boot of the configuration, and values
 * that drift by themselves (a file system's fill, a temperature) outside the others' range
 * @boot: its place among @boots
 * @units: whether units are worth a look, which they are for a span of the boot itself
 * @ret: words, or NULL when nothing was unusual; to be freed
 *
 * Return: 0; -ENOMEM.
 */
int odd_beside(const struct record *const *boots, size_t n, const size_t *configuration,
               size_t boot, bool units, char **ret);
