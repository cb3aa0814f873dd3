/* cli/mark.c - bootlap mark: a script says that something has come to pass
 *
 * The stamp is taken first, before anything is opened. The name gets the prefix that sets such
 * marks apart from the milestones that bootlap itself knows. */
#include <string.h>
#include <time.h>
#include "cli/cli.h"
#include "record/clock.h"
#include "record/mark.h"
#include "record/mark_send.h"

#define USER_PREFIX "user."

struct mark_arguments {
        const char *name, *detail;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct mark_arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case ARGP_KEY_ARG:
                if (a->detail)
                        argp_error(state, "wants a name and a remark, not also '%s'", arg);
                *(a->name ? &a->detail : &a->name) = arg;
                return 0;
        case ARGP_KEY_END:
                if (!a->name)
                        argp_error(state, "wants a name");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int64_t now_ns(void)
{
        struct timespec ts = { .tv_sec = 0 };

        (void) clock_gettime(CLOCK_MONOTONIC, &ts);
        return (int64_t) ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

int verb_mark(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .parser = parse,
                .args_doc = "NAME [REMARK]",
                .doc = "Mark this instant of the boot as the milestone user.NAME."
                       "\vNAME is made of letters, digits, '.', '_' and '-'. Root leaves the mark "
                       "in "
                       "/run/bootlap/marks, where 'bootlap measure' finds it; anyone else hands it "
                       "to "
                       "bootlapd while that is measuring.",
                .children = cli_common_children,
        };
        CLEANUP(freep) char *name = NULL;
        struct mark_arguments a = { .name = NULL };
        struct mark m = { .monotonic_ns = (uint64_t) now_ns() };
        char source[32], empty[] = "";
        int r = cli_parse(cli, &argp, argc, argv, &a, fault);

        if (r < 0)
                return r;
        if (strncmp(a.name, USER_PREFIX, strlen(USER_PREFIX)) == 0)
                a.name += strlen(USER_PREFIX);
        if (asprintf(&name, USER_PREFIX "%s", a.name) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        if (!mark_name_is_valid(a.name) || !mark_name_is_valid(name))
                return fault_set(fault, -EINVAL,
                                 "'%s': a mark's name is 1 to %zu letters, digits, '.', '_' or '-'",
                                 a.name, MARK_NAME_MAX_BYTES - strlen(USER_PREFIX));
        (void) snprintf(source, sizeof source, "user %u", (unsigned) getuid());
        m.name = name;
        m.source = source;
        m.detail = a.detail ? (char *) (uintptr_t) a.detail : empty;
        r = mark_send(mark_run_dir(), &m, fault);
        if ((r == -ENOENT || r == -ECONNREFUSED) && geteuid() != 0)
                return fault_set(fault, r,
                                 "%s: no bootlapd is measuring that could take the mark, and only "
                                 "root can leave one there",
                                 mark_run_dir());
        return r < 0 ? r : CLI_DONE;
}
