/* daemon/probe_child.c - see probe_child.h */
#include "daemon/probe_child.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include "daemon/probes/report.h"
#include "record/clock.h"

#define RESTARTS_MAX 5
#define RESTART_FIRST_US (US_PER_S / 2) /* and twice as long each time */

struct probe_child {
        char *name, *path;
        sd_event *event;
        const struct probe_handler *handler;
        pid_t pid; /* 0 when it does not run */
        int input_fd;
        sd_event_source *output, *remarks, *exit, *timer;
        struct line_buffer marks, texts;
        char last_remark[200];
        size_t n_marks;
        unsigned n_restarts;
        bool is_closing, is_over;
};

static int spawn(struct probe_child *c, struct fault *fault);

static void over(struct probe_child *c, enum probe_end end, const char *reason)
{
        c->is_over = true;
        c->handler->on_end(c->handler->userdata, c->name, end, reason);
}

static void remark(struct probe_child *c, const char *text)
{
        (void) snprintf(c->last_remark, sizeof c->last_remark, "%.199s", text);
        if (c->handler->on_remark)
                c->handler->on_remark(c->handler->userdata, c->name, text);
}

static void on_mark_line(void *userdata, char *line)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        struct probe_child *c = userdata;
        struct fault why = FAULT_NULL;
        char text[MARK_LINE_MAX_BYTES + 64];

        if (c->n_marks > PROBE_MARKS_MAX)
                return;
        if (++c->n_marks > PROBE_MARKS_MAX) {
                remark(c, "more marks than any boot has: killed");
                c->n_restarts = RESTARTS_MAX;
                (void) kill(-c->pid, SIGKILL);
        } else if (mark_parse_line(line, &m, &why) < 0) {
                (void) snprintf(text, sizeof text, "no mark: %.100s: %.200s", why.text, line);
                remark(c, text);
        } else {
                c->handler->on_mark(c->handler->userdata, c->name, &m);
        }
}

/* on_text_line() - without the program's own name, which the caller puts in front anyway */
static void on_text_line(void *userdata, char *line)
{
        struct probe_child *c = userdata;
        size_t n = strlen(c->name);

        if (strncmp(line, c->name, n) == 0 && strncmp(line + n, ": ", 2) == 0)
                line += n + 2;
        if (*line)
                remark(c, line);
}

static int on_output(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct probe_child *c = userdata;

        (void) revents;
        if (line_buffer_read(&c->marks, fd, on_mark_line, c) == 0)
                return sd_event_source_set_enabled(source, SD_EVENT_OFF);
        return 0;
}

static int on_remarks(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct probe_child *c = userdata;

        (void) revents;
        if (line_buffer_read(&c->texts, fd, on_text_line, c) == 0)
                return sd_event_source_set_enabled(source, SD_EVENT_OFF);
        return 0;
}

/* read_rest() - what it said last is in the pipes when it has ended already */
static void read_rest(struct probe_child *c)
{
        int output_fd = c->output ? sd_event_source_get_io_fd(c->output) : -EBADF;
        int remarks_fd = c->remarks ? sd_event_source_get_io_fd(c->remarks) : -EBADF;

        while (output_fd >= 0 && line_buffer_read(&c->marks, output_fd, on_mark_line, c) > 0)
                ;
        while (remarks_fd >= 0 && line_buffer_read(&c->texts, remarks_fd, on_text_line, c) > 0)
                ;
}

static void close_all(struct probe_child *c)
{
        c->output = sd_event_source_disable_unref(c->output);
        c->remarks = sd_event_source_disable_unref(c->remarks);
        c->exit = sd_event_source_disable_unref(c->exit);
        c->timer = sd_event_source_disable_unref(c->timer);
        closep(&c->input_fd);
        c->input_fd = -EBADF;
}

static int on_restart(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct probe_child *c = userdata;
        struct fault why = FAULT_NULL;

        (void) source;
        (void) usec;
        c->timer = sd_event_source_disable_unref(c->timer);
        if (c->is_closing)
                over(c, PROBE_DONE, "");
        else if (spawn(c, &why) < 0)
                over(c, PROBE_FAILED, why.text);
        else if (c->handler->on_start)
                c->handler->on_start(c->handler->userdata, c);
        return 0;
}

static void start_again(struct probe_child *c, const char *reason)
{
        char text[256];

        if (c->is_closing) {
                over(c, PROBE_FAILED, reason);
                return;
        }
        if (c->n_restarts >= RESTARTS_MAX) {
                (void) snprintf(text, sizeof text, "%.120s%s%.100s", reason,
                                c->last_remark[0] ? ": " : "", c->last_remark);
                over(c, PROBE_FAILED, text);
                return;
        }
        (void) snprintf(text, sizeof text, "%.200s; is started again", reason);
        remark(c, text);
        if (sd_event_add_time_relative(c->event, &c->timer, CLOCK_MONOTONIC,
                                       (uint64_t) RESTART_FIRST_US << c->n_restarts++, 0,
                                       on_restart, c) < 0)
                over(c, PROBE_FAILED, reason);
}

static int on_exit_of_probe(sd_event_source *source, const siginfo_t *info, void *userdata)
{
        struct probe_child *c = userdata;
        pid_t pid = c->pid;
        char reason[64];

        (void) source;
        read_rest(c);
        close_all(c);
        c->pid = 0;
        (void) kill(-pid, SIGKILL); /* what it may have left behind */
        if (info->si_code == CLD_EXITED && info->si_status == EXIT_SUCCESS) {
                over(c, PROBE_DONE, "");
        } else if (info->si_code == CLD_EXITED && info->si_status == PROBE_UNAVAILABLE) {
                over(c, PROBE_UNABLE,
                     c->last_remark[0] ? c->last_remark : "cannot watch here, without saying why");
        } else {
                if (info->si_code == CLD_EXITED)
                        (void) snprintf(reason, sizeof reason, "failed with status %d",
                                        info->si_status);
                else
                        (void) snprintf(reason, sizeof reason, "was killed by signal %d",
                                        info->si_status);
                start_again(c, reason);
        }
        return 0;
}

struct pipes {
        int read_fd[3], write_fd[3]; /* its stdin, stdout, stderr */
};
#define PIPES_NULL ((struct pipes){ { -EBADF, -EBADF, -EBADF }, { -EBADF, -EBADF, -EBADF } })

static void pipes_done(struct pipes *p)
{
        for (int i = 0; i < 3; i++) {
                closep(&p->read_fd[i]);
                closep(&p->write_fd[i]);
        }
}

/* open_pipes() - our ends never block */
static int open_pipes(struct pipes *p)
{
        for (int i = 0; i < 3; i++) {
                int fds[2];

                if (pipe2(fds, O_CLOEXEC) < 0)
                        return -errno;
                p->read_fd[i] = fds[0];
                p->write_fd[i] = fds[1];
                if (fcntl(i == 0 ? fds[1] : fds[0], F_SETFL, O_NONBLOCK) < 0)
                        return -errno;
        }
        return 0;
}

/* spawn_program() - in a process group of its own, with no signal blocked or ignored */
static int spawn_program(const struct probe_child *c, const struct pipes *p, pid_t *ret)
{
        char *argv[] = { c->name, NULL };
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        sigset_t none, all;
        int r;

        (void) sigemptyset(&none);
        (void) sigfillset(&all);
        r = posix_spawn_file_actions_init(&actions);
        if (r)
                return -r;
        r = posix_spawnattr_init(&attributes);
        if (r) {
                (void) posix_spawn_file_actions_destroy(&actions);
                return -r;
        }
        r = posix_spawn_file_actions_adddup2(&actions, p->read_fd[0], STDIN_FILENO);
        for (int i = 1; r == 0 && i < 3; i++)
                r = posix_spawn_file_actions_adddup2(&actions, p->write_fd[i], i);
        if (r == 0)
                r = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                                                  POSIX_SPAWN_SETSIGMASK |
                                                                  POSIX_SPAWN_SETSIGDEF);
        if (r == 0)
                r = posix_spawnattr_setsigmask(&attributes, &none);
        if (r == 0)
                r = posix_spawnattr_setsigdefault(&attributes, &all);
        if (r == 0)
                r = posix_spawn(ret, c->path, &actions, &attributes, argv, environ);
        (void) posix_spawnattr_destroy(&attributes);
        (void) posix_spawn_file_actions_destroy(&actions);
        return -r;
}

static int add_reader(struct probe_child *c, int *fd, sd_event_io_handler_t handler,
                      sd_event_source **ret)
{
        int r = sd_event_add_io(c->event, ret, *fd, EPOLLIN, handler, c);

        if (r >= 0)
                r = sd_event_source_set_io_fd_own(*ret, 1);
        if (r >= 0)
                (void) TAKE_FD(*fd);
        return r;
}

static int spawn(struct probe_child *c, struct fault *fault)
{
        CLEANUP(pipes_done) struct pipes p = PIPES_NULL;
        int r = open_pipes(&p);

        c->marks = c->texts = (struct line_buffer){ .used = 0 };
        c->last_remark[0] = '\0';
        if (r == 0)
                r = spawn_program(c, &p, &c->pid);
        if (r < 0) {
                c->pid = 0;
                return fault_errno(fault, r, "%s", c->path);
        }
        r = add_reader(c, &p.read_fd[1], on_output, &c->output);
        if (r >= 0)
                r = add_reader(c, &p.read_fd[2], on_remarks, &c->remarks);
        if (r >= 0)
                r = sd_event_add_child(c->event, &c->exit, c->pid, WEXITED, on_exit_of_probe, c);
        if (r < 0)
                return fault_errno(fault, r, "%s", c->path);
        c->input_fd = TAKE_FD(p.write_fd[0]);
        return 0;
}

static void probe_child_freep(struct probe_child **c) { *c = probe_child_free(*c); }

int probe_child_start(sd_event *event, const char *name, const char *path,
                      const struct probe_handler *handler, struct probe_child **ret,
                      struct fault *fault)
{
        CLEANUP(probe_child_freep) struct probe_child *c = calloc(1, sizeof *c);
        int r;

        if (!c)
                return fault_set(fault, -ENOMEM, "no memory");
        c->input_fd = -EBADF;
        c->event = sd_event_ref(event);
        c->handler = handler;
        c->name = strdup(name);
        c->path = strdup(path);
        if (!c->name || !c->path)
                return fault_set(fault, -ENOMEM, "no memory");
        r = spawn(c, fault);
        if (r < 0)
                return r;
        *ret = TAKE(c);
        return 0;
}

const char *probe_child_name(const struct probe_child *c) { return c->name; }

bool probe_child_is_over(const struct probe_child *c) { return c->is_over; }

void probe_child_tell(struct probe_child *c, const char *line, size_t n_bytes)
{
        ssize_t n;

        if (c->input_fd < 0)
                return;
        n = write(c->input_fd, line, n_bytes); /* whole or not at all: lines are below PIPE_BUF */
        (void) n;
}

static int on_grace_over(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct probe_child *c = userdata;

        (void) source;
        (void) usec;
        if (c->pid > 0)
                (void) kill(-c->pid, SIGKILL);
        return 0;
}

void probe_child_close_input(struct probe_child *c)
{
        if (c->is_closing || c->is_over)
                return;
        c->is_closing = true;
        closep(&c->input_fd);
        c->input_fd = -EBADF;
        if (c->pid == 0) /* waits to be started again */
                return;
        if (sd_event_add_time_relative(c->event, &c->timer, CLOCK_MONOTONIC, PROBE_GRACE_US, 0,
                                       on_grace_over, c) < 0)
                (void) kill(-c->pid, SIGKILL);
}

struct probe_child *probe_child_free(struct probe_child *c)
{
        if (!c)
                return NULL;
        if (c->pid > 0) {
                (void) kill(-c->pid, SIGKILL);
                close_all(c);
                while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
                        ;
        } else {
                close_all(c);
        }
        (void) sd_event_unref(c->event);
        free(c->name);
        free(c->path);
        free(c);
        return NULL;
}
