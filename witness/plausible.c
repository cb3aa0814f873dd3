/* witness/plausible.c - see plausible.h */
#include "witness/plausible.h"
#include <errno.h>
#include <stdio.h>

#define JSON_INTEGER_MAX ((INT64_C(1) << 53) - 1)

int64_t plausible_clamp(uint64_t us)
{
        return us > (uint64_t) JSON_INTEGER_MAX ? JSON_INTEGER_MAX : (int64_t) us;
}

int plausible_firmware(int64_t at_us, char *reason, size_t reason_bytes)
{
        if (at_us > 0) {
                (void) snprintf(reason, reason_bytes, "lies after the kernel's start");
                return -ERANGE;
        }
        if (at_us < -PLAUSIBLE_FIRMWARE_US_MAX) {
                (void) snprintf(
                        reason, reason_bytes,
                        "%.0f s before the kernel are no firmware's: it counts from an earlier "
                        "start of the machine",
                        -s_from_us(at_us));
                return -ERANGE;
        }
        return 0;
}
