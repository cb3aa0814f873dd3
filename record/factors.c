/* record/factors.c - the table behind factors.h. The longest entry that a key begins with, at a
 * dot, decides; words that people use for labels stand beside the keys that bootlap itself writes.
 */
#include "record/factors.h"
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include "record/macros.h"

static const struct factor_rule {
        const char *key, *group;
} rules[] = {
        { "drive", "drive" },
        { "disk", "drive" },
        { "hdd", "drive" },
        { "ssd", "drive" },
        { "rpm", "drive" },
        { "size", "drive" },
        { "maker", "drive" },
        { "volume", "volume" },
        { "partition", "volume" },
        { "lvm", "volume" },
        { "md", "volume" },
        { "raid", "volume" },
        { "crypt", "crypt" },
        { "dmcrypt", "crypt" },
        { "dm-crypt", "crypt" },
        { "luks", "crypt" },
        { "fs", "filesystem" },
        { "filesystem", "filesystem" },
        { "kernel", "kernel" },
        { "himem", "kernel" },
        { "highmem", "kernel" },
        { "pae", "kernel" },
        { "cpu", "cpu" },
        { "memory", "memory" },
        { "swap", "memory" },
        { "gpu", "gpu" },
        { "display", "desktop" },
        { "desktop", "desktop" },
        { "session", "desktop" },
        { "wm", "desktop" },
        { "x", "desktop" },
        { "wayland", "desktop" },
        { "firmware", "firmware" },
        { "hardware", "firmware" },
        { "power", "power" },
        { "os", "os" },
        { "init", "os" },
        { "virt", "os" },
        { "boot", "boot" },
        { "loader", "boot" },
        { "initrd", "boot" },
        { "storage", "summary" },
        /* What other factors imply: a kernel brings its initrd, a mapping its header's room. */
        { "fs.size_bytes", "summary" },
        { "fs.uuid", "summary" },
        { "initrd.size_bytes", "summary" },
        { "kernel.cmdline", "summary" },
        { "memory.usable_bytes", "summary" },
        { "partition.size_bytes", "summary" },
        { "partition.start_bytes", "summary" },
        { "heading", "summary" },
        { "note", "summary" },
        { "comment", "summary" },
};

static const char *const drifting[] = {
        "boot.previous_age_hours", "cpu.temperature_celsius", "fs.age_days",
        "fs.inodes_used_percent",  "fs.used_percent",         "fs.written_bytes",
        "power.battery_percent",
};

/* without_path() - "path.maildir.drive.rpm" is about drive.rpm */
static const char *without_path(const char *key)
{
        static const char prefix[] = "path.";
        const char *dot;

        if (strncmp(key, prefix, strlen(prefix)) != 0)
                return key;
        dot = strchr(key + strlen(prefix), '.');
        return dot ? dot + 1 : key;
}

const char *factor_group(const char *key)
{
        const struct factor_rule *best = NULL;
        size_t best_bytes = 0;

        key = without_path(key);
        for (size_t i = 0; i < ELEMENTSOF(rules); i++) {
                size_t n = strlen(rules[i].key);

                if (n > best_bytes && strncasecmp(key, rules[i].key, n) == 0 &&
                    (key[n] == '\0' || key[n] == '.')) {
                        best = &rules[i];
                        best_bytes = n;
                }
        }
        return best ? best->group : NULL;
}

bool factor_drifts(const char *key)
{
        key = without_path(key);
        for (size_t i = 0; i < ELEMENTSOF(drifting); i++)
                if (strcmp(key, drifting[i]) == 0)
                        return true;
        return false;
}
