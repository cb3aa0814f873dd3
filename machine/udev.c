/* machine/udev.c - properties from udev's database. Its rules asked the drive (ATA IDENTIFY and the
 * like) when it appeared, so that nobody has to ask again. */
#include "machine/udev.h"
#include <string.h>
#include <sys/sysmacros.h>
#include <systemd/sd-device.h>
#include "machine/root.h"
#include "record/json.h"

#define DATABASE_MAX_BYTES (256 * 1024)

static void device_unrefp(sd_device **d) { (void) sd_device_unref(*d); }

static int read_live(json_t *properties, unsigned major, unsigned minor)
{
        CLEANUP(device_unrefp) sd_device *d = NULL;
        const char *key, *value;

        if (sd_device_new_from_devnum(&d, 'b', makedev(major, minor)) < 0)
                return 0;
        for (key = sd_device_get_property_first(d, &value); key;
             key = sd_device_get_property_next(d, &value))
                if (json_put(properties, key, json_text(value)) < 0)
                        return -ENOMEM;
        return 0;
}

/* read_recorded() - the "E:KEY=VALUE" lines of a database file */
static int read_recorded(const struct machine_context *m, json_t *properties, unsigned major,
                         unsigned minor)
{
        CLEANUP(freep) char *text = NULL;
        char *rest, *line;

        if (root_read(m, DATABASE_MAX_BYTES, &text, NULL, "run/udev/data/b%u:%u", major, minor) < 0)
                return 0;
        for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                char *equals = strchr(line, '=');

                if (strncmp(line, "E:", 2) != 0 || !equals)
                        continue;
                *equals = '\0';
                if (json_put(properties, line + 2, json_text(equals + 1)) < 0)
                        return -ENOMEM;
        }
        return 0;
}

json_t *udev_properties(const struct machine_context *m, unsigned major, unsigned minor)
{
        json_t *properties = json_object();

        if (!properties || (m->is_live ? read_live(properties, major, minor)
                                       : read_recorded(m, properties, major, minor)) < 0) {
                json_decref(properties);
                return NULL;
        }
        return properties;
}

static int hex_digit(char c)
{
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *udev_text(const json_t *properties, const char *key)
{
        const char *from = json_string_value(json_object_get(properties, key));
        char *text, *to, *start;

        if (!from)
                return NULL;
        text = to = malloc(strlen(from) + 1);
        if (!text)
                return NULL;
        while (*from)
                if (from[0] == '\\' && from[1] == 'x' && hex_digit(from[2]) >= 0 &&
                    hex_digit(from[3]) >= 0) {
                        *to++ = (char) (hex_digit(from[2]) * 16 + hex_digit(from[3]));
                        from += 4;
                } else {
                        *to++ = *from++;
                }
        while (to > text && to[-1] == ' ')
                to--;
        *to = '\0';
        start = text + strspn(text, " ");
        memmove(text, start, strlen(start) + 1);
        return text;
}
