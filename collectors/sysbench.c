/* collectors/sysbench.c - run Debian's sysbench: its cpu, memory and fileio tests
 *
 * Every option that shapes a figure is given, even where it is sysbench's own default: defaults
 * changed between versions. The files of fileio lie in a folder that goes with the collector.
 */
#include <inttypes.h>
#include <string.h>
#include "collectors/foreign.h"
#include "collectors/processors.h"
#include "collectors/scratch.h"
#include "record/procfile.h"
#include "record/record.h"

#define PROGRAM "sysbench"
#define ADVICE "Debian's package sysbench"
#define DEFAULT_DIR "/var/tmp"
#define TIME_S 10
#define TIME_MAX_S 86400
#define THREADS_MAX 4096
#define OPTIONS_MAX 64
#define FILES_MAX 100000

enum { TEST_CPU, TEST_MEMORY, TEST_FILEIO, N_TESTS };

static const char *const test_names[N_TESTS] = { "cpu", "memory", "fileio" };
static const char *const test_prefixes[N_TESTS] = { "--cpu-", "--memory-", "--file-" };

/* What a test is told unless the command line says otherwise. */
static const char *const test_defaults[N_TESTS][8] = {
        { "--cpu-max-prime=10000" },
        { "--memory-block-size=1M", "--memory-total-size=100G", "--memory-scope=global",
          "--memory-oper=write", "--memory-access-mode=seq" },
        { "--file-num=16", "--file-block-size=16384", "--file-total-size=1G",
          "--file-test-mode=rndrd", "--file-io-mode=sync", "--file-fsync-freq=100",
          "--rand-seed=1" },
};

struct arguments {
        bool wants[N_TESTS];
        bool has_tests;
        const char *dir;
        unsigned threads, time_s;
        char *options[OPTIONS_MAX]; /* handed on to sysbench */
        size_t n_options;
};

/* One call of sysbench. */
struct call {
        char threads[32], time[32];
        char *argv[OPTIONS_MAX + 16];
        size_t n;
};

enum { OPTION_DIR = 0x300, OPTION_THREADS, OPTION_TIME };

static const struct argp_option options[] = {
        { "dir", OPTION_DIR, "DIR", 0, "Make the files of fileio here (default: " DEFAULT_DIR ")",
          0 },
        { "threads", OPTION_THREADS, "N", 0, "Threads (1)", 0 },
        { "time", OPTION_TIME, "SECONDS", 0, "How long each test runs (10)", 0 },
        { 0 },
};

static void add_word(struct arguments *a, char *word, struct argp_state *state)
{
        if (word[0] == '-') {
                if (strncmp(word, "--", 2) != 0 || !strchr(word, '='))
                        argp_error(state,
                                   "sysbench's options are handed on as --NAME=VALUE, not "
                                   "'%s'",
                                   word);
                if (a->n_options == OPTIONS_MAX)
                        argp_error(state, "more than %d options of sysbench", OPTIONS_MAX);
                a->options[a->n_options++] = word;
                return;
        }
        for (size_t k = 0; k < N_TESTS; k++)
                if (strcmp(word, test_names[k]) == 0) {
                        a->wants[k] = a->has_tests = true;
                        return;
                }
        argp_error(state, "knows the tests cpu, memory and fileio, not '%s'", word);
}

static unsigned parse_number(const char *arg, const char *option, int64_t most,
                             struct argp_state *state)
{
        int64_t n;

        if (parse_int(arg, &n) < 0 || n < 1 || n > most)
                argp_error(state, "--%s wants 1 to %lld, not '%s'", option, (long long) most, arg);
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
        case OPTION_THREADS:
                a->threads = parse_number(arg, "threads", THREADS_MAX, state);
                return 0;
        case OPTION_TIME:
                a->time_s = parse_number(arg, "time", TIME_MAX_S, state);
                return 0;
        case ARGP_KEY_ARG:
                add_word(a, arg, state);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

/* name_bytes() - of "--file-num=16", up to the sign */
static size_t name_bytes(const char *option) { return strcspn(option, "="); }

static bool is_same_option(const char *a, const char *b)
{
        return name_bytes(a) == name_bytes(b) && strncmp(a, b, name_bytes(a)) == 0;
}

/* is_for() - an option of one test is not given to the others, which do not know it */
static bool is_for(const char *option, size_t test)
{
        for (size_t k = 0; k < N_TESTS; k++)
                if (strncmp(option, test_prefixes[k], strlen(test_prefixes[k])) == 0)
                        return k == test;
        return true;
}

static void call_add(struct call *c, const char *option)
{
        for (size_t i = 2; i < c->n; i++) /* the later one counts */
                if (is_same_option(c->argv[i], option)) {
                        c->argv[i] = (char *) (uintptr_t) option;
                        return;
                }
        c->argv[c->n++] = (char *) (uintptr_t) option;
}

static void call_make(struct call *c, const struct arguments *a, char *program, size_t test)
{
        *c = (struct call){ .n = 0 };
        c->argv[c->n++] = program;
        c->argv[c->n++] = (char *) (uintptr_t) test_names[test];
        (void) snprintf(c->threads, sizeof c->threads, "--threads=%u", a->threads);
        (void) snprintf(c->time, sizeof c->time, "--time=%u", a->time_s);
        call_add(c, c->threads);
        call_add(c, c->time);
        call_add(c, "--percentile=95");
        for (size_t i = 0; i < ELEMENTSOF(test_defaults[test]) && test_defaults[test][i]; i++)
                call_add(c, test_defaults[test][i]);
        for (size_t i = 0; i < a->n_options; i++)
                if (is_for(a->options[i], test))
                        call_add(c, a->options[i]);
}

static const char *call_value(const struct call *c, const char *option)
{
        for (size_t i = 2; i < c->n; i++)
                if (is_same_option(c->argv[i], option))
                        return c->argv[i] + name_bytes(option) + 1;
        return "";
}

/* parse_size() - "150G": sysbench's units are of 2^10 */
static int parse_size(const char *text, uint64_t *ret)
{
        static const char units[] = "KMGT";
        char digits[24];
        size_t n = strspn(text, "0123456789");
        const char *unit = text[n] ? strchr(units, text[n]) : NULL;
        int64_t value;
        unsigned shift = unit ? 10 * (unsigned) (unit - units + 1) : 0;

        (void) snprintf(digits, sizeof digits, "%.*s", (int) n, text);
        if (n >= sizeof digits || (text[n] && (!unit || text[n + 1])) ||
            parse_int(digits, &value) < 0 || value < 1 || value > INT64_MAX >> shift)
                return -EINVAL;
        *ret = (uint64_t) value << shift;
        return 0;
}

/* decorate() - sysbench prints some of its options; what it was told is here in full */
static int decorate(struct sample *s, void *userdata)
{
        const struct call *c = userdata;

        for (size_t i = 2; i < c->n; i++) {
                const char *option = c->argv[i];
                char key[64];
                int64_t n;
                int r;

                (void) snprintf(key, sizeof key, "%.*s", (int) name_bytes(option) - 2, option + 2);
                for (char *p = key; *p; p++)
                        *p = *p == '-' ? '_' : *p;
                if (json_object_get(s->parameters, key))
                        continue;
                option += name_bytes(option) + 1;
                r = parse_int(option, &n) == 0 ? record_set_integer(s->parameters, key, n)
                                               : record_set_string(s->parameters, key, option);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int run_test(struct harness *h, struct call *c, size_t test, const char *folder,
                    unsigned number, struct fault *fault)
{
        CLEANUP(supervised_done) struct supervised output = SUPERVISED_NULL;
        char what[32], command[] = "run";
        int r;

        (void) snprintf(what, sizeof what, PROGRAM " %s", test_names[test]);
        c->argv[c->n] = command;
        progress_start(&h->progress, what, 0);
        r = foreign_run(what, c->argv, folder, NULL, &output, fault);
        progress_end(&h->progress);
        c->argv[c->n] = NULL;
        return r < 0 ? r : foreign_enter(h, PROGRAM, &output, number, decorate, c, fault);
}

/* run_fileio() - prepare, run, and whatever happened the files are removed */
static int run_fileio(struct harness *h, struct call *c, const char *dir, unsigned number,
                      struct fault *fault)
{
        CLEANUP(scratch_done) struct scratch scratch = SCRATCH_NULL;
        CLEANUP(supervised_done) struct supervised prepared = SUPERVISED_NULL;
        const char *size = call_value(c, "--file-total-size=");
        int64_t n_files;
        char command[] = "prepare";
        uint64_t bytes;
        int r;

        if (parse_size(size, &bytes) < 0)
                return fault_set(fault, -EINVAL, "--file-total-size=%s is no size", size);
        if (parse_int(call_value(c, "--file-num="), &n_files) < 0 || n_files < 1 ||
            n_files > FILES_MAX)
                return fault_set(fault, -EINVAL, "--file-num wants 1 to %d", FILES_MAX);
        r = scratch_need_space(dir, bytes, (uint64_t) n_files, PROGRAM " fileio", fault);
        if (r < 0)
                return r == -ENOSPC ? HARNESS_UNAVAILABLE : r;
        r = scratch_make(&scratch, dir, PROGRAM, &h->progress, fault);
        if (r < 0)
                return r;
        c->argv[c->n] = command;
        progress_start(&h->progress, "making files", 0);
        r = foreign_run(PROGRAM " fileio prepare", c->argv, scratch.path, NULL, &prepared, fault);
        progress_end(&h->progress);
        c->argv[c->n] = NULL;
        if (r == 0 && h->drop_cache) {
                int dropped = privilege_drop_caches(&h->privilege);

                if (dropped < 0 && number == 1)
                        harness_warn(h, "fileio: the cache is as preparing has left it: %s",
                                     strerror(-dropped));
        }
        return r < 0 ? r : run_test(h, c, TEST_FILEIO, scratch.path, number, fault);
}

static int measure(struct harness *h, void *arguments, struct fault *fault)
{
        const struct arguments *a = arguments;
        CLEANUP(freep) char *program = NULL, *dir = realpath(a->dir, NULL);
        int r = foreign_find(PROGRAM, ADVICE, &program, fault);

        if (r == 0 && a->wants[TEST_FILEIO] && !dir)
                r = fault_errno(fault, -errno, "%s", a->dir);
        for (unsigned i = 1; r == 0 && i <= h->runs; i++)
                for (size_t k = 0; r == 0 && k < N_TESTS; k++) {
                        struct call call;

                        if (!a->wants[k])
                                continue;
                        call_make(&call, a, program, k);
                        r = k == TEST_FILEIO ? run_fileio(h, &call, dir, i, fault)
                                             : run_test(h, &call, k, NULL, i, fault);
                }
        return r;
}

static int prepare(struct harness *h, void *arguments, struct fault *fault)
{
        struct arguments *a = arguments;

        (void) fault;
        for (size_t k = 0; k < N_TESTS; k++)
                a->wants[k] = a->wants[k] || !a->has_tests;
        harness_run_as_owner_of(h, a->dir);
        return 0;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[cpu] [memory] [fileio] [-- --NAME=VALUE...]",
                .doc = "Run sysbench and keep what it prints; without a test, all three."
                       "\vWhat follows -- is handed on to sysbench, such as "
                       "--file-total-size=150G or --file-test-mode=seqwr.",
                .children = harness_children,
        };
        struct arguments arguments = { .dir = DEFAULT_DIR, .threads = 1, .time_s = TIME_S };
        const struct collector collector = { .name = PROGRAM,
                                             .default_runs = 1,
                                             .argp = &argp,
                                             .arguments = &arguments,
                                             .prepare = prepare,
                                             .measure = measure };

        return harness_main(&collector, argc, argv);
}
