/* cli/list.c - bootlap list: a line per record of the store */
#include <string.h>
#include <time.h>
#include "analyze/duration.h"
#include "analyze/table.h"
#include "cli/cli.h"
#include "record/json.h"
#include "record/phases.h"
#include "record/store.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;

        (void) arg;
        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case ARGP_KEY_ARG:
                argp_error(state, "wants no argument, not '%s'", arg);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static const char *when_text(const struct record *r, char *buffer, size_t n)
{
        time_t seconds = (time_t) (r->start.realtime_us / US_PER_S);
        struct tm tm;

        if (r->start.realtime_us <= 0 || !gmtime_r(&seconds, &tm))
                return "undated";
        (void) strftime(buffer, n, "%Y-%m-%d %H:%M", &tm);
        return buffer;
}

/* imported_line() - where in its file an imported boot stood; 0 for a boot of this machine */
static int64_t imported_line(const struct record *r)
{
        return json_integer_value(json_object_get(json_object_get(r->extra, "import"), "line"));
}

/* Oldest first; boots without a date come first, in the order of the file they were imported from.
 * What cannot be read keeps its place by path, behind all others. */
static int compare_entries(const void *va, const void *vb)
{
        const struct store_entry *a = va, *b = vb;

        if (!a->record || !b->record)
                return a->record ? -1 : b->record ? 1 : strcmp(a->path, b->path);
        if (a->record->start.realtime_us != b->record->start.realtime_us)
                return a->record->start.realtime_us < b->record->start.realtime_us ? -1 : 1;
        if (imported_line(a->record) != imported_line(b->record))
                return imported_line(a->record) < imported_line(b->record) ? -1 : 1;
        return strcmp(a->path, b->path);
}

/* add_remarks() - what tells the boot from others in a list: why it is not whole, and its labels */
static int add_remarks(struct table *t, const struct record *r)
{
        CLEANUP(freep) char *text = strdup(r->incomplete ? r->incomplete : "");
        const char *heading = json_string_value(json_object_get(r->labels, "heading")), *key;
        json_t *value;

        if (heading)
                return table_addf(t, "%s%s%s", text ? text : "", text && *text ? "; " : "",
                                  heading);
        json_object_foreach(r->labels, key, value)
        {
                CLEANUP(freep)
                char *word = json_is_string(value) ? strdup(json_string_value(value))
                                                   : json_dumps(value, JSON_ENCODE_ANY);
                char *longer = NULL;

                if (!word || asprintf(&longer, "%s%s%s=%s", text ? text : "",
                                      text && *text ? ", " : "", key, word) < 0)
                        return -ENOMEM;
                free(text);
                text = longer;
        }
        return table_add(t, text);
}

static int add_row(struct table *t, const struct store_entry *e)
{
        char when[32], length[DURATION_BYTES];
        struct phases p;
        const char *id;

        if (!e->record)
                return table_add(t, "") < 0 || table_add(t, "") < 0 || table_add(t, "") < 0 ||
                                       table_add(t, "") < 0 || table_add(t, e->fault.text) < 0
                               ? -ENOMEM
                               : 0;
        id = e->record->id;
        if (table_add(t, when_text(e->record, when, sizeof when)) < 0 ||
            table_addf(t, "%.12s", id) < 0)
                return -ENOMEM;
        if (phases_of(e->record, &p)) {
                if (table_add(t, duration_text(p.total.machine_us, length)) < 0 ||
                    table_addf(t, "%s..%s", p.from, p.to) < 0)
                        return -ENOMEM;
        } else if (table_add(t, "-") < 0 || table_add(t, "no two milestones") < 0) {
                return -ENOMEM;
        }
        return add_remarks(t, e->record);
}

static json_t *entry_to_json(const struct store_entry *e)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        struct phases p;

        if (json_put(j, "path", json_text(e->path)) < 0)
                return NULL;
        if (!e->record)
                return json_put(j, "error", json_text(e->fault.text)) < 0 ? NULL : TAKE(j);
        if (json_put(j, "id", json_text(e->record->id)) < 0 ||
            json_put(j, "machine", json_text(e->record->machine)) < 0 ||
            json_put(j, "realtime_us", json_integer(e->record->start.realtime_us)) < 0 ||
            json_put(j, "complete", json_boolean(!e->record->incomplete)) < 0)
                return NULL;
        if (phases_of(e->record, &p) &&
            (json_put(j, "from", json_string(p.from)) < 0 ||
             json_put(j, "to", json_string(p.to)) < 0 ||
             json_put(j, "elapsed_us", json_integer(p.total.elapsed_us)) < 0 ||
             json_put(j, "machine_us", json_integer(p.total.machine_us)) < 0))
                return NULL;
        return TAKE(j);
}

static int print_json(const struct store_list *l, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *array = json_array();

        for (size_t i = 0; i < l->n_entries; i++) {
                json_t *j = entry_to_json(&l->entries[i]);

                if (!j || json_array_append_new(array, j) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
        }
        return cli_print_json(array, fault);
}

int verb_list(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .parser = parse,
                .doc = "List the records of the store, oldest first."
                       "\vThe length is machine time: waits for a person are taken out. A record "
                       "that "
                       "cannot be read is listed with the reason, and the exit status is 1.",
                .children = cli_common_children,
        };
        static const struct table_column columns[] = {
                { "boot (UTC)", TABLE_LEFT },    { "id", TABLE_LEFT },
                { "machine", TABLE_RIGHT }, { "span", TABLE_LEFT },
                { "remarks", TABLE_LEFT },
        };
        CLEANUP(store_list_done) struct store_list l = STORE_LIST_NULL;
        CLEANUP(table_freep) struct table *t = NULL;
        bool all_read = true;
        int r;

        r = cli_parse(cli, &argp, argc, argv, NULL, fault);
        if (r < 0)
                return r;
        r = store_list(cli->store_dir, &l, fault);
        if (r < 0)
                return r;
        for (size_t i = 0; i < l.n_entries; i++)
                all_read = all_read && l.entries[i].record;
        if (l.n_entries > 1)
                qsort(l.entries, l.n_entries, sizeof *l.entries, compare_entries);
        if (cli->json) {
                r = print_json(&l, fault);
                return r < 0 ? r : all_read ? CLI_DONE : CLI_FAILED;
        }
        if (l.n_entries == 0 && !cli->quiet)
                (void) fprintf(stderr,
                               "bootlap: %s: no records yet; 'bootlap measure' writes one\n",
                               cli->store_dir);
        t = table_new(columns, ELEMENTSOF(columns));
        if (!t)
                return fault_set(fault, -ENOMEM, "no memory");
        for (size_t i = 0; i < l.n_entries; i++)
                if (add_row(t, &l.entries[i]) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
        r = l.n_entries ? table_print(t, stdout, cli->color) : 0;
        return r < 0 ? fault_errno(fault, r, "standard output") : all_read ? CLI_DONE : CLI_FAILED;
}
