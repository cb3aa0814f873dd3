/* cli/measure.c - bootlap measure: the record of the boot that is running now
 *
 * Asks every witness what it still knows of the boot, captures the machine as factors, runs the
 * collectors that were asked for, and stores the record. Measuring the same boot again replaces its
 * record and keeps what was in it. */
#include <string.h>
#include "analyze/boot_view.h"
#include "cli/cli.h"
#include "daemon/measurement.h"
#include "record/collect.h"
#include "record/json.h"
#include "record/store.h"
#include "witness/identity.h"

#define JOBS_MAX 32

enum { OPTION_MAILDIR = 0x400, OPTION_BUILD, OPTION_RUN, OPTION_SERIALS };

struct measure_arguments {
        struct collect_job jobs[JOBS_MAX];
        size_t n_jobs;
        char *commands[JOBS_MAX]; /* what --run gave; the job's words lie in it */
        bool keep_serials;
        char *maildir; /* absolute: the collector runs elsewhere */
        const char *maildir_arguments[2];
};

static const struct argp_option options[] = {
        { "maildir", OPTION_MAILDIR, "DIR", 0, "Then open the mail folder DIR on a cold cache", 0 },
        { "build", OPTION_BUILD, NULL, 0, "Then build a Linux kernel", 0 },
        { "run", OPTION_RUN, "COMMAND", 0,
          "Then run a collector: its name and arguments, with blanks between them; may be given "
          "several "
          "times",
          0 },
        { "serials", OPTION_SERIALS, NULL, 0,
          "Keep serial numbers and UUIDs as they are, instead of hashes", 0 },
        { 0 },
};

static struct collect_job *add_job(struct measure_arguments *a, const char *name,
                                   struct argp_state *state)
{
        struct collect_job *job = &a->jobs[a->n_jobs];

        if (a->n_jobs == JOBS_MAX)
                argp_error(state, "more than %d collectors", JOBS_MAX);
        *job = (struct collect_job){ .name = name };
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
        a->maildir_arguments[0] = "--path";
        a->maildir_arguments[1] = a->maildir;
        job->arguments = a->maildir_arguments;
        job->n_arguments = ELEMENTSOF(a->maildir_arguments);
        return 0;
}

static error_t add_command(struct measure_arguments *a, const char *command,
                           struct argp_state *state)
{
        struct collect_job *job = add_job(a, NULL, state);
        char **copy = &a->commands[a->n_jobs - 1];
        struct fault fault = FAULT_NULL;

        *copy = strdup(command);
        if (!*copy)
                return ENOMEM;
        if (collect_words(*copy, job, &fault) < 0)
                argp_error(state, "--run: %s", fault.text);
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
        case OPTION_SERIALS:
                a->keep_serials = true;
                return 0;
        case ARGP_KEY_ARG:
                argp_error(state, "wants no argument, not '%s'", arg);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static void arguments_done(struct measure_arguments *a)
{
        for (size_t i = 0; i < a->n_jobs; i++) {
                if (a->commands[i])
                        free((void *) (uintptr_t) a->jobs[i].arguments);
                free(a->commands[i]);
        }
        free(a->maildir);
}

static int store(const struct cli *cli, struct record *r, char **path, struct fault *fault)
{
        free(TAKE(*path));
        return measurement_store(r, cli->store_dir, path, fault);
}

static void say_why(void *userdata, const struct collect_job *job, const struct collected *c)
{
        bool *all_measured = userdata;

        if (c->status == COLLECT_MEASURED) {
                for (size_t i = 0; i < c->result.n_faults; i++)
                        (void) fprintf(stderr, "bootlap: %s: %s\n", job->name, c->result.faults[i]);
                *all_measured = *all_measured && c->result.n_faults == 0;
                return;
        }
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
                size_t n_before = r->n_samples;
                int collected, code;

                job.quiet = cli->quiet;
                collected = collect_into(r, &job, 1, say_why, &all_measured, fault);
                if (collected == -ENOMEM || measurement_note_clocks(r) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                code = measurement_capture_used(r, n_before, cli->store_dir, a->keep_serials,
                                                fault);
                if (code == 0)
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
                code = measurement_ask(r, fault);
        if (code == 0)
                code = measurement_capture(r, cli->store_dir, a->keep_serials, fault);
        if (code == 0)
                code = measurement_keep_earlier(r, cli->store_dir, fault);
        if (code == 0 && measurement_note_clocks(r) < 0)
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
