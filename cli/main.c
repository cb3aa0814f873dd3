/* cli/main.c - maps a verb to its file; the only place of bootlap that prints faults */
#include <argp.h>
#include <locale.h>
#include <string.h>
#include <gsl/gsl_errno.h>
#include "cli/cli.h"

static const struct verb verbs[] = {
        { "compare", "compare two sets of boots, metric by metric", verb_compare },
        { "config", "show the machine of a boot as factors", verb_config },
        { "corpus", "make a maildir to measure with, the same for the same seed", verb_corpus },
        { "effects", "fit one metric over all factors that vary", verb_effects },
        { "explain", "split a difference over phases and units", verb_explain },
        { "export", "print records for others to read", verb_export },
        { "history", "find where the level of one machine's boots changed", verb_history },
        { "import", "turn other tools' output into records", verb_import },
        { "label", "give a boot factors of your own", verb_label },
        { "list", "list the records of the store", verb_list },
        { "mark", "mark this instant of the boot", verb_mark },
        { "measure", "make the record of the boot that is running", verb_measure },
        { "run", "run one collector and print what it measured", verb_run },
        { "show", "show one boot as a table", verb_show },
        { "watch", "print milestones of the running session as they come", verb_watch },
};

static int usage(FILE *f)
{
        (void) fputs("Usage: bootlap VERB [OPTIONS] [ARGUMENTS]\n"
                     "The stopwatch for the time until a person can work.\n\nVerbs:\n",
                     f);
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                (void) fprintf(f, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
        (void) fputs("\n'bootlap VERB --help' says more; so does bootlap(1).\n", f);
        return fflush(f) ? CLI_FAILED : CLI_DONE;
}

static int run(const struct verb *verb, int argc, char **argv)
{
        struct cli cli = { .store_dir = NULL };
        struct fault fault = FAULT_NULL;
        int r;

        r = verb->run(&cli, argc, argv, &fault);
        free(cli.store_dir);
        if (r < 0) {
                (void) fprintf(stderr, "bootlap: %s\n", fault.text[0] ? fault.text : strerror(-r));
                return CLI_FAILED;
        }
        /* A full disk or a closed pipe behind stdout must not look like success. */
        if (fflush(stdout) || ferror(stdout)) {
                (void) fprintf(stderr, "bootlap: cannot write to standard output\n");
                return CLI_FAILED;
        }
        return r;
}

int main(int argc, char **argv)
{
        (void) setlocale(LC_ALL, "");
        (void) setlocale(LC_NUMERIC, "C"); /* figures are pasted into other programs */
        argp_err_exit_status = CLI_USAGE;
        (void) gsl_set_error_handler_off(); /* it aborts otherwise; results are looked at instead */

        if (argc < 2) {
                (void) fprintf(stderr, "bootlap: want a verb; see 'bootlap --help'\n");
                return CLI_USAGE;
        }
        if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
                return usage(stdout);
        if (strcmp(argv[1], "--version") == 0) {
                (void) printf("%s\n", PACKAGE_STRING);
                return CLI_DONE;
        }
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                if (strcmp(argv[1], verbs[i].name) == 0)
                        return run(&verbs[i], argc - 1, argv + 1);
        (void) fprintf(stderr, "bootlap: no verb '%s'; see 'bootlap --help'\n", argv[1]);
        return CLI_USAGE;
}
