/* machine/cpu.c - processors: what they are, how many, and who decides on their clock */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define CPUINFO_MAX_BYTES (8 * 1024 * 1024)

/* field_of() - the value of the first "name : value" line; NULL when there is none */
static char *field_of(const char *cpuinfo, const char *name)
{
        size_t n = strlen(name);

        for (const char *line = cpuinfo; line; line = strchr(line, '\n')) {
                const char *value;

                line += *line == '\n';
                if (strncmp(line, name, n) != 0)
                        continue;
                value = line + n + strspn(line + n, " \t");
                if (*value != ':')
                        continue;
                value += 1 + strspn(value + 1, " \t");
                return strndup(value, strcspn(value, "\n"));
        }
        return NULL;
}

/* x86 calls it "model name", others each something else. */
static void capture_model(struct capture *c, const char *cpuinfo)
{
        static const char *const names[] = { "model name", "Model", "Hardware",
                                             "cpu",        "uarch", "CPU part" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                CLEANUP(freep) char *model = field_of(cpuinfo, names[i]);

                if (model && *model) {
                        factor_text(c, "cpu.model", model);
                        return;
                }
        }
        factor_absent(c, "cpu.model", "/proc/cpuinfo names none");
}

/* count_list() - how many CPUs "0-3,8" are; 0 when it is no such list */
static int64_t count_list(const char *list)
{
        int64_t n = 0;

        while (*list) {
                char *end;
                long first = strtol(list, &end, 10), last = first;

                if (end == list || first < 0)
                        return 0;
                if (*end == '-') {
                        list = end + 1;
                        last = strtol(list, &end, 10);
                        if (end == list || last < first)
                                return 0;
                }
                n += last - first + 1;
                if (*end == ',')
                        end++;
                else if (*end)
                        return 0;
                list = end;
        }
        return n;
}

static void capture_count(struct capture *c)
{
        CLEANUP(freep) char *online = NULL;
        int r = root_line(c->m, &online, "sys/devices/system/cpu/online");

        if (r < 0)
                factor_unread(c, "cpu.threads", r, "sys/devices/system/cpu/online");
        else if (count_list(online) == 0)
                factor_absent(c, "cpu.threads", "/sys/devices/system/cpu/online: holds no list");
        else
                factor_integer(c, "cpu.threads", count_list(online));
}

void cpu_capture(struct capture *c)
{
        CLEANUP(freep) char *cpuinfo = NULL, *cores = NULL;
        int r = root_read(c->m, CPUINFO_MAX_BYTES, &cpuinfo, NULL, "proc/cpuinfo");

        if (r < 0) {
                factor_unread(c, "cpu.model", r, "proc/cpuinfo");
                factor_unread(c, "cpu.microcode", r, "proc/cpuinfo");
        } else {
                CLEANUP(freep) char *microcode = field_of(cpuinfo, "microcode");

                capture_model(c, cpuinfo);
                if (microcode)
                        factor_text(c, "cpu.microcode", microcode);
                else
                        factor_absent(c, "cpu.microcode", "/proc/cpuinfo names none");
        }
        capture_count(c);
}
