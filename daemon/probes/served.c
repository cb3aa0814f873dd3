/* daemon/probes/served.c - see served.h */
#include "daemon/probes/served.h"
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "daemon/probes/pace.h"
#include "daemon/probes/report.h"
#include "record/clock.h"
#include "record/procfile.h"
#include "record/record.h"
#include "witness/cookie.h"

#define RETRY_FIRST_US (5 * 1000)
#define RETRY_MAX_US (2 * US_PER_S)
#define LASTED_NS (2 * (int64_t) NS_PER_S)
#define UNKNOWN_NS (2 * (int64_t) NS_PER_S)
#define SILENT_US (10 * (uint64_t) US_PER_S)
#define LINES_MAX 100000 /* from one child; far more than any session makes */
#define SCREENS_MAX 16
#define TICK_US 10000 /* the kernel stamps files with the time of its last tick: 4 to 10 ms */

static void look(struct served *s);

/* session_of() - ":0", ":0.1 greeter", ":0#2": which screen, whose, and the how many-th server */
static const char *session_of(const struct served *s, long screen, enum seat_role role,
                              char *buffer, size_t size)
{
        int n = snprintf(buffer, size, "%s", s->name);

        if (screen > 0)
                n += snprintf(buffer + n, size - (size_t) n, ".%ld", screen);
        if (s->n_servers > 1)
                n += snprintf(buffer + n, size - (size_t) n, "#%u", s->n_servers);
        (void) snprintf(buffer + n, size - (size_t) n, "%s",
                        role == SEAT_GREETER ? RECORD_GREETER
                        : role == SEAT_OTHER ? RECORD_OTHER
                                             : "");
        return buffer;
}

static void mark(struct served *s, const char *name, int64_t at_ns, int64_t error_us)
{
        char session[96];

        probe_mark(s->probe, name, session_of(s, 0, s->role, session, sizeof session), at_ns,
                   error_us, NULL);
}

/* absent() - said once for the same reason */
static void absent(struct served *s, const char *format, ...) PRINTF_LIKE(2, 3);
static void absent(struct served *s, const char *format, ...)
{
        char reason[sizeof s->reason], session[96];
        va_list list;

        va_start(list, format);
        (void) vsnprintf(reason, sizeof reason, format, list);
        va_end(list);
        if (strcmp(s->reason, reason) == 0)
                return;
        (void) snprintf(s->reason, sizeof s->reason, "%s", reason);
        probe_absent(s->probe, s->kind->ready_mark,
                     session_of(s, 0, s->role, session, sizeof session), reason);
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
        struct served *s = userdata;

        (void) source;
        (void) usec;
        if (!s->ready)
                absent(s, "%s (%ld) has not answered for %d s", s->listener.program,
                       (long) s->listener.pid, (int) (SILENT_US / US_PER_S));
        return 0;
}

static void after(struct served *s, sd_event_source **source, uint64_t delay_us,
                  sd_event_time_handler_t handler)
{
        *source = sd_event_source_disable_unref(*source);
        if (sd_event_add_time_relative(s->probe->event, source, CLOCK_MONOTONIC, delay_us, 1000,
                                       handler, s) < 0)
                report_remark("no timer: %s is not looked at again", s->name);
}

static void retry_later(struct served *s)
{
        uint64_t rest_us = PACE_REST * (uint64_t) us_from_ns(s->look_cost_ns);

        s->retry_us = s->retry_us ? s->retry_us * 2 : RETRY_FIRST_US;
        if (s->retry_us > RETRY_MAX_US)
                s->retry_us = RETRY_MAX_US;
        after(s, &s->retry, s->retry_us > rest_us ? s->retry_us : rest_us, on_retry);
}

static bool is_expected(const struct served *s, const char *name)
{
        if (strcmp(name, MARK_ABSENT) == 0)
                return true;
        for (size_t i = 0; s->kind->child_marks[i]; i++)
                if (strcmp(s->kind->child_marks[i], name) == 0)
                        return true;
        return false;
}

static long screen_of(const char *detail)
{
        CLEANUP(freep) char *text = NULL;
        int64_t screen = 0;

        if (mark_detail_get(detail, SERVED_SCREEN_KEY, &text) < 0 || parse_int(text, &screen) < 0)
                return 0;
        return screen > 0 && screen < SCREENS_MAX ? (long) screen : 0;
}

static enum seat_role role_of(const char *detail)
{
        CLEANUP(freep) char *text = NULL;

        return mark_detail_get(detail, SERVED_ROLE_KEY, &text) < 0 ? SEAT_UNKNOWN
                                                                   : seat_role_from_letter(*text);
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

/* add_theirs() - the child's words, less those that were for us */
static void add_theirs(struct mark_detail *detail, const char *child_detail)
{
        for (const char *p = child_detail; *p;) {
                size_t n = strcspn(p, " ");
                struct mark_detail word = MARK_DETAIL_NULL;

                if (strncmp(p, SERVED_SCREEN_KEY "=", strlen(SERVED_SCREEN_KEY "=")) != 0 &&
                    strncmp(p, SERVED_ROLE_KEY "=", strlen(SERVED_ROLE_KEY "=")) != 0 &&
                    strncmp(p, "session=", strlen("session=")) != 0) {
                        (void) snprintf(word.text, sizeof word.text, "%.*s", (int) n, p);
                        mark_detail_append(detail, &word);
                }
                p += n + strspn(p + n, " ");
        }
}

static void pass_on(struct served *s, const struct mark *m)
{
        struct mark_detail detail = MARK_DETAIL_NULL;
        char session[96];

        mark_detail_add(
                &detail, "session", "%s",
                session_of(s, screen_of(m->detail), role_of(m->detail), session, sizeof session));
        add_theirs(&detail, m->detail);
        add_program(&detail, m->detail);
        if (report_mark(m->name, (int64_t) m->monotonic_ns, s->probe->source, &detail) < 0)
                (void) sd_event_exit(s->probe->event, EXIT_SUCCESS);
}

/* A child speaks for its own display only, and only of what it can have seen. */
static void on_line(void *userdata, char *line)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        struct served *s = userdata;

        if (++s->n_lines > LINES_MAX)
                return;
        if (mark_parse_line(line, &m, NULL) < 0) {
                report_remark("%s: %.200s", s->name, line);
                return;
        }
        if (!is_expected(s, m.name))
                return;
        if (strcmp(m.name, s->kind->ready_mark) == 0) {
                s->ready = true;
                s->ready_ns = (int64_t) m.monotonic_ns;
                s->n_servers++;
                s->reason[0] = '\0';
        } else if (strcmp(m.name, MARK_ABSENT) == 0) {
                if (strcmp(s->reason, m.detail) == 0)
                        return; /* the same as at the last try */
                (void) snprintf(s->reason, sizeof s->reason, "%.199s", m.detail);
        }
        pass_on(s, &m);
}

static int on_output(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct served *s = userdata;

        (void) revents;
        if (line_buffer_read(&s->lines, fd, on_line, s) == 0)
                (void) sd_event_source_set_enabled(source, SD_EVENT_OFF);
        return 0;
}

static void forget_child(struct served *s)
{
        s->output = sd_event_source_disable_unref(s->output);
        s->silent = sd_event_source_disable_unref(s->silent);
        s->exit = sd_event_source_disable_unref(s->exit);
        closep(&s->child_stdin_fd);
        s->child_stdin_fd = -EBADF;
        s->child = 0;
}

static int on_child_exit(sd_event_source *source, const siginfo_t *info, void *userdata)
{
        struct served *s = userdata;

        (void) source;
        while (line_buffer_read(&s->lines, sd_event_source_get_io_fd(s->output), on_line, s) > 0)
                ;
        if (s->ready)
                mark(s, s->kind->gone_mark, monotonic_ns(), 0);
        else if (info->si_code == CLD_KILLED && info->si_status == SIGALRM)
                absent(s, "the cookie file could not be read in time");
        else if (info->si_code != CLD_EXITED)
                absent(s, "the process that talked to the server died of signal %d",
                       info->si_status);
        /* A server that lasted starts a new one's story; one that comes and goes is asked less. */
        if (s->ready && monotonic_ns() - s->ready_ns > LASTED_NS)
                s->retry_us = 0;
        s->ready = false;
        forget_child(s);
        retry_later(s);
        return 0;
}

/* become_child() - in the child: its own ends of the pipes, and nothing else of the parent's */
static int become_child(const struct served *s, const struct served_target *target, int stdin_fd,
                        int stdout_fd)
{
        sigset_t none;

        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* Libraries print on stderr what a server gives as its reason. */
        if (dup2(stdin_fd, STDIN_FILENO) < 0 || dup2(stdout_fd, STDOUT_FILENO) < 0 ||
            dup2(stdout_fd, STDERR_FILENO) < 0 || close_range(3, UINT32_MAX, 0) < 0)
                return EXIT_FAILURE;
        return s->kind->serve(target);
}

static int start_child(struct served *s, const struct served_target *target)
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
        if (fcntl(out_read_fd, F_SETFL, O_NONBLOCK) < 0 ||
            fcntl(in_write_fd, F_SETFL, O_NONBLOCK) < 0)
                return -errno;
        s->lines = (struct line_buffer){ .used = 0 };
        r = sd_event_add_io(s->probe->event, &s->output, out_read_fd, EPOLLIN, on_output, s);
        if (r >= 0)
                r = sd_event_source_set_io_fd_own(s->output, 1);
        if (r < 0)
                return r;
        (void) TAKE_FD(out_read_fd);
        s->child = fork();
        if (s->child < 0)
                return -errno;
        if (s->child == 0)
                _exit(become_child(s, target, in_read_fd, out_write_fd));
        s->child_stdin_fd = TAKE_FD(in_write_fd);
        return sd_event_add_child(s->probe->event, &s->exit, s->child, WEXITED, on_child_exit, s);
}

static void talk_to(struct served *s)
{
        CLEANUP(freep) char *cookie = s->kind->is_x ? cookie_path_for(s->listener.pid) : NULL;
        const struct served_target target = { .path = s->path,
                                              .display = s->display,
                                              .listener = s->listener,
                                              .socket_ns = s->socket_ns,
                                              .cookie_path = cookie,
                                              .desktop = s->desktop,
                                              .role = s->role };
        int r = start_child(s, &target);

        if (r < 0) {
                report_remark("%s: no process to talk to it: %s", s->name, strerror(-r));
                if (s->child > 0) {
                        (void) kill(s->child, SIGKILL);
                        (void) waitpid(s->child, NULL, 0);
                }
                forget_child(s);
                return;
        }
        after(s, &s->silent, SILENT_US, on_silent);
}

static enum seat_role role_now(const struct served *s)
{
        return seat_role_of(s->seat, &s->listener, s->kind->is_x ? s->name : NULL);
}

static bool may_be_watched(const struct served *s)
{
        return s->listener.uid == 0 || s->listener.uid == geteuid() ||
               seat_has_user(s->seat, s->listener.uid);
}

static bool is_x_server(const char *program)
{
        static const char *const names[] = { "Xorg",  "X",         "Xvfb", "Xephyr",
                                             "Xnest", "Xtigervnc", "Xvnc" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (strcmp(program, names[i]) == 0)
                        return true;
        return false;
}

/* is_too_early() - a compositor may open its X socket before the Wayland socket that gives it away
 * (wlroots does, 25 ms before on a slow machine) */
static bool is_too_early(const struct served *s)
{
        return s->kind->is_x && s->listener.kind == LISTENER_PROGRAM &&
               !is_x_server(s->listener.program) && s->socket_ns > 0 &&
               monotonic_ns() - s->socket_ns < UNKNOWN_NS;
}

/* judge() - talk to who listens there, or say why not */
static void judge(struct served *s)
{
        const struct listener *l = &s->listener;

        if (s->kind->is_x && listener_is_xwaylands(l))
                absent(s, "the socket is Xwayland's (held by %s); connecting could start it",
                       l->program);
        else if (l->kind == LISTENER_INIT)
                absent(s, "PID 1 alone holds the socket; connecting would start a server");
        else if (l->kind == LISTENER_UNSEEN && geteuid() == 0)
                absent(s, "no process that holds the socket is to be seen");
        else if (!may_be_watched(s))
                absent(s, "the listener belongs to uid %ld, who has no session on seat0",
                       (long) l->uid);
        else
                talk_to(s);
}

static void look(struct served *s)
{
        struct fault fault = FAULT_NULL;
        int64_t before_ns;
        int r;

        if (!s->present || s->child)
                return;
        before_ns = pace_cpu_ns();
        r = listener_find(s->path, &s->listener, &fault);
        /* Who is about to listen is not to be missed; what is dear is to look for a holder. */
        s->look_cost_ns = r < 0 ? 0 : pace_cpu_ns() - before_ns;
        if (r == -ENOENT) {
                s->present = false; /* inotify tells when it comes back */
                return;
        }
        if (r < 0) {
                absent(s, "%s", fault.text);
        } else if (is_too_early(s)) {
                int64_t left_ns = s->socket_ns + UNKNOWN_NS - monotonic_ns();

                after(s, &s->retry, left_ns > 0 ? (uint64_t) us_from_ns(left_ns) + 1 : 1, on_retry);
                return;
        } else {
                s->role = role_now(s);
                judge(s);
        }
        if (!s->child)
                retry_later(s);
}

void served_seat_changed(struct served *s)
{
        enum seat_role role;
        char letter;
        ssize_t n;

        if (!s->child) {
                look(s);
                return;
        }
        role = role_now(s);
        if (role == s->role)
                return;
        s->role = role;
        letter = seat_role_letter(role);
        n = write(s->child_stdin_fd, &letter, 1); /* a full pipe: it is stopped, or about to end */
        (void) n;
}

struct served *served_new(struct probe *p, const struct served_kind *kind, struct seat *seat,
                          const struct desktop_conf *desktop, const char *path, const char *name,
                          unsigned display)
{
        struct served *s = calloc(1, sizeof *s);

        if (!s)
                return NULL;
        *s = (struct served){ .kind = kind,
                              .probe = p,
                              .seat = seat,
                              .desktop = desktop,
                              .display = display,
                              .child_stdin_fd = -EBADF };
        (void) snprintf(s->path, sizeof s->path, "%s", path);
        (void) snprintf(s->name, sizeof s->name, "%s", name);
        return s;
}

struct served *served_free(struct served *s)
{
        if (!s)
                return NULL;
        if (s->child > 0) {
                (void) kill(s->child, SIGKILL);
                (void) waitpid(s->child, NULL, 0);
        }
        forget_child(s);
        (void) sd_event_source_disable_unref(s->retry);
        free(s);
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

static void mark_socket(struct served *s, bool watched)
{
        int64_t now_ns = monotonic_ns(), born_ns = birth_ns(s->path);

        if (watched) {
                s->socket_ns = now_ns;
                mark(s, s->kind->socket_mark, now_ns, 0);
        } else if (born_ns > 0 && born_ns - TICK_US * NS_PER_US <= now_ns) {
                s->socket_ns = born_ns < now_ns ? born_ns : now_ns;
                mark(s, s->kind->socket_mark, s->socket_ns, TICK_US);
        } else { /* some time before now */
                s->socket_ns = 0;
                mark(s, s->kind->socket_mark, now_ns, us_from_ns(now_ns));
        }
}

void served_found(struct served *s, bool watched)
{
        struct stat st;

        if (lstat(s->path, &st) < 0 || (s->present && s->file_ino == st.st_ino))
                return;
        s->present = true;
        s->file_ino = st.st_ino;
        s->retry_us = 0;
        s->reason[0] = '\0';
        mark_socket(s, watched);
        look(s);
}
