/* collectors/load.c - start the processes of a load, watch them, end them */
#include "collectors/load.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "collectors/interrupt.h"
#include "record/procfile.h"

#define OOM_FIRST "1000" /* proc(5): the likeliest to be chosen */
#define SLACK_BYTES (16u << 20)

size_t load_processes(enum load_kind kind, unsigned n_processors)
{
        switch (kind) {
        case LOAD_NONE:
                return 0;
        case LOAD_8_MEMORY:
                return 8;
        case LOAD_2_MEMORY:
                return 2;
        default:
                return n_processors < LOAD_MAX_PROCESSES ? n_processors : LOAD_MAX_PROCESSES;
        }
}

static bool is_memory(enum load_kind kind)
{
        return kind == LOAD_8_MEMORY || kind == LOAD_2_MEMORY;
}

static void offer_itself_to_the_oom_killer(void)
{
        CLEANUP(closep) int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

        if (fd >= 0)
                (void) !write(fd, OOM_FIRST, strlen(OOM_FIRST));
}

/* limit_memory() - what is mapped already, and what the plan says */
static void limit_memory(uint64_t more_bytes)
{
        CLEANUP(freep) char *line = NULL;
        unsigned long long pages;
        struct rlimit limit;

        if (procfile_read_line(AT_FDCWD, "/proc/self/statm", &line) < 0 ||
            sscanf(line, "%llu", &pages) != 1)
                return;
        limit.rlim_cur = limit.rlim_max =
                (rlim_t) pages * (rlim_t) sysconf(_SC_PAGESIZE) + (rlim_t) more_bytes + SLACK_BYTES;
        (void) setrlimit(RLIMIT_AS, &limit);
}

static _Noreturn void become_worker(const struct load_worker *w, pid_t parent)
{
        static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
        struct rlimit none = { .rlim_cur = 0 };

        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* it went before that was in force */
                _exit(1);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                (void) signal(signals[i], SIG_DFL);
        (void) alarm(w->plan->deadline_s);
        offer_itself_to_the_oom_killer();
        (void) setrlimit(RLIMIT_CORE, &none);
        if (is_memory(w->plan->kind))
                limit_memory(w->memory_bytes);
        (void) prctl(PR_SET_NAME, "bootlap-load");
        load_work(w);
}

/* A ring of pipes: process i reads from ring[i] and writes to ring[i + 1]. */
struct ring {
        int fds[8][2];
        size_t n;
};

static void ring_done(struct ring *r)
{
        for (size_t i = 0; i < r->n; i++)
                for (size_t k = 0; k < 2; k++)
                        closep(&r->fds[i][k]);
        r->n = 0;
}

/* ring_make() - with a token for each CPU on its way, so that none is idle by design */
static int ring_make(struct ring *r, size_t n, unsigned n_tokens)
{
        for (; r->n < n; r->n++)
                if (pipe2(r->fds[r->n], O_CLOEXEC) < 0)
                        return -errno;
        for (size_t i = 0; i < n && i < n_tokens; i++)
                if (write(r->fds[i][1], "t", 1) != 1)
                        return -errno;
        return 0;
}

static int start_workers(struct load *l, const struct load_plan *p, struct ring *ring,
                         int report_fd)
{
        size_t n = load_processes(p->kind, p->n_processors);
        pid_t parent = getpid();

        for (size_t i = 0; i < n; i++) {
                struct load_worker w = { .plan = p,
                                         .number = i,
                                         .memory_bytes = p->memory_bytes / n,
                                         .report_fd = report_fd };
                pid_t pid = fork();

                if (pid < 0)
                        return -errno;
                if (pid == 0) {
                        if (ring->n > 0) {
                                w.ring_in = ring->fds[i][0];
                                w.ring_out = ring->fds[(i + 1) % n][1];
                        }
                        become_worker(&w, parent);
                }
                l->workers[l->n_workers++] = pid;
        }
        return 0;
}

/* hear() - one worker's word. Return: 0 at work; a negative errno of its own; -EINTR; -EPIPE when
 * all have gone without one */
static int hear(const struct load *l)
{
        int word = 0;
        ssize_t n;

        do {
                if (interrupt_is_pending())
                        return -EINTR;
                n = read(l->status_fd, &word, sizeof word);
        } while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        return n == sizeof word ? word : -EPIPE;
}

static int words(struct fault *fault, int code)
{
        if (code == -ENOMEM)
                return fault_set(fault, code, "no memory for the load");
        if (code == -EPIPE)
                return fault_set(fault, -EIO, "the load's processes were killed");
        return fault_errno(fault, code, "the load");
}

int load_start(struct load *l, const struct load_plan *p, struct fault *fault)
{
        CLEANUP(ring_done) struct ring ring = { .n = 0 };
        int status[2], r = 0;

        *l = LOAD_NULL;
        if (p->kind == LOAD_NONE)
                return 0;
        if (pipe2(status, O_CLOEXEC) < 0)
                return words(fault, -errno);
        l->status_fd = status[0];
        if (is_memory(p->kind))
                r = ring_make(&ring, load_processes(p->kind, p->n_processors), p->n_processors);
        if (r == 0)
                r = start_workers(l, p, &ring, status[1]);
        closep(&status[1]);
        for (size_t i = 0; r == 0 && i < l->n_workers; i++)
                r = hear(l);
        if (r == 0 && fcntl(l->status_fd, F_SETFL, O_NONBLOCK) < 0)
                r = -errno;
        if (r < 0) {
                load_stop(l);
                return words(fault, r);
        }
        return 0;
}

/* reap() - Return: 0; 1 when one of them has ended, and how */
static int reap(struct load *l, int *ret_status)
{
        for (size_t i = 0; i < l->n_workers; i++)
                if (l->workers[i] > 0 && waitpid(l->workers[i], ret_status, WNOHANG) > 0) {
                        l->workers[i] = 0;
                        return 1;
                }
        return 0;
}

int load_check(struct load *l, struct fault *fault)
{
        int word, status;

        if (l->n_workers == 0)
                return 0;
        if (read(l->status_fd, &word, sizeof word) == (ssize_t) sizeof word && word < 0)
                return words(fault, word);
        if (!reap(l, &status))
                return 0;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
                return fault_set(fault, -EIO, "the load ran past its deadline");
        if (WIFSIGNALED(status))
                return fault_set(fault, -EIO, "one of the load's processes was killed by signal %d",
                                 WTERMSIG(status));
        return fault_set(fault, -EIO, "one of the load's processes ended");
}

void load_stop(struct load *l)
{
        for (size_t i = 0; i < l->n_workers; i++)
                if (l->workers[i] > 0)
                        (void) kill(l->workers[i], SIGKILL);
        for (size_t i = 0; i < l->n_workers; i++)
                while (l->workers[i] > 0 && waitpid(l->workers[i], NULL, 0) < 0 && errno == EINTR)
                        ;
        closep(&l->status_fd);
        *l = LOAD_NULL;
}
