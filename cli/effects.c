/* cli/effects.c - bootlap effects: what does each change contribute, of all that changed? */
#include "analyze/effects.h"
#include "analyze/effects_view.h"
#include "cli/cli.h"
#include "cli/sets.h"

static int print(struct cli *cli, const struct effects *e, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        int r;

        if (cli->json) {
                j = effects_view_json(e);
                r = cli_print_json(j, fault);
                return r < 0 ? r : effects_status(e);
        }
        r = effects_view_print(e, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : effects_status(e);
}

int verb_effects(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = cli_metric_options,
                .parser = cli_sets_parse,
                .args_doc = "[SET...]",
                .doc = "Fit one metric over all factors that vary, each group of them with a ratio "
                       "of its "
                       "own."
                       "\vWithout a set the whole store is taken. Factors that always changed "
                       "together "
                       "are named, with the boots that would separate them. Exit status: 0 done, 1 "
                       "failed, 2 usage, 3 no boot has the metric.",
                .children = cli_common_children,
        };
        CLEANUP(cli_sets_done) struct cli_sets sets = CLI_SETS_NULL;
        CLEANUP(effects_done) struct effects e = EFFECTS_NULL;
        int r = cli_sets_find(cli, &argp, argc, argv, &sets, fault);

        if (r != 0)
                return r;
        r = effects_of(&sets.boots, &sets.options, &e);
        return r < 0 ? fault_errno(fault, r, "effects") : print(cli, &e, fault);
}
