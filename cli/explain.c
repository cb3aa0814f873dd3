/* cli/explain.c - bootlap explain: in which phase and which units does the difference sit? */
#include "analyze/explain.h"
#include "analyze/explain_view.h"
#include "cli/cli.h"
#include "cli/sets.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        const struct cli_sets *s = input->verb;

        if (key == ARGP_KEY_END && s->n_expressions != 2)
                argp_error(state, "wants two sets, A and B");
        return cli_sets_parse(key, arg, state);
}

static int print(struct cli *cli, const struct explanation *e, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        int r;

        if (cli->json) {
                j = explain_view_json(e);
                r = cli_print_json(j, fault);
                return r < 0 ? r : explain_status(e);
        }
        r = explain_view_print(e, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : explain_status(e);
}

int verb_explain(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = cli_metric_options + 1,
                .parser = parse,
                .args_doc = "A B",
                .doc = "Split the difference between two sets of boots over the phases of a boot, "
                       "and "
                       "over units."
                       "\vThe figures are means of machine time, which add up. They describe, and "
                       "test "
                       "nothing. Exit status: 0 done, 1 failed, 2 usage, 3 a set has no boot with "
                       "the "
                       "span.",
                .children = cli_common_children,
        };
        CLEANUP(cli_sets_done) struct cli_sets sets = CLI_SETS_NULL;
        CLEANUP(set_done) struct boot_set b = BOOT_SET_NULL;
        CLEANUP(explanation_done) struct explanation e = EXPLANATION_NULL;
        int r = cli_sets_find_two(cli, &argp, argc, argv, &sets, &b, fault);

        if (r != 0)
                return r;
        r = explain_sets(&sets.boots, &b, &sets.options, &e);
        return r < 0 ? fault_errno(fault, r, "explain") : print(cli, &e, fault);
}
