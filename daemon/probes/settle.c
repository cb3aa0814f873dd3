/* daemon/probes/settle.c - the settle probe: when CPUs and disks have come to rest
 *
 * Looks at nothing until the desktop's windows are there, which another probe sees; then every
 * 100 ms, until it has an answer, which ends it. Two series of samples half a sample apart: work
 * that takes less than a sample each second may lie across two samples of one series, and would
 * then spoil a fifth of them for ever, but never in both series.
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
#define SERIES 2
#define SAMPLE_US 100000
#define BUSY_PERCENT 20 /* more than that is not quiet */
#define ABSENT_SAMPLES 100

struct settle {
        struct probe probe;
        const char *root;
        struct load_reader readers[SERIES];
        struct quiet quiet[SERIES];
        unsigned turn;
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

/* look() - the next sample of the series whose turn it is */
static int look(struct settle *s, struct fault *fault)
{
        struct quiet *q = &s->quiet[s->turn];
        struct load l;
        int r = load_read(&s->readers[s->turn], monotonic_ns(), &l, fault);

        if (r > 0) {
                bool is_quiet = l.cpu_percent <= BUSY_PERCENT && l.disk_percent <= BUSY_PERCENT;

                if (quiet_add(q, (struct quiet_sample){ l.start_ns, l.end_ns, is_quiet }))
                        settled(s, q->settled_ns);
                else if (s->turn == 0)
                        say_busy(s, &l);
        }
        s->turn = (s->turn + 1) % SERIES;
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
        s->next_us += SAMPLE_US / SERIES;
        if (s->next_us < usec)
                s->next_us = usec + SAMPLE_US / SERIES;
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
        int r = 0;

        if (root_fd < 0)
                return fault_errno(fault, -errno, "%s", s->root);
        for (size_t i = 0; r == 0 && i < SERIES; i++)
                r = load_reader_init(&s->readers[i], root_fd, supervisor(), fault);
        if (r == 0)
                r = look(s, fault);
        s->started_ns = monotonic_ns();
        s->next_us = (uint64_t) us_from_ns(s->started_ns) + SAMPLE_US / SERIES;
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
        for (size_t i = 0; i < SERIES; i++)
                s.readers[i].stat_fd = s.readers[i].proc_fd = s.readers[i].sys_block_fd = -EBADF;
        r = probe_init(&s.probe, SOURCE, &fault);
        s.probe.on_mark = on_mark;
        s.probe.userdata = &s;
        if (r == 0)
                r = probe_run(&s.probe);
        else
                report_remark("%s", fault.text);
        (void) sd_event_source_disable_unref(s.timer);
        for (size_t i = 0; i < SERIES; i++)
                load_reader_done(&s.readers[i]);
        free(s.session);
        probe_done(&s.probe);
        return r < 0 ? EXIT_FAILURE : r;
}
