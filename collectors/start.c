/* collectors/start.c - how long until a program is there, started from a cold cache?
 *
 * From before the fork until its first window can be seen, or until it has ended by itself; again
 * and again, with the caches dropped before each, on a machine that is idle or whose drive is busy.
 */
#include <string.h>
#include <time.h>
#include "collectors/harness.h"
#include "collectors/load.h"
#include "collectors/processors.h"
#include "collectors/scratch.h"
#include "collectors/spread.h"
#include "collectors/toolchain.h"
#include "collectors/window_watch.h"
#include "record/clock.h"
#include "record/json.h"
#include "record/procfile.h"
#include "record/record.h"
#include "record/supervise.h"

/* Raised when the work that is timed changes: figures of two versions are not compared. */
#define WORKLOAD_VERSION "1"
#define STARTS 10
#define STARTS_MAX 10000
#define TIMEOUT_S 60
#define TIMEOUT_MAX_S 3600
#define LEVEL 0.95
#define FILE_BYTES (UINT64_C(256) << 20) /* of each reader or writer */
#define OUTPUT_MAX_BYTES (16u << 20)
#define DEFAULT_DIR "/var/tmp"
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

enum until { UNTIL_AUTO, UNTIL_WINDOW, UNTIL_EXIT };

enum { BESIDE_NONE, BESIDE_READERS, BESIDE_WRITERS, N_BESIDE };

static const struct {
        const char *name;
        enum load_kind kind;
} besides[N_BESIDE] = {
        [BESIDE_NONE] = { "none", LOAD_NONE },
        [BESIDE_READERS] = { "readers", LOAD_READ },
        [BESIDE_WRITERS] = { "writers", LOAD_LARGE_WRITE },
};

struct arguments {
        const char *dir;
        bool beside[N_BESIDE];
        enum until until;
        unsigned n_starts, timeout_s;
        char **command; /* ended by NULL, as main()'s argv is */
};

struct start {
        struct harness *harness;
        const struct arguments *arguments;
        char *program, *dir;
        struct window_watch *watch; /* NULL: until it ends */
        double *times_s;
        enum cache_state cache; /* the least cold of all starts of a load */
        struct coldcache cold;  /* of the last */
};

enum { OPTION_DIR = 0x300, OPTION_BESIDE, OPTION_UNTIL, OPTION_STARTS, OPTION_TIMEOUT };

static const struct argp_option options[] = {
        { "beside", OPTION_BESIDE, "LOAD,...", 0,
          "Beside none, readers, writers: one after the other (none)", 0 },
        { "starts", OPTION_STARTS, "N", 0, "Starts beside each (10)", 0 },
        { "until", OPTION_UNTIL, "window|exit", 0,
          "Until the first window can be seen (where there is a display), or the end", 0 },
        { "timeout", OPTION_TIMEOUT, "SECONDS", 0, "A start that takes longer has failed (60)", 0 },
        { "dir", OPTION_DIR, "DIR", 0,
          "Read and write on this file system meanwhile (default: " DEFAULT_DIR ")", 0 },
        { 0 },
};

static error_t parse_beside(struct arguments *a, char *list, struct argp_state *state)
{
        memset(a->beside, 0, sizeof a->beside);
        for (char *rest = list, *word; (word = strsep(&rest, ","));) {
                size_t k = 0;

                while (k < N_BESIDE && strcmp(word, besides[k].name) != 0)
                        k++;
                if (k == N_BESIDE)
                        argp_error(state, "--beside wants none, readers or writers, not '%s'",
                                   word);
                a->beside[k] = true;
        }
        return 0;
}

static unsigned parse_number(const char *arg, const char *option, int64_t least, int64_t most,
                             struct argp_state *state)
{
        int64_t n;

        if (parse_int(arg, &n) < 0 || n < least || n > most)
                argp_error(state, "--%s wants %lld to %lld, not '%s'", option, (long long) least,
                           (long long) most, arg);
        return (unsigned) n;
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
        case OPTION_BESIDE:
                return parse_beside(a, arg, state);
        case OPTION_STARTS:
                a->n_starts = parse_number(arg, "starts", 2, STARTS_MAX, state);
                return 0;
        case OPTION_TIMEOUT:
                a->timeout_s = parse_number(arg, "timeout", 1, TIMEOUT_MAX_S, state);
                return 0;
        case OPTION_UNTIL:
                if (strcmp(arg, "window") != 0 && strcmp(arg, "exit") != 0)
                        argp_error(state, "--until wants window or exit, not '%s'", arg);
                a->until = strcmp(arg, "window") == 0 ? UNTIL_WINDOW : UNTIL_EXIT;
                return 0;
        case ARGP_KEY_ARG:
                a->command = state->argv + state->next - 1;
                state->next = state->argc; /* the rest is the program's */
                return 0;
        case ARGP_KEY_END:
                if (!a->command)
                        argp_error(state, "wants a program to start");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static bool look(void *userdata)
{
        const struct start *s = userdata;

        return window_watch_look(s->watch);
}

/* judge() - was that a start? Return: 0 or -EINTR, -ETIME, -EIO with the reason */
static int judge(const struct start *s, const struct supervised *ended, struct fault *fault)
{
        const char *name = s->arguments->command[0];
        const char *words = ended->last_line;

        switch (ended->end) {
        case SUPERVISE_ENOUGH:
                if (window_watch_is_lost(s->watch))
                        return fault_set(fault, -EIO, "the X server is gone");
                return 0;
        case SUPERVISE_INTERRUPTED:
                interrupt_repeat(ended->status);
                return fault_set(fault, -EINTR, "interrupted");
        case SUPERVISE_DEADLINE:
                return fault_set(fault, -ETIME, "%s %s within %u s", name,
                                 s->watch ? "showed no window" : "did not end",
                                 s->arguments->timeout_s);
        case SUPERVISE_FLOOD:
                return fault_set(fault, -EIO, "%s printed more than %u MiB", name,
                                 OUTPUT_MAX_BYTES >> 20);
        case SUPERVISE_KILLED:
                return fault_set(fault, -EIO, "%s was killed by signal %d%s%.300s", name,
                                 ended->status, *words ? ": " : "", words);
        case SUPERVISE_EXITED:
                break;
        }
        if (ended->status == 0 && !s->watch)
                return 0;
        return fault_set(fault, -EIO, "%s ended with status %d%s%s%.300s", name, ended->status,
                         s->watch ? " before it showed a window" : "", *words ? ": " : "", words);
}

static int drop_cache(struct start *s, struct fault *fault)
{
        const char *const paths[] = { s->program };
        struct progress silent = { .style = PROGRESS_NONE }; /* the starts' own is under way */
        int r = coldcache_prepare(&s->harness->privilege, paths, 1, s->harness->drop_cache, &silent,
                                  &s->cold);

        return r < 0 ? fault_errno(fault, r, "emptying the page cache") : 0;
}

/* note_cache() - an ordinary user can make the program's own file cold, and not what else it reads
 */
static void note_cache(struct start *s, const struct usage *used)
{
        enum cache_state state = coldcache_judge(&s->cold, used, 0);

        if (state == CACHE_COLD_DATA_ONLY)
                state = CACHE_UNKNOWN;
        if (state < s->cache)
                s->cache = state;
}

static int start_once(struct start *s, double *ret_s, struct fault *fault)
{
        CLEANUP(supervised_done) struct supervised ended = SUPERVISED_NULL;
        const struct supervise_job job = {
                .path = s->program,
                .argv = s->arguments->command,
                .deadline_us = (int64_t) s->arguments->timeout_s * US_PER_S,
                .max_output_bytes = OUTPUT_MAX_BYTES,
                .on_watch = s->watch ? look : NULL,
                .watch_fd = s->watch ? window_watch_fd(s->watch) : -1,
                .userdata = s,
        };
        struct usage before, after, used;
        int r = drop_cache(s, fault);

        if (r < 0)
                return r;
        if (s->watch)
                window_watch_begin(s->watch);
        usage_now(NULL, &before);
        r = supervise(&job, &ended, fault);
        usage_now(NULL, &after);
        if (r == 0)
                r = judge(s, &ended, fault);
        if (r < 0)
                return r;
        used = usage_since(&before, &after);
        note_cache(s, &used);
        *ret_s = s_from_us(s->watch ? window_watch_seen_us(s->watch) - before.elapsed_us
                                    : used.elapsed_us);
        return 0;
}

static int starts(struct start *s, size_t k, struct fault *fault)
{
        struct load load = LOAD_NULL;
        const struct load_plan plan = {
                .kind = besides[k].kind,
                .dir = s->dir,
                .file_bytes = FILE_BYTES,
                .n_processors = processors_we_may_use(),
                .deadline_s = s->arguments->n_starts * (s->arguments->timeout_s + 60) + 600
        };
        int r = load_start(&load, &plan, fault);

        s->cache = CACHE_COLD;
        progress_start(&s->harness->progress, besides[k].name, s->arguments->n_starts);
        for (size_t i = 0; r == 0 && i < s->arguments->n_starts; i++) {
                r = start_once(s, &s->times_s[i], fault);
                progress_step(&s->harness->progress, i + 1);
                if (r == 0)
                        r = load_check(&load, fault);
        }
        progress_end(&s->harness->progress);
        load_stop(&load);
        return r;
}

static int add_times(struct start *s, struct sample *sample)
{
        static const struct {
                const char *field;
                double p;
        } quantiles[] = { { "p25", 0.25 }, { "p75", 0.75 }, { "p90", 0.9 }, { "p95", 0.95 } };
        size_t n = s->arguments->n_starts, low, high;
        CLEANUP(json_decrefp) json_t *points = json_array();
        struct spread spread;
        double level;
        int r = 0;

        for (size_t i = 0; i < n; i++) /* in the order in which they came */
                if (json_array_append_new(points, json_real(s->times_s[i])) < 0)
                        return -ENOMEM;
        spread_sort(s->times_s, n);
        spread = spread_of(s->times_s, n);
        if (!spread_median_interval(n, LEVEL, &low, &high, &level) && sample->run == 1)
                harness_warn(s->harness,
                             "%s: with %zu starts the interval of the median is sure to %.1f %%, "
                             "not to 95; at least 6 are needed",
                             sample->workload, n, 100 * level);
        {
                const struct {
                        const char *field;
                        double value;
                } values[] = { { "median", spread.median },
                               { "median_from", s->times_s[low] },
                               { "median_to", s->times_s[high] },
                               { "low", spread.low },
                               { "high", spread.high },
                               { "average", spread.average },
                               { "sd", spread.sd } };

                for (size_t i = 0; r == 0 && i < ELEMENTSOF(values); i++)
                        r = sample_add(sample, values[i].field, values[i].value, "s", BETTER_LOWER,
                                       NULL);
        }
        for (size_t i = 0; r == 0 && i < ELEMENTSOF(quantiles); i++)
                r = sample_add(sample, quantiles[i].field,
                               spread_quantile(s->times_s, n, quantiles[i].p), "s", BETTER_LOWER,
                               NULL);
        if (r == 0)
                r = json_put(sample->details, "median_level", json_real(level));
        return r < 0 ? r : json_put(sample->details, "starts_s", TAKE(points));
}

static char *command_text(const struct arguments *a)
{
        CLEANUP(freep) char *text = NULL;
        size_t n_bytes;
        FILE *f = open_memstream(&text, &n_bytes);

        for (size_t i = 0; f && a->command[i]; i++)
                (void) fprintf(f, "%s%s", i ? " " : "", a->command[i]);
        return f && fclose(f) == 0 ? TAKE(text) : NULL;
}

static int describe(const struct start *s, struct sample *sample, size_t k)
{
        CLEANUP(freep) char *command = command_text(s->arguments);
        json_t *p = sample->parameters;

        sample->tool = strdup("bootlap-start");
        sample->tool_version = strdup(WORKLOAD_VERSION);
        if (!command || !sample->tool || !sample->tool_version ||
            record_set_string(p, "command", command) < 0 ||
            record_set_string(p, "until", s->watch ? "window" : "exit") < 0 ||
            record_set_integer(p, "starts", s->arguments->n_starts) < 0 ||
            record_set_string(p, "cache", cache_state_word(s->cache)) < 0 ||
            record_set_string(sample->details, "path", s->program) < 0 ||
            json_put(sample->details, "cache", coldcache_to_json(&s->cold, 0)) < 0)
                return -ENOMEM;
        if (besides[k].kind == LOAD_NONE)
                return 0;
        return record_set_integer(
                p, "processes",
                (json_int_t) load_processes(besides[k].kind, processors_we_may_use()));
}

static int measure_beside(struct start *s, size_t k, unsigned number, struct fault *fault)
{
        CLEANUP(sample_done) struct sample sample = SAMPLE_NULL;
        char workload[48];
        int r = starts(s, k, fault);

        (void) snprintf(workload, sizeof workload, "start.%s", besides[k].name);
        if (r == 0)
                r = harness_sample_init(s->harness, &sample, workload, number, fault);
        if (r < 0)
                return r;
        if (add_times(s, &sample) < 0 || describe(s, &sample, k) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        if (s->harness->drop_cache && s->cache != CACHE_COLD && number == 1)
                harness_warn(s->harness, "%s: the cache was %s, not cold%s", sample.workload,
                             cache_state_word(s->cache),
                             s->cold.drop_error == -EPERM ? " (only root can empty it)" : "");
        return harness_sample_add(s->harness, &sample, fault);
}

/* name_after_program() - "start.none.xterm", unless another name was given */
static int name_after_program(struct start *s)
{
        const char *slash = strrchr(s->arguments->command[0], '/');

        if (s->harness->name)
                return 0;
        s->harness->name = strdup(slash ? slash + 1 : s->arguments->command[0]);
        for (char *p = s->harness->name; p && *p; p++)
                if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-",
                            *p))
                        *p = '_';
        return s->harness->name ? 0 : -ENOMEM;
}

static int find_program(struct start *s, struct fault *fault)
{
        const char *path_list = getenv("PATH"), *name = s->arguments->command[0];
        int r = 0;

        if (!strchr(name, '/'))
                r = toolchain_find(path_list && *path_list ? path_list : DEFAULT_PATH, name,
                                   &s->program);
        else if (!(s->program = realpath(name, NULL)))
                r = -errno;
        if (r == -ENOENT)
                return fault_set(fault, HARNESS_UNAVAILABLE, "%s: there is no such program", name);
        if (r == 0 && access(s->program, X_OK) < 0)
                r = -errno;
        return r < 0 ? fault_errno(fault, r, "%s", name) : 0;
}

static int open_start(struct start *s, struct fault *fault)
{
        const struct arguments *a = s->arguments;
        const char *display = getenv("DISPLAY");
        bool has_load = a->beside[BESIDE_READERS] || a->beside[BESIDE_WRITERS];
        int r = find_program(s, fault);

        if (r == 0 && !(s->dir = realpath(a->dir, NULL)))
                r = fault_errno(fault, -errno, "%s", a->dir);
        if (r == 0 && has_load)
                r = scratch_need_space(s->dir, 2 * FILE_BYTES * processors_we_may_use(), 0,
                                       "what is read and written, with as much again", fault);
        if (r == -ENOSPC)
                return HARNESS_UNAVAILABLE;
        if (r == 0 &&
            (a->until == UNTIL_WINDOW || (a->until == UNTIL_AUTO && display && *display))) {
                r = window_watch_open(&s->watch, fault);
                if (r == -ENODEV)
                        return HARNESS_UNAVAILABLE;
        }
        if (r != 0)
                return r;
        s->times_s = calloc(a->n_starts, sizeof *s->times_s);
        return s->times_s && name_after_program(s) == 0 ? 0
                                                        : fault_set(fault, -ENOMEM, "no memory");
}

static void start_done(struct start *s)
{
        window_watch_freep(&s->watch);
        free(s->program);
        free(s->dir);
        free(s->times_s);
}

static int measure(struct harness *h, void *arguments, struct fault *fault)
{
        CLEANUP(start_done) struct start s = { .harness = h, .arguments = arguments };
        int r = open_start(&s, fault);

        for (unsigned i = 1; r == 0 && i <= h->runs; i++)
                for (size_t k = 0; r == 0 && k < N_BESIDE; k++)
                        if (s.arguments->beside[k])
                                r = measure_beside(&s, k, i, fault);
        return r;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "PROGRAM [ARGUMENT...]",
                .doc = "Start a program from a cold cache, again and again, until its first window "
                       "can be seen, or until it ends."
                       "\vThe interval of the median (median_from to median_to) is that of two "
                       "order statistics, which holds whatever the times' law; median_level says "
                       "how sure it is.",
                .children = harness_children,
        };
        struct arguments arguments = { .dir = DEFAULT_DIR,
                                       .beside = { [BESIDE_NONE] = true },
                                       .n_starts = STARTS,
                                       .timeout_s = TIMEOUT_S };
        const struct collector collector = { .name = "start",
                                             .default_runs = 1,
                                             .argp = &argp,
                                             .argp_flags = ARGP_IN_ORDER,
                                             .arguments = &arguments,
                                             .measure = measure };

        return harness_main(&collector, argc, argv);
}
