/* daemon/probes/settle.c - the settle probe: when CPUs and disks have come to rest
 *
 * Looks at nothing until the desktop's windows are there, which another probe sees; then every
 * 100 ms, until it has an answer, which ends it.
 *
 * With a folder as argument that one is taken for / (tests).
 */
#include <fcntl.h>
#include <string.h>
#include "daemon/probes/load.h"
#include "daemon/probes/loop.h"
#include "daemon/probes/quiet.h"
#include "daemon/probes/report.h"
#include "record/clock.h"
#include "record/macros.h"
#include "record/procfile.h"
#include "record/record.h"

#define SOURCE "probe settle"
#define SAMPLE_US 100000
#define BUSY_PERCENT 20 /* more than that is not quiet */
#define ABSENT_SAMPLES 100

struct settle {
        struct probe probe;
        const char *root;
        struct load_reader reader;
        struct quiet quiet;
        sd_event_source *timer;
        uint64_t next_us;
        char *session; /* whose windows are there; "" when they have none; NULL before */
        int64_t windows_ns, started_ns;
        unsigned n_samples, n_cpu_busy, n_disk_busy; /* since the last word about it */
        char disk[LOAD_NAME_BYTES];
};

static const char *session_of(const struct settle *s) { return *s->session ? s->session : NULL; }

static void absent(struct settle *s, const char *reason)
{
        probe_absent(&s->probe, "desktop.settled", session_of(s), reason);
}

/* say_busy() - what keeps the machine from being settled, now and then */
static void say_busy(struct settle *s, const struct load *l)
{
        char reason[160];

        s->n_samples++;
        s->n_cpu_busy += l->cpu_percent > BUSY_PERCENT;
        s->n_disk_busy += l->disk_percent > BUSY_PERCENT;
        if (l->disk_percent > BUSY_PERCENT)
                (void) snprintf(s->disk, sizeof s->disk, "%s", l->disk);
        if (s->n_samples < ABSENT_SAMPLES)
                return;
        (void) snprintf(
                reason, sizeof reason,
                "of the last %u samples of 0.1 s the CPUs were busy in %u, a disk%s%s in %u",
                s->n_samples, s->n_cpu_busy, *s->disk ? ", such as " : "", s->disk, s->n_disk_busy);
        absent(s, reason);
        s->n_samples = s->n_cpu_busy = s->n_disk_busy = 0;
        s->disk[0] = '\0';
}

/* error_us() - when quiet began at once, it may have begun before we looked */
static int64_t error_us(const struct settle *s, int64_t settled_ns)
{
        return SAMPLE_US + (settled_ns - s->started_ns < SAMPLE_US * NS_PER_US
                                    ? us_from_ns(settled_ns - s->windows_ns)
                                    : 0);
}

static void settled(struct settle *s, int64_t at_ns)
{
        struct mark_detail d = MARK_DETAIL_NULL;

        mark_detail_add(&d, "seen_us", "%lld", (long long) us_from_ns(monotonic_ns() - at_ns));
        probe_mark(&s->probe, "desktop.settled", session_of(s), at_ns, error_us(s, at_ns), &d);
        (void) sd_event_exit(s->probe.event, EXIT_SUCCESS);
}

/* busy_ns() - by the CPUs or a disk, whichever was more; 0 when it was quiet */
static int64_t busy_ns(const struct load *l)
{
        int percent = l->cpu_percent > l->disk_percent ? l->cpu_percent : l->disk_percent;

        return percent > BUSY_PERCENT ? (l->end_ns - l->start_ns) * percent / 100 : 0;
}

/* look() - the next sample */
static int look(struct settle *s, struct fault *fault)
{
        struct load l;
        int r = load_read(&s->reader, monotonic_ns(), &l, fault);

        if (r <= 0)
                return r;
        if (quiet_add(&s->quiet, (struct quiet_sample){ l.start_ns, l.end_ns, busy_ns(&l) }))
                settled(s, s->quiet.settled_ns);
        else
                say_busy(s, &l);
        return r;
}

static void give_up(struct settle *s, const struct fault *fault)
{
        absent(s, fault->text);
        report_remark("%s", fault->text);
        (void) sd_event_exit(s->probe.event, PROBE_UNAVAILABLE);
}

static int on_time(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct settle *s = userdata;
        struct fault fault = FAULT_NULL;

        if (look(s, &fault) < 0) {
                give_up(s, &fault);
                return 0;
        }
        /* A late one must not be followed by many at once. */
        s->next_us += SAMPLE_US;
        if (s->next_us < usec)
                s->next_us = usec + SAMPLE_US;
        (void) sd_event_source_set_time(source, s->next_us);
        return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* supervisor() - the process whose work is ours too; 0 when someone else has started us */
static pid_t supervisor(void)
{
        CLEANUP(freep) char *name = NULL;
        char path[64];

        (void) snprintf(path, sizeof path, "/proc/%ld/comm", (long) getppid());
        if (procfile_read_line(AT_FDCWD, path, &name) < 0)
                return 0;
        return strcmp(name, "bootlapd") == 0 || strcmp(name, "bootlap") == 0 ? getppid() : 0;
}

static int start(struct settle *s, struct fault *fault)
{
        CLEANUP(closep) int root_fd = open(s->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        int r;

        if (root_fd < 0)
                return fault_errno(fault, -errno, "%s", s->root);
        r = load_reader_init(&s->reader, root_fd, supervisor(), fault);
        if (r == 0)
                r = look(s, fault);
        s->started_ns = monotonic_ns();
        s->next_us = (uint64_t) us_from_ns(s->started_ns) + SAMPLE_US;
        if (r >= 0 && sd_event_add_time(s->probe.event, &s->timer, CLOCK_MONOTONIC, s->next_us,
                                        1000, on_time, s) < 0)
                r = fault_set(fault, -ENOMEM, "no timer");
        return r;
}

static void on_mark(void *userdata, const struct mark *m)
{
        struct settle *s = userdata;
        struct fault fault = FAULT_NULL;
        CLEANUP(freep) char *session = NULL;

        if (s->session || strcmp(m->name, "desktop.windows") != 0)
                return;
        if (mark_detail_get(m->detail, "session", &session) == 0 && !record_is_persons(session))
                return;
        s->session = session ? TAKE(session) : strdup("");
        s->windows_ns = (int64_t) m->monotonic_ns;
        if (!s->session)
                (void) sd_event_exit(s->probe.event, EXIT_FAILURE);
        else if (start(s, &fault) < 0)
                give_up(s, &fault);
}

int main(int argc, char **argv)
{
        struct settle s = { .root = argc == 2 ? argv[1] : "/" };
        struct fault fault = FAULT_NULL;
        int r;

        if (argc > 2) {
                report_remark("want no argument, or a folder to be taken for /");
                return 2;
        }
        s.reader.stat_fd = s.reader.proc_fd = s.reader.sys_block_fd = -EBADF;
        r = probe_init(&s.probe, SOURCE, &fault);
        s.probe.on_mark = on_mark;
        s.probe.userdata = &s;
        if (r == 0)
                r = probe_run(&s.probe);
        else
                report_remark("%s", fault.text);
        (void) sd_event_source_disable_unref(s.timer);
        load_reader_done(&s.reader);
        free(s.session);
        probe_done(&s.probe);
        return r < 0 ? EXIT_FAILURE : r;
}
