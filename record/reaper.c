/* record/reaper.c - start one program, wait for it, and leave no descendant of it
 *
 * PR_SET_CHILD_SUBREAPER makes orphans our children instead of init's, so "kill all children, wait,
 * again until there are none" reaches also those that left the process group or the session. */
#include "record/reaper.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include "record/clock.h"
#include "record/macros.h"
#include "record/process.h"

#define BYTES_PER_KIB 1024
#define KILL_ROUND_MS 50
#define KILL_ROUNDS_MAX 100 /* what then still lives hangs inside the kernel */

static _Noreturn void become_program(const struct reaper *r)
{
        struct reaper_report failed = { .kind = REAPER_EXEC_FAILED };
        int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        sigset_t none;

        (void) setpgid(0, 0);
        for (int s = 1; s < NSIG; s++)
                (void) signal(s, SIG_DFL);
        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        if (r->bare_environment)
                (void) clearenv();
        for (char *const *e = r->environment; e && *e; e++)
                (void) putenv(*e);
        if (null_fd >= 0 && dup2(null_fd, STDIN_FILENO) >= 0 &&
            dup2(r->stdout_fd, STDOUT_FILENO) >= 0 && dup2(r->stderr_fd, STDERR_FILENO) >= 0 &&
            (!r->folder || chdir(r->folder) == 0))
                (void) execv(r->path, r->argv);
        failed.value = errno;
        (void) !write(r->report_fd, &failed, sizeof failed);
        _exit(127);
}

static void kill_children(void)
{
        DIR *proc = opendir("/proc");
        const struct dirent *d;

        while (proc && (d = readdir(proc)))
                if (d->d_name[0] >= '1' && d->d_name[0] <= '9' &&
                    process_parent(d->d_name) == getpid())
                        (void) kill((pid_t) strtol(d->d_name, NULL, 10), SIGKILL);
        if (proc)
                (void) closedir(proc);
}

/* collect() - every child that has ended. Return: whether any child is left. */
static int collect(pid_t program, struct reaper_report *report, int *program_ended)
{
        for (;;) {
                struct rusage usage;
                int s;
                pid_t pid = wait4(-1, &s, WNOHANG, &usage);

                if (pid == 0)
                        return 1;
                if (pid < 0 && errno == EINTR)
                        continue;
                if (pid < 0)
                        return 0;
                if (pid == program) {
                        report->value = s;
                        report->max_rss_bytes = (int64_t) usage.ru_maxrss * BYTES_PER_KIB;
                        *program_ended = 1;
                }
        }
}

static void wait_for_child(int signal_fd, int timeout_ms)
{
        struct pollfd fd = { .fd = signal_fd, .events = POLLIN };
        struct signalfd_siginfo info;

        if (poll(&fd, 1, timeout_ms) > 0)
                (void) !read(signal_fd, &info, sizeof info);
}

static size_t count_children(void)
{
        DIR *proc = opendir("/proc");
        const struct dirent *d;
        size_t n = 0;

        while (proc && (d = readdir(proc)))
                n += d->d_name[0] >= '1' && d->d_name[0] <= '9' &&
                     process_parent(d->d_name) == getpid();
        if (proc)
                (void) closedir(proc);
        return n;
}

/* run_to_end() - until the program has ended or we are told to end it */
static void run_to_end(const struct reaper *r, int signal_fd, pid_t program,
                       struct reaper_report *report, int *ended)
{
        struct pollfd fds[] = { { .fd = r->control_fd, .events = POLLIN },
                                { .fd = signal_fd, .events = POLLIN } };
        int64_t kill_at_us = 0;

        while (!*ended) {
                int64_t now_us = clock_us(CLOCK_MONOTONIC);
                int timeout_ms = kill_at_us ? (int) ((kill_at_us - now_us) / 1000) + 1 : -1;

                if (kill_at_us && now_us >= kill_at_us)
                        return;
                fds[0].revents = fds[1].revents = 0;
                (void) poll(fds, 2, timeout_ms);
                if (fds[0].revents) {
                        char byte;
                        bool asked = read(r->control_fd, &byte, 1) == 1;

                        if (asked && kill_at_us) /* a second time: no more grace */
                                return;
                        if (!kill_at_us) {
                                (void) kill(-program, SIGTERM); /* it may have files to remove */
                                kill_at_us = clock_us(CLOCK_MONOTONIC) + r->grace_us;
                        }
                        if (!asked) /* the supervisor is gone, and will not ask again */
                                fds[0].fd = -1;
                }
                if (fds[1].revents)
                        wait_for_child(signal_fd, 0);
                (void) collect(program, report, ended);
        }
}

_Noreturn void reaper_main(const struct reaper *r)
{
        struct reaper_report report = { .kind = REAPER_ENDED };
        int signal_fd, ended = 0, any_left = 1;
        sigset_t child_signal;
        pid_t program;

        (void) setpgid(0, 0); /* Ctrl-C is the supervisor's, who tells us */
        (void) prctl(PR_SET_CHILD_SUBREAPER, 1);
        (void) prctl(PR_SET_NAME, "bootlap-reaper");
        (void) signal(SIGCHLD, SIG_DFL);
        (void) signal(SIGPIPE, SIG_IGN);
        (void) sigemptyset(&child_signal);
        (void) sigaddset(&child_signal, SIGCHLD);
        (void) sigprocmask(SIG_BLOCK, &child_signal, NULL);
        signal_fd = signalfd(-1, &child_signal, SFD_CLOEXEC);
        program = signal_fd < 0 ? -1 : fork();
        if (program == 0)
                become_program(r);
        if (program < 0) {
                report = (struct reaper_report){ .kind = REAPER_EXEC_FAILED, .value = errno };
        } else {
                (void) setpgid(program, program); /* both sides do, so neither can be too early */
                (void) close(r->stdout_fd);
                (void) close(r->stderr_fd);
                run_to_end(r, signal_fd, program, &report, &ended);
                (void) kill(-program, SIGKILL);
                for (int i = 0; i < KILL_ROUNDS_MAX && any_left; i++) {
                        kill_children();
                        any_left = collect(program, &report, &ended);
                        if (any_left)
                                wait_for_child(signal_fd, KILL_ROUND_MS);
                }
                report.n_survivors = any_left ? count_children() : 0;
        }
        (void) !write(r->report_fd, &report, sizeof report);
        _exit(0);
}
