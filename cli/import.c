/* cli/import.c - bootlap import: other tools' output into the store, a line a record */
#include <string.h>
#include "analyze/import/import.h"
#include "cli/cli.h"
#include "record/json.h"
#include "record/mark.h"
#include "record/procfile.h"
#include "record/store.h"

enum { OPTION_LABEL = 0x200, OPTION_DRY_RUN, OPTION_START, OPTION_REPLACE };

static const struct argp_option options[] = {
        { "label", OPTION_LABEL, "KEY=VALUE", 0, "A factor for every record (any number of times)",
          0 },
        { "start", OPTION_START, "MILESTONE", 0,
          "Where a hand-held watch was started (default loader.start)", 0 },
        { "dry-run", OPTION_DRY_RUN, NULL, 0, "Store nothing; with --json print the records", 0 },
        { "replace", OPTION_REPLACE, NULL, 0, "Write records again that are there already", 0 },
        { 0 },
};

struct import_arguments {
        char **words; /* the arguments that are no options */
        int n_words;
        json_t *labels;
        const char *start;
        bool dry_run, replace;
};

/* What one call does, over all its files. */
struct job {
        struct cli *cli;
        const struct import_arguments *arguments;
        json_t *records, *unread, *files, *faults; /* for --json, or NULL */
        bool failed;
};

/* add_label() - KEY=VALUE; what reads as an integer is one, as in records */
static void add_label(struct argp_state *state, json_t *labels, const char *text)
{
        const char *equals = strchr(text, '=');
        char key[MARK_NAME_MAX_BYTES + 1] = "";
        int64_t number;

        if (equals && (size_t) (equals - text) < sizeof key)
                memcpy(key, text, (size_t) (equals - text));
        if (!equals || !mark_name_is_valid(key))
                argp_error(state, "--label wants KEY=VALUE with a key of [A-Za-z0-9._-], not '%s'",
                           text);
        if ((parse_int(equals + 1, &number) == 0 ? record_set_integer(labels, key, number)
                                                 : record_set_string(labels, key, equals + 1)) < 0)
                argp_failure(state, CLI_FAILED, ENOMEM, "no memory");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct import_arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_LABEL:
                add_label(state, a->labels, arg);
                return 0;
        case OPTION_START:
                if (!mark_name_is_valid(arg))
                        argp_error(state, "--start wants a milestone's name, not '%s'", arg);
                a->start = arg;
                return 0;
        case OPTION_DRY_RUN:
                a->dry_run = true;
                return 0;
        case OPTION_REPLACE:
                a->replace = true;
                return 0;
        case ARGP_KEY_ARGS:
                a->words = state->argv + state->next;
                a->n_words = state->argc - state->next;
                return 0;
        case ARGP_KEY_NO_ARGS:
                argp_error(state, "wants a file");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static char *add_formats(int key, const char *text, void *input)
{
        CLEANUP(freep) char *help = NULL;
        size_t n, n_bytes;
        const struct import_format *table = import_formats(&n);
        FILE *f;

        (void) input;
        if (key != ARGP_KEY_HELP_POST_DOC)
                return (char *) (uintptr_t) text;
        f = open_memstream(&help, &n_bytes);
        if (!f)
                return NULL;
        (void) fprintf(f, "%s\n\nFormats:\n", text);
        for (size_t i = 0; i < n; i++)
                (void) fprintf(f, "  %-18s %s\n", table[i].name, table[i].what);
        return fclose(f) == 0 ? TAKE(help) : NULL;
}

/* take_format() - the format in front of the files, if there is one. A single word is a file. */
static int take_format(const struct import_arguments *a, const struct import_format **ret,
                       int *ret_first, struct fault *fault)
{
        const char *word = a->words[0];

        *ret_first = 1;
        *ret = import_format_find(word);
        if (*ret || strcmp(word, "auto") == 0)
                return a->n_words > 1
                               ? 0
                               : fault_set(fault, -EINVAL, "%s: wants a file after it", word);
        *ret_first = 0;
        if (a->n_words > 1 && !strpbrk(word, "./") && access(word, F_OK) < 0)
                return fault_set(
                        fault, -EINVAL,
                        "%s: neither a format ('bootlap import --help' lists them) nor a file",
                        word);
        return 0;
}

static void append(json_t *array, json_t *value)
{
        /* Out of memory here shows as a document that says less; printing it fails next. */
        if (array && value)
                (void) json_array_append_new(array, value);
        else
                json_decref(value);
}

static void say_unread(struct job *job, const struct import *in)
{
        for (size_t i = 0; i < in->n_unread; i++) {
                job->failed = true;
                if (job->unread)
                        append(job->unread,
                               json_pack("{s:o, s:I, s:o}", "file", json_text(in->text->name),
                                         "line", (json_int_t) in->unread[i].line, "why",
                                         json_text(in->unread[i].text)));
                (void) fprintf(stderr, "bootlap: %s:%zu: %s\n", in->text->name, in->unread[i].line,
                               in->unread[i].text);
        }
}

static void say_record(struct job *job, const struct import *in, const struct record *r,
                       const char *status)
{
        const json_t *origin = json_object_get(r->extra, "import");
        size_t n_values = 0;

        if (job->records) {
                json_t *j = record_to_json(r);

                append(job->records, json_pack("{s:s, s:o}", "status", status, "record", j));
                return;
        }
        for (size_t i = 0; i < r->n_samples; i++)
                n_values += r->samples[i].n_values;
        (void) printf("%s:%lld: %s %.12s, %zu milestones, %zu samples of %zu figures",
                      in->text->name,
                      (long long) json_integer_value(json_object_get(origin, "line")),
                      json_string_value(json_object_get(origin, "format")), r->id, r->n_milestones,
                      r->n_samples, n_values);
        if (r->n_warnings)
                (void) printf(", %zu remarks", r->n_warnings);
        (void) printf(": %s\n", status);
}

static bool is_stored(const struct job *job, const struct record *r)
{
        CLEANUP(freep) char *path = NULL;

        return store_find(job->cli->store_dir, r->machine, r->id, &path, NULL) == 0;
}

static int store_record(struct job *job, struct record *r, const char **ret_status,
                        struct fault *fault)
{
        bool held;

        if (json_object_update(r->labels, job->arguments->labels) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        held = is_stored(job, r);
        *ret_status = held ? "there already" : "not stored (dry run)";
        if (job->arguments->dry_run || (held && !job->arguments->replace))
                return 0;
        *ret_status = held ? "replaced" : "stored";
        return store_write(job->cli->store_dir, r, NULL, fault);
}

static void say_fault(struct job *job, const char *path, const struct fault *fault)
{
        job->failed = true;
        if (job->faults)
                append(job->faults, json_pack("{s:o, s:o}", "file", json_text(path), "why",
                                              json_text(fault->text)));
        (void) fprintf(stderr, "bootlap: %s\n", fault->text);
}

static void say_formats(struct job *job, const struct import *in)
{
        json_t *names = job->files ? json_array() : NULL;

        for (size_t i = 0; i < in->n_formats; i++)
                append(names, json_string(in->formats[i]));
        if (job->files)
                append(job->files, json_pack("{s:o, s:o}", "file", json_text(in->text->name),
                                             "formats", names));
}

/* import_one() - one file. Its faults are told at once, and the next file is tried all the same. */
static void import_one(struct job *job, const struct import_format *format, const char *path)
{
        CLEANUP(text_done) struct text text = TEXT_NULL;
        CLEANUP(import_done) struct import in = { .text = NULL };
        struct fault fault = FAULT_NULL;
        int r;

        r = text_read_file(path, &text, &fault);
        if (r == 0)
                r = import_text(&text, format, job->arguments->start, &in, &fault);
        if (in.text)
                say_unread(job, &in);
        if (r < 0) {
                say_fault(job, path, &fault);
                return;
        }
        say_formats(job, &in);
        for (size_t i = 0; i < in.n_records; i++) {
                const char *status = NULL;

                r = store_record(job, in.records[i], &status, &fault);
                if (r < 0) {
                        say_fault(job, path, &fault);
                        return;
                }
                say_record(job, &in, in.records[i], status);
        }
}

static int print_json(struct job *job, struct fault *fault)
{
        CLEANUP(json_decrefp)
        json_t *j = json_pack("{s:O, s:O, s:O, s:O}", "files", job->files, "records", job->records,
                              "unread", job->unread, "faults", job->faults);

        return cli_print_json(j, fault);
}

static int run(struct job *job, struct fault *fault)
{
        const struct import_arguments *a = job->arguments;
        const struct import_format *format = NULL;
        int first, r;

        r = take_format(a, &format, &first, fault);
        if (r < 0)
                return r;
        if (job->cli->json) {
                job->files = json_array();
                job->records = json_array();
                job->unread = json_array();
                job->faults = json_array();
                if (!job->files || !job->records || !job->unread || !job->faults)
                        return fault_set(fault, -ENOMEM, "no memory");
        }
        for (int i = first; i < a->n_words; i++)
                import_one(job, format, a->words[i]);
        r = job->cli->json ? print_json(job, fault) : 0;
        return r < 0 ? r : job->failed ? CLI_FAILED : CLI_DONE;
}

int verb_import(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[FORMAT|auto] FILE...",
                .doc = "Turn other tools' output and notes into records of the store."
                       "\vFILE may be '-' for standard input. Without a FORMAT all that is "
                       "recognized in a "
                       "file is imported. A line that belongs to a format and cannot be read is "
                       "listed, the "
                       "rest is imported, and the exit status is 1. What was imported before is "
                       "known by "
                       "its content and adds nothing.",
                .children = cli_common_children,
                .help_filter = add_formats,
        };
        CLEANUP(json_decrefp) json_t *labels = json_object();
        struct import_arguments arguments = { .labels = labels };
        struct job job = { .cli = cli, .arguments = &arguments };
        int r;

        if (!labels)
                return fault_set(fault, -ENOMEM, "no memory");
        r = cli_parse(cli, &argp, argc, argv, &arguments, fault);
        if (r == 0)
                r = run(&job, fault);
        json_decref(job.files);
        json_decref(job.records);
        json_decref(job.unread);
        json_decref(job.faults);
        return r;
}
