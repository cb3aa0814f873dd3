/* analyze/import/fio.c - fio --output-format=json, 2.x and 3.x.
 *
 * Each job's direction that did anything becomes a sample "fio.read", "fio.write" or "fio.trim". Up
 * to 2.x latencies are in us and io_bytes counts KiB; from 3.0 on they are ns and bytes. bw is
 * KiB/s always. Rates are recomputed from what was done in the run time. */
#include <math.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/json_part.h"

#define MARK "fio version"

struct job {
        struct import *in;
        const json_t *options, *globals;
        const char *version, *name;
        bool in_ns;
        size_t i;
};

/* add_option() - the job's own, else the one it shares with all */
static void add_option(struct job *job, const char *key)
{
        const char *value = json_string_value(json_object_get(job->options, key));

        if (!value)
                value = json_string_value(json_object_get(job->globals, key));
        if (value)
                import_parameter(job->in, key, value);
}

static void add_figure(struct job *job, const json_t *object, const char *key, const char *field,
                       double factor, const char *unit, enum better better)
{
        char raw[MATCH_RAW_BYTES];
        double value;

        if (!json_part_number(object, key, &value))
                return;
        import_value(job->in, field, value * factor, unit, better, job->i,
                     json_part_raw(value, raw));
}

static void add_latency(struct job *job, const json_t *direction)
{
        static const struct {
                const char *rank, *field;
        } ranks[] = { { "50.000000", "clat_p50" },
                      { "95.000000", "clat_p95" },
                      { "99.000000", "clat_p99" },
                      { "99.900000", "clat_p99.9" } };
        double to_us = job->in_ns ? 1e-3 : 1;
        const json_t *lat = json_object_get(direction, job->in_ns ? "lat_ns" : "lat");
        const json_t *clat = json_object_get(direction, job->in_ns ? "clat_ns" : "clat");
        const json_t *percentiles = json_object_get(clat, "percentile");

        add_figure(job, lat, "mean", "lat_mean", to_us, "us", BETTER_LOWER);
        add_figure(job, lat, "stddev", "lat_stddev", to_us, "us", BETTER_LOWER);
        add_figure(job, lat, "min", "lat_min", to_us, "us", BETTER_LOWER);
        add_figure(job, lat, "max", "lat_max", to_us, "us", BETTER_LOWER);
        add_figure(job, clat, "mean", "clat_mean", to_us, "us", BETTER_LOWER);
        for (size_t k = 0; k < ELEMENTSOF(ranks); k++)
                add_figure(job, percentiles, ranks[k].rank, ranks[k].field, to_us, "us",
                           BETTER_LOWER);
}

/* check_rates() - iops and bw from what was done; both are printed to less than their last digit */
static void check_rates(struct job *job, const json_t *direction)
{
        double ios, bytes, ms, iops, bw;

        if (!json_part_number(direction, "runtime", &ms) || ms <= 0)
                return;
        if (json_part_number(direction, "total_ios", &ios) &&
            json_part_number(direction, "iops", &iops) &&
            fabs(iops - ios * 1000 / ms) > 1 + 0.001 * iops)
                import_mismatch(job->in, "iops",
                                "stated %.15g, but %.0f in %.0f ms are %.1f a second", iops, ios,
                                ms, ios * 1000 / ms);
        if (!json_part_number(direction, "io_bytes", &bytes) ||
            !json_part_number(direction, "bw", &bw))
                return;
        bytes = job->in_ns ? bytes / 1024 : bytes;
        if (fabs(bw - bytes * 1000 / ms) > 1 + 0.001 * bw)
                import_mismatch(job->in, "bw",
                                "stated %.15g KiB/s, but %.0f KiB in %.0f ms are %.0f", bw, bytes,
                                ms, bytes * 1000 / ms);
}

static void read_direction(struct job *job, const char *word, const json_t *direction, double error)
{
        static const char *const options[] = { "rw",      "bs",   "iodepth", "ioengine", "direct",
                                               "numjobs", "size", "runtime", "fsync" };
        double done = 0;
        char workload[32], why[64];
        const struct sample *s;

        if (!json_part_number(direction, "io_bytes", &done) || done <= 0)
                return;
        (void) snprintf(workload, sizeof workload, "fio.%s", word);
        (void) import_sample(job->in, workload, 0, job->i);
        import_tool(job->in, "fio", job->version);
        if (job->name)
                import_parameter(job->in, "job", job->name);
        for (size_t k = 0; k < ELEMENTSOF(options); k++)
                add_option(job, options[k]);
        add_figure(job, direction, "bw", "bw", 1, "KiB/s", BETTER_HIGHER);
        add_figure(job, direction, "iops", "iops", 1, "1/s", BETTER_HIGHER);
        add_figure(job, direction, "io_bytes", "io_bytes", job->in_ns ? 1 : 1024, "B",
                   BETTER_UNSTATED);
        add_figure(job, direction, "total_ios", "total_ios", 1, "", BETTER_UNSTATED);
        add_figure(job, direction, "runtime", "runtime", 1e-3, "s", BETTER_UNSTATED);
        add_latency(job, direction);
        check_rates(job, direction);
        s = import_newest(job->in);
        (void) snprintf(why, sizeof why, "the job failed with error %.0f", error);
        for (size_t k = 0; s && error != 0 && k < s->n_values; k++)
                import_implausible(job->in, s->values[k].field, why);
}

static void read_job(struct job *job, const json_t *j)
{
        static const char *const directions[] = { "read", "write", "trim" };
        double error = 0;

        (void) json_part_number(j, "error", &error);
        job->name = json_string_value(json_object_get(j, "jobname"));
        job->options = json_object_get(j, "job options");
        for (size_t k = 0; k < ELEMENTSOF(directions); k++)
                read_direction(job, directions[k], json_object_get(j, directions[k]), error);
}

static void read_document(struct import *in, const struct patterns *headings,
                          const struct json_part *part)
{
        const json_t *jobs = json_object_get(part->j, "jobs"), *j;
        const char *version = json_string_value(json_object_get(part->j, "fio version"));
        struct job job = { .in = in,
                           .i = part->first,
                           .globals = json_object_get(part->j, "global options") };
        char heading[HEADING_MAX_BYTES];
        double seconds;
        size_t k;

        if (!version || !json_is_array(jobs))
                return;
        job.version = strncmp(version, "fio-", 4) == 0 ? version + 4 : version;
        job.in_ns = job.version[0] != '1' && job.version[0] != '2';
        (void) heading_above(in, part->first, 1, heading, sizeof heading);
        (void) import_record(in, part->first);
        heading_label(headings, in, heading);
        json_part_take(in, part);
        if (json_part_number(part->j, "timestamp", &seconds) && seconds > 0 && seconds < 1e11)
                import_realtime(in, (int64_t) seconds * US_PER_S);
        json_array_foreach(jobs, k, j)
        {
                job.i = json_part_line(in->text, part, job.i + (k > 0), "\"jobname\"");
                read_job(&job, j);
        }
        if (part->was_cut)
                import_warn(in, "the JSON is cut");
}

int fio_recognize(const struct text *text)
{
        CLEANUP(json_part_done) struct json_part part = JSON_PART_NULL;

        return json_part_next(text, 0, MARK, &part) && json_object_get(part.j, "fio version") ? 95
                                                                                              : 0;
}

void fio_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        size_t i = 0;

        if (!headings) {
                import_out_of_memory(in);
                return;
        }
        while (in->error == 0) {
                CLEANUP(json_part_done) struct json_part part = JSON_PART_NULL;

                if (!json_part_next(in->text, i, MARK, &part))
                        break;
                read_document(in, headings, &part);
                i = part.last + 1;
        }
}
