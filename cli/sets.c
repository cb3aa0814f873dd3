/* cli/sets.c - options and sets as compare, effects and history share them */
#include "cli/sets.h"

enum { OPTION_PRIMARY = 0x200, OPTION_WITHIN, OPTION_FROM };

const struct argp_option cli_metric_options[] = {
        { "within", OPTION_WITHIN, "PERCENT", 0, "Ratios this near to 1 are equivalent (5)", 0 },
        { "primary", OPTION_PRIMARY, "METRIC", 0, "The metric to look at (boot.to_desktop)", 0 },
        { "from", OPTION_FROM, "MILESTONE", 0, "Where the boot.to_ spans start", 0 },
        { 0 },
};

error_t cli_sets_option(int key, char *arg, struct argp_state *state,
                        struct compare_options *options)
{
        char *end;

        switch (key) {
        case OPTION_PRIMARY:
                options->primary = arg;
                return 0;
        case OPTION_FROM:
                options->from = arg;
                return 0;
        case OPTION_WITHIN:
                options->within = strtod(arg, &end) / 100;
                if (end == arg || *end || !(options->within > 0 && options->within <= 10))
                        argp_error(state, "--within wants a percentage above 0, not '%s'", arg);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

error_t cli_sets_parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct cli_sets *s = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case ARGP_KEY_ARG:
                s->expressions[s->n_expressions++] = arg;
                return 0;
        default:
                return cli_sets_option(key, arg, state, &s->options);
        }
}

static int parse_all(struct cli *cli, const struct argp *argp, int argc, char **argv,
                     struct cli_sets *ret, struct fault *fault)
{
        int r;

        ret->expressions = calloc((size_t) argc + 1, sizeof *ret->expressions);
        if (!ret->expressions)
                return fault_set(fault, -ENOMEM, "no memory");
        r = cli_parse(cli, argp, argc, argv, ret, fault);
        ret->shelf.store_dir = cli->store_dir;
        return r;
}

int cli_sets_find(struct cli *cli, const struct argp *argp, int argc, char **argv,
                  struct cli_sets *ret, struct fault *fault)
{
        int r = parse_all(cli, argp, argc, argv, ret, fault);

        if (r == 0)
                r = set_find_all(&ret->shelf, ret->expressions, ret->n_expressions, &ret->boots,
                                 fault);
        return r == -EINVAL ? cli_usage(fault) : r;
}

int cli_sets_find_two(struct cli *cli, const struct argp *argp, int argc, char **argv,
                      struct cli_sets *ret, struct boot_set *ret_b, struct fault *fault)
{
        int r = parse_all(cli, argp, argc, argv, ret, fault);

        return r < 0 ? r : cli_sets_pair(ret, ret->expressions, ret_b, fault);
}

int cli_sets_pair(struct cli_sets *s, const char *const *expressions, struct boot_set *ret_b,
                  struct fault *fault)
{
        const struct record *common;
        int r = set_find(&s->shelf, expressions[0], &s->boots, fault);

        if (r == 0)
                r = set_find(&s->shelf, expressions[1], ret_b, fault);
        if (r == 0) {
                common = set_common(&s->boots, ret_b);
                if (common)
                        r = fault_set(fault, -EINVAL, "boot %s is in both sets", common->id);
        }
        return r == -EINVAL ? cli_usage(fault) : r;
}

void cli_sets_done(struct cli_sets *s)
{
        free(s->expressions);
        set_done(&s->boots);
        shelf_done(&s->shelf);
        *s = CLI_SETS_NULL;
}
