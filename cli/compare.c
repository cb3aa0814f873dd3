/* cli/compare.c - bootlap compare: did this change make the machine faster? */
#include <math.h>
#include <string.h>
#include "analyze/compare.h"
#include "analyze/compare_view.h"
#include "cli/cli.h"

enum { OPTION_PRIMARY = 0x200, OPTION_WITHIN, OPTION_FROM };

struct arguments {
        const char *sets[2];
        size_t n_sets;
        struct compare_options options;
};

static const struct argp_option options[] = {
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
                if (a->n_sets == ELEMENTSOF(a->sets))
                        argp_error(state, "wants two sets, not also '%s'", arg);
                a->sets[a->n_sets++] = arg;
                return 0;
        case ARGP_KEY_END:
                if (a->n_sets != ELEMENTSOF(a->sets))
                        argp_error(state, "wants two sets of boots, A and B");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int compare(struct cli *cli, const struct arguments *arguments, const struct boot_set *a,
                   const struct boot_set *b, struct fault *fault)
{
        CLEANUP(comparison_done) struct comparison c = COMPARISON_NULL;
        int r = compare_sets(a, b, &arguments->options, &c);

        if (r < 0)
                return fault_errno(fault, r, "compare");
        if (cli->json) {
                CLEANUP(json_decrefp) json_t *j = compare_view_json(&c);

                r = cli_print_json(j, fault);
        } else {
                r = compare_view_print(&c, stdout, cli->color);
                if (r < 0)
                        return fault_errno(fault, r, "standard output");
        }
        return r < 0 ? r : compare_status(&c);
}

int verb_compare(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "A B",
                .doc = "Compare two sets of boots: B against A."
                       "\vA set is a record file, a folder, the beginning of an id, or terms "
                       "joined by "
                       "commas that must all hold: factor=value, factor!=value, campaign:NAME, "
                       "machine:ID, since:TIME, until:TIME, last:N.\n\n"
                       "Exit status: 0 compared (also when nothing can be told), 1 failed, 2 "
                       "usage, "
                       "3 the primary metric is missing or incomparable, 4 confounded.",
                .children = cli_common_children,
        };
        struct arguments arguments = { .options = { .within = COMPARE_WITHIN } };
        CLEANUP(shelf_done) struct shelf shelf = SHELF_NULL;
        CLEANUP(set_done) struct boot_set a = BOOT_SET_NULL, b = BOOT_SET_NULL;
        const struct record *common;
        int r;

        r = cli_parse(cli, &argp, argc, argv, &arguments, fault);
        if (r < 0)
                return r;
        shelf.store_dir = cli->store_dir;
        r = set_find(&shelf, arguments.sets[0], &a, fault);
        if (r == 0)
                r = set_find(&shelf, arguments.sets[1], &b, fault);
        if (r == -EINVAL)
                return cli_usage(fault);
        if (r < 0)
                return r;
        common = set_common(&a, &b);
        if (common) {
                (void) fault_set(fault, -EINVAL, "boot %s is in both sets", common->id);
                return cli_usage(fault);
        }
        return compare(cli, &arguments, &a, &b, fault);
}
