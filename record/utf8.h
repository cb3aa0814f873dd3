/* record/utf8.h - single characters as UTF-8 (RFC 3629) */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX_BYTES 4

/** utf8_length() - bytes of the valid sequence that @text, which ends with a NUL, begins with; or 0
 */
size_t utf8_length(const char *text);

/** utf8_put() - @c at @to, U+FFFD when there is no such character. Return: bytes, 1 to 4. */
size_t utf8_put(uint32_t c, char *to);
