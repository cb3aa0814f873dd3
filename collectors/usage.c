/* collectors/usage.c - getrusage, /proc/self/io and the drives' counters, read together */
#include "collectors/usage.h"
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "record/clock.h"
#include "record/json.h"
#include "record/procfile.h"
#include "record/record.h"

#define IO_FILE_MAX_BYTES 4096
#define BYTES_PER_KIB 1024

static int64_t us_from_timeval(const struct timeval *t)
{
        return (int64_t) t->tv_sec * US_PER_S + t->tv_usec;
}

static void add_rusage(struct usage *u, int who)
{
        struct rusage ru;

        if (getrusage(who, &ru) < 0)
                return;
        u->user_us += us_from_timeval(&ru.ru_utime);
        u->system_us += us_from_timeval(&ru.ru_stime);
        u->major_faults += ru.ru_majflt;
        u->minor_faults += ru.ru_minflt;
        u->voluntary_switches += ru.ru_nvcsw;
        u->involuntary_switches += ru.ru_nivcsw;
        if (ru.ru_maxrss * BYTES_PER_KIB > u->max_rss_bytes)
                u->max_rss_bytes = ru.ru_maxrss * BYTES_PER_KIB;
}

static bool io_field(const char *text, const char *name, uint64_t *ret)
{
        const char *at = strstr(text, name);

        return at && sscanf(at + strlen(name), "%" SCNu64, ret) == 1;
}

/* The kernel adds what waited-for children did to its figures for the process that waited. */
static void read_io(struct usage *u)
{
        CLEANUP(freep) char *text = NULL;

        if (procfile_read(AT_FDCWD, "/proc/self/io", IO_FILE_MAX_BYTES, &text, NULL) < 0)
                return;
        u->has_io = io_field(text, "\nread_bytes:", &u->storage_read_bytes) &&
                    io_field(text, "\nwrite_bytes:", &u->storage_write_bytes);
}

void usage_now(const struct blockdev_set *devices, struct usage *ret)
{
        *ret = (struct usage){ .elapsed_us = clock_us(CLOCK_MONOTONIC) };
        add_rusage(ret, RUSAGE_SELF);
        add_rusage(ret, RUSAGE_CHILDREN);
        read_io(ret);
        ret->has_device = devices && blockdev_count(devices, &ret->device);
}

struct usage usage_since(const struct usage *start, const struct usage *now)
{
        struct usage d = *now;

        d.elapsed_us -= start->elapsed_us;
        d.user_us -= start->user_us;
        d.system_us -= start->system_us;
        d.major_faults -= start->major_faults;
        d.minor_faults -= start->minor_faults;
        d.voluntary_switches -= start->voluntary_switches;
        d.involuntary_switches -= start->involuntary_switches;
        d.has_io = start->has_io && now->has_io;
        d.storage_read_bytes -= start->storage_read_bytes;
        d.storage_write_bytes -= start->storage_write_bytes;
        d.has_device = start->has_device && now->has_device;
        d.device.reads -= start->device.reads;
        d.device.read_bytes -= start->device.read_bytes;
        d.device.writes -= start->device.writes;
        d.device.write_bytes -= start->device.write_bytes;
        d.device.busy_ms -= start->device.busy_ms;
        return d;
}

int usage_add_times(struct sample *s, const struct usage *used)
{
        int r = sample_add(s, "real", s_from_us(used->elapsed_us), "s", BETTER_LOWER, NULL);

        if (r == 0)
                r = sample_add(s, "user", s_from_us(used->user_us), "s", BETTER_LOWER, NULL);
        if (r == 0)
                r = sample_add(s, "sys", s_from_us(used->system_us), "s", BETTER_LOWER, NULL);
        return r;
}

static int io_to_json(json_t *j, const struct usage *used, const struct blockdev_set *devices)
{
        CLEANUP(json_decrefp) json_t *names = json_array();

        if (used->has_io &&
            (record_set_integer(j, "storage_read_bytes", (int64_t) used->storage_read_bytes) < 0 ||
             record_set_integer(j, "storage_write_bytes", (int64_t) used->storage_write_bytes) < 0))
                return -ENOMEM;
        if (devices && devices->reason[0])
                return record_set_string(j, "device_unknown", devices->reason);
        if (!used->has_device || !devices)
                return 0;
        for (size_t i = 0; i < devices->n_leaves; i++)
                if (json_array_append_new(names, json_text(devices->leaves[i].name)) < 0)
                        return -ENOMEM;
        if (json_put(j, "devices", TAKE(names)) < 0 ||
            record_set_integer(j, "device_reads", (int64_t) used->device.reads) < 0 ||
            record_set_integer(j, "device_read_bytes", (int64_t) used->device.read_bytes) < 0 ||
            record_set_integer(j, "device_writes", (int64_t) used->device.writes) < 0 ||
            record_set_integer(j, "device_write_bytes", (int64_t) used->device.write_bytes) < 0 ||
            record_set_integer(j, "device_busy_ms", (int64_t) used->device.busy_ms) < 0)
                return -ENOMEM;
        return 0;
}

json_t *usage_to_json(const struct usage *used, const struct blockdev_set *devices)
{
        CLEANUP(json_decrefp) json_t *j = json_object();

        if (!j || record_set_integer(j, "elapsed_us", used->elapsed_us) < 0 ||
            record_set_integer(j, "user_us", used->user_us) < 0 ||
            record_set_integer(j, "system_us", used->system_us) < 0 ||
            record_set_integer(j, "major_faults", used->major_faults) < 0 ||
            record_set_integer(j, "minor_faults", used->minor_faults) < 0 ||
            record_set_integer(j, "voluntary_switches", used->voluntary_switches) < 0 ||
            record_set_integer(j, "involuntary_switches", used->involuntary_switches) < 0 ||
            record_set_integer(j, "max_rss_bytes", used->max_rss_bytes) < 0 ||
            io_to_json(j, used, devices) < 0)
                return NULL;
        return TAKE(j);
}
