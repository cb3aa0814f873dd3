/* cli/label.c - bootlap label: factors that only a person knows, for one boot or from now on */
#include <string.h>
#include "analyze/table.h"
#include "cli/cli.h"
#include "record/json.h"
#include "record/labels.h"
#include "record/mark.h"
#include "record/store.h"
#include "witness/identity.h"

enum { OPTION_UNTIL_CHANGED = 0x800, OPTION_REMOVE, OPTION_RECORD };

struct arguments {
        json_t *changes; /* key -> value; null takes the label away */
        const char *record;
        bool until_changed;
};

static const struct argp_option options[] = {
        { "until-changed", OPTION_UNTIL_CHANGED, NULL, 0,
          "For this boot and all later ones, until it is changed or removed", 0 },
        { "remove", OPTION_REMOVE, "KEY", 0, "Take a label away; may be given several times", 0 },
        { "record", OPTION_RECORD, "RECORD", 0, "Label this record instead of this boot's", 0 },
        { 0 },
};

static error_t add_change(struct arguments *a, struct argp_state *state, const char *key,
                          json_t *value)
{
        if (!mark_name_is_valid(key)) {
                json_decref(value);
                argp_error(state, "'%s': a key is made of letters, digits, '.', '_' and '-'", key);
                return EINVAL;
        }
        return json_put(a->changes, key, value) < 0 ? ENOMEM : 0;
}

static error_t add_label(struct arguments *a, struct argp_state *state, char *word)
{
        char *equals = strchr(word, '=');

        if (!equals || equals[1] == '\0') {
                argp_error(state, "want KEY=VALUE, not '%s'", word);
                return EINVAL;
        }
        *equals = '\0';
        return add_change(a, state, word, labels_value(equals + 1));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_UNTIL_CHANGED:
                a->until_changed = true;
                return 0;
        case OPTION_REMOVE:
                return add_change(a, state, arg, json_null());
        case OPTION_RECORD:
                a->record = arg;
                return 0;
        case ARGP_KEY_ARG:
                return add_label(a, state, arg);
        case ARGP_KEY_END:
                if (a->record && a->until_changed)
                        argp_error(state, "--record and --until-changed exclude each other");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

/* find_record() - the record to label: of this boot, or the one that was named
 * Return: 0; 1 when this boot has none yet, and *ret_id says which boot that is; a negative errno
 */
static int find_record(const struct cli *cli, const char *what, struct record **ret, char **ret_id,
                       struct fault *fault)
{
        CLEANUP(record_freep) struct record *now = NULL;
        CLEANUP(freep) char *path = NULL;
        int r;

        if (what)
                return cli_find_record(cli, what, ret, NULL, NULL, fault);
        now = record_new();
        if (!now)
                return fault_set(fault, -ENOMEM, "no memory");
        r = identity_enter(now, fault);
        if (r == 0)
                r = store_find(cli->store_dir, now->machine, now->id, &path, fault);
        if (r == -ENOENT) {
                *ret_id = TAKE(now->id);
                return 1;
        }
        return r < 0 ? r : store_read(path, ret, NULL, fault);
}

static int change_labels(const struct cli *cli, const struct arguments *a, struct record *record,
                         const char *id, struct fault *fault)
{
        int r;

        if (a->until_changed) {
                r = labels_keep(cli->store_dir, NULL, a->changes, fault);
                if (r < 0)
                        return r;
        }
        if (!record)
                return a->until_changed ? 0 : labels_keep(cli->store_dir, id, a->changes, fault);
        if (labels_change(record->labels, a->changes) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        r = store_write(cli->store_dir, record, NULL, fault);
        return r < 0 ? r : labels_settle(cli->store_dir, record->id, fault);
}

static int print(const struct cli *cli, json_t *labels, json_t *kept, struct fault *fault)
{
        static const struct table_column columns[] = { { "label", TABLE_LEFT },
                                                       { "value", TABLE_LEFT },
                                                       { "holds", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        const char *key;
        json_t *value;
        int r;

        if (cli->json) {
                j = json_pack("{sO sO}", "labels", labels, "until_changed", kept);
                return cli_print_json(j, fault);
        }
        t = table_new(columns, ELEMENTSOF(columns));
        if (!t)
                return fault_set(fault, -ENOMEM, "no memory");
        json_object_foreach(labels, key, value)
        {
                bool holds = json_equal(value, json_object_get(kept, key));

                r = table_add(t, key);
                if (r == 0)
                        r = json_is_string(value)
                                    ? table_add(t, json_string_value(value))
                                    : table_addf(t, "%lld", (long long) json_integer_value(value));
                if (r < 0 || table_add(t, holds ? "until changed" : "for this boot") < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
        }
        r = json_object_size(labels) ? table_print(t, stdout, cli->color) : 0;
        return r < 0 ? fault_errno(fault, r, "standard output") : CLI_DONE;
}

/* show() - what the record bears, and what the next one would */
static int show(const struct cli *cli, struct record *record, const char *id, struct fault *fault)
{
        CLEANUP(record_freep) struct record *next = NULL;
        CLEANUP(json_decrefp) json_t *kept = NULL;
        int r = labels_kept(cli->store_dir, &kept, fault);

        if (r < 0)
                return r;
        if (record)
                return print(cli, record->labels, kept, fault);
        next = record_new();
        if (next)
                next->id = strdup(id);
        if (!next || !next->id)
                return fault_set(fault, -ENOMEM, "no memory");
        r = labels_apply(cli->store_dir, next, fault);
        return r < 0 ? r : print(cli, next->labels, kept, fault);
}

static int label(const struct cli *cli, const struct arguments *a, struct fault *fault)
{
        CLEANUP(record_freep) struct record *record = NULL;
        CLEANUP(freep) char *id = NULL;
        int r = find_record(cli, a->record, &record, &id, fault);

        if (r < 0)
                return r;
        if (json_object_size(a->changes) == 0)
                return show(cli, record, id, fault);
        if (r == 1 && !a->until_changed && !cli->quiet)
                (void) fprintf(stderr,
                               "bootlap: this boot has no record yet; its labels wait for it\n");
        r = change_labels(cli, a, record, id, fault);
        return r < 0 ? r : CLI_DONE;
}

int verb_label(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[KEY=VALUE...]",
                .doc = "Give this boot's record factors that only a person knows; without any, "
                       "list "
                       "those it has."
                       "\vA label joins the group of factors that its first word names: rpm, "
                       "drive, "
                       "dm-crypt, kernel, ...; any other stands for itself. A value of digits is a "
                       "number. Labels are stored as they are typed.",
                .children = cli_common_children,
        };
        struct arguments a = { .changes = json_object() };
        int r = a.changes ? cli_parse(cli, &argp, argc, argv, &a, fault)
                          : fault_set(fault, -ENOMEM, "no memory");

        if (r == 0)
                r = label(cli, &a, fault);
        json_decref(a.changes);
        return r;
}
