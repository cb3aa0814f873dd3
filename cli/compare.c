/* cli/compare.c - bootlap compare: did this change make the machine faster? */
#include <math.h>
#include <string.h>
#include "analyze/compare.h"
#include "analyze/compare_view.h"
#include "analyze/strata.h"
#include "analyze/strata_view.h"
#include "cli/cli.h"

enum { OPTION_PRIMARY = 0x200, OPTION_WITHIN, OPTION_FROM, OPTION_BY };

struct arguments {
        const char **sets;
        size_t n_sets;
        const char *by;
        struct compare_options options;
};

static const struct argp_option options[] = {
        { "by", OPTION_BY, "FACTOR", 0,
          "Compare the levels of FACTOR, among boots that are alike in all else", 0 },
        { "primary", OPTION_PRIMARY, "METRIC", 0,
          "The one metric with a verdict of its own (boot.to_desktop)", 0 },
        { "within", OPTION_WITHIN, "PERCENT", 0, "Ratios this near to 1 are equivalent (5)", 0 },
        { "from", OPTION_FROM, "MILESTONE", 0, "Where the boot.to_ spans start", 0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct arguments *a = input->verb;
        char *end;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_BY:
                a->by = arg;
                return 0;
        case OPTION_PRIMARY:
                a->options.primary = arg;
                return 0;
        case OPTION_FROM:
                a->options.from = arg;
                return 0;
        case OPTION_WITHIN:
                a->options.within = strtod(arg, &end) / 100;
                if (end == arg || *end || !(a->options.within > 0 && a->options.within <= 10))
                        argp_error(state, "--within wants a percentage above 0, not '%s'", arg);
                return 0;
        case ARGP_KEY_ARG:
                a->sets[a->n_sets++] = arg;
                return 0;
        case ARGP_KEY_END:
                if (!a->by && a->n_sets != 2)
                        argp_error(state, "wants two sets, A and B, or --by FACTOR");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int two_sets(struct cli *cli, const struct arguments *arguments, const struct boot_set *a,
                    const struct boot_set *b, struct fault *fault)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;
        const struct record *common = set_common(a, b);
        int r;

        if (common) {
                (void) fault_set(fault, -EINVAL, "boot %s is in both sets", common->id);
                return cli_usage(fault);
        }
        r = compare_sets(a, b, &arguments->options, &c);
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

static int levels(struct cli *cli, const struct arguments *arguments, const struct boot_set *boots,
                  struct fault *fault)
{
        CLEANUP(by_factor_done) struct by_factor b = BY_FACTOR_NULL;
        int r = by_factor(boots, arguments->by, &arguments->options, &b);

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
        CLEANUP(shelf_done) struct shelf shelf = { .store_dir = cli->store_dir };
        CLEANUP(set_done) struct boot_set a = BOOT_SET_NULL, b = BOOT_SET_NULL;
        CLEANUP(freep) const struct record **pool = NULL;
        int r;

        if (arguments->by)
                r = set_find_all(&shelf, arguments->sets, arguments->n_sets, &a, fault);
        else
                r = set_find(&shelf, arguments->sets[0], &a, fault);
        if (r == 0 && !arguments->by)
                r = set_find(&shelf, arguments->sets[1], &b, fault);
        if (r == -EINVAL)
                return cli_usage(fault);
        if (r < 0)
                return r;
        r = shelf_pool(&shelf, &a, &b, &pool, &arguments->options.n_pool);
        if (r < 0)
                return fault_errno(fault, r, "compare");
        arguments->options.pool = pool;
        return arguments->by ? levels(cli, arguments, &a, fault)
                             : two_sets(cli, arguments, &a, &b, fault);
}

int verb_compare(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
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
                .children = cli_common_children,
        };
        CLEANUP(freep) const char **sets = calloc((size_t) argc + 1, sizeof *sets);
        struct arguments arguments = { .sets = sets, .options = { .within = COMPARE_WITHIN } };
        int r;

        if (!sets)
                return fault_set(fault, -ENOMEM, "no memory");
        r = cli_parse(cli, &argp, argc, argv, &arguments, fault);
        return r < 0 ? r : compare(cli, &arguments, fault);
}
