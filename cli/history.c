/* cli/history.c - bootlap history: when did this machine's boots change, and what changed then? */
#include "analyze/history.h"
#include "analyze/history_view.h"
#include "cli/cli.h"
#include "cli/sets.h"

static int print(struct cli *cli, const struct histories *h, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        int r;

        if (cli->json) {
                j = histories_json(h);
                r = cli_print_json(j, fault);
                return r < 0 ? r : histories_status(h);
        }
        r = histories_print(h, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : histories_status(h);
}

int verb_history(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = cli_metric_options + 1,
                .parser = cli_sets_parse,
                .args_doc = "[SET...]",
                .doc = "Follow one metric along the boots of each machine: where its level "
                       "changed, and "
                       "which factors changed there."
                       "\vWithout a set the whole store is taken. A gradual drift is called a "
                       "trend, not "
                       "a step. Exit status: 0 done, 1 failed, 2 usage, 3 no dated boot has that "
                       "metric.",
                .children = cli_common_children,
        };
        CLEANUP(cli_sets_done) struct cli_sets sets = CLI_SETS_NULL;
        CLEANUP(histories_done) struct histories h = HISTORIES_NULL;
        int r = cli_sets_find(cli, &argp, argc, argv, &sets, fault);

        if (r != 0)
                return r;
        r = histories_of(&sets.boots, &sets.options, &h);
        return r < 0 ? fault_errno(fault, r, "history") : print(cli, &h, fault);
}
