/* tests/fuzz/import_one.h - one text through one grammar, and what has to hold whatever it says */
#pragma once
#include <stddef.h>

/**
 * import_one() - import @bytes by @format (NULL: auto)
 *
 * Aborts when the outcome is not one that import.h allows: an error without words, a record that
 * does not survive its own JSON, a figure that is not finite, an id that is missing or there twice.
 */
void import_one(const char *format, const void *bytes, size_t n_bytes);
