/* cli/show.c - bootlap show: one boot, from power-on to what was measured in it */
#include "cli/cli.h"
#include "analyze/boot_view.h"
#include "record/json.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        const char **what = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case ARGP_KEY_ARG:
                if (*what)
                        argp_error(state, "wants one record, not also '%s'", arg);
                *what = arg;
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

int verb_show(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .parser = parse,
                .args_doc = "[RECORD]",
                .doc = "Show one boot: milestones, phases, waits, samples, and what is absent and "
                       "why."
                       "\vRECORD is a file, the beginning of an id, or 'last' (the default). A "
                       "record "
                       "of a newer schema is shown as the JSON it is.",
                .children = cli_common_children,
        };
        CLEANUP(record_freep) struct record *record = NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        const char *what = NULL;
        int r;

        r = cli_parse(cli, &argp, argc, argv, &what, fault);
        if (r < 0)
                return r;
        r = cli_find_record(cli, what, &record, &j, NULL, fault);
        if (r == -EPROTONOSUPPORT) {
                if (!cli->quiet)
                        (void) fprintf(stderr, "bootlap: %s; shown as it stands\n", fault->text);
                return cli_print_json(j, fault);
        }
        if (r < 0)
                return r;
        if (cli->json)
                return boot_view_json(record, &j) < 0 ? fault_set(fault, -ENOMEM, "no memory")
                                                      : cli_print_json(j, fault);
        record_sort(record);
        r = boot_view_print(record, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : CLI_DONE;
}
