/* cli/watch.c - bootlap watch: run the probes on the session that is there, and say what they see
 *
 * The same programs that bootlapd runs while a machine boots; so this is how to try a window
 * manager, a configuration of windows or a probe of one's own without a reboot. */
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <systemd/sd-event.h>
#include "analyze/duration.h"
#include "cli/cli.h"
#include "daemon/probe_set.h"
#include "record/json.h"
#include "record/mark_detail.h"
#include "record/mark_enter.h"
#include "record/procfile.h"

#define PROBES_MAX 16
#define WATCH_MAX_S 86400

struct watch_arguments {
        const char *probes[PROBES_MAX + 1];
        size_t n_probes;
        const char *until;
        int64_t for_s; /* 0: no end */
};

struct watch {
        const struct cli *cli;
        const struct watch_arguments *a;
        sd_event *event;
        struct probe_set *probes;
        struct record *record;
        bool has_until, is_out_of_memory;
};

enum { OPTION_UNTIL = 0x200, OPTION_FOR, OPTION_PROBE };

static const struct argp_option options[] = {
        { "until", OPTION_UNTIL, "MILESTONE", 0, "End when this has been seen", 0 },
        { "for", OPTION_FOR, "SECONDS", 0, "End after that long", 0 },
        { "probe", OPTION_PROBE, "NAME", 0, "Only this probe; may be given several times", 0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct cli_input *input = state->input;
        struct watch_arguments *a = input->verb;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->cli;
                return 0;
        case OPTION_UNTIL:
                a->until = arg;
                return 0;
        case OPTION_FOR:
                if (parse_int(arg, &a->for_s) < 0 || a->for_s < 1 || a->for_s > WATCH_MAX_S)
                        argp_error(state, "--for wants 1 to %d seconds, not '%s'", WATCH_MAX_S,
                                   arg);
                return 0;
        case OPTION_PROBE:
                if (a->n_probes == PROBES_MAX)
                        argp_error(state, "takes no more than %d probes by name", PROBES_MAX);
                a->probes[a->n_probes++] = arg;
                return 0;
        case ARGP_KEY_ARG:
                argp_error(state, "wants no argument, not '%s'", arg);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

/* The words of a detail that have a column of their own. */
static bool has_column(const char *word)
{
        static const char *const keys[] = { "session=", "error_us=", "milestone=", "reason=" };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (strncmp(word, keys[i], strlen(keys[i])) == 0)
                        return true;
        return false;
}

/* print_rest() - "wm=Openbox pid=812", the values as they were before they were encoded */
static void print_rest(const char *detail)
{
        for (const char *p = detail; *p;) {
                size_t n = strcspn(p, " ");
                CLEANUP(freep) char *key = NULL, *value = NULL;

                if (!has_column(p)) {
                        key = strndup(p, strcspn(p, "= "));
                        if (key && p[strlen(key)] == '=' && mark_detail_get(p, key, &value) == 0)
                                (void) printf("  %s=%s", key, value);
                        else
                                (void) printf(" %.*s", (int) n, p);
                }
                p += n + strspn(p + n, " ");
        }
}

static void print_mark(const struct mark *m)
{
        CLEANUP(freep) char *session = NULL, *error = NULL;
        char late[DURATION_BYTES], lateness[DURATION_BYTES + 16] = "";
        int64_t error_us;

        (void) mark_detail_get(m->detail, "session", &session);
        if (mark_detail_get(m->detail, "error_us", &error) == 0 && parse_int(error, &error_us) == 0)
                (void) snprintf(lateness, sizeof lateness, "late by up to %s",
                                duration_text(error_us, late));
        (void) printf("%12.6f s  %-18s %-14s %-28s", (double) m->monotonic_ns / NS_PER_S, m->name,
                      session ? session : "", lateness);
        print_rest(m->detail);
        (void) putchar('\n');
}

static void print_absent(const struct mark *m)
{
        CLEANUP(freep) char *session = NULL, *milestone = NULL, *reason = NULL;

        (void) mark_detail_get(m->detail, "session", &session);
        (void) mark_detail_get(m->detail, "milestone", &milestone);
        (void) mark_detail_get(m->detail, "reason", &reason);
        (void) printf("%12.6f s  %-18s %-14s not yet: %s\n", (double) m->monotonic_ns / NS_PER_S,
                      milestone ? milestone : "", session ? session : "", reason ? reason : "");
}

static void on_mark(void *userdata, const char *name, const struct mark *m)
{
        struct watch *w = userdata;

        (void) name;
        if (mark_enter(w->record, m, clock_us(CLOCK_MONOTONIC)) < 0)
                w->is_out_of_memory = true;
        if (!w->cli->json) {
                if (strcmp(m->name, MARK_ABSENT) == 0)
                        print_absent(m);
                else
                        print_mark(m);
                (void) fflush(stdout);
        }
        if (w->a->until && strcmp(m->name, w->a->until) == 0)
                w->has_until = true;
        if (w->has_until || w->is_out_of_memory || ferror(stdout))
                probe_set_stop(w->probes);
}

static void on_remark(void *userdata, const char *name, const char *text)
{
        const struct watch *w = userdata;

        if (!w->cli->quiet)
                (void) fprintf(stderr, "bootlap: %s: %s\n", name, text);
}

/* end_when_over() - the loop ends with the last probe, since each has still something to say */
static int end_when_over(sd_event_source *source, void *userdata)
{
        struct watch *w = userdata;

        (void) source;
        return probe_set_is_over(w->probes) ? sd_event_exit(w->event, 0) : 0;
}

static void on_end(void *userdata, const char *name, enum probe_end end, const char *reason)
{
        const struct watch *w = userdata;
        static const char *const words[] = { [PROBE_DONE] = "has ended",
                                             [PROBE_UNABLE] = "cannot watch here",
                                             [PROBE_FAILED] = "is given up" };

        if (end != PROBE_DONE && !w->cli->quiet)
                (void) fprintf(stderr, "bootlap: %s: %s: %s\n", name, words[end], reason);
}

static int on_time(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct watch *w = userdata;

        (void) source;
        (void) usec;
        probe_set_stop(w->probes);
        return 0;
}

static int on_signal(sd_event_source *source, const struct signalfd_siginfo *info, void *userdata)
{
        struct watch *w = userdata;

        (void) source;
        (void) info;
        probe_set_stop(w->probes);
        return 0;
}

static int add_sources(struct watch *w)
{
        sigset_t handled;
        int r;

        (void) sigemptyset(&handled);
        (void) sigaddset(&handled, SIGCHLD);
        (void) sigaddset(&handled, SIGTERM);
        (void) sigaddset(&handled, SIGINT);
        if (sigprocmask(SIG_BLOCK, &handled, NULL) < 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
                return -errno;
        r = sd_event_new(&w->event);
        if (r >= 0)
                r = sd_event_add_signal(w->event, NULL, SIGTERM, on_signal, w);
        if (r >= 0)
                r = sd_event_add_signal(w->event, NULL, SIGINT, on_signal, w);
        if (r >= 0)
                r = sd_event_add_post(w->event, NULL, end_when_over, w);
        if (r >= 0 && w->a->for_s > 0)
                r = sd_event_add_time_relative(w->event, NULL, CLOCK_MONOTONIC,
                                               (uint64_t) w->a->for_s * US_PER_S, 0, on_time, w);
        return r;
}

static int print_json(const struct record *r, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *whole = record_to_json(r), *j = json_object();
        static const char *const members[] = { "milestones", "absent" };

        for (size_t i = 0; i < ELEMENTSOF(members); i++)
                if (!whole ||
                    json_put(j, members[i], json_incref(json_object_get(whole, members[i]))) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
        return cli_print_json(j, fault);
}

static int run(struct watch *w, struct fault *fault)
{
        int r = add_sources(w);

        if (r < 0)
                return fault_errno(fault, r, "the event loop");
        r = probe_set_start(w->event,
                            &(struct probe_handler){ .on_mark = on_mark,
                                                     .on_remark = on_remark,
                                                     .on_end = on_end,
                                                     .userdata = w },
                            w->a->n_probes ? w->a->probes : NULL, PROBE_SET_AT_ONCE, &w->probes,
                            fault);
        if (r < 0)
                return r;
        r = sd_event_loop(w->event);
        if (r < 0)
                return fault_errno(fault, r, "the event loop");
        if (w->is_out_of_memory)
                return fault_set(fault, -ENOMEM, "no memory");
        record_sort(w->record);
        if (w->cli->json && (r = print_json(w->record, fault)) < 0)
                return r;
        if (w->a->until && !w->has_until)
                return fault_set(fault, -ETIME, "%s was not seen", w->a->until);
        return CLI_DONE;
}

int verb_watch(struct cli *cli, int argc, char **argv, struct fault *fault)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .doc = "Watch the session that is running, and print milestones as they come."
                       "\vTimes are seconds since the kernel started. Ends at Ctrl-C, when no "
                       "probe "
                       "is left, or as --until and --for say; a milestone that --until waits for "
                       "in "
                       "vain makes the exit status 1.",
                .children = cli_common_children,
        };
        struct watch_arguments a = { .n_probes = 0 };
        struct watch w = { .cli = cli, .a = &a };
        int r = cli_parse(cli, &argp, argc, argv, &a, fault);

        if (r < 0)
                return r;
        w.record = record_new();
        if (!w.record)
                return fault_set(fault, -ENOMEM, "no memory");
        r = run(&w, fault);
        w.probes = probe_set_free(w.probes);
        w.event = sd_event_unref(w.event);
        w.record = record_free(w.record);
        return r;
}
