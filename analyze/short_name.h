/* analyze/short_name.h - names that fit a column */
#pragma once
#include <stddef.h>

#define SHORT_NAME_BYTES 64

/**
 * short_name() - @name in at most @width characters, the middle left out where it is longer
 * @width: from 8, below SHORT_NAME_BYTES
 * @ret: of SHORT_NAME_BYTES
 *
 * Return: @name or @ret.
 */
const char *short_name(const char *name, size_t width, char *ret);
