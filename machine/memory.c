/* machine/memory.c - memory, and where it goes when it is full */
#include <inttypes.h>
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define MEMINFO_MAX_BYTES (64 * 1024)
#define SWAPS_MAX_BYTES (64 * 1024)
#define MODULE_BYTES ((int64_t) 256 * 1024 * 1024)

/* enter_kib() - a "Name:   123 kB" line, in bytes */
static void enter_kib(struct capture *c, const char *key, const char *meminfo, const char *name)
{
        const char *line = strstr(meminfo, name);
        int64_t kib;

        if (!line || sscanf(line + strlen(name), ": %" SCNd64 " kB", &kib) != 1 || kib < 0)
                factor_absent(c, key, "/proc/meminfo has no %s", name);
        else
                factor_integer(c, key, kib * 1024);
}

static void capture_meminfo(struct capture *c)
{
        CLEANUP(freep) char *meminfo = NULL;
        int r = root_read(c->m, MEMINFO_MAX_BYTES, &meminfo, NULL, "proc/meminfo");

        if (r < 0) {
                factor_unread(c, "memory.usable_bytes", r, "proc/meminfo");
                factor_unread(c, "swap.bytes", r, "proc/meminfo");
                return;
        }
        enter_kib(c, "memory.usable_bytes", meminfo, "MemTotal");
        enter_kib(c, "swap.bytes", meminfo, "SwapTotal");
}

/* from_firmware() - the sum of the firmware's map (e820), which is the same under every kernel */
static int64_t from_firmware(const struct machine_context *m)
{
        CLEANUP(root_list_freep) char **entries = NULL;
        int64_t sum = 0;

        if (root_list(m, &entries, "sys/firmware/memmap") < 0)
                return 0;
        for (char **entry = entries; *entry; entry++) {
                CLEANUP(freep) char *type = NULL, *start = NULL, *end = NULL;

                if (root_line(m, &type, "sys/firmware/memmap/%s/type", *entry) == 0 &&
                    strcmp(type, "System RAM") == 0 &&
                    root_line(m, &start, "sys/firmware/memmap/%s/start", *entry) == 0 &&
                    root_line(m, &end, "sys/firmware/memmap/%s/end", *entry) == 0)
                        sum += (int64_t) (strtoull(end, NULL, 16) - strtoull(start, NULL, 16) + 1);
        }
        return sum;
}

/* from_blocks() - the blocks in which memory can be taken away, all of them that there are */
static int64_t from_blocks(const struct machine_context *m)
{
        CLEANUP(root_list_freep) char **names = NULL;
        CLEANUP(freep) char *size = NULL;
        int64_t n = 0;

        if (root_line(m, &size, "sys/devices/system/memory/block_size_bytes") < 0 ||
            root_list(m, &names, "sys/devices/system/memory") < 0)
                return 0;
        for (char **name = names; *name; name++)
                n += strncmp(*name, "memory", 6) == 0 && (*name)[6] >= '0' && (*name)[6] <= '9';
        return n * (int64_t) strtoull(size, NULL, 16);
}

/* capture_installed() - what is plugged in. The kernel's own figure depends on the kernel: without
 * PAE it leaves out what it cannot reach, and every version reserves another share. Firmware keeps
 * some back too, so the sum is rounded up to what modules come in. */
static void capture_installed(struct capture *c)
{
        int64_t n = from_firmware(c->m);

        if (n <= 0)
                n = from_blocks(c->m);
        if (n > 0)
                factor_integer(c, "memory.bytes",
                               (n + MODULE_BYTES - 1) / MODULE_BYTES * MODULE_BYTES);
        else
                factor_absent(c, "memory.bytes",
                              "neither the firmware's map nor memory blocks in /sys");
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
        capture_installed(c);
        capture_meminfo(c);
        capture_swaps(c);
        factor_number(c, "swap.swappiness", 1, "proc/sys/vm/swappiness");
        factor_number(c, "memory.dirty_percent", 1, "proc/sys/vm/dirty_ratio");
}
