/* cli/cli.h - what every verb has in common
 *
 * A verb is one function in a file of its own, and a line in main.c's table. It parses its options
 * with argp, with cli_common_children, so that --store, --json, --quiet and --color mean the
 * same everywhere and --help lists them.
 *
 * Results go to stdout, everything else to stderr. Exit status: 0 done, 1 failed, 2 usage.
 */
#pragma once
#include <argp.h>
#include <stdbool.h>
#include "record/fault.h"
#include "record/record.h"

enum cli_status { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

struct cli {
        char *store_dir; /* --store, or the default; owned; set by cli_parse() */
        bool json;       /* --json: one document on stdout holding every figure */
        bool quiet;      /* --quiet: no progress, no remarks */
        bool color;      /* resolved: --color=auto looks at stdout and NO_COLOR */
};

/**
 * struct verb - one word of the command line
 * @run: Return: an exit status, or a negative errno with the reason in @fault, which main() prints
 *       after "bootlap: " and turns into CLI_FAILED; a usage error is cli_usage()'s
 */
struct verb {
        const char *name;
        const char *summary;
        int (*run)(struct cli *cli, int argc, char **argv, struct fault *fault);
};

int verb_compare(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_config(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_corpus(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_effects(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_explain(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_export(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_history(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_import(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_label(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_list(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_mark(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_measure(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_run(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_show(struct cli *cli, int argc, char **argv, struct fault *fault);
int verb_watch(struct cli *cli, int argc, char **argv, struct fault *fault);

/** cli_common_children - the child parser for the common options; its input is the struct cli */
extern const struct argp_child cli_common_children[];

/**
 * cli_parse() - parse a verb's command line
 * @argp: the verb's parser with cli_common_children; its parser function gets a struct cli_input
 * and must hand state->child_inputs[0] = input->cli on at ARGP_KEY_INIT
 *
 * Wrong options print one line and a hint and exit with CLI_USAGE; --help exits with 0.
 * Return: 0, or a negative errno when the store's folder cannot be named.
 */
struct cli_input {
        struct cli *cli;
        void *verb; /* the verb's own arguments */
};
int cli_parse(struct cli *cli, const struct argp *argp, int argc, char **argv, void *verb_arguments,
              struct fault *fault);

/** cli_parse_in_order() - the same, but options end at the first argument: what follows it belongs to
 * another program */
int cli_parse_in_order(struct cli *cli, const struct argp *argp, int argc, char **argv,
                       void *verb_arguments, struct fault *fault);

/** cli_usage() - print what @fault says as main() would; Return: CLI_USAGE */
int cli_usage(const struct fault *fault);

/** cli_print_json() - one document on stdout, indented, with a newline; -EIO when stdout fails */
int cli_print_json(const json_t *j, struct fault *fault);

/**
 * cli_find_record() - the one record that @what names
 * @what: a record file, the beginning of an id (at least 4 characters), or "last" (also NULL)
 * @ret_json: the document as it stands, also for a newer schema (then *ret_record stays NULL and
 *            the return value is -EPROTONOSUPPORT); may be NULL
 * @ret_path: may be NULL
 *
 * Return: 0; -ENOENT; -EINVAL when @what is ambiguous; what store_read() returns.
 */
int cli_find_record(const struct cli *cli, const char *what, struct record **ret_record,
                    json_t **ret_json, char **ret_path, struct fault *fault);
