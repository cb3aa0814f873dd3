/* record/cryptsetup_unit.c - see cryptsetup_unit.h */
#include "record/cryptsetup_unit.h"
#include <string.h>

#define PREFIX "systemd-cryptsetup@"
#define SERVICE ".service"

static int hex_digit(char c)
{
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool cryptsetup_unit_mapping(const char *unit, char *ret, size_t ret_bytes)
{
        const char *p, *end;
        size_t n = 0;

        if (!unit || strncmp(unit, PREFIX, strlen(PREFIX)) != 0)
                return false;
        p = unit + strlen(PREFIX);
        end = unit + strlen(unit) - strlen(SERVICE);
        if (end <= p || strcmp(end, SERVICE) != 0)
                return false;
        while (p < end && n + 1 < ret_bytes) {
                /* unit names escape what is special: "-" stands for "/", "\x2d" for "-" */
                if (p[0] == '\\' && p[1] == 'x' && end - p >= 4 && hex_digit(p[2]) >= 0 &&
                    hex_digit(p[3]) >= 0) {
                        ret[n++] = (char) (hex_digit(p[2]) << 4 | hex_digit(p[3]));
                        p += 4;
                } else {
                        ret[n++] = *p == '-' ? '/' : *p;
                        p++;
                }
        }
        ret[n] = '\0';
        return p == end;
}
