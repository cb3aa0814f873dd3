/* cli/cli.c - the common options, and finding the record that an argument names */
#include "cli/cli.h"
#include <string.h>
#include <sys/stat.h>
#include "record/json.h"
#include "record/store.h"

#define ID_PREFIX_MIN 4

enum { OPTION_STORE = 0x100, OPTION_JSON, OPTION_COLOR };

static const struct argp_option common_options[] = {
        { "store", OPTION_STORE, "DIR", 0, "Folder of records", 0 },
        { "json", OPTION_JSON, NULL, 0, "Print every figure as one JSON document", 0 },
        { "quiet", 'q', NULL, 0, "No progress and no remarks", 0 },
        { "color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0 },
        { 0 },
};

static bool stdout_wants_color(void)
{
        const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

        return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
               !(term && strcmp(term, "dumb") == 0);
}

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
        struct cli *cli = state->input;

        switch (key) {
        case OPTION_STORE:
                free(cli->store_dir);
                cli->store_dir = strdup(arg);
                return cli->store_dir ? 0 : ENOMEM;
        case OPTION_JSON:
                cli->json = true;
                return 0;
        case 'q':
                cli->quiet = true;
                return 0;
        case OPTION_COLOR:
                if (strcmp(arg, "auto") == 0)
                        cli->color = stdout_wants_color();
                else if (strcmp(arg, "always") == 0 || strcmp(arg, "never") == 0)
                        cli->color = *arg == 'a';
                else
                        argp_error(state, "--color wants auto, always or never, not '%s'", arg);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static const struct argp common_argp = { .options = common_options, .parser = parse_common };
const struct argp_child cli_common_children[] = { { &common_argp, 0, "Common options:", 1 },
                                                  { .argp = NULL } };

static int parse_with(struct cli *cli, const struct argp *argp, int argc, char **argv,
                      unsigned flags, void *verb_arguments, struct fault *fault)
{
        struct cli_input input = { .cli = cli, .verb = verb_arguments };
        char name[64], *word = argv[0];
        error_t error;

        cli->color = stdout_wants_color();
        (void) snprintf(name, sizeof name, "bootlap %s", word);
        argv[0] = name; /* argp names the program after it, in its own messages */
        error = argp_parse(argp, argc, argv, flags, NULL, &input);
        argv[0] = word;
        if (error)
                return fault_set(fault, -error, "%s", strerror(error));
        return cli->store_dir ? 0 : store_default_dir(&cli->store_dir, fault);
}

int cli_parse(struct cli *cli, const struct argp *argp, int argc, char **argv, void *verb_arguments,
              struct fault *fault)
{
        return parse_with(cli, argp, argc, argv, 0, verb_arguments, fault);
}

int cli_parse_in_order(struct cli *cli, const struct argp *argp, int argc, char **argv,
                       void *verb_arguments, struct fault *fault)
{
        return parse_with(cli, argp, argc, argv, ARGP_IN_ORDER, verb_arguments, fault);
}

int cli_usage(const struct fault *fault)
{
        (void) fprintf(stderr, "bootlap: %s\n", fault->text);
        return CLI_USAGE;
}

int cli_print_json(const json_t *j, struct fault *fault)
{
        if (!j)
                return fault_set(fault, -ENOMEM, "no memory");
        if (json_dumpf(j, stdout, JSON_INDENT(1)) < 0 || putchar('\n') == EOF || fflush(stdout))
                return fault_set(fault, -EIO, "cannot write to standard output");
        return 0;
}

/* base_id() - the id part of ".../<time>-<id>.json"; ids themselves may hold dashes */
static const char *base_id(const char *path)
{
        const char *base = strrchr(path, '/'), *dash;

        base = base ? base + 1 : path;
        dash = strchr(base, '-');
        return dash ? dash + 1 : base;
}

/* newest() - by the time at the head of the file name; "undated" sorts after digits, so it is
 * treated as oldest */
static const struct store_entry *newest(const struct store_list *l)
{
        const struct store_entry *best = NULL;
        const char *best_base = "";

        for (size_t i = 0; i < l->n_entries; i++) {
                const char *base = strrchr(l->entries[i].path, '/');

                base = base ? base + 1 : l->entries[i].path;
                if (strncmp(base, "undated", strlen("undated")) == 0)
                        base = "";
                if (!best || strcmp(base, best_base) >= 0) {
                        best = &l->entries[i];
                        best_base = base;
                }
        }
        return best;
}

static int find_in_store(const struct cli *cli, const char *what, char **ret_path,
                         struct fault *fault)
{
        CLEANUP(store_list_done) struct store_list l = STORE_LIST_NULL;
        const struct store_entry *found = NULL;
        int r = store_list(cli->store_dir, &l, fault);

        if (r < 0)
                return r;
        if (!what || strcmp(what, "last") == 0) {
                found = newest(&l);
                if (!found)
                        return fault_set(fault, -ENOENT, "%s: no records yet", cli->store_dir);
        } else if (strlen(what) < ID_PREFIX_MIN) {
                return fault_set(fault, -EINVAL,
                                 "%s: want a file or at least %d characters of an id", what,
                                 ID_PREFIX_MIN);
        }
        for (size_t i = 0; !found && i < l.n_entries; i++)
                if (strncmp(base_id(l.entries[i].path), what, strlen(what)) == 0)
                        found = &l.entries[i];
        if (!found)
                return fault_set(fault, -ENOENT,
                                 "%s: no such file, and no record in %s has such an id", what,
                                 cli->store_dir);
        for (const struct store_entry *e = found + 1; what && e < l.entries + l.n_entries; e++)
                if (strcmp(what, "last") != 0 && strncmp(base_id(e->path), what, strlen(what)) == 0)
                        return fault_set(fault, -EINVAL, "%s: several records have such an id",
                                         what);
        *ret_path = strdup(found->path);
        return *ret_path ? 0 : fault_set(fault, -ENOMEM, "no memory");
}

int cli_find_record(const struct cli *cli, const char *what, struct record **ret_record,
                    json_t **ret_json, char **ret_path, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        struct stat st;
        int r;

        if (what && stat(what, &st) == 0) {
                if (!S_ISREG(st.st_mode))
                        return fault_set(fault, -EINVAL, "%s: is no record file", what);
                path = strdup(what);
                if (!path)
                        return fault_set(fault, -ENOMEM, "no memory");
        } else if (what && strchr(what, '/')) {
                return fault_errno(fault, -errno, "%s", what);
        } else {
                r = find_in_store(cli, what, &path, fault);
                if (r < 0)
                        return r;
        }
        r = store_read(path, ret_record, ret_json, fault);
        if (ret_path)
                *ret_path = TAKE(path);
        return r;
}
