/* cli/corpus.c - bootlap corpus: a maildir to measure with, the same for the same seed */
#include "cli/cli.h"
#include "collectors/corpus.h"
#include "collectors/interrupt.h"
#include "record/json.h"
#include "record/procfile.h"
#include "record/record.h"

enum { OPTION_SEED = 0x300, OPTION_COUNT, OPTION_AGED, OPTION_REUSE };

struct corpus_arguments {
        struct corpus_plan plan;
        const char *path;
        bool reuse;
};

static const struct argp_option options[] = {
        { "seed", OPTION_SEED, "N", 0, "Which corpus; the same bytes on every machine (1)", 0 },
        { "count", OPTION_COUNT, "N", 0, "Messages (50000, about 0.9 GB)", 0 },
        { "aged", OPTION_AGED, NULL, 0,
          "The same messages, laid out as years of deliveries and deletions leave them", 0 },
        { "reuse", OPTION_REUSE, NULL, 0, "Be content with the same corpus when it is there", 0 },
        { 0 },
};

static int64_t number(const char *what, int64_t low, int64_t high, const char *arg,
                      struct argp_state *state)
{
        int64_t n = low;

        if (parse_int(arg, &n) < 0 || n < low || n > high)
                argp_error(state, "%s wants %lld to %lld, not '%s'", what, (long long) low,
                           (long long) high, arg);
        return n;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct corpus_arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_SEED:
                a->plan.seed = (uint64_t) number("--seed", 0, INT64_MAX, arg, state);
                return 0;
        case OPTION_COUNT:
                a->plan.count = (uint32_t) number("--count", 1, CORPUS_MAX_COUNT, arg, state);
                return 0;
        case OPTION_AGED:
                a->plan.aged = true;
                return 0;
        case OPTION_REUSE:
                a->reuse = true;
                return 0;
        case ARGP_KEY_ARG:
                if (a->path)
                        argp_error(state, "wants one folder, not also '%s'", arg);
                a->path = arg;
                return 0;
        case ARGP_KEY_END:
                if (!a->path)
                        argp_error(state, "wants the folder to make");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int print_json(const struct corpus_arguments *a, const struct corpus_totals *totals,
                      struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = json_object();

        if (!j || record_set_string(j, "path", a->path) < 0 ||
            record_set_integer(j, "law", CORPUS_LAW) < 0 ||
            record_set_integer(j, "seed", (int64_t) a->plan.seed) < 0 ||
            record_set_integer(j, "count", a->plan.count) < 0 ||
            record_set_boolean(j, "aged", a->plan.aged) < 0 ||
            record_set_boolean(j, "made", totals != NULL) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        if (totals && (record_set_integer(j, "new", totals->n_new) < 0 ||
                       record_set_integer(j, "cur", totals->n_cur) < 0 ||
                       record_set_integer(j, "bytes", (int64_t) totals->bytes) < 0))
                return fault_set(fault, -ENOMEM, "no memory");
        return cli_print_json(j, fault);
}

static bool is_there(const struct corpus_arguments *a)
{
        CLEANUP(json_decrefp) json_t *j = NULL;

        return corpus_identify(a->path, &j, NULL) == 0 && corpus_is(j, &a->plan);
}

int verb_corpus(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "FOLDER",
                .doc = "Make a maildir that can be made again: the same seed gives the same "
                       "messages, "
                       "byte for byte, on every machine."
                       "\vFOLDER must not exist, or be empty. When the disk is full, or on Ctrl-C, "
                       "what "
                       "was made is removed.",
                .children = cli_common_children,
        };
        struct corpus_arguments a = { .plan = { .seed = 1, .count = CORPUS_DEFAULT_COUNT } };
        struct corpus_totals totals = { 0 };
        struct progress progress = { .who = "corpus" };
        int r = cli_parse(cli, &argp, argc, argv, &a, fault);

        if (r < 0)
                return r;
        if (a.reuse && is_there(&a)) {
                if (!cli->json)
                        (void) printf("%s: is there\n", a.path);
                return cli->json ? print_json(&a, NULL, fault) : CLI_DONE;
        }
        interrupt_watch();
        progress.style = progress_style_now(cli->quiet);
        r = corpus_make(&a.plan, a.path, &progress, &totals, fault);
        if (r == -EINTR)
                interrupt_finish();
        if (r < 0)
                return r;
        if (cli->json)
                return print_json(&a, &totals, fault);
        (void) printf("%s: %u messages (%u new), %.1f MB\n", a.path, a.plan.count, totals.n_new,
                      (double) totals.bytes / 1e6);
        return CLI_DONE;
}
