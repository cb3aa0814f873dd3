/* collectors/unixbench.c - run BYTE's UnixBench, where somebody has put it
 *
 * It is no Debian package: its Run script is named, or found as "unixbench" in PATH. It works in
 * its own folder, where the tests' programs lie; its results and temporary files go to ours.
 */
#include <libgen.h>
#include <string.h>
#include "collectors/foreign.h"
#include "collectors/scratch.h"
#include "record/record.h"

#define NAME "unixbench"
#define ADVICE "name its Run script with --program"
#define DEFAULT_DIR "/var/tmp"
#define WORDS_MAX 64

struct arguments {
        const char *program, *dir;
        char *words[WORDS_MAX]; /* handed on */
        size_t n_words;
};

enum { OPTION_PROGRAM = 0x300, OPTION_DIR };

static const struct argp_option options[] = {
        { "program", OPTION_PROGRAM, "FILE", 0, "UnixBench's Run script", 0 },
        { "dir", OPTION_DIR, "DIR", 0, "The file system for its files (default: " DEFAULT_DIR ")",
          0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct harness_input *input = state->input;
        struct arguments *a = input->arguments;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->harness;
                return 0;
        case OPTION_PROGRAM:
                a->program = arg;
                return 0;
        case OPTION_DIR:
                a->dir = arg;
                return 0;
        case ARGP_KEY_ARG:
                if (a->n_words == WORDS_MAX)
                        argp_error(state, "more than %d words for UnixBench", WORDS_MAX);
                a->words[a->n_words++] = arg;
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int find_program(const struct arguments *a, char **ret, struct fault *fault)
{
        if (!a->program)
                return foreign_find(NAME, ADVICE, ret, fault);
        *ret = realpath(a->program, NULL);
        if (!*ret && errno == ENOENT)
                return fault_set(fault, HARNESS_UNAVAILABLE, "%s: is not there", a->program);
        if (!*ret)
                return fault_errno(fault, -errno, "%s", a->program);
        if (access(*ret, X_OK) < 0)
                return fault_errno(fault, -errno, "%s", *ret);
        return 0;
}

/* decorate() - which tests, and how often: figures of other ones are no like */
static int decorate(struct sample *s, void *userdata)
{
        const struct arguments *a = userdata;
        CLEANUP(freep) char *all = NULL;
        size_t n_bytes;
        FILE *f = open_memstream(&all, &n_bytes);

        for (size_t i = 0; f && i < a->n_words; i++)
                (void) fprintf(f, "%s%s", i ? " " : "", a->words[i]);
        if (!f || fclose(f) == EOF)
                return -ENOMEM;
        return a->n_words ? record_set_string(s->parameters, "arguments", all) : 0;
}

static int run_once(struct harness *h, struct arguments *a, char *program, const char *dir,
                    unsigned number, struct fault *fault)
{
        CLEANUP(scratch_done) struct scratch scratch = SCRATCH_NULL;
        CLEANUP(supervised_done) struct supervised output = SUPERVISED_NULL;
        CLEANUP(freep) char *folder = strdup(program), *results = NULL, *temporary = NULL;
        char *argv[WORDS_MAX + 2] = { program }, *environment[3] = { NULL };
        int r = scratch_make(&scratch, dir, NAME, &h->progress, fault);

        if (r < 0)
                return r;
        if (!folder || asprintf(&results, "UB_RESULTDIR=%s", scratch.path) < 0 ||
            asprintf(&temporary, "UB_TMPDIR=%s", scratch.path) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        environment[0] = results;
        environment[1] = temporary;
        memcpy(argv + 1, a->words, a->n_words * sizeof *argv);
        progress_start(&h->progress, NAME, 0);
        r = foreign_run(NAME, argv, dirname(folder), environment, &output, fault);
        progress_end(&h->progress);
        return r < 0 ? r : foreign_enter(h, NAME, &output, number, decorate, a, fault);
}

static int measure(struct harness *h, void *arguments, struct fault *fault)
{
        struct arguments *a = arguments;
        CLEANUP(freep) char *program = NULL, *dir = NULL;
        int r = find_program(a, &program, fault);

        if (r == 0 && !(dir = realpath(a->dir, NULL)))
                r = fault_errno(fault, -errno, "%s", a->dir);
        for (unsigned i = 1; r == 0 && i <= h->runs; i++)
                r = run_once(h, a, program, dir, i, fault);
        return r;
}

static int prepare(struct harness *h, void *arguments, struct fault *fault)
{
        const struct arguments *a = arguments;

        (void) fault;
        if (a->program)
                harness_run_as_owner_of(h, a->program);
        return 0;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[-- WORD...]",
                .doc = "Run UnixBench, where it is installed, and keep what it prints."
                       "\vWhat follows -- is handed on to its Run script: -c 1, or names of "
                       "tests. A whole run takes half an hour, and twice that with several "
                       "processors.",
                .children = harness_children,
        };
        struct arguments arguments = { .dir = DEFAULT_DIR };
        const struct collector collector = { .name = NAME,
                                             .default_runs = 1,
                                             .argp = &argp,
                                             .arguments = &arguments,
                                             .prepare = prepare,
                                             .measure = measure };

        return harness_main(&collector, argc, argv);
}
