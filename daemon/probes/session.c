/* daemon/probes/session.c - the session probe: when a desktop whose compositor lists its windows to
 * nobody says itself that it has started
 *
 * The wayland probe's mark names such a compositor (lists=none). Then GNOME Shell's message in the
 * journal, and of any other the user manager's graphical-session.target, is all there is. Both mean
 * less than windows that are drawn, so the mark says what they mean, and by whom. A greeter's
 * compositor is likewise taken to ask (login.prompt) when gnome-session says that it runs (the
 * shell of GDM's greeter says nothing) or, of any other, when it answers: what a person then types
 * must not count as the machine's time. With a folder as argument the journal files in it are read.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "daemon/probes/loop.h"
#include "daemon/probes/journal_message.h"
#include "daemon/probes/report.h"
#include "daemon/probes/user_manager.h"
#include "record/clock.h"
#include "record/journal_lines.h"
#include "record/procfile.h"
#include "record/record.h"

#define SOURCE "probe session"
#define SHELL "gnome-shell"
#define DESKS_MAX 16
#define RETRY_FIRST_US (1 * (uint64_t) US_PER_S)
#define RETRY_MAX_US (30 * (uint64_t) US_PER_S)
#define PATIENCE_US (60 * (uint64_t) US_PER_S) /* with a journal, until what is weaker is taken */

/* What GNOME itself says. */
static const struct word {
        const char *message_id, *program, *by, *meaning;
} words[] = {
        [false] = { MESSAGE_GNOME_SHELL_STARTED, SHELL, "gnome-shell's-journal-message",
                    "shell-started,-no-window-seen" },
        [true] = { MESSAGE_GNOME_SESSION_RUNNING, "gnome-session",
                   "gnome-session's-journal-message", "session-running,-no-window-seen" },
};

struct session;

/* One compositor that lists nothing. */
struct desk {
        struct session *session;
        char name[96];
        uid_t uid;
        bool is_greeter, is_done;
        struct journal_message *journal;
        pid_t child; /* waits for the user manager's word */
        struct line_buffer lines;
        sd_event_source *output, *exit, *timer;
        uint64_t retry_us;
        int64_t ready_us; /* when it answered */
        char reason[200]; /* said last, why nothing is known so far */
};

struct session {
        struct probe probe;
        const char *journal_folder;
        struct desk desks[DESKS_MAX];
        size_t n;
};

static const char *milestone(const struct desk *d)
{
        return d->is_greeter ? "login.prompt" : "desktop.windows";
}

/* absent() - said once for the same reason */
static void absent(struct desk *d, const char *format, ...) PRINTF_LIKE(2, 3);
static void absent(struct desk *d, const char *format, ...)
{
        char reason[sizeof d->reason];
        va_list list;

        va_start(list, format);
        (void) vsnprintf(reason, sizeof reason, format, list);
        va_end(list);
        if (strcmp(reason, d->reason) == 0)
                return;
        memcpy(d->reason, reason, sizeof reason);
        probe_absent(&d->session->probe, milestone(d), d->name, reason);
}

static void done(struct desk *d, int64_t at_us, const char *by, const char *meaning,
                 const char *error_us)
{
        struct mark_detail detail = MARK_DETAIL_NULL;

        if (d->is_done)
                return;
        d->is_done = true;
        mark_detail_add(&detail, "session", "%s", d->name);
        if (error_us)
                mark_detail_add(&detail, "error_us", "%s", error_us);
        mark_detail_add(&detail, "by", "%s", by);
        mark_detail_add(&detail, "meaning", "%s", meaning);
        if (report_mark(milestone(d), at_us * NS_PER_US, SOURCE, &detail) < 0)
                (void) sd_event_exit(d->session->probe.event, EXIT_SUCCESS);
}

/* How long the message was under way to journald is not known. */
static void on_message(void *userdata, int64_t at_us)
{
        struct desk *d = userdata;
        const struct word *w = &words[d->is_greeter];

        done(d, at_us, w->by, w->meaning, NULL);
}

/* on_line() - the child's only word, a time or the reason why there is none. It has spoken with a
 * user's process, so it is believed no time that cannot be. */
static void on_line(void *userdata, char *line)
{
        struct desk *d = userdata;
        int64_t at_us;

        if (parse_int(line, &at_us) < 0)
                absent(d, "%s", line);
        else if (at_us <= 0 || at_us > us_from_ns(monotonic_ns()))
                absent(d, "the user manager of uid %ld: a time that cannot be", (long) d->uid);
        else
                done(d, at_us, "graphical-session.target", "session-started,-no-window-seen", "0");
}

static int on_output(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct desk *d = userdata;

        (void) revents;
        if (line_buffer_read(&d->lines, fd, on_line, d) == 0)
                (void) sd_event_source_set_enabled(source, SD_EVENT_OFF);
        return 0;
}

static int on_retry(sd_event_source *source, uint64_t usec, void *userdata);

static void forget_child(struct desk *d)
{
        d->output = sd_event_source_disable_unref(d->output);
        d->exit = sd_event_source_disable_unref(d->exit);
        d->child = 0;
}

/* retry_later() - the manager may not run yet, or be about to be executed anew */
static void retry_later(struct desk *d)
{
        d->timer = sd_event_source_disable_unref(d->timer);
        (void) sd_event_add_time_relative(d->session->probe.event, &d->timer, CLOCK_MONOTONIC,
                                          d->retry_us, d->retry_us / 4, on_retry, d);
        d->retry_us = d->retry_us * 2 < RETRY_MAX_US ? d->retry_us * 2 : RETRY_MAX_US;
}

static int on_child_exit(sd_event_source *source, const siginfo_t *info, void *userdata)
{
        struct desk *d = userdata;

        (void) source;
        (void) info;
        while (line_buffer_read(&d->lines, sd_event_source_get_io_fd(d->output), on_line, d) > 0)
                ;
        forget_child(d);
        if (!d->is_done)
                retry_later(d);
        return 0;
}

/* child() - nothing of the parent's but its end of the pipe */
static int child(uid_t uid, int stdout_fd)
{
        struct fault fault = FAULT_NULL;
        int64_t at_us;
        sigset_t none;

        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (dup2(stdout_fd, STDOUT_FILENO) < 0 || close_range(3, UINT32_MAX, 0) < 0)
                return EXIT_FAILURE;
        if (user_manager_await(uid, &at_us, &fault) < 0)
                return dprintf(STDOUT_FILENO, "%s\n", fault.text) < 0;
        return dprintf(STDOUT_FILENO, "%lld\n", (long long) at_us) < 0;
}

static int ask_manager(struct desk *d)
{
        CLEANUP(closep) int read_fd = -EBADF, write_fd = -EBADF;
        sd_event *event = d->session->probe.event;
        int fds[2], r;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return -errno;
        read_fd = fds[0];
        write_fd = fds[1];
        if (fcntl(read_fd, F_SETFL, O_NONBLOCK) < 0)
                return -errno;
        d->lines = (struct line_buffer){ .used = 0 };
        r = sd_event_add_io(event, &d->output, read_fd, EPOLLIN, on_output, d);
        if (r >= 0)
                r = sd_event_source_set_io_fd_own(d->output, 1);
        if (r < 0)
                return r;
        (void) TAKE_FD(read_fd);
        d->child = fork();
        if (d->child < 0)
                return -errno;
        if (d->child == 0)
                _exit(child(d->uid, write_fd));
        return sd_event_add_child(event, &d->exit, d->child, WEXITED, on_child_exit, d);
}

static void end_child(struct desk *d)
{
        if (d->child > 0) {
                (void) kill(d->child, SIGKILL);
                (void) waitpid(d->child, NULL, 0);
        }
        forget_child(d);
}

static void start_asking(struct desk *d)
{
        int r = ask_manager(d);

        if (r < 0) {
                report_remark("%s: no process to ask the user manager: %s", d->name, strerror(-r));
                end_child(d);
        }
}

static int on_retry(sd_event_source *source, uint64_t usec, void *userdata)
{
        (void) source;
        (void) usec;
        start_asking(userdata);
        return 0;
}

/* follow_session() - without GNOME's word. A greeter has no session of the user manager's to reach:
 * its compositor has answered, which is all. */
static void follow_session(struct desk *d)
{
        if (d->is_greeter) {
                done(d, d->ready_us, "wayland.ready", "compositor-ready,-no-window-seen", NULL);
                return;
        }
        absent(d,
               "the user manager of uid %ld has not said that graphical-session.target is active",
               (long) d->uid);
        start_asking(d);
}

static int on_patience(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct desk *d = userdata;

        (void) source;
        (void) usec;
        if (!d->is_done)
                follow_session(d);
        return 0;
}

/* follow_gnome() - where the journal can be read; not for ever */
static int follow_gnome(struct desk *d, struct fault *fault)
{
        const struct word *w = &words[d->is_greeter];
        sd_event *event = d->session->probe.event;
        int r = journal_message_new(event, d->session->journal_folder, w->message_id, d->uid,
                                    on_message, d, &d->journal, fault);

        if (r < 0 || d->is_done)
                return r;
        absent(d, "%s has not said in the journal that it has started", w->program);
        r = sd_event_add_time_relative(event, &d->timer, CLOCK_MONOTONIC, PATIENCE_US,
                                       PATIENCE_US / 10, on_patience, d);
        return r < 0 ? fault_errno(fault, r, "a timer") : 0;
}

static struct desk *find(struct session *s, const char *name)
{
        for (size_t i = 0; i < s->n; i++)
                if (strcmp(s->desks[i].name, name) == 0)
                        return &s->desks[i];
        return NULL;
}

/* uid_of() - "wayland-0@1000", or "wayland-0@1000#2" for the second there; -1 otherwise */
static int64_t uid_of(const char *name)
{
        const char *at = strchr(name, '@');
        char digits[16];
        int64_t uid;
        size_t n = at ? strcspn(++at, "# ") : 0;

        if (n == 0 || n >= sizeof digits)
                return -1;
        (void) snprintf(digits, sizeof digits, "%.*s", (int) n, at);
        return parse_int(digits, &uid) < 0 || uid < 0 || uid > INT32_MAX ? -1 : uid;
}

static void on_mark(void *userdata, const struct mark *m)
{
        CLEANUP(freep) char *name = NULL, *lists = NULL, *program = NULL;
        struct fault fault = FAULT_NULL;
        struct session *s = userdata;
        struct desk *d;
        bool is_greeter;
        int64_t uid;

        if (strcmp(m->name, "wayland.ready") != 0 ||
            mark_detail_get(m->detail, "lists", &lists) < 0 || strcmp(lists, "none") != 0 ||
            mark_detail_get(m->detail, "session", &name) < 0)
                return;
        is_greeter = record_is_greeters(name);
        uid = uid_of(name);
        if ((!is_greeter && !record_is_persons(name)) || uid < 0 ||
            strlen(name) >= sizeof d->name || find(s, name) || s->n == DESKS_MAX)
                return;
        (void) mark_detail_get(m->detail, "program", &program);
        d = &s->desks[s->n++];
        *d = (struct desk){ .session = s,
                            .uid = (uid_t) uid,
                            .is_greeter = is_greeter,
                            .ready_us = us_from_ns((int64_t) m->monotonic_ns),
                            .retry_us = RETRY_FIRST_US };
        (void) snprintf(d->name, sizeof d->name, "%s", name);
        if (!program || strcmp(program, SHELL) != 0) {
                follow_session(d);
        } else if (follow_gnome(d, &fault) < 0) {
                report_remark("%s", fault.text);
                follow_session(d);
        }
}

int main(int argc, char **argv)
{
        struct session s = { .journal_folder = argc == 2 ? argv[1] : NULL };
        struct fault fault = FAULT_NULL;
        int r;

        if (argc > 2 || (s.journal_folder && s.journal_folder[0] != '/')) {
                report_remark("want no argument, or one folder of journal files");
                return 2;
        }
        r = probe_init(&s.probe, SOURCE, &fault);
        s.probe.on_mark = on_mark;
        s.probe.userdata = &s;
        if (r == 0)
                r = probe_run(&s.probe);
        else
                report_remark("%s", fault.text);
        for (size_t i = 0; i < s.n; i++) {
                end_child(&s.desks[i]);
                (void) sd_event_source_disable_unref(s.desks[i].timer);
                (void) journal_message_free(s.desks[i].journal);
        }
        probe_done(&s.probe);
        return r < 0 ? EXIT_FAILURE : r;
}
