/* analyze/boot_name.c - id and origin in one short text */
#include "analyze/boot_name.h"
#include <string.h>
#include <time.h>
#include "record/clock.h"

#define ID_SHOWN 8
#define FILE_SHOWN 24

const char *boot_name(const struct record *r, char *ret)
{
        const json_t *import = json_object_get(r->extra, "import");
        const char *file = json_string_value(json_object_get(import, "file"));
        const json_t *boot = json_object_get(import, "boot");
        time_t seconds = (time_t) (r->start.realtime_us / US_PER_S);
        int n = snprintf(ret, BOOT_NAME_BYTES, "%.*s", ID_SHOWN, r->id ? r->id : "?");
        struct tm tm;

        if (file) {
                const char *base = strrchr(file, '/');

                n += snprintf(ret + n, BOOT_NAME_BYTES - (size_t) n, ", %.*s:%d", FILE_SHOWN,
                              base ? base + 1 : file,
                              (int) json_integer_value(json_object_get(import, "line")));
                if (boot)
                        (void) snprintf(ret + n, BOOT_NAME_BYTES - (size_t) n, " boot %d",
                                        (int) json_integer_value(boot));
        } else if (r->start.realtime_us > 0 && gmtime_r(&seconds, &tm)) {
                (void) strftime(ret + n, BOOT_NAME_BYTES - (size_t) n, ", %Y-%m-%d %H:%M", &tm);
        }
        return ret;
}
