/* collectors/disk.c - how fast is the drive itself? Seeks, transfers, and random reads
 *
 * Everything is read past the page cache (O_DIRECT), one read at a time, and nothing is written.
 * The rows of the profile are FreeBSD's (collectors/disk_pattern.h), so that they stand beside old
 * figures; the latencies of random reads are what a cold start or a mail folder waits for.
 */
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "collectors/cipher_cost.h"
#include "collectors/disk_target.h"
#include "collectors/harness.h"
#include "collectors/random.h"
#include "collectors/spread.h"
#include "record/clock.h"
#include "record/json.h"
#include "record/procfile.h"
#include "record/record.h"

/* Raised when the work that is timed changes: figures of two versions are not compared. */
#define WORKLOAD_VERSION "1"
#define RANDOM_BYTES 4096
#define RANDOM_READS 2000
#define RANDOM_READS_MAX 1000000
#define RANDOM_SEED 1 /* every run reads the same places, in the same order */
#define DELIVERED_SHARE 0.9

struct arguments {
        const char *path;
        unsigned n_random;
        struct disk_target target; /* a block device, opened while still root */
        struct cipher_cost cipher;
};

enum { OPTION_PATH = 0x300, OPTION_RANDOM };

static const struct argp_option options[] = {
        { "path", OPTION_PATH, "PATH", 0, "The block device, or file, to read", 0 },
        { "random", OPTION_RANDOM, "N", 0, "Random reads of 4 KiB (2000); 0 for none", 0 },
        { 0 },
};

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
                        argp_error(state, "wants one device or file, not also '%s'", arg);
                a->path = arg;
                return 0;
        case OPTION_PATH:
                a->path = arg;
                return 0;
        case OPTION_RANDOM:
                if (parse_int(arg, &n) < 0 || n < 0 || n > RANDOM_READS_MAX)
                        argp_error(state, "--random wants 0 to %d, not '%s'", RANDOM_READS_MAX,
                                   arg);
                a->n_random = (unsigned) n;
                return 0;
        case ARGP_KEY_END:
                if (!a->path)
                        argp_error(state, "wants a block device or a file");
                return 0;
        default:
                return ARGP_ERR_UNKNOWN;
        }
}

static int open_target(struct arguments *a, struct fault *fault)
{
        int r = disk_target_open(&a->target, a->path, fault);

        return r == -EOPNOTSUPP || r == -EINVAL ? HARNESS_UNAVAILABLE : r;
}

/* prepare() - a drive is nobody's but root's to read; a file is read as its owner */
static int prepare(struct harness *h, void *arguments, struct fault *fault)
{
        struct arguments *a = arguments;
        struct stat st;

        cipher_cost_look(&a->cipher, a->path);
        if (stat(a->path, &st) == 0 && S_ISBLK(st.st_mode))
                return open_target(a, fault);
        harness_run_as_owner_of(h, a->path);
        return 0;
}

static int describe(struct sample *s, const struct arguments *a)
{
        s->tool = strdup("bootlap-disk");
        s->tool_version = strdup(WORKLOAD_VERSION);
        return s->tool && s->tool_version &&
                               record_set_integer(s->details, "size_bytes",
                                                  (int64_t) a->target.medium.size_bytes) == 0 &&
                               record_set_integer(s->details, "sector_bytes",
                                                  a->target.medium.sector_bytes) == 0
                       ? 0
                       : -ENOMEM;
}

/* One row's times, and room for those of its reads. */
struct timing {
        double *each_ms; /* sorted once all are in */
        size_t n;
        double elapsed_s;
};

static int add_seek(struct sample *s, const struct disk_row *row, const struct timing *t)
{
        int r = record_set_integer(s->parameters, "iterations", row->n_reads);

        if (r == 0)
                r = sample_add(s, "access", 1000 * t->elapsed_s / row->n_reads, "ms", BETTER_LOWER,
                               NULL);
        if (r == 0)
                r = sample_add(s, "median", spread_quantile(t->each_ms, t->n, 0.5), "ms",
                               BETTER_LOWER, NULL);
        return r < 0 ? r : sample_add(s, "elapsed", t->elapsed_s, "s", BETTER_LOWER, NULL);
}

static int add_transfer(struct sample *s, const struct disk_row *row, const struct timing *t)
{
        double kib = (double) row->n_reads * row->read_bytes / 1024;
        int r = record_set_integer(s->parameters, "kbytes", (int64_t) kib);

        if (r == 0)
                r = sample_add(s, "rate", kib / t->elapsed_s, "KiB/s", BETTER_HIGHER, NULL);
        return r < 0 ? r : sample_add(s, "elapsed", t->elapsed_s, "s", BETTER_LOWER, NULL);
}

static int add_latency(struct sample *s, const struct timing *t)
{
        static const struct {
                const char *field;
                double p;
        } quantiles[] = { { "p50", 0.5 },     { "p90", 0.9 }, { "p95", 0.95 }, { "p99", 0.99 },
                          { "p99_9", 0.999 }, { "low", 0 },   { "high", 1 } };
        struct spread spread = spread_of(t->each_ms, t->n);
        int r = record_set_integer(s->parameters, "reads", (int64_t) t->n);

        if (r == 0)
                r = record_set_integer(s->parameters, "read_bytes", RANDOM_BYTES);
        if (r == 0)
                r = sample_add(s, "average", 1000 * spread.average, "us", BETTER_LOWER, NULL);
        for (size_t i = 0; r == 0 && i < ELEMENTSOF(quantiles); i++) {
                /* A quantile between the two largest of too few figures is but the largest. */
                if (quantiles[i].p < 1 && (1 - quantiles[i].p) * (double) t->n < 1)
                        continue;
                r = sample_add(s, quantiles[i].field,
                               1000 * spread_quantile(t->each_ms, t->n, quantiles[i].p), "us",
                               BETTER_LOWER, NULL);
        }
        return r;
}

static int time_read(const struct arguments *a, struct timing *t, uint64_t offset_bytes,
                     uint32_t n_bytes, struct fault *fault)
{
        int64_t ns;
        int r = disk_target_read(&a->target, offset_bytes, n_bytes, &ns, fault);

        if (r < 0)
                return fault_context(fault, r, "%s", a->path);
        t->each_ms[t->n++] = (double) ns / 1e6;
        return 0;
}

static int time_row(const struct arguments *a, size_t k, const struct disk_row *row,
                    struct timing *t, struct fault *fault)
{
        int64_t start_us, ns;
        int r = 0;

        /* A seek's row includes the way to its first place; a transfer is timed without it. */
        if (row->group == DISK_TRANSFER)
                r = disk_target_read(&a->target, row->first_bytes, a->target.medium.sector_bytes,
                                     &ns, fault);
        t->n = 0;
        start_us = clock_us(CLOCK_MONOTONIC);
        for (uint32_t i = 0; r == 0 && i < row->n_reads; i++)
                r = time_read(a, t, disk_row_offset(&a->target.medium, k, i), row->read_bytes,
                              fault);
        t->elapsed_s = s_from_us(clock_us(CLOCK_MONOTONIC) - start_us);
        spread_sort(t->each_ms, t->n);
        return r;
}

static int measure_row(struct harness *h, const struct arguments *a, size_t k, unsigned number,
                       struct timing *t, struct fault *fault)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        struct disk_row row = disk_row(&a->target.medium, k);
        char workload[48];
        int r = time_row(a, k, &row, t, fault);

        (void) snprintf(workload, sizeof workload, "disk.%s.%s",
                        row.group == DISK_SEEK ? "seek" : "transfer", row.name);
        if (r == 0)
                r = harness_sample_init(h, &s, workload, number, fault);
        if (r < 0)
                return r;
        r = describe(&s, a);
        if (r == 0)
                r = row.group == DISK_SEEK ? add_seek(&s, &row, t) : add_transfer(&s, &row, t);
        return r < 0 ? fault_errno(fault, r, "%s", workload) : harness_sample_add(h, &s, fault);
}

static int measure_random(struct harness *h, const struct arguments *a, unsigned number,
                          struct timing *t, struct fault *fault)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        uint64_t n_places = a->target.medium.size_bytes / RANDOM_BYTES;
        struct random_stream random;
        int r = 0;

        random_seed(&random, RANDOM_SEED, 0);
        t->n = 0;
        progress_start(&h->progress, "random reads", a->n_random);
        for (unsigned i = 0; r == 0 && i < a->n_random; i++) {
                /* The modulus favours no place by more than n_places / 2^64. */
                r = time_read(a, t, random_next(&random) % n_places * RANDOM_BYTES, RANDOM_BYTES,
                              fault);
                progress_step(&h->progress, i + 1);
        }
        progress_end(&h->progress);
        spread_sort(t->each_ms, t->n);
        if (r == 0)
                r = harness_sample_init(h, &s, "disk.random_read_latency", number, fault);
        if (r < 0)
                return r;
        if (describe(&s, a) < 0 || add_latency(&s, t) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        return harness_sample_add(h, &s, fault);
}

static uint64_t bytes_of_a_run(const struct arguments *a)
{
        uint64_t n = (uint64_t) a->n_random * RANDOM_BYTES;

        for (size_t k = 0; k < DISK_N_ROWS; k++) {
                struct disk_row row = disk_row(&a->target.medium, k);

                n += (uint64_t) row.n_reads * row.read_bytes;
        }
        return n;
}

/* warn() - figures that are not the drive's */
static void warn(struct harness *h, const struct arguments *a, const struct harness_run *run)
{
        double needed = (double) bytes_of_a_run(a);

        if (run->devices.reason[0])
                harness_warn(h, "%s: %s, so these are no drive's figures", a->path,
                             run->devices.reason);
        else if (run->used.has_device &&
                 (double) run->used.device.read_bytes < DELIVERED_SHARE * needed)
                harness_warn(h,
                             "%s: the drive delivered %.0f MiB of the %.0f MiB that were read: %s",
                             a->path, (double) run->used.device.read_bytes / (1 << 20),
                             needed / (1 << 20),
                             a->target.is_device ? "something between keeps copies"
                                                 : "the file has holes, or was never written");
        else if (a->target.is_sparse)
                harness_warn(h, "%s: has holes, or is compressed: they are read from no drive",
                             a->path);
}

static int run_once(struct harness *h, const struct arguments *a, unsigned number, struct timing *t,
                    struct fault *fault)
{
        CLEANUP(harness_run_done) struct harness_run run = HARNESS_RUN_NULL;
        int r = harness_run_start_direct(h, &run, "disk.profile", number, a->path, fault);

        progress_start(&h->progress, "seeks and transfers", DISK_N_ROWS);
        for (size_t k = 0; r == 0 && k < DISK_N_ROWS; k++) {
                r = measure_row(h, a, k, number, t, fault);
                progress_step(&h->progress, k + 1);
        }
        progress_end(&h->progress);
        if (r == 0 && a->n_random > 0)
                r = measure_random(h, a, number, t, fault);
        if (r == 0)
                r = harness_run_stop(h, &run, 0, fault);
        if (r < 0)
                return r;
        if (describe(&run.sample, a) < 0 ||
            record_set_integer(run.sample.parameters, "random_reads", a->n_random) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        if (number == h->runs)
                warn(h, a, &run);
        return harness_run_add(h, &run, fault);
}

static int measure(struct harness *h, void *arguments, struct fault *fault)
{
        struct arguments *a = arguments;
        CLEANUP(freep) double *each_ms = NULL;
        struct timing t = { .n = 0 };
        size_t most = a->n_random;
        int r = 0;

        if (a->target.fd < 0)
                r = open_target(a, fault);
        if (r != 0)
                return r;
        for (size_t k = 0; r == 0 && k < DISK_N_ROWS; k++)
                if (disk_row(&a->target.medium, k).n_reads > most)
                        most = disk_row(&a->target.medium, k).n_reads;
        each_ms = t.each_ms = calloc(most + 1, sizeof *each_ms);
        if (r == 0 && !each_ms)
                r = fault_set(fault, -ENOMEM, "no memory");
        for (unsigned i = 1; r == 0 && i <= h->runs; i++)
                r = run_once(h, a, i, &t, fault);
        return r == 0 ? cipher_cost_measure(&a->cipher, h, fault) : r;
}

int main(int argc, char **argv)
{
        static const struct argp argp = {
                .options = options,
                .parser = parse,
                .args_doc = "DEVICE|FILE",
                .doc = "Read a drive past the page cache: the seek and transfer profile of "
                       "FreeBSD's 'diskinfo -t', and the latency of random reads."
                       "\vNothing is written, so a drive in use is safe; but what else uses it is "
                       "in the figures.",
                .children = harness_children,
        };
        struct arguments arguments = { .n_random = RANDOM_READS,
                                       .target = DISK_TARGET_NULL,
                                       .cipher = CIPHER_COST_NULL };
        const struct collector collector = { .name = "disk",
                                             .default_runs = 1,
                                             .argp = &argp,
                                             .arguments = &arguments,
                                             .prepare = prepare,
                                             .measure = measure };
        int status = harness_main(&collector, argc, argv);

        disk_target_done(&arguments.target);
        cipher_cost_done(&arguments.cipher);
        return status;
}
