/* cli/measure.c - bootlap measure: the record of the boot that is running now
 *
 * Asks every witness what it still knows of the boot, captures the machine as factors, runs the
 * collectors that were asked for, and stores the record. Measuring the same boot again replaces its
 * record and keeps what was in it. */
#include <fcntl.h>
#include <string.h>
#include "analyze/boot_view.h"
#include "cli/cli.h"
#include "machine/machine.h"
#include "record/collect.h"
#include "record/json.h"
#include "record/merge.h"
#include "record/store.h"
#include "witness/identity.h"
#include "witness/witness.h"

#define SLEPT_US (10 * 1000)
#define JOBS_MAX 32
#define WORDS_MAX 32

enum { OPTION_MAILDIR = 0x400, OPTION_BUILD, OPTION_RUN };

struct measure_arguments {
        struct collect_job jobs[JOBS_MAX];
        size_t n_jobs;
        char *words[JOBS_MAX]; /* what --run gave, cut into words */
        const char *arguments[JOBS_MAX][WORDS_MAX];
        char *maildir; /* absolute: the collector runs elsewhere */
};

static const struct argp_option options[] = {
        { "maildir", OPTION_MAILDIR, "DIR", 0, "Then open the mail folder DIR on a cold cache", 0 },
        { "build", OPTION_BUILD, NULL, 0, "Then build a Linux kernel", 0 },
        { "run", OPTION_RUN, "COMMAND", 0,
          "Then run a collector: its name and arguments, with blanks between them; may be given "
          "several "
          "times",
          0 },
        { 0 },
};

static struct collect_job *add_job(struct measure_arguments *a, const char *name,
                                   struct argp_state *state)
{
        struct collect_job *job = &a->jobs[a->n_jobs];

        if (a->n_jobs == JOBS_MAX)
                argp_error(state, "more than %d collectors", JOBS_MAX);
        *job = (struct collect_job){ .name = name, .arguments = a->arguments[a->n_jobs] };
        a->n_jobs++;
        return job;
}

static error_t add_maildir(struct measure_arguments *a, const char *path, struct argp_state *state)
{
        struct collect_job *job = add_job(a, "maildir", state);

        free(a->maildir);
        a->maildir = realpath(path, NULL);
        if (!a->maildir)
                argp_failure(state, CLI_FAILED, errno, "%s", path);
        a->arguments[a->n_jobs - 1][0] = "--path";
        a->arguments[a->n_jobs - 1][1] = a->maildir;
        job->n_arguments = 2;
        return 0;
}

static error_t add_command(struct measure_arguments *a, const char *command,
                           struct argp_state *state)
{
        struct collect_job *job = add_job(a, NULL, state);
        size_t i = a->n_jobs - 1;
        char *rest;

        a->words[i] = strdup(command);
        if (!a->words[i])
                return ENOMEM;
        job->name = strtok_r(a->words[i], " \t", &rest);
        if (!job->name)
                argp_error(state, "--run wants a collector's name");
        for (const char *word; (word = strtok_r(NULL, " \t", &rest));) {
                if (job->n_arguments == WORDS_MAX)
                        argp_error(state, "--run %s: more than %d arguments", job->name, WORDS_MAX);
                a->arguments[i][job->n_arguments++] = word;
        }
        return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct measure_arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_MAILDIR:
                return add_maildir(a, arg, state);
        case OPTION_BUILD:
                (void) add_job(a, "build", state);
                return 0;
        case OPTION_RUN:
                return add_command(a, arg, state);
        case ARGP_KEY_ARG:
                argp_error(state, "wants no argument, not '%s'", arg);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static void arguments_done(struct measure_arguments *a)
{
        for (size_t i = 0; i < a->n_jobs; i++)
                free(a->words[i]);
        free(a->maildir);
}

static int ask_witnesses(struct record *r, struct fault *fault)
{
        CLEANUP(closep) int root_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        struct witness_context ctx;
        int code;

        if (root_fd < 0)
                return fault_errno(fault, -errno, "/");
        witness_context_init(&ctx, root_fd, true);
        r->start = ctx.now;
        code = witness_ask_all(&ctx, r);
        if (code == 0 && ctx.now.boottime_us - ctx.now.monotonic_us > SLEPT_US)
                code = record_add_warning(
                        r,
                        "the machine has slept for %.0f s since boot: what is placed "
                        "by its birth or start after the first sleep is late by that",
                        s_from_us(ctx.now.boottime_us - ctx.now.monotonic_us));
        if (code == 0 && ctx.wall.step_us != 0)
                code = record_add_warning(r,
                                          "the wall clock was set by %.1f s since the boot began",
                                          s_from_us(ctx.wall.step_us));
        witness_context_done(&ctx);
        return code < 0 ? fault_errno(fault, code, "asking the witnesses") : 0;
}

/* keep_earlier() - what an earlier record of this boot holds. One that cannot be read is not
 * replaced: a newer bootlap's, or a damaged file that a person may still rescue. */
static int keep_earlier(const struct cli *cli, struct record *r, struct fault *fault)
{
        CLEANUP(record_freep) struct record *earlier = NULL;
        CLEANUP(freep) char *path = NULL;
        int code = store_find(cli->store_dir, r->machine, r->id, &path, fault);

        if (code == -ENOENT)
                return 0;
        if (code < 0)
                return code;
        code = store_read(path, &earlier, NULL, fault);
        if (code < 0)
                return fault_context(fault, code, "this boot's earlier record is not replaced");
        code = record_merge_earlier(r, earlier);
        return code < 0 ? fault_errno(fault, code, "%s", path) : 0;
}

static int capture_machine(const struct measure_arguments *a, struct record *r, struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        int code = machine_open(&m, NULL, fault);

        if (code == 0)
                code = machine_capture(&m, r, fault);
        if (code == 0 && a->maildir)
                code = machine_capture_path(&m, r, "maildir", a->maildir, fault);
        return code;
}

static int note_clocks(struct record *r)
{
        /* Called after each step: what was said before is not said again. */
        unsigned flags, known = clock_tuple_flags(&r->start, &r->end);
        int code = 0;

        r->end = clock_tuple_now();
        flags = clock_tuple_flags(&r->start, &r->end) & ~known;
        if (flags & CLOCK_STEPPED)
                code = record_add_warning(r, "the wall clock was set while measuring");
        if (code == 0 && (flags & CLOCK_SUSPENDED))
                code = record_add_warning(r, "the machine slept while measuring");
        if (code == 0 && (flags & CLOCK_DRIFTED))
                code = record_add_warning(r,
                                          "CLOCK_MONOTONIC ran more than 1 %% off the raw clock");
        return code;
}

static int store(const struct cli *cli, struct record *r, char **path, struct fault *fault)
{
        free(TAKE(*path));
        record_sort(r);
        return store_write(cli->store_dir, r, path, fault);
}

static void say_why(void *userdata, const struct collect_job *job, const struct collected *c)
{
        bool *all_measured = userdata;

        if (c->status == COLLECT_MEASURED)
                return;
        if (c->status != COLLECT_UNAVAILABLE)
                *all_measured = false;
        if (!c->reason_was_shown)
                (void) fprintf(stderr, "bootlap: %s: %s\n", job->name, c->reason);
}

/* run_collectors() - the record is stored after each: a build takes long enough to be cut off
 * Return: 0; 1 when one failed; a negative errno. */
static int run_collectors(const struct cli *cli, const struct measure_arguments *a,
                          struct record *r, char **path, struct fault *fault)
{
        bool all_measured = true;

        for (size_t i = 0; i < a->n_jobs; i++) {
                struct collect_job job = a->jobs[i];
                int collected, code;

                job.quiet = cli->quiet;
                collected = collect_into(r, &job, 1, say_why, &all_measured, fault);
                if (collected == -ENOMEM || note_clocks(r) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                code = store(cli, r, path, fault);
                if (code < 0)
                        return code;
                if (collected < 0)
                        return fault_set(fault, collected,
                                         "interrupted; what was measured before is in %s", *path);
        }
        return all_measured ? 0 : 1;
}

static int print(const struct cli *cli, struct record *r, const char *path, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        int code;

        if (cli->json) {
                if (boot_view_json(r, &j) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                return cli_print_json(j, fault);
        }
        code = boot_view_print(r, stdout, cli->color);
        if (code < 0)
                return fault_errno(fault, code, "standard output");
        (void) printf("\nRecord: %s\n", path);
        return 0;
}

static int measure(struct cli *cli, const struct measure_arguments *a, struct fault *fault)
{
        CLEANUP(record_freep) struct record *r = record_new();
        CLEANUP(freep) char *path = NULL;
        int code, collected;

        if (!r)
                return fault_set(fault, -ENOMEM, "no memory");
        code = identity_enter(r, fault);
        if (code == 0)
                code = ask_witnesses(r, fault);
        if (code == 0)
                code = capture_machine(a, r, fault);
        if (code == 0)
                code = keep_earlier(cli, r, fault);
        if (code == 0 && note_clocks(r) < 0)
                code = fault_set(fault, -ENOMEM, "no memory");
        if (code == 0)
                code = store(cli, r, &path, fault);
        if (code < 0)
                return code;
        collected = run_collectors(cli, a, r, &path, fault);
        if (collected < 0)
                return collected;
        code = print(cli, r, path, fault);
        return code < 0 ? code : collected ? CLI_FAILED : CLI_DONE;
}

int verb_measure(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .doc = "Make the record of the boot that is running, from what the machine still "
                       "knows of it, and run collectors."
                       "\vMeasuring the same boot again replaces its record and keeps its samples, "
                       "labels and marks. The exit status is 1 when a collector failed; one that "
                       "cannot measure here is noted in the record and is no failure.",
                .children = cli_common_children,
        };
        CLEANUP(arguments_done) struct measure_arguments a = { .n_jobs = 0 };
        int code = cli_parse(cli, &argp, argc, argv, &a, fault);

        return code < 0 ? code : measure(cli, &a, fault);
}
