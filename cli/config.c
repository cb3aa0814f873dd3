/* cli/config.c - bootlap config: what the machine was like, group by group */
#include <string.h>
#include "analyze/config_view.h"
#include "cli/cli.h"
#include "machine/machine.h"

enum { OPTION_NOW = 0x200, OPTION_SYSROOT };

struct arguments {
        const char *what;
        const char *sysroot;
        bool now;
};

static const struct argp_option options[] = {
        { "now", OPTION_NOW, NULL, 0, "Look at the machine as it is now, and store nothing", 0 },
        { "sysroot", OPTION_SYSROOT, "DIR", 0,
          "Look at the files below DIR, another machine's root or a recorded tree", 0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_NOW:
                a->now = true;
                return 0;
        case OPTION_SYSROOT:
                a->sysroot = arg;
                return 0;
        case ARGP_KEY_ARG:
                if (a->what)
                        argp_error(state, "wants one record, not also '%s'", arg);
                a->what = arg;
                return 0;
        case ARGP_KEY_END:
                if (a->what && (a->now || a->sysroot))
                        argp_error(state, "wants a record or --now or --sysroot, not both");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int look_now(const char *sysroot, struct record **ret, struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        CLEANUP(record_freep) struct record *record = record_new();
        int r;

        if (!record)
                return fault_set(fault, -ENOMEM, "no memory");
        r = machine_open(&m, sysroot, fault);
        if (r == 0)
                r = machine_capture(&m, record, fault);
        if (r < 0)
                return r;
        *ret = TAKE(record);
        return 0;
}

int verb_config(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[RECORD]",
                .doc = "Show the machine that a boot ran on, its factors in groups, and what could "
                       "not be read and why."
                       "\vRECORD is a file, the beginning of an id, or 'last' (the default).",
                .children = cli_common_children,
        };
        CLEANUP(record_freep) struct record *record = NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        struct arguments a = { .what = NULL };
        int r;

        r = cli_parse(cli, &argp, argc, argv, &a, fault);
        if (r < 0)
                return r;
        r = a.now || a.sysroot ? look_now(a.sysroot, &record, fault)
                               : cli_find_record(cli, a.what, &record, NULL, NULL, fault);
        if (r < 0)
                return r;
        if (cli->json)
                return config_view_json(record, &j) < 0 ? fault_set(fault, -ENOMEM, "no memory")
                                                        : cli_print_json(j, fault);
        r = config_view_print(record, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : CLI_DONE;
}
