/* cli/sets.h - the command line of verbs that look at one metric of some boots */
#pragma once
#include "analyze/compare.h"
#include "analyze/set.h"
#include "cli/cli.h"

/* --within, then --primary and --from: without a margin from the second on */
extern const struct argp_option cli_metric_options[];

struct cli_sets {
        const char **expressions; /* what was named, in argv */
        size_t n_expressions;
        struct compare_options options;
        struct shelf shelf;
        struct boot_set boots; /* all sets together, or the whole store */
};
#define CLI_SETS_NULL ((struct cli_sets){ .options = { .within = COMPARE_WITHIN } })

/** cli_sets_option() - one of cli_metric_options; ARGP_ERR_UNKNOWN for another key */
error_t cli_sets_option(int key, char *arg, struct argp_state *state,
                        struct compare_options *options);

/** cli_sets_parse() - for struct argp: the options above, and any number of sets */
error_t cli_sets_parse(int key, char *arg, struct argp_state *state);

/**
 * cli_sets_find() - parse the command line with @argp and collect the boots
 * Return: 0; CLI_USAGE when that was said already; a negative errno.
 */
int cli_sets_find(struct cli *cli, const struct argp *argp, int argc, char **argv,
                  struct cli_sets *ret, struct fault *fault);

/** cli_sets_find_two() - the same for exactly two sets, A in @ret->boots, that share no boot */
int cli_sets_find_two(struct cli *cli, const struct argp *argp, int argc, char **argv,
                      struct cli_sets *ret, struct boot_set *ret_b, struct fault *fault);

/** cli_sets_pair() - the second half of that: collect @expressions[0] and @expressions[1] */
int cli_sets_pair(struct cli_sets *s, const char *const *expressions, struct boot_set *ret_b,
                  struct fault *fault);

void cli_sets_done(struct cli_sets *s);
