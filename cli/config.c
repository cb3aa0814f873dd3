/* cli/config.c - bootlap config: what the machine was like, group by group, and what differs */
#include <string.h>
#include <sys/stat.h>
#include "analyze/config_diff.h"
#include "analyze/config_view.h"
#include "cli/cli.h"
#include "machine/kernel_config.h"
#include "machine/machine.h"
#include "record/kernel_options.h"

enum { OPTION_NOW = 0x200, OPTION_SYSROOT, OPTION_PATH };

struct arguments {
        const char *what[2];
        size_t n_what;
        const char *sysroot;
        char *path; /* absolute; owned */
        bool now, diff;
};

static const struct argp_option options[] = {
        { "now", OPTION_NOW, NULL, 0, "Look at the machine as it is now, and store nothing", 0 },
        { "sysroot", OPTION_SYSROOT, "DIR", 0,
          "Look at the files below DIR, another machine's root or a recorded tree", 0 },
        { "path", OPTION_PATH, "PATH", 0,
          "With either: look also at what lies beneath PATH, as path.given", 0 },
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
        case OPTION_PATH:
                free(a->path);
                a->path = strdup(arg);
                return a->path ? 0 : ENOMEM;
        case ARGP_KEY_ARG:
                if (state->arg_num == 0 && strcmp(arg, "diff") == 0)
                        a->diff = true;
                else if (a->n_what == (a->diff ? 2 : 1))
                        argp_error(state, "wants %s, not also '%s'",
                                   a->diff ? "two records" : "one record", arg);
                else
                        a->what[a->n_what++] = arg;
                return 0;
        case ARGP_KEY_END:
                if (a->diff && a->n_what != 2)
                        argp_error(state, "diff wants two records");
                if (a->path && !a->now && !a->sysroot)
                        argp_error(state, "--path wants --now or --sysroot");
                if ((a->n_what > 0 || a->diff) && (a->now || a->sysroot))
                        argp_error(state, "wants a record or --now or --sysroot, not both");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

/* look_at() - capture the machine, below @sysroot or live; its kernel's options when wanted
 * @ret_options: NULL, or where they go; what hinders that is left in @options_fault */
static int look_at(const char *sysroot, const char *path, struct record **ret, json_t **ret_options,
                   struct fault *options_fault, struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        CLEANUP(kernel_config_done) struct kernel_config k = KERNEL_CONFIG_NULL;
        CLEANUP(record_freep) struct record *record = record_new();
        const char *release;
        int r;

        if (!record)
                return fault_set(fault, -ENOMEM, "no memory");
        r = machine_open(&m, sysroot, fault);
        if (r == 0)
                r = machine_capture(&m, record, fault);
        if (r == 0 && path)
                r = machine_capture_path(&m, record, "given", path, fault);
        if (r < 0)
                return r;
        release = json_string_value(json_object_get(record->config, "kernel.release"));
        if (ret_options && !release)
                (void) fault_set(options_fault, -ENOENT, "%s: names no running kernel", sysroot);
        else if (ret_options && kernel_config_read(&k, &m, release, options_fault) == 0)
                r = kernel_options_parse(k.text, ret_options);
        *ret = TAKE(record);
        return r < 0 ? fault_set(fault, r, "no memory") : 0;
}

/* struct side - what stands behind one argument of diff */
struct side {
        struct record *record;
        json_t *options;
        struct fault options_fault;
};

static void side_done(struct side *s)
{
        (void) record_free(s->record);
        json_decref(s->options);
}

static int load_side(const struct cli *cli, const char *what, struct side *s, struct fault *fault)
{
        const char *sha256;
        struct stat st;
        int r;

        if (stat(what, &st) == 0 && S_ISDIR(st.st_mode))
                return look_at(what, NULL, &s->record, &s->options, &s->options_fault, fault);
        r = cli_find_record(cli, what, &s->record, NULL, NULL, fault);
        if (r < 0)
                return r;
        sha256 = json_string_value(json_object_get(s->record->config, "kernel.config_sha256"));
        if (!sha256)
                (void) fault_set(&s->options_fault, -ENOENT, "%s names no kernel config", what);
        else
                (void) kernel_options_load(cli->store_dir, sha256, &s->options, &s->options_fault);
        return 0;
}

static int diff(const struct cli *cli, const struct arguments *a, struct fault *fault)
{
        CLEANUP(side_done) struct side first = { .record = NULL };
        CLEANUP(side_done) struct side second = { .record = NULL };
        CLEANUP(json_decrefp) json_t *j = NULL;
        int r = load_side(cli, a->what[0], &first, fault);

        if (r == 0)
                r = load_side(cli, a->what[1], &second, fault);
        if (r < 0)
                return r;
        j = config_diff(&(struct config_side){ first.record, first.options,
                                               first.options ? NULL : first.options_fault.text },
                        &(struct config_side){ second.record, second.options,
                                               second.options ? NULL : second.options_fault.text });
        if (!j)
                return fault_set(fault, -ENOMEM, "no memory");
        if (cli->json)
                return cli_print_json(j, fault);
        r = config_diff_print(j, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : CLI_DONE;
}

static int show(const struct cli *cli, const struct arguments *a, struct fault *fault)
{
        CLEANUP(record_freep) struct record *record = NULL;
        CLEANUP(json_decrefp) json_t *j = NULL;
        int r = a->now || a->sysroot ? look_at(a->sysroot, a->path, &record, NULL, NULL, fault)
                                     : cli_find_record(cli, a->what[0], &record, NULL, NULL, fault);

        if (r < 0)
                return r;
        if (cli->json)
                return config_view_json(record, &j) < 0 ? fault_set(fault, -ENOMEM, "no memory")
                                                        : cli_print_json(j, fault);
        r = config_view_print(record, stdout, cli->color);
        return r < 0 ? fault_errno(fault, r, "standard output") : CLI_DONE;
}

int verb_config(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[RECORD]\ndiff A B",
                .doc = "Show the machine that a boot ran on: its factors in groups, and what could "
                       "not be read and why. With diff: only what differs between two, options of "
                       "the kernel's config included."
                       "\vRECORD, A and B are a file, the beginning of an id, or 'last' (the "
                       "default). A and B may also be folders, which are looked at as --sysroot "
                       "does.",
                .children = cli_common_children,
        };
        struct arguments a = { .n_what = 0 };
        int r = cli_parse(cli, &argp, argc, argv, &a, fault);

        if (r == 0)
                r = a.diff ? diff(cli, &a, fault) : show(cli, &a, fault);
        free(a.path);
        return r;
}
