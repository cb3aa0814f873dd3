/* daemon/bootlapd.c - watches one boot, makes its record, and is gone
 *
 * Started as early as systemd allows and waited for by nothing. See daemon.h for the watching and
 * finish.h for the rest; docs/architecture.md says how they fit. */
#include <argp.h>
#include <string.h>
#include "daemon/daemon.h"
#include "daemon/finish.h"
#include "record/mark_send.h"
#include "record/store.h"

const char *argp_program_version = "bootlapd " PACKAGE_VERSION;

enum { OPTION_STORE = 0x100, OPTION_CONFIG };

struct arguments {
        char *store_dir; /* owned */
        const char *config;
};

static const struct argp_option options[] = {
        { "store", OPTION_STORE, "DIR", 0, "The folder of records (/var/lib/bootlap/records)", 0 },
        { "config", OPTION_CONFIG, "FILE", 0, "Settings (" SETTINGS_FILE ")", 0 },
        { 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct arguments *a = state->input;

        switch (key) {
        case OPTION_STORE:
                free(a->store_dir);
                a->store_dir = strdup(arg);
                return a->store_dir ? 0 : ENOMEM;
        case OPTION_CONFIG:
                a->config = arg;
                return 0;
        case ARGP_KEY_ARG:
                argp_error(state, "wants no argument, not '%s'", arg);
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static void say(const char *text) { (void) fprintf(stderr, "bootlapd: %s\n", text); }

/* started_dir_of() - beside the store, on the same file system: what can hold the one can hold the
 * other */
static int started_dir_of(const char *store_dir, char **ret)
{
        size_t n = strlen(store_dir);

        while (n > 1 && store_dir[n - 1] == '/')
                n--;
        return asprintf(ret, "%.*s.started", (int) n, store_dir) < 0 ? -ENOMEM : 0;
}

static int watch(const struct arguments *a, struct fault *fault)
{
        CLEANUP(settings_done) struct settings settings = SETTINGS_NULL;
        CLEANUP(daemon_done)
        struct daemon d = { .run_dir_fd = -EBADF,
                            .marks = MARKS_FILE_NULL,
                            .socket = MARK_SOCKET_NULL };
        CLEANUP(freep) char *started_dir = NULL;
        struct fault bad_settings = FAULT_NULL;
        int r;

        if (started_dir_of(a->store_dir, &started_dir) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        if (settings_read(&settings, a->config, &bad_settings) < 0)
                say(bad_settings.text); /* a boot is not the time to insist */
        r = daemon_init(&d, &settings, mark_run_dir(), started_dir, fault);
        if (r < 0)
                return r;
        if (bad_settings.text[0])
                d.trouble = bad_settings;
        r = daemon_run(&d, fault);
        if (r < 0)
                return r;
        if (d.end == DAEMON_DONE_BEFORE || d.end == DAEMON_TOO_LATE) {
                say(d.end == DAEMON_TOO_LATE
                            ? "this boot was complete before anyone watched it; 'bootlap measure' "
                              "makes its record"
                            : "this boot has been recorded");
                return 0;
        }
        r = finish(&d, a->store_dir, fault);
        if (r == 0 && d.end != DAEMON_STOPPED)
                r = daemon_mark(&d, MARK_DAEMON_DONE, NULL, fault);
        return r;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .doc = "Watch this boot until it has settled, and make its record."
                       "\vStarted by bootlapd.service, once a boot.",
        };
        struct arguments a = { .config = SETTINGS_FILE };
        struct fault fault = FAULT_NULL;
        int r;

        argp_err_exit_status = 2;
        r = (int) argp_parse(&argp, argc, argv, 0, NULL, &a) ? -EINVAL : 0;
        if (r == 0 && !a.store_dir)
                r = store_default_dir(&a.store_dir, &fault);
        if (r == 0)
                r = watch(&a, &fault);
        if (r < 0)
                say(fault.text[0] ? fault.text : strerror(-r));
        free(a.store_dir);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
