/* daemon/probes/exec.c - the exec probe: when display servers' programs start
 *
 * display.exec, stamped by the kernel. What runs already when the probe comes is none of its: /proc
 * knows only when a process was forked, and whoever makes the record asks that. With names as
 * arguments, those programs' starts are marked too, as "user.exec"; a number first is the size of
 * the kernel's queue for us.
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-login.h>
#include "daemon/probes/loop.h"
#include "daemon/probes/proc_events.h"
#include "daemon/probes/report.h"
#include "record/clock.h"
#include "record/procfile.h"
#include "record/record.h"

#define SOURCE "probe exec"
#define SEEN_MAX 4096
#define CMDLINE_BYTES 4096
#define BATCH_MAX 256 /* then others have their turn */
#define CHILDREN_BYTES 65536
#define THREADS_MAX 2048 /* of the kernel; more are looked at like any process */
#define SERVERS_MAX 1024

/* Names as the kernel keeps them: 15 characters. Xvfb, Xephyr and Xwayland show nothing by
 * themselves. */
static const char *const servers[] = {
        "Xorg",        "X",       "weston", "sway", "cage",   "labwc",       "wayfire",
        "Hyprland",    "river",   "niri",   "phoc", "mutter", "gnome-shell", "kwin_wayland",
        "cosmic-comp", "miriway",
};

struct exec {
        struct probe probe;
        struct proc_events events;
        sd_event_source *io;
        char *const *names; /* the user's; ended by NULL */
        pid_t seen[SEEN_MAX];
        size_t n_seen;
};

static bool is_listed(const char *name, const char *const *list, size_t n)
{
        for (size_t i = 0; i < n && list[i]; i++)
                if (strcmp(list[i], name) == 0)
                        return true;
        return false;
}

static bool is_wanted(const struct exec *e, const char *name)
{
        return is_listed(name, servers, ELEMENTSOF(servers)) ||
               is_listed(name, (const char *const *) e->names, SIZE_MAX);
}

/* is_new() - a server's script that executes the server itself is one start */
static bool is_new(struct exec *e, pid_t pid)
{
        size_t n = e->n_seen < SEEN_MAX ? e->n_seen : SEEN_MAX;

        for (size_t i = 0; i < n; i++)
                if (e->seen[i] == pid)
                        return false;
        e->seen[e->n_seen++ % SEEN_MAX] = pid;
        return true;
}

/* x_display() - ":0" of its command line; NULL when it names none */
static char *x_display(pid_t pid)
{
        CLEANUP(freep) char *text = NULL;
        char path[64];
        size_t n_bytes;

        (void) snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
        if (procfile_read(AT_FDCWD, path, CMDLINE_BYTES, &text, &n_bytes) < 0)
                return NULL;
        for (const char *p = text; p < text + n_bytes; p += strlen(p) + 1)
                if (p[0] == ':' && p[1] && strspn(p + 1, "0123456789") == strlen(p + 1) &&
                    strlen(p) < 16)
                        return strdup(p);
        return NULL;
}

static bool is_greeters(pid_t pid)
{
        CLEANUP(freep) char *id = NULL, *class = NULL;

        return sd_pid_get_session(pid, &id) >= 0 && sd_session_get_class(id, &class) >= 0 &&
               strcmp(class, "greeter") == 0;
}

/* session_of() - as the other probes call an X server's; a compositor's socket has no name yet */
static void session_of(pid_t pid, const char *name, char *ret, size_t size)
{
        CLEANUP(freep) char *display = x_display(pid);
        char path[64];
        struct stat st = { .st_uid = 0 };

        (void) snprintf(path, sizeof path, "/proc/%d", pid);
        (void) stat(path, &st);
        if (display)
                (void) snprintf(ret, size, "%s", display);
        else if (name[0] == 'X')
                (void) snprintf(ret, size, ":0");
        else
                (void) snprintf(ret, size, "%s@%ld", name, (long) st.st_uid);
        if (is_greeters(pid))
                (void) strncat(ret, RECORD_GREETER, size - strlen(ret) - 1);
}

/* consider() - a process that has executed something at @at_ns, or in the @error_us before */
static void consider(struct exec *e, pid_t pid, int64_t at_ns, int64_t error_us)
{
        CLEANUP(freep) char *name = NULL;
        struct mark_detail d = MARK_DETAIL_NULL;
        char path[64], session[64];
        bool is_server;

        (void) snprintf(path, sizeof path, "/proc/%d/comm", pid);
        if (procfile_read_line(AT_FDCWD, path, &name) < 0)
                return; /* what ends before its name can be read is no display server */
        if (!is_wanted(e, name) || !is_new(e, pid))
                return;
        is_server = is_listed(name, servers, ELEMENTSOF(servers));
        if (is_server) {
                session_of(pid, name, session, sizeof session);
                mark_detail_add(&d, "session", "%s", session);
        }
        mark_detail_add(&d, "error_us", "%lld", (long long) error_us);
        mark_detail_add(&d, "pid", "%d", pid);
        mark_detail_add(&d, "program", "%s", name);
        if (report_mark(is_server ? "display.exec" : "user.exec", at_ns, SOURCE, &d) < 0)
                (void) sd_event_exit(e->probe.event, EXIT_SUCCESS);
}

/* The kernel's own stamp, rounded up to what a record holds. */
static void on_exec(void *userdata, const struct proc_exec *exec)
{
        consider(userdata, exec->pid, exec->at_ns, 1);
}

/* look_at_all() - what was not told: whoever is there now and was not known came since @since_ns.
 * What came and went meanwhile is lost. */
static void look_at_all(struct exec *e, int64_t since_ns)
{
        int64_t now_ns = monotonic_ns(), pid;
        DIR *dir = opendir("/proc");

        /* First all that is still in the queue, which has its own stamps. */
        while (proc_events_read(&e->events, on_exec, e) > 0)
                ;
        for (const struct dirent *entry; dir && (entry = readdir(dir));)
                if (parse_int(entry->d_name, &pid) == 0 && pid > 0 && pid <= INT32_MAX)
                        consider(e, (pid_t) pid, now_ns, us_from_ns(now_ns - since_ns));
        if (dir)
                (void) closedir(dir);
        e->events.last_ns = now_ns;
}

static void lost(struct exec *e)
{
        int64_t since_ns = e->events.last_ns;

        look_at_all(e, since_ns);
        report_remark("the kernel dropped events of %lld us; /proc was read instead: what came and "
                      "went in that time is not known",
                      (long long) us_from_ns(e->events.last_ns - since_ns));
}

static int on_events(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct exec *e = userdata;
        int r = 1;

        (void) source;
        (void) fd;
        (void) revents;
        for (int i = 0; r > 0 && i < BATCH_MAX; i++)
                r = proc_events_read(&e->events, on_exec, e);
        if (r == -ENOBUFS) {
                lost(e);
                r = 0;
        }
        return r < 0 ? sd_event_exit(e->probe.event, EXIT_FAILURE) : 0;
}

static int compare_pids(const void *va, const void *vb)
{
        const pid_t *a = va, *b = vb;

        return (*a > *b) - (*a < *b);
}

/* kernel_threads() - sorted; early in a boot nearly all processes are such, none executes anything,
 * and their names would be most of the work. None are told where the kernel does not list them. */
static size_t kernel_threads(pid_t *ret, size_t max)
{
        CLEANUP(freep) char *text = NULL;
        size_t n = 0;

        if (procfile_read(AT_FDCWD, "/proc/2/task/2/children", CHILDREN_BYTES, &text, NULL) < 0)
                return 0;
        for (char *p = text, *end; n < max; p = end) {
                long pid = strtol(p, &end, 10);

                if (end == p)
                        break;
                ret[n++] = (pid_t) pid;
        }
        qsort(ret, n, sizeof *ret, compare_pids);
        return n;
}

/* servers_there() - processes with a name that is looked for */
static size_t servers_there(const struct exec *e, pid_t *ret, size_t max)
{
        pid_t threads[THREADS_MAX];
        size_t n = 0, n_threads = kernel_threads(threads, ELEMENTSOF(threads));
        DIR *dir = opendir("/proc");

        for (const struct dirent *entry; n < max && dir && (entry = readdir(dir));) {
                CLEANUP(freep) char *name = NULL;
                char path[64];
                int64_t number;
                pid_t pid;

                if (parse_int(entry->d_name, &number) < 0 || number <= 0 || number > INT32_MAX)
                        continue;
                pid = (pid_t) number;
                if (bsearch(&pid, threads, n_threads, sizeof pid, compare_pids))
                        continue;
                (void) snprintf(path, sizeof path, "/proc/%d/comm", pid);
                if (procfile_read_line(AT_FDCWD, path, &name) == 0 && is_wanted(e, name))
                        ret[n++] = pid;
        }
        if (dir)
                (void) closedir(dir);
        return n;
}

/* start() - first the events, then who is there: of a program that started in between the kernel
 * has told, and what it has not told was there before */
static int start(struct exec *e, int queue_bytes, struct fault *fault)
{
        int r = proc_events_open(&e->events, queue_bytes, fault);
        pid_t there[SERVERS_MAX];
        size_t n;

        if (r < 0)
                return r;
        n = servers_there(e, there, ELEMENTSOF(there));
        do
                r = proc_events_read(&e->events, on_exec, e);
        while (r > 0);
        for (size_t i = 0; i < n; i++)
                (void) is_new(e, there[i]);
        if (r == -ENOBUFS)
                lost(e);
        return sd_event_add_io(e->probe.event, &e->io, e->events.fd, EPOLLIN, on_events, e) < 0
                       ? fault_set(fault, -ENOMEM, "the event loop")
                       : 0;
}

static bool is_refusal(int r)
{
        return r == -EPERM || r == -ECONNREFUSED || r == -EOPNOTSUPP || r == -EPROTONOSUPPORT;
}

int main(int argc, char **argv)
{
        struct exec e = { .events = PROC_EVENTS_NULL, .names = argv + 1 };
        struct fault fault = FAULT_NULL;
        int64_t queue_bytes = PROC_EVENTS_QUEUE_BYTES;
        int r;

        if (argc > 1 && parse_int(argv[1], &queue_bytes) == 0) {
                if (queue_bytes < 1 || queue_bytes > INT32_MAX / 2) {
                        report_remark("want a queue of 1 to %d bytes", INT32_MAX / 2);
                        return 2;
                }
                e.names++;
        }
        r = probe_init(&e.probe, SOURCE, &fault);
        if (r == 0)
                r = start(&e, (int) queue_bytes, &fault);
        if (r < 0)
                report_remark("%s", fault.text);
        if (is_refusal(r)) {
                probe_absent(&e.probe, "display.exec", NULL, fault.text);
                r = PROBE_UNAVAILABLE;
        } else if (r == 0) {
                r = probe_run(&e.probe);
        }
        (void) sd_event_source_disable_unref(e.io);
        proc_events_close(&e.events);
        probe_done(&e.probe);
        return r < 0 ? EXIT_FAILURE : r;
}
