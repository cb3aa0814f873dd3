/* cli/export.c - bootlap export: records for others to read */
#include <string.h>
#include <sys/random.h>
#include "cli/cli.h"
#include "machine/machine.h"
#include "record/anonymous.h"
#include "record/json.h"
#include "record/store.h"

enum { OPTION_ANONYMOUS = 0x900 };

struct arguments {
        const char **what;
        size_t n_what;
        bool anonymous;
};

static const struct argp_option options[] = {
        { "anonymous", OPTION_ANONYMOUS, NULL, 0,
          "Take out what would tell whose record it is: ids, hashes, time of day, own paths", 0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct arguments *a = input->verb;
        const char **grown;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_ANONYMOUS:
                a->anonymous = true;
                return 0;
        case ARGP_KEY_ARG:
                grown = reallocarray(a->what, a->n_what + 1, sizeof *grown);
                if (!grown)
                        return ENOMEM;
                a->what = grown;
                a->what[a->n_what++] = arg;
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

/* hide_again() - a record that was made with serial numbers in it, or by an older bootlap */
static int hide_again(struct record *r, struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        int code = machine_open(&m, NULL, fault);

        return code < 0 ? code : machine_hide(&m, r, fault);
}

static int add_record(const struct cli *cli, const struct arguments *a, const char *what,
                      const uint8_t *key, json_t *list, struct fault *fault)
{
        CLEANUP(record_freep) struct record *r = NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        int code = cli_find_record(cli, what, &r, NULL, NULL, fault);

        if (code == 0 && a->anonymous) {
                code = hide_again(r, fault);
                if (code == 0 && anonymous_make(r, key) < 0)
                        code = fault_set(fault, -ENOMEM, "no memory");
        }
        if (code == 0)
                code = store_to_json(r, &j, fault);
        if (code == 0 && json_array_append(list, j) < 0)
                code = fault_set(fault, -ENOMEM, "no memory");
        return code;
}

static int export(const struct cli *cli, const struct arguments *a, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *list = json_array();
        uint8_t key[ANONYMOUS_KEY_BYTES];
        bool has_labels = false;
        json_t *j;
        size_t i;
        int r;

        if (getrandom(key, sizeof key, 0) != sizeof key)
                return fault_set(fault, -EIO, "the kernel gives no random bytes");
        r = a->n_what == 0 ? add_record(cli, a, NULL, key, list, fault) : 0;
        for (i = 0; r == 0 && i < a->n_what; i++)
                r = add_record(cli, a, a->what[i], key, list, fault);
        explicit_bzero(key, sizeof key);
        if (r < 0)
                return r;
        json_array_foreach(list, i, j) has_labels =
                has_labels || json_object_size(json_object_get(j, "labels")) > 0;
        if (a->anonymous && has_labels && !cli->quiet)
                (void) fprintf(stderr,
                               "bootlap: labels are left as they were typed: look through them\n");
        return cli_print_json(json_array_size(list) == 1 ? json_array_get(list, 0) : list, fault);
}

int verb_export(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[RECORD...]",
                .doc = "Print records as the JSON they are stored in: one record, or an array of "
                       "several."
                       "\vRECORD is a file, the beginning of an id, or 'last' (the default). With "
                       "--anonymous, records of one machine can still be told to be of one, within "
                       "one export and not across two.",
                .children = cli_common_children,
        };
        struct arguments a = { .what = NULL };
        int r = cli_parse(cli, &argp, argc, argv, &a, fault);

        if (r == 0)
                r = export(cli, &a, fault);
        free(a.what);
        return r;
}
