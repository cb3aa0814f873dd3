/* daemon/daemon.c - see daemon.h */
#include "daemon/daemon.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include "daemon/start_record.h"
#include "record/clock.h"
#include "record/mark_enter.h"
#include "record/mark_send.h"
#include "witness/identity.h"

#define TICK_US US_PER_S
#define TICK_ACCURACY_US (US_PER_S / 4) /* lets the kernel wake us together with others */
#define ASK_EVERY_TICKS 5
#define ASK_SELDOM_TICKS 15 /* while systemd's own files say that there is no news */
#define UNITS_DIR "/run/systemd/units"
#define USERS_MARKS_PER_S 20
#define PROBE_SOURCE "probe " /* how every probe's source begins */

static void trouble(struct daemon *d, const struct fault *why)
{
        if (!d->trouble.text[0])
                d->trouble = *why;
}

static void end(struct daemon *d, enum daemon_end why)
{
        if (d->end == DAEMON_WATCHING)
                d->end = why;
}

static uint64_t now_ns(void)
{
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t) t.tv_sec * NS_PER_S + (uint64_t) t.tv_nsec;
}

static int64_t now_us(void) { return us_from_ns((int64_t) now_ns()); }

static bool is_display_socket(const char *name)
{
        return strcmp(name, "x.socket") == 0 || strcmp(name, "x.ready") == 0 ||
               strcmp(name, "wayland.socket") == 0 || strcmp(name, "wayland.ready") == 0;
}

static bool is_probes(const struct mark *m)
{
        return strncmp(m->source, PROBE_SOURCE, strlen(PROBE_SOURCE)) == 0;
}

/* take_mark() - one more mark in the file, whoever wrote it */
static int take_mark(void *userdata, const struct mark *m)
{
        CLEANUP(freep) char *whose = NULL;
        struct daemon *d = userdata;

        if (strcmp(m->name, MARK_DAEMON_START) == 0)
                d->n_starts++;
        else if (strcmp(m->name, MARK_DAEMON_DONE) == 0)
                d->end = DAEMON_DONE_BEFORE; /* whatever else the marks say */
        else if (strcmp(m->name, "desktop.settled") == 0)
                end(d, DAEMON_SETTLED);
        else if (is_display_socket(m->name))
                d->has_display = true;
        if (d->probes && !is_probes(m)) /* what one of them saw, the others were told by the set */
                probe_set_tell(d->probes, m);
        if (mark_whose(m, &whose) < 0)
                return -ENOMEM;
        return questions_mark(&d->questions, m->name, whose, us_from_ns((int64_t) m->monotonic_ns));
}

static int read_marks(struct daemon *d)
{
        int r = marks_file_read(&d->marks, take_mark, d);
        struct fault why = FAULT_NULL;

        if (r < 0 && r != -ENOMEM) { /* what cannot be read now is still there later */
                (void) fault_errno(&why, r, MARK_FILE);
                trouble(d, &why);
                return 0;
        }
        return r;
}

static int on_marks(sd_event_source *source, const struct inotify_event *event, void *userdata)
{
        (void) source;
        (void) event;
        return read_marks(userdata);
}

int daemon_mark(struct daemon *d, const char *name, const char *detail, struct fault *fault)
{
        struct mark m = { .name = (char *) (uintptr_t) name,
                          .monotonic_ns = now_ns(),
                          .source = (char[]){ DAEMON_SOURCE },
                          .detail = (char *) (uintptr_t) detail };

        return mark_append(d->run_dir_fd, &m, fault);
}

/* keep_mark() - into the file, from where it is taken like any other; when that is full, at once */
static int keep_mark(struct daemon *d, const struct mark *m)
{
        struct fault why = FAULT_NULL;

        if (mark_append(d->run_dir_fd, m, &why) == 0)
                return 0;
        trouble(d, &why);
        return take_mark(d, m);
}

static int on_datagram(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        struct daemon *d = userdata;
        int r = mark_socket_receive(&d->socket, now_ns(), &m);

        (void) source;
        (void) fd;
        (void) revents;
        if (r == 1)
                r = keep_mark(d, &m);
        return r == -ENOMEM ? r : 0;
}

static void on_login(void *userdata)
{
        struct daemon *d = userdata;
        struct fault why = FAULT_NULL;

        if (daemon_mark(d, "login.answered", NULL, &why) < 0)
                trouble(d, &why);
}

static void on_pid1(void *userdata, const struct pid1_answer *answer, const char *reason)
{
        struct daemon *d = userdata;
        struct fault why = FAULT_NULL;

        d->asking = false;
        if (answer) {
                d->pid1 = *answer;
                return;
        }
        (void) fault_set(&why, -EIO, "%s", reason);
        trouble(d, &why);
}

/* may_write() - false on a root file system that is still read-only; says nothing about /var's own,
 * which may not be mounted yet: PID 1 knows */
static bool may_write(const char *dir)
{
        char path[256];

        (void) snprintf(path, sizeof path, "%s", dir);
        for (;;) {
                char *slash;

                if (access(path, W_OK) == 0)
                        return true;
                slash = strrchr(path, '/');
                if (errno != ENOENT || !slash || slash == path)
                        return false;
                *slash = '\0';
        }
}

/* wants_answer() - is anything open that PID 1 would know? */
static bool wants_answer(const struct daemon *d)
{
        if (!d->has_start_record && may_write(d->started_dir))
                return true;
        return !d->has_display && !questions_is_open(&d->questions);
}

/* is_under_way() - has systemd begun to start the service in this boot? It keeps a link for each
 * (none for a target); where it does not, all are taken to be. Tells when to ask, never what the
 * answer is. */
static bool is_under_way(const char *service)
{
        char path[128];

        (void) snprintf(path, sizeof path, UNITS_DIR "/invocation:%s", service);
        return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
               access(UNITS_DIR, F_OK) < 0;
}

/* ticks_between() - each question costs PID 1 and us a connection, and early in a boot every one of
 * them would be in vain */
static unsigned ticks_between(const struct daemon *d)
{
        /* The first begins once local-fs.target is reached, the second shortly before people may
         * come in. */
        if (!is_under_way(d->has_start_record ? "systemd-user-sessions.service"
                                              : "systemd-tmpfiles-setup.service"))
                return ASK_SELDOM_TICKS;
        return d->has_start_record ? ASK_EVERY_TICKS : 1;
}

static void ask_pid1(struct daemon *d)
{
        struct fault why = FAULT_NULL;

        if (!d->has_systemd || d->asking)
                return;
        d->question = pid1_free(d->question);
        d->ticks_since_asked++;
        if (!wants_answer(d) || d->ticks_since_asked < ticks_between(d))
                return;
        d->ticks_since_asked = 0;
        if (pid1_ask(d->event, d->pid1_address, on_pid1, d, &d->question, &why) < 0)
                trouble(d, &why);
        else
                d->asking = true;
}

static int enter_mark(void *userdata, const struct mark *m)
{
        return mark_enter(userdata, m, now_us());
}

/* boot_so_far() - identity, clocks and the marks */
static int boot_so_far(struct daemon *d, struct record *r, struct fault *fault)
{
        CLEANUP(marks_file_done) struct marks_file again = MARKS_FILE_NULL;
        int code = identity_enter(r, fault);

        if (code == 0)
                code = record_see_at(r, "kernel.start", 0, 0, "definition", NULL);
        if (code == 0)
                code = marks_file_open(&again, d->run_dir_fd, fault);
        if (code == 0)
                code = marks_file_read(&again, enter_mark, r);
        if (code == 0)
                code = questions_enter(&d->questions, r);
        r->start = r->end = clock_tuple_now();
        record_sort(r);
        return code;
}

static void write_start_record(struct daemon *d)
{
        CLEANUP(record_freep) struct record *r = record_new();
        struct fault why = FAULT_NULL;
        int code;

        if (d->has_start_record || (d->has_systemd && !d->pid1.has_local_fs) ||
            !may_write(d->started_dir))
                return;
        code = r ? boot_so_far(d, r, &why) : -ENOMEM;
        if (code == 0)
                code = start_record_write(d->started_dir, r, &d->start_record_bytes, &why);
        d->has_start_record = true; /* or it never will: a full disk is not tried once a second */
        if (code < 0)
                trouble(d, &why);
}

/* judge() - what the last answer of PID 1 and the clock say. Finish and display manager come from
 * one answer: once start-up is complete, a display manager that does not run is not about to. */
static void judge(struct daemon *d)
{
        const struct pid1_answer *a = &d->pid1;
        bool is_complete = a->finish_us > 0, waits = d->settings->desktop == DESKTOP_YES;

        if (is_complete && d->n_starts == 1 && (int64_t) a->finish_us < d->started_us)
                end(d, DAEMON_TOO_LATE);
        else if (questions_machine_us(&d->questions, now_us()) > d->settings->deadline_us)
                end(d, DAEMON_NEVER_SETTLED);
        else if (is_complete && d->settings->desktop == DESKTOP_NO)
                end(d, DAEMON_NO_DESKTOP);
        else if (is_complete && !d->has_display && a->display_manager == DISPLAY_MANAGER_FAILED)
                end(d, DAEMON_DISPLAY_FAILED);
        else if (is_complete && !d->has_display && a->display_manager == DISPLAY_MANAGER_NONE &&
                 !waits)
                end(d, DAEMON_NO_DESKTOP);
}

static int on_tick(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct daemon *d = userdata;
        int r;

        (void) usec;
        if (!d->login)
                (void) login_watch_start(d->event, on_login, d, &d->login, NULL);
        judge(d);
        if (d->end != DAEMON_WATCHING)
                return 0;
        write_start_record(d);
        ask_pid1(d);
        r = sd_event_source_set_time_relative(source, TICK_US);
        return r < 0 ? r : sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static int on_stop(sd_event_source *source, const struct signalfd_siginfo *info, void *userdata)
{
        (void) source;
        (void) info;
        end(userdata, DAEMON_STOPPED);
        return 0;
}

static void on_probe_mark(void *userdata, const char *name, const struct mark *m)
{
        struct fault why = FAULT_NULL;

        if (keep_mark(userdata, m) < 0) {
                (void) fault_set(&why, -ENOMEM, "no memory for a mark of the probe %s", name);
                trouble(userdata, &why);
        }
}

static void on_probe_remark(void *userdata, const char *name, const char *text)
{
        (void) userdata;
        (void) name; /* the probe says it itself */
        (void) fprintf(stderr, "%s\n", text);
}

static void on_probe_end(void *userdata, const char *name, enum probe_end why_ended,
                         const char *reason)
{
        struct fault why = FAULT_NULL;

        if (why_ended == PROBE_DONE)
                return;
        (void) fprintf(stderr, "bootlapd: the probe %s: %s\n", name, reason);
        (void) fault_set(&why, -EIO, "the probe %s: %s", name, reason);
        if (why_ended == PROBE_FAILED)
                trouble(userdata, &why);
}

static int tell_probes(void *userdata, const struct mark *m)
{
        struct daemon *d = userdata;

        probe_set_tell(d->probes, m);
        return 0;
}

/* start_probes() - and tell them what has been seen so far: what has come since the marks were read
 * is told when they are read again. Without any probe, hooks still mark. */
static void start_probes(struct daemon *d)
{
        const struct probe_handler handler = { .on_mark = on_probe_mark,
                                               .on_remark = on_probe_remark,
                                               .on_end = on_probe_end,
                                               .userdata = d };
        CLEANUP(marks_file_done) struct marks_file again = MARKS_FILE_NULL;
        struct fault why = FAULT_NULL;

        if (probe_set_start(d->event, &handler, NULL, PROBE_SET_WHEN_WANTED, &d->probes, &why) <
            0) {
                trouble(d, &why);
                return;
        }
        if (d->marks.offset == 0 || marks_file_open(&again, d->run_dir_fd, NULL) < 0)
                return;
        again.end = d->marks.offset;
        (void) marks_file_read(&again, tell_probes, d);
}

void daemon_stop_probes(struct daemon *d)
{
        if (!d->probes)
                return;
        probe_set_stop(d->probes);
        while (!probe_set_is_over(d->probes) && sd_event_run(d->event, UINT64_MAX) >= 0)
                ;
        d->probes = probe_set_free(d->probes);
}

/* take_run_dir() - one bootlapd at a time; the lock goes with the descriptor */
static int take_run_dir(struct daemon *d, struct fault *fault)
{
        if (mkdir(d->run_dir, 0755) < 0 && errno != EEXIST)
                return fault_errno(fault, -errno, "%s", d->run_dir);
        d->run_dir_fd = open(d->run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (d->run_dir_fd < 0)
                return fault_errno(fault, -errno, "%s", d->run_dir);
        if (flock(d->run_dir_fd, LOCK_EX | LOCK_NB) < 0)
                return fault_set(fault, -errno, "%s: another bootlapd watches this boot",
                                 d->run_dir);
        return 0;
}

static int add_sources(struct daemon *d, struct fault *fault)
{
        CLEANUP(freep) char *marks = NULL;
        sigset_t stops;
        int r;

        (void) sigemptyset(&stops);
        (void) sigaddset(&stops, SIGTERM);
        (void) sigaddset(&stops, SIGINT);
        (void) sigaddset(&stops, SIGCHLD); /* for the probes */
        (void) signal(SIGPIPE, SIG_IGN);
        if (asprintf(&marks, "%s/" MARK_FILE, d->run_dir) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        r = sigprocmask(SIG_BLOCK, &stops, NULL) < 0 ? -errno : sd_event_new(&d->event);
        if (r >= 0)
                r = sd_event_add_signal(d->event, NULL, SIGTERM, on_stop, d);
        if (r >= 0)
                r = sd_event_add_signal(d->event, NULL, SIGINT, on_stop, d);
        if (r >= 0)
                r = sd_event_add_inotify(d->event, &d->marks_source, marks, IN_MODIFY, on_marks, d);
        if (r >= 0)
                r = sd_event_add_io(d->event, &d->socket_source, d->socket.fd, EPOLLIN, on_datagram,
                                    d);
        if (r >= 0)
                r = sd_event_source_set_ratelimit(d->socket_source, US_PER_S, USERS_MARKS_PER_S);
        if (r >= 0)
                r = sd_event_add_time_relative(d->event, &d->tick, CLOCK_MONOTONIC, 0,
                                               TICK_ACCURACY_US, on_tick, d);
        return r < 0 ? fault_errno(fault, r, "the event loop") : 0;
}

int daemon_init(struct daemon *d, const struct settings *settings, const char *run_dir,
                const char *started_dir, struct fault *fault)
{
        struct fault why = FAULT_NULL;
        int r;

        *d = (struct daemon){ .settings = settings,
                              .started_us = now_us(),
                              .run_dir = run_dir,
                              .started_dir = started_dir,
                              .pid1_address = PID1_ADDRESS,
                              .run_dir_fd = -EBADF,
                              .has_systemd = sd_booted() > 0,
                              .marks = MARKS_FILE_NULL,
                              .socket = MARK_SOCKET_NULL };
        r = take_run_dir(d, fault);
        if (r == 0 && daemon_mark(d, MARK_DAEMON_START, NULL, &why) < 0)
                trouble(d, &why); /* a full /run, say: go on without */
        if (r == 0)
                r = marks_file_open(&d->marks, d->run_dir_fd, fault);
        if (r == 0)
                r = mark_socket_open(&d->socket, d->run_dir, fault);
        if (r == 0)
                r = add_sources(d, fault);
        if (r == 0)
                r = read_marks(d);
        if (r == 0 && d->end == DAEMON_WATCHING)
                start_probes(d);
        return r;
}

int daemon_run(struct daemon *d, struct fault *fault)
{
        int r = 0;

        /* Not sd_event_loop(): the loop goes on to serve while the probes end. */
        while (r >= 0 && d->end == DAEMON_WATCHING)
                r = sd_event_run(d->event, UINT64_MAX);
        return r < 0 ? fault_errno(fault, r, "the event loop") : 0;
}

void daemon_done(struct daemon *d)
{
        d->probes = probe_set_free(d->probes);
        d->login = login_watch_free(d->login);
        d->question = pid1_free(d->question);
        d->tick = sd_event_source_unref(d->tick);
        d->marks_source = sd_event_source_unref(d->marks_source);
        d->socket_source = sd_event_source_unref(d->socket_source);
        d->event = sd_event_unref(d->event);
        marks_file_done(&d->marks);
        mark_socket_done(&d->socket);
        questions_done(&d->questions);
        closep(&d->run_dir_fd);
}

const char *daemon_end_text(const struct daemon *d)
{
        switch (d->end) {
        case DAEMON_NEVER_SETTLED:
                return "did not settle within its time";
        case DAEMON_DISPLAY_FAILED:
                return "the display manager failed";
        case DAEMON_STOPPED:
                return "the machine was shut down before it had settled";
        default:
                return NULL;
        }
}
