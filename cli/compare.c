/* cli/compare.c - bootlap compare: did this change make the machine faster? */
#include <math.h>
#include <string.h>
#include "analyze/compare.h"
#include "analyze/compare_view.h"
#include "analyze/strata.h"
#include "analyze/strata_view.h"
#include "cli/cli.h"
#include "cli/sets.h"

enum { OPTION_BY = 0x300 };

struct arguments {
        struct cli_sets sets;
        const char *by;
};

static const struct argp_option options[] = {
        { "by", OPTION_BY, "FACTOR", 0,
          "Compare the levels of FACTOR, among boots that are alike in all else", 0 },
        { 0 },
};

static error_t parse_metric(int key, char *arg, struct argp_state *state)
{
        return cli_sets_option(key, arg, state, state->input);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = &a->sets.options;
                state->child_inputs[1] = input->cli;
                return 0;
        case OPTION_BY:
                a->by = arg;
                return 0;
        case ARGP_KEY_ARG:
                a->sets.expressions[a->sets.n_expressions++] = arg;
                return 0;
        case ARGP_KEY_END:
                if (!a->by && a->sets.n_expressions != 2)
                        argp_error(state, "wants two sets, A and B, or --by FACTOR");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int two_sets(struct cli *cli, const struct cli_sets *sets, const struct boot_set *b,
                    struct fault *fault)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;
        int r = compare_sets(&sets->boots, b, &sets->options, &c);

        if (r < 0)
                return fault_errno(fault, r, "compare");
        if (cli->json) {
                CLEANUP(json_decrefp) json_t *j = compare_view_json(&c);

                r = cli_print_json(j, fault);
                return r < 0 ? r : compare_status(&c);
        }
        r = compare_view_print(&c, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : compare_status(&c);
}

static int levels(struct cli *cli, const struct cli_sets *sets, const char *by, struct fault *fault)
{
        CLEANUP(by_factor_done) struct by_factor b = BY_FACTOR_NULL;
        int r = by_factor(&sets->boots, by, &sets->options, &b);

        if (r < 0)
                return fault_errno(fault, r, "compare");
        if (cli->json) {
                CLEANUP(json_decrefp) json_t *j = by_factor_json(&b);

                r = cli_print_json(j, fault);
                return r < 0 ? r : by_factor_status(&b);
        }
        r = by_factor_print(&b, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : by_factor_status(&b);
}

static int compare(struct cli *cli, struct arguments *arguments, struct fault *fault)
{
        struct cli_sets *sets = &arguments->sets;
        CLEANUP(set_done) struct boot_set b = BOOT_SET_NULL;
        CLEANUP(freep) const struct record **pool = NULL;
        int r;

        if (arguments->by)
                r = set_find_all(&sets->shelf, sets->expressions, sets->n_expressions, &sets->boots,
                                 fault);
        else
                r = cli_sets_pair(sets, sets->expressions, &b, fault);
        if (r == -EINVAL)
                return cli_usage(fault);
        if (r != 0)
                return r;
        r = shelf_pool(&sets->shelf, &sets->boots, &b, &pool, &sets->options.n_pool);
        if (r < 0)
                return fault_errno(fault, r, "compare");
        sets->options.pool = pool;
        return arguments->by ? levels(cli, sets, arguments->by, fault)
                             : two_sets(cli, sets, &b, fault);
}

int verb_compare(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp metric_argp = { .options = cli_metric_options,
                                                 .parser = parse_metric };
        const struct argp_child children[] = { { &metric_argp, 0, NULL, 0 },
                                               cli_common_children[0],
                                               { .argp = NULL } };
        const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "A B\n--by FACTOR [SET...]",
                .doc = "Compare two sets of boots: B against A."
                       "\vA set is a record file, a folder, the beginning of an id, or terms "
                       "joined by "
                       "commas that must all hold: factor=value, factor!=value, campaign:NAME, "
                       "machine:ID, since:TIME, until:TIME, last:N. With --by the sets are taken "
                       "together, and without any the whole store.\n\n"
                       "Exit status: 0 compared (also when nothing can be told), 1 failed, 2 "
                       "usage, "
                       "3 the primary metric is missing or incomparable, 4 confounded.",
                .children = children,
        };
        struct arguments arguments = { .sets = CLI_SETS_NULL };
        int r;

        arguments.sets.expressions = calloc((size_t) argc + 1, sizeof *arguments.sets.expressions);
        r = arguments.sets.expressions ? cli_parse(cli, &argp, argc, argv, &arguments, fault)
                                       : fault_set(fault, -ENOMEM, "no memory");
        arguments.sets.shelf.store_dir = cli->store_dir;
        if (r == 0)
                r = compare(cli, &arguments, fault);
        cli_sets_done(&arguments.sets);
        return r;
}
