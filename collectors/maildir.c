/* collectors/maildir.c - how long until a big mail folder is open?
 *
 * Also the smallest example of a collector: options, one prepare(), one measure(). */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/cipher_cost.h"
#include "collectors/corpus.h"
#include "collectors/harness.h"
#include "collectors/maildir_open.h"
#include "record/clock.h"
#include "record/procfile.h"
#include "record/record.h"

#define WORKLOAD "maildir.open"
/* Raised when the work that is timed changes: figures of two versions are not compared. */
#define WORKLOAD_VERSION "1"
#define JOBS_MAX 256

struct arguments {
        const char *path; /* as given */
        char *found;      /* where none was given */
        enum maildir_order order;
        enum mail_client client;
        unsigned jobs;
        struct cipher_cost cipher; /* of what it lies on */
};

enum { OPTION_PATH = 0x300, OPTION_ORDER, OPTION_CLIENT, OPTION_JOBS };

static const char *const order_words[] = {
        [MAILDIR_READDIR] = "readdir",
        [MAILDIR_INODE] = "inode",
        [MAILDIR_EXTENT] = "extent",
};

static const char *const client_words[] = { [MAIL_MUTT] = "mutt", [MAIL_NEOMUTT] = "neomutt" };

static const struct argp_option options[] = {
        { "path", OPTION_PATH, "DIR", 0, "The maildir ($MAILDIR, else ~/Maildir)", 0 },
        { "order", OPTION_ORDER, "ORDER", 0,
          "Open messages in the order of readdir, of their inode numbers as mutt does (the "
          "default), or "
          "of their first extent on the drive",
          0 },
        { "client", OPTION_CLIENT, "CLIENT", 0,
          "Take headers apart as mutt does (the default), or as neomutt", 0 },
        { "jobs", OPTION_JOBS, "N", 0, "Open N messages at a time (1, as mail clients do)", 0 },
        { 0 },
};

static error_t parse_order(struct arguments *a, const char *arg, struct argp_state *state)
{
        for (size_t i = 0; i < ELEMENTSOF(order_words); i++)
                if (strcmp(arg, order_words[i]) == 0) {
                        a->order = (enum maildir_order) i;
                        return 0;
                }
        argp_error(state, "--order wants readdir, inode or extent, not '%s'", arg);
        return 0;
}

static error_t parse_client(struct arguments *a, const char *arg, struct argp_state *state)
{
        for (size_t i = 0; i < ELEMENTSOF(client_words); i++)
                if (strcmp(arg, client_words[i]) == 0) {
                        a->client = (enum mail_client) i;
                        return 0;
                }
        argp_error(state, "--client wants mutt or neomutt, not '%s'", arg);
        return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
        struct harness_input *input = state->input;
        struct arguments *a = input->arguments;
        int64_t n;

        switch (key) {
        case ARGP_KEY_INIT:
                state->child_inputs[0] = input->harness;
                return 0;
        case ARGP_KEY_ARG:
                if (a->path)
                        argp_error(state, "wants one maildir, not also '%s'", arg);
                a->path = arg;
                return 0;
        case OPTION_PATH:
                a->path = arg;
                return 0;
        case OPTION_ORDER:
                return parse_order(a, arg, state);
        case OPTION_CLIENT:
                return parse_client(a, arg, state);
        case OPTION_JOBS:
                if (parse_int(arg, &n) < 0 || n < 1 || n > JOBS_MAX)
                        argp_error(state, "--jobs wants 1 to %d, not '%s'", JOBS_MAX, arg);
                a->jobs = (unsigned) n;
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

/* prepare() - still as root: whose mail is it? */
static int prepare(struct harness *h, void *arguments, struct fault *fault)
{
        struct arguments *a = arguments;
        const char *maildir = getenv("MAILDIR"), *home = getenv("HOME");

        if (!a->path && maildir && *maildir) {
                a->path = maildir;
        } else if (!a->path) {
                if (asprintf(&a->found, "%s/Maildir", home ? home : "") < 0) {
                        a->found = NULL;
                        return fault_set(fault, -ENOMEM, "no memory");
                }
                if (access(a->found, F_OK) < 0) {
                        (void) fault_set(fault, 0, "no maildir given, and there is no %s",
                                         a->found);
                        return HARNESS_UNAVAILABLE;
                }
                a->path = a->found;
        }
        cipher_cost_look(&a->cipher, a->path);
        harness_run_as_owner_of(h, a->path);
        return 0;
}

static int add_values(struct sample *s, const struct maildir_opened *o, const struct usage *used)
{
        double real_s = s_from_us(used->elapsed_us);
        int r;

        r = sample_add(s, "list", s_from_us(o->list_us), "s", BETTER_LOWER, NULL);
        if (r == 0)
                r = sample_add(s, "open", s_from_us(o->open_us), "s", BETTER_LOWER, NULL);
        if (r == 0)
                r = sample_add(s, "messages", (double) o->counts.messages, "1", BETTER_UNSTATED,
                               NULL);
        if (r == 0 && real_s > 0)
                r = sample_add(s, "messages_per_s", (double) o->counts.messages / real_s, "1/s",
                               BETTER_HIGHER, NULL);
        if (r == 0)
                r = sample_add(s, "bytes_read", (double) o->counts.bytes_read, "B", BETTER_UNSTATED,
                               NULL);
        if (r == 0 && used->has_device)
                r = sample_add(s, "device_read_bytes", (double) used->device.read_bytes, "B",
                               BETTER_UNSTATED, NULL);
        if (r == 0 && used->has_device)
                r = sample_add(s, "device_reads", (double) used->device.reads, "1", BETTER_UNSTATED,
                               NULL);
        return r;
}

static int set_text(char **field, const char *text)
{
        free(*field);
        *field = strdup(text);
        return *field ? 0 : -ENOMEM;
}

/* add_corpus() - mail that can be made again names itself */
static int add_corpus(json_t *parameters, const char *path)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        CLEANUP(freep) char *text = NULL;

        if (corpus_identify(path, &j, NULL) < 0)
                return 0;
        if (asprintf(&text, "law %lld, seed %lld, %lld messages, %s",
                     (long long) json_integer_value(json_object_get(j, "law")),
                     (long long) json_integer_value(json_object_get(j, "seed")),
                     (long long) json_integer_value(json_object_get(j, "count")),
                     json_is_true(json_object_get(j, "aged")) ? "aged" : "fresh") < 0) {
                text = NULL;
                return -ENOMEM;
        }
        return record_set_string(parameters, "corpus", text);
}

static int describe(struct sample *s, const struct arguments *a, const struct maildir_counts *c)
{
        if (set_text(&s->tool, "bootlap-maildir") < 0 ||
            set_text(&s->tool_version, WORKLOAD_VERSION) < 0 ||
            record_set_string(s->parameters, "order", order_words[a->order]) < 0 ||
            record_set_string(s->parameters, "client", client_words[a->client]) < 0 ||
            record_set_integer(s->parameters, "jobs", a->jobs) < 0 ||
            add_corpus(s->parameters, a->path) < 0 ||
            record_set_string(s->details, "path", a->path) < 0 ||
            record_set_integer(s->details, "header_bytes", (int64_t) c->header_bytes) < 0 ||
            record_set_integer(s->details, "gone", (int64_t) c->gone.n) < 0 ||
            record_set_integer(s->details, "unreadable", (int64_t) c->unreadable.n) < 0 ||
            record_set_integer(s->details, "no_files", (int64_t) c->odd.n) < 0 ||
            record_set_integer(s->details, "empty", (int64_t) c->empty) < 0 ||
            record_set_integer(s->details, "endless_headers", (int64_t) c->endless) < 0)
                return -ENOMEM;
        return 0;
}

/* say_flaw() - names one entry, and counts the others that the same was found of */
static void say_flaw(struct harness *h, const char *maildir, const struct maildir_flaw *flaw,
                     const char *what)
{
        char more[64] = "";

        if (flaw->n == 0)
                return;
        if (flaw->n > 1)
                (void) snprintf(more, sizeof more, " (and %llu more)",
                                (unsigned long long) flaw->n - 1);
        harness_fault(h, "%s/%s: %s%s", maildir, flaw->entry, what, more);
}

static const char *kind_word(mode_t mode)
{
        return S_ISDIR(mode)    ? "is a folder, no message"
               : S_ISFIFO(mode) ? "is a FIFO, no message"
               : S_ISSOCK(mode) ? "is a socket, no message"
                                : "is a device, no message";
}

/* A client shows what it can of such a folder, so the measurement stands. But the folder was not
 * what it should be, or not the same from beginning to end. */
static void say_flaws(struct harness *h, const struct arguments *a, const struct maildir_counts *c)
{
        say_flaw(h, a->path, &c->unreadable, strerror(-c->unreadable.error));
        say_flaw(h, a->path, &c->odd, kind_word(c->odd.mode));
}

static void warn(struct harness *h, const struct arguments *a, const struct maildir_counts *c)
{
        if (c->messages == 0)
                harness_warn(h, "%s: holds no message", a->path);
        if (c->endless > 0)
                harness_warn(h, "%s: %llu messages have headers without an end", a->path,
                             (unsigned long long) c->endless);
        if (a->order == MAILDIR_EXTENT && c->unplaced > 0)
                harness_warn(h, "%s: of %llu messages the file system does not say where they lie",
                             a->path, (unsigned long long) c->unplaced);
}

static int run_once(struct harness *h, const struct arguments *a, unsigned number,
                    const char *const *folders, size_t n_folders, struct fault *fault)
{
        CLEANUP(harness_run_done) struct harness_run run = HARNESS_RUN_NULL;
        struct maildir_plan plan = {
                .path = a->path,
                .order = a->order,
                .client = a->client,
                .jobs = a->jobs,
                .progress = &h->progress,
        };
        struct maildir_opened o;
        int r;

        r = harness_run_start(h, &run, WORKLOAD, number, folders, n_folders, fault);
        if (r == 0)
                r = maildir_open(&plan, &o, fault);
        if (r == 0)
                r = harness_run_stop(h, &run, o.counts.bytes_read, fault);
        if (r < 0)
                return r;
        if (o.counts.messages == 0 && o.counts.unreadable.n > 0)
                return fault_errno(fault, o.counts.unreadable.error,
                                   "%s: none of %llu messages can be read", a->path,
                                   (unsigned long long) o.counts.unreadable.n);
        if (add_values(&run.sample, &o, &run.used) < 0 || describe(&run.sample, a, &o.counts) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        say_flaw(h, a->path, &o.counts.gone, "was deleted or renamed while the folder was opened");
        if (number == h->runs) { /* what has been so from the first run on */
                say_flaws(h, a, &o.counts);
                warn(h, a, &o.counts);
        }
        return harness_run_add(h, &run, fault);
}

static int measure(struct harness *h, void *arguments, struct fault *fault)
{
        const struct arguments *a = arguments;
        char cur[PATH_MAX], new[PATH_MAX];
        const char *const folders[] = { cur, new }; /* others are not opened, so not emptied */
        int r = maildir_check(a->path, fault);

        (void) snprintf(cur, sizeof cur, "%s/cur", a->path);
        (void) snprintf(new, sizeof new, "%s/new", a->path);
        for (unsigned i = 1; r == 0 && i <= h->runs; i++)
                r = run_once(h, a, i, folders, ELEMENTSOF(folders), fault);
        return r == 0 ? cipher_cost_measure(&a->cipher, h, fault) : r;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "[DIR]",
                .doc = "Open a maildir as a mail client does, on a cold cache, and say how long it "
                       "took."
                       "\vEvery message's header block is read and taken apart, as mutt does it to "
                       "show its index without a header cache.",
                .children = harness_children,
        };
        struct arguments arguments = { .order = MAILDIR_INODE,
                                       .jobs = 1,
                                       .cipher = CIPHER_COST_NULL };
        const struct collector collector = {
                .name = "maildir",
                .default_runs = 1,
                .argp = &argp,
                .arguments = &arguments,
                .prepare = prepare,
                .measure = measure,
        };
        int status = harness_main(&collector, argc, argv);

        cipher_cost_done(&arguments.cipher);
        free(arguments.found);
        return status;
}
