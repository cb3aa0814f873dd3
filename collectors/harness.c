/* collectors/harness.c - options, the way down from root, and the result on stdout */
#include "collectors/harness.h"
#include <locale.h>
#include <pwd.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include "record/json.h"
#include "record/mark.h"
#include "record/procfile.h"
#include "record/record.h"

#define RUNS_MAX 1000
#define NOBODY "nobody"

enum { OPTION_NAME = 0x200, OPTION_RUNS, OPTION_CACHE, OPTION_USER };

static const struct argp_option common_options[] = {
        { "name", OPTION_NAME, "NAME", 0, "Append .NAME to the workload's name", 0 },
        { "runs", OPTION_RUNS, "N", 0, "Repeat N times; each run is a sample of its own", 0 },
        { "cache", OPTION_CACHE, "cold|as-is", 0, "Empty the page cache before each run, or not",
          0 },
        { "user", OPTION_USER, "USER", 0, "Work as USER (name or number) when started by root", 0 },
        { "quiet", 'q', NULL, 0, "No progress", 0 },
        { 0 },
};

static error_t replace(char **text, const char *with)
{
        free(*text);
        *text = strdup(with);
        return *text ? 0 : ENOMEM;
}

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
        struct harness *h = state->input;
        int64_t n;

        switch (key) {
        case OPTION_NAME:
                if (!mark_name_is_valid(arg))
                        argp_error(state,
                                   "--name wants letters, digits, '.', '_' and '-', not '%s'", arg);
                return replace(&h->name, arg);
        case OPTION_RUNS:
                if (parse_int(arg, &n) < 0 || n < 1 || n > RUNS_MAX)
                        argp_error(state, "--runs wants 1 to %d, not '%s'", RUNS_MAX, arg);
                h->runs = (unsigned) n;
                return 0;
        case OPTION_CACHE:
                h->drop_cache = strcmp(arg, "cold") == 0;
                if (!h->drop_cache && strcmp(arg, "as-is") != 0)
                        argp_error(state, "--cache wants cold or as-is, not '%s'", arg);
                return 0;
        case OPTION_USER:
                return replace(&h->user, arg);
        case 'q':
                h->quiet = true;
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static const struct argp common_argp = { .options = common_options, .parser = parse_common };
const struct argp_child harness_children[] = { { &common_argp, 0, "Common options:", 1 },
                                               { .argp = NULL } };

void harness_run_as_owner_of(struct harness *h, const char *path)
{
        char number[32];
        struct stat st;

        if (h->user || geteuid() != 0 || stat(path, &st) < 0 || st.st_uid == 0)
                return;
        (void) snprintf(number, sizeof number, "%lu", (unsigned long) st.st_uid);
        h->user = strdup(number); /* without memory: nobody, who may do less */
}

/* find_user() - the uid to work as; -1 is nobody's number on no system */
static int find_user(const struct harness *h, uid_t *ret, struct fault *fault)
{
        const char *sudo = getenv("SUDO_UID"), *name = h->user ? h->user : sudo;
        const struct passwd *pw;
        int64_t number;

        if (name && parse_int(name, &number) == 0 && number >= 0 && number < UINT32_MAX &&
            (h->user || number != 0)) {
                *ret = (uid_t) number;
                return 0;
        }
        pw = getpwnam(h->user ? h->user : NOBODY);
        if (!pw)
                return fault_set(fault, -ENOENT, "no such user: %s", h->user ? h->user : NOBODY);
        *ret = pw->pw_uid;
        return 0;
}

static int give_up_root(struct harness *h, struct fault *fault)
{
        uid_t uid = (uid_t) -1;
        int r = 0;

        if (geteuid() == 0 || h->user)
                r = find_user(h, &uid, fault);
        if (r == 0 && geteuid() != 0 && h->user && uid != geteuid())
                r = fault_set(fault, -EPERM, "only root can work as another user");
        if (r == 0 && geteuid() == 0)
                r = privilege_drop(&h->privilege, uid, fault);
        return r;
}

static PRINTF_LIKE(2, 0) void append_text(json_t *array, const char *format, va_list ap)
{
        CLEANUP(freep) char *text = NULL;

        if (vasprintf(&text, format, ap) < 0) {
                text = NULL;
                return;
        }
        (void) json_array_append_new(array, json_text(text));
}

void harness_warn(struct harness *h, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        append_text(h->warnings, format, ap);
        va_end(ap);
}

void harness_fault(struct harness *h, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        append_text(h->faults, format, ap);
        va_end(ap);
}

void harness_run_done(struct harness_run *run)
{
        sample_done(&run->sample);
        *run = HARNESS_RUN_NULL;
}

static int watch_devices(struct harness_run *run, const char *path, struct fault *fault)
{
        int r = blockdev_beneath(path, &run->devices);

        return r < 0 ? fault_errno(fault, r, "%s", path) : 0;
}

int harness_sample_init(const struct harness *h, struct sample *s, const char *workload,
                        unsigned number, struct fault *fault)
{
        CLEANUP(freep) char *name = NULL;
        int r;

        if (asprintf(&name, "%s%s%s", workload, h->name ? "." : "", h->name ? h->name : "") < 0) {
                name = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        r = sample_init(s, name, number);
        if (r < 0)
                return fault_errno(fault, r, "workload %s", name);
        s->parameters = json_object();
        s->details = json_object();
        return s->parameters && s->details ? 0 : fault_set(fault, -ENOMEM, "no memory");
}

int harness_sample_add(struct harness *h, struct sample *s, struct fault *fault)
{
        json_t *j = sample_to_json(s);

        if (!j || json_array_append_new(h->samples, j) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        sample_done(s);
        return 0;
}

int harness_run_start(struct harness *h, struct harness_run *run, const char *workload,
                      unsigned number, const char *const *paths, size_t n_paths,
                      struct fault *fault)
{
        int r;

        harness_run_done(run);
        r = harness_sample_init(h, &run->sample, workload, number, fault);
        if (r < 0)
                return r;
        if (n_paths > 0) {
                if (record_set_string(run->sample.details, "path", paths[0]) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                r = watch_devices(run, paths[0], fault);
                if (r < 0)
                        return r;
                r = coldcache_prepare(&h->privilege, paths, n_paths, h->drop_cache, &h->progress,
                                      &run->cold);
                if (r < 0)
                        return fault_errno(fault, r, "emptying the page cache");
                run->has_cache = true;
        }
        usage_now(&run->devices, &run->start);
        return 0;
}

int harness_run_start_direct(struct harness *h, struct harness_run *run, const char *workload,
                             unsigned number, const char *path, struct fault *fault)
{
        int r;

        harness_run_done(run);
        r = harness_sample_init(h, &run->sample, workload, number, fault);
        if (r == 0 && record_set_string(run->sample.details, "path", path) < 0)
                r = fault_set(fault, -ENOMEM, "no memory");
        if (r == 0)
                r = watch_devices(run, path, fault);
        if (r == 0)
                usage_now(&run->devices, &run->start);
        return r;
}

static int describe_cache(struct harness *h, struct harness_run *run, uint64_t needed_bytes)
{
        const char *word;

        if (!run->has_cache)
                return 0;
        run->cache = coldcache_judge(&run->cold, &run->used, needed_bytes);
        word = cache_state_word(run->cache);
        if (h->drop_cache && run->cache != CACHE_COLD && run->sample.run == 1)
                harness_warn(h, "%s: the cache was %s, not cold%s", run->sample.workload, word,
                             geteuid() != 0 && run->cold.drop_error == -EPERM
                                     ? " (only root can empty it)"
                                     : "");
        if (record_set_string(run->sample.parameters, "cache", word) < 0)
                return -ENOMEM;
        return json_put(run->sample.details, "cache", coldcache_to_json(&run->cold, needed_bytes));
}

int harness_run_stop(struct harness *h, struct harness_run *run, uint64_t needed_bytes,
                     struct fault *fault)
{
        struct usage now;
        int r;

        usage_now(&run->devices, &now);
        run->used = usage_since(&run->start, &now);
        r = usage_add_times(&run->sample, &run->used);
        if (r == 0)
                r = json_put(run->sample.details, "usage",
                             usage_to_json(&run->used, &run->devices));
        if (r == 0)
                r = describe_cache(h, run, needed_bytes);
        return r < 0 ? fault_errno(fault, r, "%s", run->sample.workload) : 0;
}

int harness_run_add(struct harness *h, struct harness_run *run, struct fault *fault)
{
        int r = harness_sample_add(h, &run->sample, fault);

        if (r == 0)
                harness_run_done(run);
        return r;
}

static int print_result(const struct harness *h, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = json_object();

        if (json_put(j, "schema", json_string(RESULT_SCHEMA)) < 0 ||
            json_put(j, "collector", json_text(h->collector)) < 0 ||
            json_put(j, "tool_version", json_string(PACKAGE_VERSION)) < 0 ||
            json_put(j, "samples", json_incref(h->samples)) < 0 ||
            json_put(j, "warnings", json_incref(h->warnings)) < 0 ||
            json_put(j, "faults", json_incref(h->faults)) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        if (json_dumpf(j, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) < 0 ||
            putchar('\n') == EOF || fflush(stdout))
                return fault_set(fault, -EIO, "cannot write to standard output");
        return 0;
}

/* say_faults() - in one line, for whoever runs the collector by itself; all are in the result */
static int say_faults(const struct harness *h, struct fault *fault)
{
        size_t n = json_array_size(h->faults);
        const char *first = json_string_value(json_array_get(h->faults, 0));

        if (n == 0)
                return 0;
        return n == 1 ? fault_set(fault, -EINVAL, "%s", first)
                      : fault_set(fault, -EINVAL, "%s; and %zu other faults in the result", first,
                                  n - 1);
}

static void harness_done(struct harness *h)
{
        privilege_done(&h->privilege);
        free(h->name);
        free(h->user);
        json_decref(h->samples);
        json_decref(h->warnings);
        json_decref(h->faults);
}

static int run(struct harness *h, const struct collector *c, struct fault *fault)
{
        int r;

        if (!h->samples || !h->warnings || !h->faults)
                return fault_set(fault, -ENOMEM, "no memory");
        r = c->prepare ? c->prepare(h, c->arguments, fault) : 0;
        if (r == 0)
                r = give_up_root(h, fault);
        if (r == 0)
                r = c->measure(h, c->arguments, fault);
        if (r == 0)
                r = print_result(h, fault);
        return r == 0 ? say_faults(h, fault) : r;
}

int harness_main(const struct collector *c, int argc, char **argv)
{
        struct harness h = { .collector = c->name,
                             .runs = c->default_runs,
                             .drop_cache = true,
                             .privilege = PRIVILEGE_NULL,
                             .samples = json_array(),
                             .warnings = json_array(),
                             .faults = json_array() };
        struct harness_input input = { .harness = &h, .arguments = c->arguments };
        struct fault fault = FAULT_NULL;
        error_t error;
        int r;

        (void) setlocale(LC_ALL, "");
        (void) setlocale(LC_NUMERIC, "C");
        argp_err_exit_status = HARNESS_USAGE;
        argp_program_version = PACKAGE_STRING;
        error = argp_parse(c->argp, argc, argv, c->argp_flags, NULL, &input);
        if (error)
                r = fault_errno(&fault, -error, "command line");
        else {
                h.progress =
                        (struct progress){ .style = progress_style_now(h.quiet), .who = c->name };
                interrupt_watch();
                r = run(&h, c, &fault);
                progress_end(&h.progress);
        }
        harness_done(&h);
        if (r == -EINTR)
                interrupt_finish();
        if (r != 0)
                (void) fprintf(stderr, "%s: %s\n", c->name,
                               fault.text[0] ? fault.text : strerror(r < 0 ? -r : EIO));
        return r == 0 ? HARNESS_DONE : r == HARNESS_UNAVAILABLE ? r : HARNESS_FAILED;
}
