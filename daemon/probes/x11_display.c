/* daemon/probes/x11_display.c - look at who listens before connecting, then leave the talking to a
 * child and check what it says
 *
 * Nothing here waits for a server. What cannot be watched now is looked at again, ever more rarely:
 * the file of a socket is there before anyone listens, and a session may make an owner legitimate.
 */
#include "daemon/probes/x11_display.h"
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "witness/cookie.h"
#include "daemon/probes/report.h"
#include "daemon/probes/x11_server.h"
#include "record/clock.h"
#include "record/procfile.h"

#define RETRY_FIRST_US (20 * 1000)
#define RETRY_MAX_US (2 * US_PER_S)
#define LASTED_NS (2 * (int64_t) NS_PER_S)
#define SILENT_US (10 * (uint64_t) US_PER_S)
#define LINES_MAX 100000 /* from one child; far more than any session makes */
#define TICK_US 10000    /* the kernel stamps files with the time of its last tick: 4 to 10 ms */

static void look(struct x11_display *d);

static const char *session_of(const struct x11_display *d, long screen, char *buffer, size_t size)
{
        int n = snprintf(buffer, size, ":%u", d->number);

        if (screen > 0)
                n += snprintf(buffer + n, size - (size_t) n, ".%ld", screen);
        if (d->n_servers > 1)
                (void) snprintf(buffer + n, size - (size_t) n, "#%u", d->n_servers);
        return buffer;
}

static void mark(struct x11_display *d, const char *name, int64_t at_ns, int64_t error_us)
{
        char session[32];

        probe_mark(d->probe, name, session_of(d, 0, session, sizeof session), at_ns, error_us,
                   NULL);
}

/* absent() - said once for the same reason */
static void absent(struct x11_display *d, const char *format, ...) PRINTF_LIKE(2, 3);
static void absent(struct x11_display *d, const char *format, ...)
{
        char reason[sizeof d->reason], session[32];
        va_list list;

        va_start(list, format);
        (void) vsnprintf(reason, sizeof reason, format, list);
        va_end(list);
        if (strcmp(d->reason, reason) == 0)
                return;
        (void) snprintf(d->reason, sizeof d->reason, "%s", reason);
        probe_absent(d->probe, "x.ready", session_of(d, 0, session, sizeof session), reason);
}

static int on_retry(sd_event_source *source, uint64_t usec, void *userdata)
{
        (void) source;
        (void) usec;
        look(userdata);
        return 0;
}

static int on_silent(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct x11_display *d = userdata;

        (void) source;
        (void) usec;
        if (!d->ready)
                absent(d, "the server has not answered a connection setup for %d s",
                       (int) (SILENT_US / US_PER_S));
        return 0;
}

static void after(struct x11_display *d, sd_event_source **source, uint64_t delay_us,
                  sd_event_time_handler_t handler)
{
        *source = sd_event_source_disable_unref(*source);
        if (sd_event_add_time_relative(d->probe->event, source, CLOCK_MONOTONIC, delay_us, 1000,
                                       handler, d) < 0)
                report_remark("no timer: display :%u is not looked at again", d->number);
}

static void retry_later(struct x11_display *d)
{
        d->retry_us = d->retry_us ? d->retry_us * 2 : RETRY_FIRST_US;
        if (d->retry_us > RETRY_MAX_US)
                d->retry_us = RETRY_MAX_US;
        after(d, &d->retry, d->retry_us, on_retry);
}

/* A child speaks for its own display only, and only of what it can have seen. */
static bool is_expected(const char *name)
{
        static const char *const names[] = { "x.ready", "wm.ready", "wm.replaced",
                                             "wm.gone", "wm.name",  MARK_ABSENT };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (strcmp(names[i], name) == 0)
                        return true;
        return false;
}

static long screen_of(const char *detail)
{
        CLEANUP(freep) char *text = NULL;
        int64_t screen = 0;

        if (mark_detail_get(detail, X11_SCREEN_KEY, &text) < 0 || parse_int(text, &screen) < 0)
                return 0;
        return screen > 0 && screen < X11_SCREENS_MAX ? (long) screen : 0;
}

/* add_program() - the name of the process that the child knows only by its number: /proc is closed
 * to it */
static void add_program(struct mark_detail *detail, const char *child_detail)
{
        CLEANUP(freep) char *pid_text = NULL, *name = NULL;
        char path[64];
        int64_t pid;

        if (mark_detail_get(child_detail, "pid", &pid_text) < 0 || parse_int(pid_text, &pid) < 0 ||
            pid <= 0 || pid > INT32_MAX)
                return;
        (void) snprintf(path, sizeof path, "/proc/%lld/comm", (long long) pid);
        if (procfile_read_line(AT_FDCWD, path, &name) == 0)
                mark_detail_add(detail, "program", "%s", name);
}

static void pass_on(struct x11_display *d, const struct mark *m)
{
        struct mark_detail detail = MARK_DETAIL_NULL, theirs = MARK_DETAIL_NULL;
        char session[32];

        mark_detail_add(&detail, "session", "%s",
                        session_of(d, screen_of(m->detail), session, sizeof session));
        (void) snprintf(theirs.text, sizeof theirs.text, "%s", m->detail);
        mark_detail_append(&detail, &theirs);
        add_program(&detail, m->detail);
        if (report_mark(m->name, (int64_t) m->monotonic_ns, X11_SOURCE, &detail) < 0)
                (void) sd_event_exit(d->probe->event, EXIT_SUCCESS);
}

static void on_line(void *userdata, char *line)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        struct x11_display *d = userdata;

        if (++d->n_lines > LINES_MAX)
                return;
        if (mark_parse_line(line, &m, NULL) < 0) {
                report_remark("display :%u: %.200s", d->number, line);
                return;
        }
        if (!is_expected(m.name))
                return;
        if (strcmp(m.name, "x.ready") == 0) {
                d->ready = true;
                d->ready_ns = (int64_t) m.monotonic_ns;
                d->n_servers++;
                d->reason[0] = '\0';
        } else if (strcmp(m.name, MARK_ABSENT) == 0 && strcmp(d->reason, m.detail) == 0) {
                return; /* the same as at the last try */
        } else if (strcmp(m.name, MARK_ABSENT) == 0) {
                (void) snprintf(d->reason, sizeof d->reason, "%s", m.detail);
        }
        pass_on(d, &m);
}

static int on_output(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct x11_display *d = userdata;

        (void) revents;
        if (line_buffer_read(&d->lines, fd, on_line, d) == 0)
                (void) sd_event_source_set_enabled(source, SD_EVENT_OFF);
        return 0;
}

static void forget_child(struct x11_display *d)
{
        d->output = sd_event_source_disable_unref(d->output);
        d->silent = sd_event_source_disable_unref(d->silent);
        d->exit = sd_event_source_disable_unref(d->exit);
        closep(&d->child_stdin_fd);
        d->child_stdin_fd = -EBADF;
        d->child = 0;
}

static int on_child_exit(sd_event_source *source, const siginfo_t *info, void *userdata)
{
        struct x11_display *d = userdata;

        (void) source;
        while (line_buffer_read(&d->lines, sd_event_source_get_io_fd(d->output), on_line, d) > 0)
                ;
        if (d->ready)
                mark(d, "x.gone", monotonic_ns(), 0);
        else if (info->si_code == CLD_KILLED && info->si_status == SIGALRM)
                absent(d, "the cookie file could not be read in time");
        else if (info->si_code != CLD_EXITED)
                absent(d, "the process that talked to the server died of signal %d",
                       info->si_status);
        /* A server that lasted starts a new one's story; one that comes and goes is asked less. */
        if (d->ready && monotonic_ns() - d->ready_ns > LASTED_NS)
                d->retry_us = 0;
        d->ready = false;
        forget_child(d);
        retry_later(d);
        return 0;
}

/* become_child() - in the child: its own ends of the pipes, and nothing else of the parent's */
static int become_child(const struct x11_target *target, int stdin_fd, int stdout_fd)
{
        sigset_t none;

        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* libxcb prints on stderr what a server gives as its reason. */
        if (dup2(stdin_fd, STDIN_FILENO) < 0 || dup2(stdout_fd, STDOUT_FILENO) < 0 ||
            dup2(stdout_fd, STDERR_FILENO) < 0 || close_range(3, UINT32_MAX, 0) < 0)
                return EXIT_FAILURE;
        return x11_serve(target);
}

static int start_child(struct x11_display *d, const struct x11_target *target)
{
        CLEANUP(closep) int in_read_fd = -EBADF, in_write_fd = -EBADF;
        CLEANUP(closep) int out_read_fd = -EBADF, out_write_fd = -EBADF;
        int in[2], out[2], r;

        if (pipe2(in, O_CLOEXEC) < 0)
                return -errno;
        in_read_fd = in[0];
        in_write_fd = in[1];
        if (pipe2(out, O_CLOEXEC) < 0)
                return -errno;
        out_read_fd = out[0];
        out_write_fd = out[1];
        if (fcntl(out_read_fd, F_SETFL, O_NONBLOCK) < 0)
                return -errno;
        d->lines = (struct line_buffer){ .used = 0 };
        r = sd_event_add_io(d->probe->event, &d->output, out_read_fd, EPOLLIN, on_output, d);
        if (r >= 0)
                r = sd_event_source_set_io_fd_own(d->output, 1);
        if (r < 0)
                return r;
        (void) TAKE_FD(out_read_fd);
        d->child = fork();
        if (d->child < 0)
                return -errno;
        if (d->child == 0)
                _exit(become_child(target, in_read_fd, out_write_fd));
        d->child_stdin_fd = TAKE_FD(in_write_fd);
        return sd_event_add_child(d->probe->event, &d->exit, d->child, WEXITED, on_child_exit, d);
}

static void connect_to(struct x11_display *d, const char *path, const struct listener *l)
{
        CLEANUP(freep) char *auth = cookie_path_for(l->pid);
        const struct x11_target target = { .display = d->number,
                                           .path = path,
                                           .listener = *l,
                                           .socket_ns = d->socket_ns,
                                           .cookie_path = auth };
        int r = start_child(d, &target);

        if (r < 0) {
                report_remark("display :%u: no process to talk to it: %s", d->number, strerror(-r));
                if (d->child > 0)
                        (void) kill(d->child, SIGKILL);
                forget_child(d);
                retry_later(d);
                return;
        }
        after(d, &d->silent, SILENT_US, on_silent);
}

static bool may_be_watched(const struct listener *l) { return l->uid == 0 || l->uid == geteuid(); }

/* look() - decide what to do about a display whose socket is there */
static void look(struct x11_display *d)
{
        struct listener l;
        struct fault fault = FAULT_NULL;
        char path[64];
        int r;

        if (!d->present || d->child)
                return;
        (void) snprintf(path, sizeof path, X11_FOLDER "/X%u", d->number);
        r = listener_find(path, &l, &fault);
        if (r == -ENOENT) {
                d->present = false; /* inotify tells when it comes back */
                return;
        }
        if (r < 0)
                absent(d, "%s", fault.text);
        else if (l.kind == LISTENER_XWAYLAND || l.kind == LISTENER_COMPOSITOR)
                absent(d, "the socket is Xwayland's (held by %s); connecting could start it",
                       l.program);
        else if (l.kind == LISTENER_INIT)
                absent(d, "PID 1 alone holds the socket; connecting would start a server");
        else if (!may_be_watched(&l))
                absent(d, "the listener belongs to uid %ld, who has no session on seat0",
                       (long) l.uid);
        else
                connect_to(d, path, &l);
        if (!d->child)
                retry_later(d);
}

struct x11_display *x11_display_new(struct probe *p, unsigned number)
{
        struct x11_display *d = calloc(1, sizeof *d);

        if (d)
                *d = (struct x11_display){ .probe = p, .number = number, .child_stdin_fd = -EBADF };
        return d;
}

struct x11_display *x11_display_free(struct x11_display *d)
{
        if (!d)
                return NULL;
        if (d->child > 0) {
                (void) kill(d->child, SIGKILL);
                (void) waitpid(d->child, NULL, 0);
        }
        forget_child(d);
        (void) sd_event_source_disable_unref(d->retry);
        free(d);
        return NULL;
}

/* birth_ns() - when a file was made, where the file system keeps that; 0 otherwise */
static int64_t birth_ns(const char *path)
{
        struct clock_tuple now = clock_tuple_now();
        struct statx stx;

        if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &stx) < 0 ||
            !(stx.stx_mask & STATX_BTIME))
                return 0;
        return (clock_monotonic_from_realtime(&now, stx.stx_btime.tv_sec * US_PER_S +
                                                            us_from_ns(stx.stx_btime.tv_nsec)) +
                TICK_US) *
               NS_PER_US;
}

static void mark_socket(struct x11_display *d, const char *path, bool watched)
{
        int64_t now_ns = monotonic_ns(), born_ns = birth_ns(path);

        if (watched) {
                d->socket_ns = now_ns;
                mark(d, "x.socket", now_ns, 0);
        } else if (born_ns > 0 && born_ns <= now_ns) {
                d->socket_ns = born_ns;
                mark(d, "x.socket", born_ns, TICK_US);
        } else { /* some time before now */
                d->socket_ns = 0;
                mark(d, "x.socket", now_ns, us_from_ns(now_ns));
        }
}

void x11_display_found(struct x11_display *d, bool watched)
{
        char path[64];
        struct stat st;

        (void) snprintf(path, sizeof path, X11_FOLDER "/X%u", d->number);
        if (lstat(path, &st) < 0 || (d->present && d->file_ino == st.st_ino))
                return;
        d->present = true;
        d->file_ino = st.st_ino;
        d->retry_us = 0;
        d->reason[0] = '\0';
        mark_socket(d, path, watched);
        look(d);
}
