/* machine/os.c - the distribution, from os-release */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define FILE_MAX_BYTES (64 * 1024)

/* unquote() - a shell assignment's value, in place: os-release(5) allows quotes and backslashes */
static void unquote(char *value)
{
        char quote = *value == '"' || *value == '\'' ? *value : 0, *to = value;

        for (char *from = value + (quote != 0); *from && *from != quote; from++) {
                if (*from == '\\' && quote != '\'' && from[1])
                        from++;
                *to++ = *from;
        }
        *to = '\0';
}

void os_capture(struct capture *c)
{
        static const struct {
                const char *name, *key;
        } wanted[] = { { "ID", "os.id" },
                       { "VERSION_ID", "os.version" },
                       { "PRETTY_NAME", "os.name" },
                       { "BUILD_ID", "os.build" } };
        CLEANUP(freep) char *text = NULL;
        int r = root_read(c->m, FILE_MAX_BYTES, &text, NULL, "etc/os-release");

        if (r < 0)
                r = root_read(c->m, FILE_MAX_BYTES, &text, NULL, "usr/lib/os-release");
        for (char *rest = text, *line; r == 0 && (line = strsep(&rest, "\n"));) {
                char *equals = strchr(line, '=');

                if (!equals)
                        continue;
                *equals = '\0';
                for (size_t i = 0; i < ELEMENTSOF(wanted); i++)
                        if (strcmp(line, wanted[i].name) == 0) {
                                unquote(equals + 1);
                                factor_text(c, wanted[i].key, equals + 1);
                        }
        }
        if (r < 0)
                factor_unread(c, "os.id", r, "etc/os-release");
        factor_absent(c, "os.id", "/etc/os-release has no ID");
        factor_absent(c, "os.version", "/etc/os-release has no VERSION_ID");
}
