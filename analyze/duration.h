/* analyze/duration.h - lengths of time as people read them */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define DURATION_BYTES 32

/**
 * duration_text() - "44.000 s", "23m24.8s", "-3.21 s", "812 us"
 * @us: microseconds, may be negative
 * @ret: at least DURATION_BYTES
 *
 * Below 1 ms in us, below 1 s in ms, below 2 minutes in seconds with three decimals, above that in
 * minutes (and hours) with seconds to a tenth. Return: @ret.
 */
const char *duration_text(int64_t us, char ret[DURATION_BYTES]);
