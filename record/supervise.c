/* record/supervise.c - the caller's side: pipes, deadline, signals. The other side is reaper.c. */
#include "record/supervise.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include "record/clock.h"
#include "record/reaper.h"

#define CHUNK_BYTES 65536
#define GRACE_US (2 * (int64_t) US_PER_S)

enum { FD_STDOUT, FD_STDERR, FD_REPORT, FD_SIGNAL, N_FDS };

struct supervision {
        const struct supervise_job *job;
        int fds[N_FDS];
        int control_fd;
        pid_t reaper;
        bool ending; /* the reaper was told to kill */
        bool reported;
        int exec_errno;
        int wait_status;
        char line[SUPERVISE_LINE_BYTES]; /* of stderr, so far */
        size_t line_bytes;
        char *output; /* output_bytes of output_size used, and room for a NUL */
        size_t output_bytes, output_size;
        struct supervised result;
};

void supervised_done(struct supervised *s)
{
        free(s->output);
        *s = SUPERVISED_NULL;
}

static void supervision_done(struct supervision *s)
{
        for (size_t i = 0; i < N_FDS; i++)
                closep(&s->fds[i]);
        closep(&s->control_fd); /* tells the reaper, should it still be there */
        while (s->reaper > 0 && waitpid(s->reaper, NULL, 0) < 0 && errno == EINTR)
                ;
        free(s->output);
        supervised_done(&s->result);
}

static void end_it(struct supervision *s, enum supervise_end why, int status)
{
        if (s->ending)
                return;
        s->ending = true;
        s->result.end = why;
        s->result.status = status;
        (void) !write(s->control_fd, "k", 1);
}

static int keep_output(struct supervision *s, const char *data, size_t n_bytes)
{
        if (n_bytes > s->job->max_output_bytes - s->output_bytes) {
                end_it(s, SUPERVISE_FLOOD, 0);
                return 0;
        }
        if (s->output_bytes + n_bytes + 1 > s->output_size) {
                size_t size = (s->output_bytes + n_bytes + 1) * 2;
                char *grown = realloc(s->output, size);

                if (!grown)
                        return -ENOMEM;
                s->output = grown;
                s->output_size = size;
        }
        memcpy(s->output + s->output_bytes, data, n_bytes);
        s->output_bytes += n_bytes;
        s->output[s->output_bytes] = '\0';
        return 0;
}

/* keep_line() - the last line that says something; a carriage return begins a line anew */
static void keep_line(struct supervision *s, const char *data, size_t n_bytes)
{
        for (size_t i = 0; i < n_bytes; i++) {
                if (data[i] != '\n' && data[i] != '\r') {
                        if (s->line_bytes < sizeof s->line - 1)
                                s->line[s->line_bytes++] = data[i];
                        continue;
                }
                s->line[s->line_bytes] = '\0';
                if (data[i] == '\n' && s->line[strspn(s->line, " \t")] != '\0')
                        memcpy(s->result.last_line, s->line, s->line_bytes + 1);
                s->line_bytes = 0;
        }
}

/* drain() - some of what is on one pipe, which is closed at its end. Return: 1 when there may be
 * more, 0 when there is not (now), or a negative errno. */
static int drain(struct supervision *s, int which)
{
        char chunk[CHUNK_BYTES];
        ssize_t n = read(s->fds[which], chunk, sizeof chunk);

        if (n < 0)
                return errno == EAGAIN || errno == EINTR ? 0 : -errno;
        if (n == 0) {
                closep(&s->fds[which]);
                s->fds[which] = -EBADF;
                return 0;
        }
        if (which == FD_STDOUT) {
                int r = s->result.end == SUPERVISE_FLOOD ? 0 : keep_output(s, chunk, (size_t) n);

                return r < 0 ? r : 1;
        }
        keep_line(s, chunk, (size_t) n);
        if (s->job->on_stderr)
                s->job->on_stderr(s->job->userdata, chunk, (size_t) n);
        return 1;
}

static void read_report(struct supervision *s)
{
        struct reaper_report report;
        ssize_t n = read(s->fds[FD_REPORT], &report, sizeof report);

        if (n < 0 && errno == EINTR)
                return;
        if (n != (ssize_t) sizeof report) {
                s->reported = true; /* the reaper is gone: killed */
                return;
        }
        if (report.kind == REAPER_EXEC_FAILED) {
                s->exec_errno = report.value;
                return; /* the reaper's own report follows */
        }
        s->reported = true;
        s->wait_status = report.value;
        s->result.n_survivors = report.n_survivors;
        s->result.max_rss_bytes = report.max_rss_bytes;
}

static void take_signal(struct supervision *s)
{
        struct signalfd_siginfo info;

        if (read(s->fds[FD_SIGNAL], &info, sizeof info) != (ssize_t) sizeof info)
                return;
        if (s->ending) /* somebody is in a hurry */
                (void) !write(s->control_fd, "k", 1);
        end_it(s, SUPERVISE_INTERRUPTED, (int) info.ssi_signo);
}

/* watched_fd() - nothing is watched any more once the program is to end: a connection that is gone
 * would wake us for ever */
static int watched_fd(const struct supervision *s)
{
        return s->job->on_watch && !s->ending ? s->job->watch_fd : -1;
}

static int watch(struct supervision *s)
{
        int64_t end_us = clock_us(CLOCK_MONOTONIC) + s->job->deadline_us;
        int r = 0;

        while (r >= 0 && !s->reported) {
                struct pollfd fds[N_FDS + 1];
                int timeout_ms = -1;

                if (s->job->deadline_us > 0 && !s->ending) {
                        int64_t left_us = end_us - clock_us(CLOCK_MONOTONIC);

                        if (left_us <= 0)
                                end_it(s, SUPERVISE_DEADLINE, 0);
                        else /* a day at a time, so that it fits */
                                timeout_ms = left_us > 86400 * (int64_t) US_PER_S
                                                     ? 86400 * 1000
                                                     : (int) (left_us / 1000) + 1;
                }
                for (size_t i = 0; i < N_FDS; i++)
                        fds[i] = (struct pollfd){ .fd = s->fds[i], .events = POLLIN };
                fds[N_FDS] = (struct pollfd){ .fd = watched_fd(s), .events = POLLIN };
                if (poll(fds, N_FDS + 1, timeout_ms) < 0) {
                        r = errno == EINTR ? 0 : -errno;
                        continue;
                }
                if (fds[N_FDS].revents && s->job->on_watch(s->job->userdata))
                        end_it(s, SUPERVISE_ENOUGH, 0);
                if (fds[FD_SIGNAL].revents)
                        take_signal(s);
                for (int i = FD_STDOUT; r >= 0 && i <= FD_STDERR; i++)
                        if (fds[i].revents)
                                r = drain(s, i);
                if (r >= 0 && fds[FD_REPORT].revents)
                        read_report(s);
        }
        /* Whoever wrote is dead; what they wrote is still in the pipes. */
        for (int i = FD_STDOUT; r >= 0 && i <= FD_STDERR; i++)
                while (s->fds[i] >= 0 && (r = drain(s, i)) > 0)
                        ;
        return r < 0 ? r : 0;
}

static int start(struct supervision *s)
{
        int out[2] = { -EBADF, -EBADF }, err[2] = { -EBADF, -EBADF };
        int report[2] = { -EBADF, -EBADF }, control[2] = { -EBADF, -EBADF };
        int r = 0;

        if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0 ||
            pipe2(report, O_CLOEXEC) < 0 || pipe2(control, O_CLOEXEC) < 0 ||
            (s->reaper = fork()) < 0)
                r = -errno;
        if (r == 0 && s->reaper == 0) {
                struct reaper reaper = { .path = s->job->path,
                                         .argv = s->job->argv,
                                         .environment = s->job->environment,
                                         .bare_environment = s->job->bare_environment,
                                         .folder = s->job->folder,
                                         .grace_us = s->job->grace_us ? s->job->grace_us : GRACE_US,
                                         .control_fd = control[0],
                                         .report_fd = report[1],
                                         .stdout_fd = s->job->merge_output ? err[1] : out[1],
                                         .stderr_fd = err[1] };

                (void) close(control[1]); /* else it would never close for the reaper */
                reaper_main(&reaper);
        }
        closep(&out[1]);
        closep(&err[1]);
        closep(&report[1]);
        closep(&control[0]);
        s->fds[FD_STDOUT] = out[0];
        s->fds[FD_STDERR] = err[0];
        s->fds[FD_REPORT] = report[0];
        s->control_fd = control[1];
        for (int i = FD_STDOUT; r == 0 && i <= FD_STDERR; i++)
                if (fcntl(s->fds[i], F_SETFL, O_NONBLOCK) < 0)
                        r = -errno;
        return r;
}

static void conclude(struct supervision *s)
{
        keep_line(s, "\n", 1); /* a last line without its newline counts too */
        if (s->ending)
                return;
        s->result.end = WIFEXITED(s->wait_status) ? SUPERVISE_EXITED : SUPERVISE_KILLED;
        s->result.status = WIFEXITED(s->wait_status)     ? WEXITSTATUS(s->wait_status)
                           : WIFSIGNALED(s->wait_status) ? WTERMSIG(s->wait_status)
                                                         : SIGKILL;
}

/* take_signals() - block those that would kill us, but not what nohup or a shell made ignored:
 * blocked, an ignored signal would be delivered after all */
static void take_signals(sigset_t *ret_taken, sigset_t *ret_before)
{
        static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
        struct sigaction action;

        (void) sigemptyset(ret_taken);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
                        (void) sigaddset(ret_taken, signals[i]);
        (void) sigprocmask(SIG_BLOCK, ret_taken, ret_before);
}

int supervise(const struct supervise_job *job, struct supervised *ret, struct fault *fault)
{
        CLEANUP(supervision_done)
        struct supervision s = { .job = job,
                                 .fds = { -EBADF, -EBADF, -EBADF, -EBADF },
                                 .control_fd = -EBADF };
        sigset_t taken, before;
        int r;

        s.output = calloc(1, 1);
        s.output_size = 1;
        if (!s.output)
                return fault_set(fault, -ENOMEM, "no memory");
        take_signals(&taken, &before);
        s.fds[FD_SIGNAL] = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
        r = s.fds[FD_SIGNAL] < 0 ? -errno : start(&s);
        if (r == 0)
                r = watch(&s);
        (void) sigprocmask(SIG_SETMASK, &before, NULL);
        if (r < 0)
                return fault_errno(fault, r, "%s", job->path);
        if (s.exec_errno)
                return fault_errno(fault, -s.exec_errno, "%s", job->path);
        conclude(&s);
        s.result.output = TAKE(s.output);
        s.result.output_bytes = s.output_bytes;
        *ret = s.result;
        s.result = SUPERVISED_NULL;
        return 0;
}
