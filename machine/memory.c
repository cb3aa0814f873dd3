/* machine/memory.c - memory and swap */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define MEMINFO_MAX_BYTES (64 * 1024)

/* enter_kib() - a "Name:   123 kB" line, in bytes */
static void enter_kib(struct capture *c, const char *key, const char *meminfo, const char *name)
{
        const char *line = strstr(meminfo, name);
        int64_t kib;

        if (!line || sscanf(line + strlen(name), ": %ld kB", &kib) != 1 || kib < 0)
                factor_absent(c, key, "/proc/meminfo has no %s", name);
        else
                factor_integer(c, key, kib * 1024);
}

void memory_capture(struct capture *c)
{
        CLEANUP(freep) char *meminfo = NULL;
        int r = root_read(c->m, MEMINFO_MAX_BYTES, &meminfo, NULL, "proc/meminfo");

        if (r < 0) {
                factor_unread(c, "memory.bytes", r, "proc/meminfo");
                factor_unread(c, "swap.bytes", r, "proc/meminfo");
                return;
        }
        enter_kib(c, "memory.bytes", meminfo, "MemTotal");
        enter_kib(c, "swap.bytes", meminfo, "SwapTotal");
}
