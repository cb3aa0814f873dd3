/* analyze/short_name.c - beginning and end tell more than the middle: workload, field and run */
#include "analyze/short_name.h"
#include <stdio.h>
#include <string.h>

#define GAP "..."

const char *short_name(const char *name, size_t width, char *ret)
{
        size_t n = strlen(name), tail = width / 2 - 2;

        if (n <= width)
                return name;
        (void) snprintf(ret, SHORT_NAME_BYTES, "%.*s" GAP "%s", (int) (width - strlen(GAP) - tail),
                        name, name + n - tail);
        return ret;
}
