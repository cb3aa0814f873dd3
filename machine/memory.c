/* machine/memory.c - memory, and where it goes when it is full */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define MEMINFO_MAX_BYTES (64 * 1024)
#define SWAPS_MAX_BYTES (64 * 1024)

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

static void capture_meminfo(struct capture *c)
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

static const char *swap_kind(const char *line)
{
        if (strncmp(line, "/dev/zram", strlen("/dev/zram")) == 0)
                return "zram";
        return strstr(line, " file") ? "file" : "partition";
}

/* capture_swaps() - the kinds of swap in use, each once; their paths are nobody's business */
static void capture_swaps(struct capture *c)
{
        CLEANUP(freep) char *swaps = NULL;
        char kinds[64] = "", *rest, *line;
        int r = root_read(c->m, SWAPS_MAX_BYTES, &swaps, NULL, "proc/swaps");

        if (r < 0) {
                factor_unread(c, "swap.kind", r, "proc/swaps");
                return;
        }
        rest = swaps;
        (void) strsep(&rest, "\n"); /* the head */
        while ((line = strsep(&rest, "\n"))) {
                size_t used = strlen(kinds);

                for (char *tab = line; (tab = strchr(tab, '\t'));)
                        *tab = ' ';
                if (*line && !strstr(kinds, swap_kind(line)))
                        (void) snprintf(kinds + used, sizeof kinds - used, "%s%s",
                                        used ? " + " : "", swap_kind(line));
        }
        factor_text(c, "swap.kind", *kinds ? kinds : "none");
}

void memory_capture(struct capture *c)
{
        capture_meminfo(c);
        capture_swaps(c);
        factor_number(c, "swap.swappiness", 1, "proc/sys/vm/swappiness");
        factor_bracketed(c, "memory.huge_pages", "sys/kernel/mm/transparent_hugepage/enabled");
        factor_number(c, "memory.dirty_percent", 1, "proc/sys/vm/dirty_ratio");
}
