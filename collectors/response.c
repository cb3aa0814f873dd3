/* collectors/response.c - how long does a trivial thing take while the machine is busy?
 *
 * The loads and the table are those that kernels have been compared by since 2002 (noload,
 * smallwrite, largewrite, cpuload, spawnload, 8ctx-mem, 2ctx-mem). The trivial things are starting
 * a small program, and, with a display, drawing a window that becomes visible. The idle machine is
 * measured before the loads and again after them.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include "collectors/harness.h"
#include "collectors/load.h"
#include "collectors/memory_room.h"
#include "collectors/processors.h"
#include "collectors/response_rows.h"
#include "collectors/scratch.h"
#include "collectors/window_task.h"
#include "record/clock.h"
#include "record/json.h"
#include "record/procfile.h"
#include "record/record.h"

/* Raised when the work that is timed changes: figures of two versions are not compared. */
#define WORKLOAD_VERSION "1"
#define POINTS 20
#define POINTS_MAX 10000
#define INTERVAL_MS 250
#define INTERVAL_MAX_MS 60000
#define WARM_UP 5 /* tasks before the first that counts: clocks come up to speed, caches fill */
#define SMALL_FILE_BYTES (UINT64_C(32) << 20)
#define LARGE_FILE_BYTES (UINT64_C(256) << 20)
#define DEADLINE_S 600 /* of one load, beyond what its points take */
#define DEFAULT_DIR "/var/tmp"
#define SMALL_PROGRAM "/bin/true"
#define BYTES_PER_MIB (UINT64_C(1) << 20)

enum window_wish { WINDOW_AUTO, WINDOW_NO, WINDOW_YES };

struct arguments {
        const char *dir;
        unsigned n_points, interval_ms;
        uint64_t memory_bytes; /* 0: memory_room_for_load() */
        bool wants_load[N_RESPONSE_LOADS];
        enum window_wish window;
};

struct response {
        struct harness *harness;
        const struct arguments *arguments;
        char *dir;
        struct window_task *window; /* NULL: only programs are started */
        uint64_t memory_bytes;
        unsigned n_processors;
        int root_fd;
        struct response_rows rows[N_RESPONSE_TASKS];
        double *points[N_RESPONSE_TASKS]; /* of the load under way */
};

enum {
        OPTION_DIR = 0x300,
        OPTION_POINTS,
        OPTION_INTERVAL,
        OPTION_MEMORY,
        OPTION_LOADS,
        OPTION_WINDOW
};

static const struct argp_option options[] = {
        { "dir", OPTION_DIR, "DIR", 0, "Write on this file system (default: " DEFAULT_DIR ")", 0 },
        { "points", OPTION_POINTS, "N", 0, "Data points for each load (20)", 0 },
        { "interval", OPTION_INTERVAL, "MS", 0, "Milliseconds from one to the next (250)", 0 },
        { "memory", OPTION_MEMORY, "MIB", 0,
          "What a memory load takes (default: half of the machine's)", 0 },
        { "loads", OPTION_LOADS, "LOAD,...", 0, "Only these", 0 },
        { "window", OPTION_WINDOW, "auto|no|yes", 0,
          "Draw a window too: where there is a display, never, or fail without one", 0 },
        { 0 },
};

static unsigned parse_number(const char *arg, const char *option, int64_t least, int64_t most,
                             struct argp_state *state)
{
        int64_t n;

        if (parse_int(arg, &n) < 0 || n < least || n > most)
                argp_error(state, "--%s wants %lld to %lld, not '%s'", option, (long long) least,
                           (long long) most, arg);
        return (unsigned) n;
}

static error_t parse_loads(struct arguments *a, char *list, struct argp_state *state)
{
        memset(a->wants_load, 0, sizeof a->wants_load);
        for (char *rest = list, *word; (word = strsep(&rest, ","));) {
                int k = response_load_find(word);

                if (k < 0)
                        argp_error(state, "--loads knows no load '%s'", word);
                a->wants_load[k] = true;
        }
        return 0;
}

static error_t parse_window(struct arguments *a, const char *arg, struct argp_state *state)
{
        static const char *const words[] = {
                [WINDOW_AUTO] = "auto", [WINDOW_NO] = "no", [WINDOW_YES] = "yes"
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strcmp(arg, words[i]) == 0) {
                        a->window = (enum window_wish) i;
                        return 0;
                }
        argp_error(state, "--window wants auto, no or yes, not '%s'", arg);
        return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct harness_input *input = state->input;
        struct arguments *a = input->arguments;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->harness;
                return 0;
        case OPTION_DIR:
                a->dir = arg;
                return 0;
        case OPTION_POINTS:
                a->n_points = parse_number(arg, "points", 2, POINTS_MAX, state);
                return 0;
        case OPTION_INTERVAL:
                a->interval_ms = parse_number(arg, "interval", 0, INTERVAL_MAX_MS, state);
                return 0;
        case OPTION_MEMORY:
                a->memory_bytes = parse_number(arg, "memory", 16, INT32_MAX, state) * BYTES_PER_MIB;
                return 0;
        case OPTION_LOADS:
                return parse_loads(a, arg, state);
        case OPTION_WINDOW:
                return parse_window(a, arg, state);
        case ARGP_KEY_ARG:
                argp_error(state, "no argument wanted: '%s'", arg);
                return EINVAL;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

/* time_spawn() - from before the fork to after the wait */
static int time_spawn(double *ret_ms, struct fault *fault)
{
        char name[] = SMALL_PROGRAM, *argv[] = { name, NULL }, *environment[] = { NULL };
        int64_t start_us = clock_us(CLOCK_MONOTONIC);
        int status;
        pid_t pid;
        int r = -posix_spawn(&pid, SMALL_PROGRAM, NULL, NULL, argv, environment);

        if (r < 0)
                return fault_errno(fault, r, SMALL_PROGRAM);
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return fault_errno(fault, -errno, SMALL_PROGRAM);
        *ret_ms = (double) (clock_us(CLOCK_MONOTONIC) - start_us) / 1000;
        return 0;
}

static int time_tasks(struct response *r, size_t i, struct fault *fault)
{
        int code = time_spawn(&r->points[RESPONSE_SPAWN][i], fault);

        if (code == 0 && r->window)
                code = window_task_run(r->window, &r->points[RESPONSE_WINDOW][i], fault);
        return code;
}

static void wait_until(int64_t at_us)
{
        struct timespec t = { .tv_sec = at_us / US_PER_S, .tv_nsec = at_us % US_PER_S * NS_PER_US };

        (void) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* look_after() - is the load still at work, and nobody else in need of what it takes? */
static int look_after(struct response *r, struct load *load, struct fault *fault)
{
        struct memory_room room;
        int code = load_check(load, fault);

        if (interrupt_is_pending())
                return fault_set(fault, -EINTR, "interrupted");
        if (code == 0 && memory_room_now(r->root_fd, &room, NULL) == 0 && memory_room_is_low(&room))
                code = fault_set(fault, -ENOMEM, "stopped, since the machine had %llu MiB left",
                                 (unsigned long long) (room.available_bytes / BYTES_PER_MIB));
        return code;
}

static int take_points(struct response *r, struct load *load, struct fault *fault)
{
        const struct arguments *a = r->arguments;
        int64_t at_us = clock_us(CLOCK_MONOTONIC);
        int code = 0;

        for (size_t i = 0; code == 0 && i < a->n_points; i++) {
                code = time_tasks(r, i, fault);
                progress_step(&r->harness->progress, i + 1);
                at_us += (int64_t) a->interval_ms * 1000;
                if (i + 1 < a->n_points)
                        wait_until(at_us);
                if (code == 0)
                        code = look_after(r, load, fault);
        }
        return code;
}

static struct load_plan plan_of(const struct response *r, size_t k)
{
        enum load_kind kind = response_loads[k].kind;
        const struct arguments *a = r->arguments;

        return (struct load_plan){
                .kind = kind,
                .dir = r->dir,
                .file_bytes = kind == LOAD_LARGE_WRITE ? LARGE_FILE_BYTES : SMALL_FILE_BYTES,
                .memory_bytes = r->memory_bytes,
                .n_processors = r->n_processors,
                .deadline_s = DEADLINE_S + a->n_points * a->interval_ms / 1000,
        };
}

/* measure_load() - Return: 0 with its points in, 1 when it had to be left out; a negative errno */
static int measure_load(struct response *r, size_t k, struct fault *fault)
{
        struct load_plan plan = plan_of(r, k);
        struct load load = LOAD_NULL;
        struct fault why = FAULT_NULL;
        int code;

        progress_start(&r->harness->progress, response_loads[k].name, r->arguments->n_points);
        code = load_start(&load, &plan, &why);
        if (code == 0)
                code = take_points(r, &load, &why);
        load_stop(&load);
        progress_end(&r->harness->progress);
        if (code == 0) {
                for (size_t t = 0; code == 0 && t < N_RESPONSE_TASKS; t++)
                        if (r->points[t])
                                code = response_rows_add(&r->rows[t], k, r->points[t],
                                                         r->arguments->n_points);
                return code < 0 ? fault_set(fault, code, "no memory") : 0;
        }
        if (code == -EINTR || plan.kind == LOAD_NONE) {
                *fault = why;
                return code;
        }
        harness_fault(r->harness, "%s is left out: %s", response_loads[k].name, why.text);
        return 1;
}

static int describe(const struct response *r, struct sample *s, enum response_task task, size_t k)
{
        struct load_plan plan = plan_of(r, k);
        json_t *p = s->parameters;
        bool writes = plan.kind == LOAD_SMALL_WRITE || plan.kind == LOAD_LARGE_WRITE;
        bool is_memory = plan.kind == LOAD_8_MEMORY || plan.kind == LOAD_2_MEMORY;

        s->tool = strdup("bootlap-response");
        s->tool_version = strdup(WORKLOAD_VERSION);
        if (!s->tool || !s->tool_version ||
            record_set_string(p, "task",
                              task == RESPONSE_SPAWN ? "spawn " SMALL_PROGRAM
                                                     : window_task_how(r->window)) < 0 ||
            record_set_integer(p, "points", r->arguments->n_points) < 0 ||
            record_set_integer(p, "interval_ms", r->arguments->interval_ms) < 0 ||
            record_set_integer(p, "processes",
                               (json_int_t) load_processes(plan.kind, r->n_processors)) < 0 ||
            (writes && record_set_string(s->details, "path", r->dir) < 0) ||
            (writes && record_set_integer(p, "file_bytes", (json_int_t) plan.file_bytes) < 0) ||
            (is_memory && record_set_integer(p, "memory_bytes", (json_int_t) r->memory_bytes) < 0))
                return -ENOMEM;
        return 0;
}

static int add_row(struct response *r, enum response_task task, size_t k, unsigned number,
                   struct fault *fault)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        char workload[48];
        int code;

        (void) snprintf(workload, sizeof workload, "response%s.%s",
                        task == RESPONSE_SPAWN ? "" : "-window", response_loads[k].name);
        code = harness_sample_init(r->harness, &s, workload, number, fault);
        if (code < 0)
                return code;
        if (response_rows_enter(&r->rows[task], k, &s) < 0 || describe(r, &s, task, k) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        return harness_sample_add(r->harness, &s, fault);
}

static int add_rows(struct response *r, unsigned number, struct fault *fault)
{
        int code = 0;

        for (size_t t = 0; t < N_RESPONSE_TASKS; t++) {
                if (!r->points[t])
                        continue;
                for (size_t k = 0; code == 0 && k < N_RESPONSE_LOADS; k++)
                        if (response_rows_has(&r->rows[t], k))
                                code = add_row(r, (enum response_task) t, k, number, fault);
                response_rows_judge(&r->rows[t], r->harness,
                                    t == RESPONSE_SPAWN ? "program" : "window");
                response_rows_done(&r->rows[t]);
        }
        return code;
}

static int run_once(struct response *r, unsigned number, struct fault *fault)
{
        int code = 0;

        for (size_t i = 0; code == 0 && i < WARM_UP; i++)
                code = time_tasks(r, 0, fault);
        for (size_t k = 0; code >= 0 && k < N_RESPONSE_LOADS; k++)
                if (r->arguments->wants_load[k] || response_loads[k].kind == LOAD_NONE)
                        code = measure_load(r, k, fault);
        return code < 0 ? code : add_rows(r, number, fault);
}

/* find_room() - for the files and the memory, before anything is begun */
static int find_room(struct response *r, struct fault *fault)
{
        const struct arguments *a = r->arguments;
        uint64_t largest = 0;
        bool uses_memory = false;
        struct memory_room room;
        int code = 0;

        for (size_t k = 0; k < N_RESPONSE_LOADS; k++) {
                enum load_kind kind = response_loads[k].kind;

                if (!a->wants_load[k])
                        continue;
                uses_memory = uses_memory || kind == LOAD_8_MEMORY || kind == LOAD_2_MEMORY;
                if ((kind == LOAD_SMALL_WRITE || kind == LOAD_LARGE_WRITE) &&
                    plan_of(r, k).file_bytes > largest)
                        largest = plan_of(r, k).file_bytes;
        }
        if (largest > 0)
                code = scratch_need_space(r->dir, 2 * largest * r->n_processors, 0,
                                          "what the loads write, with as much again", fault);
        if (code == 0 && uses_memory)
                code = memory_room_now(r->root_fd, &room, fault);
        if (code < 0 || !uses_memory)
                return code == -ENOSPC ? HARNESS_UNAVAILABLE : code;
        r->memory_bytes = a->memory_bytes ? a->memory_bytes : memory_room_for_load(&room);
        if (r->memory_bytes == 0 || r->memory_bytes > room.available_bytes / 4 * 3)
                return fault_set(fault, HARNESS_UNAVAILABLE,
                                 "%llu MiB of memory are available: too few for a load that "
                                 "pushes nobody out",
                                 (unsigned long long) (room.available_bytes / BYTES_PER_MIB));
        return 0;
}

static int open_window(struct response *r, struct fault *fault)
{
        const char *display = getenv("DISPLAY");
        struct fault why = FAULT_NULL;
        int code;

        if (r->arguments->window == WINDOW_NO ||
            (r->arguments->window == WINDOW_AUTO && (!display || !*display)))
                return 0;
        code = window_task_open(&r->window, &why);
        if (code == 0 || code == -EINTR || code == -ENOMEM) {
                *fault = why;
                return code;
        }
        if (r->arguments->window == WINDOW_YES)
                return fault_set(fault, HARNESS_UNAVAILABLE, "%s", why.text);
        harness_warn(r->harness, "no window is drawn: %s", why.text);
        return 0;
}

static int open_response(struct response *r, struct fault *fault)
{
        const struct arguments *a = r->arguments;
        int code;

        r->n_processors = processors_we_may_use();
        r->root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        r->dir = realpath(a->dir, NULL);
        if (r->root_fd < 0 || !r->dir)
                return fault_errno(fault, -errno, "%s", a->dir);
        if (access(r->dir, W_OK | X_OK) < 0)
                return fault_errno(fault, -errno, "%s", r->dir);
        code = find_room(r, fault);
        if (code == 0)
                code = open_window(r, fault);
        for (size_t t = 0; code == 0 && t < N_RESPONSE_TASKS; t++) {
                if (t == RESPONSE_WINDOW && !r->window)
                        continue;
                r->points[t] = calloc(a->n_points, sizeof *r->points[t]);
                if (!r->points[t])
                        code = fault_set(fault, -ENOMEM, "no memory");
        }
        return code;
}

static void response_done(struct response *r)
{
        window_task_freep(&r->window);
        closep(&r->root_fd);
        free(r->dir);
        for (size_t t = 0; t < N_RESPONSE_TASKS; t++) {
                response_rows_done(&r->rows[t]);
                free(r->points[t]);
        }
}

static int measure(struct harness *h, void *arguments, struct fault *fault)
{
        CLEANUP(response_done)
        struct response r = { .harness = h, .arguments = arguments, .root_fd = -EBADF };
        int code = open_response(&r, fault);

        for (unsigned i = 1; code == 0 && i <= h->runs; i++)
                code = run_once(&r, i, fault);
        return code;
}

static int prepare(struct harness *h, void *arguments, struct fault *fault)
{
        const struct arguments *a = arguments;

        (void) fault;
        harness_run_as_owner_of(h, a->dir);
        return 0;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .doc = "How long a trivial thing takes under loads: to start a small program, and, "
                       "with a display, to draw a window that is uncovered."
                       "\vLoads: smallwrite, largewrite, cpuload, spawnload, 8ctx-mem, 2ctx-mem. "
                       "The idle machine is measured before and after them.",
                .children = harness_children,
        };
        struct arguments arguments = { .dir = DEFAULT_DIR,
                                       .n_points = POINTS,
                                       .interval_ms = INTERVAL_MS };
        const struct collector collector = { .name = "response",
                                             .default_runs = 1,
                                             .argp = &argp,
                                             .arguments = &arguments,
                                             .prepare = prepare,
                                             .measure = measure };

        for (size_t k = 0; k < N_RESPONSE_LOADS; k++)
                arguments.wants_load[k] = true;
        return harness_main(&collector, argc, argv);
}
