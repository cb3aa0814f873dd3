/* daemon/cost.c - see cost.h. Of processes that have ended the kernel's rusage tells; memory is
 * read while they live, as PSS, since the probes share most of theirs. */
#include "daemon/cost.h"
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include "record/procfile.h"

#define FILE_MAX_BYTES 65536
#define DEPTH_MAX 8 /* a probe's child has no grandchildren; a loop cannot be */

/* field_of() - the number behind "NAME:" in a file of such lines; -1 when it is not there */
static int64_t field_of(const char *text, const char *name)
{
        for (const char *line = text; line; line = strchr(line, '\n')) {
                intmax_t value;

                line += *line == '\n';
                if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':') {
                        value = strtoimax(line + strlen(name) + 1, NULL, 10);
                        return value < 0 ? -1 : value;
                }
        }
        return -1;
}

/* add_pss() - of @pid and its descendants; one that ends meanwhile uses none */
static int add_pss(pid_t pid, unsigned depth, int64_t *sum_bytes)
{
        CLEANUP(freep) char *text = NULL, *children = NULL;
        char path[64];
        int64_t kib;
        int r;

        (void) snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int) pid);
        r = procfile_read(AT_FDCWD, path, FILE_MAX_BYTES, &text, NULL);
        if (r < 0)
                return depth == 0 ? r : 0;
        kib = field_of(text, "Pss");
        if (kib < 0)
                return -ENODATA;
        *sum_bytes += kib * 1024;
        (void) snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int) pid, (int) pid);
        if (depth == DEPTH_MAX ||
            procfile_read(AT_FDCWD, path, FILE_MAX_BYTES, &children, NULL) < 0)
                return 0;
        for (char *p = children, *end; *p; p = end) {
                intmax_t child = strtoimax(p, &end, 10);

                if (end == p)
                        break;
                r = add_pss((pid_t) child, depth + 1, sum_bytes);
                if (r < 0)
                        return r;
        }
        return 0;
}

int cost_enter_memory(struct record *r, pid_t pid)
{
        int64_t bytes = 0;
        int code = add_pss(pid, 0, &bytes);

        if (code == -ENOMEM)
                return code;
        if (code < 0)
                return record_add_absent(r, "cost.pss_bytes", "/proc/%d/smaps_rollup: %s",
                                         (int) pid, strerror(-code));
        return record_set_integer(r->cost, "pss_bytes", bytes);
}

/* busy_us() - what all CPUs have worked since boot; -1 unknown */
static int64_t busy_us(void)
{
        CLEANUP(freep) char *line = NULL;
        int64_t busy_ticks = 0, ticks_per_s = sysconf(_SC_CLK_TCK);
        char *p, *end;

        if (procfile_read_line(AT_FDCWD, "/proc/stat", &line) < 0 || strncmp(line, "cpu ", 4) != 0)
                return -1;
        p = line + 4;
        for (unsigned i = 0; i < 7; i++, p = end) { /* user nice system idle iowait irq softirq */
                intmax_t ticks = strtoimax(p, &end, 10);

                if (end == p)
                        return -1;
                if (i != 3 && i != 4)
                        busy_ticks += ticks;
        }
        return busy_ticks * (US_PER_S / ticks_per_s);
}

static int64_t cpu_us(const struct rusage *u)
{
        return (int64_t) (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * US_PER_S +
               u->ru_utime.tv_usec + u->ru_stime.tv_usec;
}

static int enter_written(struct record *r)
{
        CLEANUP(freep) char *text = NULL;
        int64_t bytes;
        int code = procfile_read(AT_FDCWD, "/proc/self/io", FILE_MAX_BYTES, &text, NULL);

        if (code == -ENOMEM)
                return code;
        bytes = code < 0 ? -1 : field_of(text, "write_bytes");
        if (bytes < 0)
                return record_add_absent(r, "cost.written_bytes", "/proc/self/io: %s",
                                         code < 0 ? strerror(-code) : "no write_bytes in it");
        return record_set_integer(r->cost, "written_bytes", bytes);
}

int cost_enter_work(struct record *r)
{
        struct rusage own, children;
        int64_t used_us, all_us = busy_us();
        int code;

        if (getrusage(RUSAGE_SELF, &own) < 0 || getrusage(RUSAGE_CHILDREN, &children) < 0)
                return -errno;
        used_us = cpu_us(&own) + cpu_us(&children);
        code = record_set_integer(r->cost, "cpu_us", used_us);
        if (code == 0)
                code = record_set_integer(r->cost, "wakeups", own.ru_nvcsw + children.ru_nvcsw);
        if (code == 0 && all_us > 0)
                code = record_set_real(r->cost, "cpu_share_percent",
                                       100.0 * (double) used_us / (double) all_us);
        return code == 0 ? enter_written(r) : code;
}
