/* cli/run.c - bootlap run: one collector, now, with its own arguments */
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <systemd/sd-id128.h>
#include "analyze/boot_view.h"
#include "cli/cli.h"
#include "daemon/measurement.h"
#include "record/clock.h"
#include "record/collect.h"
#include "record/programs.h"
#include "record/json.h"
#include "record/procfile.h"

#define DEADLINE_MAX_S (7 * 86400)
#define GRACE_MAX_S 3600

enum { OPTION_RECORD = 0x300, OPTION_DEADLINE, OPTION_GRACE, OPTION_LIST };
enum { RUN_UNAVAILABLE = 77 }; /* as the collector said it */

struct run_arguments {
        const char *record; /* "this", "last", an id, a file; NULL: only print */
        struct collect_job job;
        bool list;
};

static const struct argp_option options[] = {
        { "record", OPTION_RECORD, "RECORD", 0,
          "Add what was measured to this boot's record: 'this', or a file or id that must be of "
          "this "
          "boot",
          0 },
        { "deadline", OPTION_DEADLINE, "SECONDS", 0, "End the collector after that (4 hours)", 0 },
        { "grace", OPTION_GRACE, "SECONDS", 0,
          "Kill it when it has not ended that long after being told to (300)", 0 },
        { "list", OPTION_LIST, NULL, 0, "Name the collectors that there are", 0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct run_arguments *a = input->verb;
        int64_t n;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_RECORD:
                a->record = arg;
                return 0;
        case OPTION_DEADLINE:
                if (parse_int(arg, &n) < 0 || n < 1 || n > DEADLINE_MAX_S)
                        argp_error(state, "--deadline wants 1 to %d seconds, not '%s'",
                                   DEADLINE_MAX_S, arg);
                a->job.deadline_us = n * US_PER_S;
                return 0;
        case OPTION_GRACE:
                if (parse_int(arg, &n) < 0 || n < 1 || n > GRACE_MAX_S)
                        argp_error(state, "--grace wants 1 to %d seconds, not '%s'", GRACE_MAX_S,
                                   arg);
                a->job.grace_us = n * US_PER_S;
                return 0;
        case OPTION_LIST:
                a->list = true;
                return 0;
        case ARGP_KEY_ARG:
                a->job.name = arg;
                a->job.arguments = (const char *const *) state->argv + state->next;
                a->job.n_arguments = (size_t) (state->argc - state->next);
                state->next = state->argc; /* the rest is the collector's */
                return 0;
        case ARGP_KEY_END:
                if (!a->job.name && !a->list)
                        argp_error(state, "wants a collector; 'bootlap run --list' names them");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int print_names(const struct cli *cli, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *array = json_array();
        char **names;
        size_t n;
        int r = program_names(&program_folders_collectors, &names, &n, NULL, NULL, fault);

        if (r < 0)
                return r;
        for (size_t i = 0; i < n; i++) {
                if (cli->json)
                        (void) json_array_append_new(array, json_text(names[i]));
                else
                        (void) puts(names[i]);
                free(names[i]);
        }
        free(names);
        return cli->json ? cli_print_json(array, fault) : CLI_DONE;
}

/* asks_for_help() - the collector answers that itself, on our stdout */
static bool asks_for_help(const struct collect_job *job)
{
        static const char *const words[] = { "--help", "-?", "--usage", "--version", "-V" };

        for (size_t i = 0; i < job->n_arguments; i++)
                for (size_t k = 0; k < ELEMENTSOF(words); k++)
                        if (strcmp(job->arguments[i], words[k]) == 0)
                                return true;
        return false;
}

static int show_help(const struct collect_job *job, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL, **argv = calloc(job->n_arguments + 2, sizeof *argv);
        int r = program_find(&program_folders_collectors, job->name, &path, fault);

        if (r < 0 || !argv)
                return r < 0 ? r : fault_set(fault, -ENOMEM, "no memory");
        argv[0] = (char *) (uintptr_t) job->name;
        for (size_t i = 0; i < job->n_arguments; i++)
                argv[i + 1] = (char *) (uintptr_t) job->arguments[i];
        (void) execv(path, argv);
        return fault_errno(fault, -errno, "%s", path);
}

static bool lies_in_store(const struct cli *cli, const char *path)
{
        CLEANUP(freep) char *store = realpath(cli->store_dir, NULL), *real = realpath(path, NULL);

        return store && real && strncmp(real, store, strlen(store)) == 0 &&
               real[strlen(store)] == '/';
}

/* find_own_record() - samples of this boot belong into this boot's record and no other */
static int find_own_record(const struct cli *cli, const char *what, struct record **ret,
                           struct fault *fault)
{
        CLEANUP(record_freep) struct record *record = NULL;
        CLEANUP(freep) char *path = NULL;
        char boot_id[SD_ID128_STRING_MAX];
        sd_id128_t id;
        int r = sd_id128_get_boot(&id);

        if (r < 0)
                return fault_errno(fault, r, "this boot's id");
        (void) sd_id128_to_string(id, boot_id);
        r = cli_find_record(cli, strcmp(what, "this") == 0 ? boot_id : what, &record, NULL, &path,
                            fault);
        if (r == -ENOENT && strcmp(what, "this") == 0)
                return fault_set(fault, r,
                                 "%s: no record of this boot yet; 'bootlap measure' writes it",
                                 cli->store_dir);
        if (r < 0)
                return r;
        if (strncmp(record->id, boot_id, strlen(boot_id)) != 0)
                return fault_set(fault, -EINVAL, "%s: is the record of another boot", path);
        if (!lies_in_store(cli, path))
                return fault_set(fault, -EINVAL, "%s: lies outside the store %s; see --store", path,
                                 cli->store_dir);
        *ret = TAKE(record);
        return 0;
}

static int add_to_record(const struct cli *cli, const struct run_arguments *a, struct collected *c,
                         struct fault *fault)
{
        CLEANUP(record_freep) struct record *record = NULL;
        CLEANUP(freep) char *path = NULL;
        size_t n_before = 0;
        int r = find_own_record(cli, a->record, &record, fault);

        if (r == 0) {
                n_before = record->n_samples;
                r = collect_enter(record, a->job.name, c, fault);
        }
        if (r == 0)
                r = measurement_capture_used(record, n_before, cli->store_dir, false, fault);
        if (r == 0)
                r = measurement_store(record, cli->store_dir, &path, fault);
        if (r == 0 && !cli->quiet)
                (void) fprintf(stderr, "bootlap: added to %s\n", path);
        return r;
}

static json_t *texts_to_json(char *const *texts, size_t n)
{
        json_t *array = json_array();

        for (size_t i = 0; array && i < n; i++)
                if (json_array_append_new(array, json_text(texts[i])) < 0) {
                        json_decref(array);
                        return NULL;
                }
        return array;
}

static json_t *to_json(const struct run_arguments *a, const struct result *result)
{
        CLEANUP(json_decrefp) json_t *j = json_object(), *samples = json_array();

        for (size_t i = 0; i < result->n_samples; i++)
                if (json_array_append_new(samples, sample_to_json(&result->samples[i])) < 0)
                        return NULL;
        if (json_put(j, "schema", json_string(RESULT_SCHEMA)) < 0 ||
            json_put(j, "collector", json_text(a->job.name)) < 0 ||
            json_put(j, "samples", TAKE(samples)) < 0 ||
            json_put(j, "warnings", texts_to_json(result->warnings, result->n_warnings)) < 0 ||
            json_put(j, "faults", texts_to_json(result->faults, result->n_faults)) < 0)
                return NULL;
        return TAKE(j);
}

static int print(const struct cli *cli, const struct run_arguments *a, const struct result *result,
                 struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        int r;

        if (cli->json) {
                j = to_json(a, result);
                return cli_print_json(j, fault);
        }
        r = boot_view_print_samples(result->samples, result->n_samples, stdout, cli->color);
        for (size_t i = 0; i < result->n_warnings && !cli->quiet; i++)
                (void) fprintf(stderr, "bootlap: warning: %s\n", result->warnings[i]);
        return r < 0 ? fault_errno(fault, r, "standard output") : 0;
}

/* fail() - Return: the exit status, the reason having been said */
static int fail(const struct run_arguments *a, const struct collected *c)
{
        if (c->status == COLLECT_INTERRUPTED) {
                (void) signal(c->signal, SIG_DFL);
                (void) raise(c->signal);
        }
        if (!c->reason_was_shown)
                (void) fprintf(stderr, "bootlap: %s: %s\n", a->job.name, c->reason);
        return c->status == COLLECT_USAGE         ? CLI_USAGE
               : c->status == COLLECT_UNAVAILABLE ? RUN_UNAVAILABLE
                                                  : CLI_FAILED;
}

static int run(const struct cli *cli, const struct run_arguments *a, struct fault *fault)
{
        CLEANUP(collected_done) struct collected c = COLLECTED_NULL;
        int r = collect_run(&a->job, &c, fault);

        if (r < 0)
                return r;
        if (c.status != COLLECT_MEASURED)
                return fail(a, &c);
        r = print(cli, a, &c.result, fault); /* first: a store that is full loses nothing */
        if (r == 0 && a->record)
                r = add_to_record(cli, a, &c, fault);
        for (size_t i = 0; i < c.result.n_faults; i++)
                (void) fprintf(stderr, "bootlap: %s: %s\n", a->job.name, c.result.faults[i]);
        return r < 0 || c.result.n_faults == 0 ? r : CLI_FAILED;
}

int verb_run(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "COLLECTOR [ARGUMENT...]",
                .doc = "Run one collector and print what it measured."
                       "\vWhat follows COLLECTOR is the collector's own: 'bootlap run maildir "
                       "--help' "
                       "lists it. The exit status is 77 when the collector says that it cannot "
                       "measure "
                       "here.",
                .children = cli_common_children,
        };
        CLEANUP(record_freep) struct record *own = NULL;
        struct run_arguments a = { .record = NULL };
        int r = cli_parse_in_order(cli, &argp, argc, argv, &a, fault);

        if (r < 0)
                return r;
        if (a.list)
                return print_names(cli, fault);
        if (asks_for_help(&a.job))
                return show_help(&a.job, fault);
        a.job.quiet = cli->quiet;
        if (a.record) { /* now, rather than after hours of work */
                r = find_own_record(cli, a.record, &own, fault);
                if (r < 0)
                        return r;
        }
        return run(cli, &a, fault);
}
