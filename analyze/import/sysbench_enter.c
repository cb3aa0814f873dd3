/* analyze/import/sysbench_enter.c - a run's figures as a sample, and what they say about each
 * other.
 *
 * Rates are allowed 2 % against events over time: sysbench measures time and counts events at
 * different moments. All else is allowed one unit of its last digit. A percentile above the maximum
 * is no mismatch: it is the upper edge of a bucket of sysbench's histogram. */
#include <math.h>
#include <string.h>
#include "analyze/import/sysbench.h"

#define RATE_TOLERANCE 0.02

static const char *const kind_words[] = {
        [KIND_UNKNOWN] = NULL,    [KIND_CPU] = "cpu",         [KIND_MEMORY] = "memory",
        [KIND_FILEIO] = "fileio", [KIND_THREADS] = "threads", [KIND_MUTEX] = "mutex",
        [KIND_OTHER] = NULL,
};

const char *sysbench_kind_word(enum sysbench_kind kind) { return kind_words[kind]; }

enum sysbench_kind sysbench_kind_of(const char *words)
{
        static const struct {
                const char *word;
                enum sysbench_kind kind;
        } known[] = {
                { "cpu", KIND_CPU },
                { "prime", KIND_CPU },
                { "memory", KIND_MEMORY },
                { "ram", KIND_MEMORY },
                { "fileio", KIND_FILEIO },
                { "file i", KIND_FILEIO },
                { "disk", KIND_FILEIO },
                { "mutex", KIND_MUTEX },
                { "threads test", KIND_THREADS },
                { "=threads", KIND_THREADS },
        };

        for (size_t k = 0; k < ELEMENTSOF(known); k++)
                if (strcasestr(words, known[k].word))
                        return known[k].kind;
        return KIND_UNKNOWN;
}

const struct sysbench_figure *sysbench_figure(const struct sysbench_run *run, const char *field)
{
        for (size_t k = 0; k < run->n_figures; k++)
                if (strcmp(run->figures[k].field, field) == 0)
                        return &run->figures[k];
        return NULL;
}

/* value_of() - NAN when the run does not say */
static double value_of(const struct sysbench_run *run, const char *field)
{
        const struct sysbench_figure *f = sysbench_figure(run, field);

        return f ? f->n.value : NAN;
}

void sysbench_derive_threads(struct sysbench_run *run)
{
        double threads = value_of(run, "events") / value_of(run, "events_per_thread");

        if (run->threads == 0 && isfinite(threads) && threads >= 0.5 && threads < 1e6)
                run->threads = llround(threads);
}

/* expect() - figure @field, if there is one, should be @computed; NAN says nothing */
static void expect(struct import *in, const struct sysbench_run *run, const char *field,
                   double computed, double fraction, const char *from)
{
        const struct sysbench_figure *f = sysbench_figure(run, field);

        if (!f || !isfinite(computed) || number_agrees_within(&f->n, computed, fraction))
                return;
        import_mismatch(in, field, "stated %s, but %s gives %.*f", f->raw, from,
                        f->n.digit < 1 ? 2 : 0, computed);
}

static void check_latency(struct import *in, const struct sysbench_run *run)
{
        double events = value_of(run, "events"), sum = value_of(run, "latency_sum");
        double min = value_of(run, "latency_min"), max = value_of(run, "latency_max");
        const struct sysbench_figure *avg = sysbench_figure(run, "latency_avg");

        if (avg && (avg->n.value < min - avg->n.digit || avg->n.value > max + avg->n.digit))
                import_mismatch(in, "latency_avg", "outside the minimum and the maximum");
        expect(in, run, "latency_avg", sum / events, 0, "sum over events");
        expect(in, run, "latency_avg", 1000 * value_of(run, "exec_total") / events, 0,
               "execution time over events");
}

static void check_fairness(struct import *in, const struct sysbench_run *run)
{
        const struct sysbench_figure *events = sysbench_figure(run, "events_per_thread");
        const struct sysbench_figure *exec = sysbench_figure(run, "exec_per_thread");
        double threads = (double) run->threads, sum = value_of(run, "latency_sum") / 1000;

        if (run->threads == 0)
                return;
        if (!isfinite(sum))
                sum = value_of(run, "exec_total");
        if (events)
                expect(in, run, "events_per_thread", value_of(run, "events") / threads, 0,
                       "events over threads");
        if (exec)
                expect(in, run, "exec_per_thread", sum / threads, 0, "execution time over threads");
}

static void check_fileio(struct import *in, const struct sysbench_run *run)
{
        double time = value_of(run, "total_time");
        double per_s = value_of(run, "reads_per_s") + value_of(run, "writes_per_s") +
                       value_of(run, "fsyncs_per_s");
        double all = value_of(run, "reads") + value_of(run, "writes");

        /* 1.x counts reads, writes and fsyncs as events, and prints no rate of them. */
        if (isfinite(per_s))
                expect(in, run, "events", per_s * time, RATE_TOLERANCE,
                       "reads, writes and fsyncs a second "
                       "by the time");
        expect(in, run, "operations", all + value_of(run, "others"), 0, "reads, writes and others");
        expect(in, run, "requests_per_s", all / time, RATE_TOLERANCE,
               "reads and writes over the time");
        expect(in, run, "read_rate_mb", value_of(run, "read_rate") * 1.048576, 0.001, "MiB/s");
        expect(in, run, "write_rate_mb", value_of(run, "write_rate") * 1.048576, 0.001, "MiB/s");
}

static void check_memory(struct import *in, const struct sysbench_run *run)
{
        double time = value_of(run, "total_time"), n = value_of(run, "operations");

        expect(in, run, "operations_per_s", n / time, RATE_TOLERANCE, "operations over the time");
        expect(in, run, "rate", value_of(run, "transferred") / time, RATE_TOLERANCE,
               "what was transferred over the time");
        if (run->block_kib > 0)
                expect(in, run, "transferred", n * (double) run->block_kib / 1024, 0,
                       "operations by the block size");
}

/* derive_block() - what a memory run without its head transferred each time, when that is whole KiB
 */
static void derive_block(struct sysbench_run *run)
{
        double kib = value_of(run, "transferred") / value_of(run, "operations") * 1024;

        if (run->kind == KIND_MEMORY && run->block_kib == 0 && isfinite(kib) && kib >= 0.99 &&
            kib < 1e9 && fabs(kib - round(kib)) < 0.01 * kib)
                run->block_kib = llround(kib);
}

static void enter_parameters(struct import *in, const struct sysbench_run *run)
{
        char version[48];

        if (run->version[0])
                (void) snprintf(version, sizeof version, "%s", run->version);
        else if (run->layout)
                (void) snprintf(version, sizeof version, "%s by layout", run->layout);
        import_tool(in, "sysbench", run->version[0] || run->layout ? version : NULL);
        if (run->threads > 0)
                import_parameter_integer(in, "threads", run->threads);
        if (run->prime_limit > 0)
                import_parameter_integer(in, "prime_limit", run->prime_limit);
        if (run->mode[0])
                import_parameter(in, run->kind == KIND_MEMORY ? "operation" : "mode", run->mode);
        if (run->block_kib > 0)
                import_parameter_integer(in, "block_kib", run->block_kib);
        if (run->total[0])
                import_parameter(in, "total_size", run->total);
        if (run->heading[0])
                import_detail(in, "heading", run->heading);
}

/* field_name() - the percentile's rank is part of its name; 0.x works off a fixed number of events,
 * so only there less time is better */
static const char *field_name(const struct sysbench_run *run, const struct sysbench_figure *f,
                              char *buffer, size_t size)
{
        if (strcmp(f->field, "latency_percentile") != 0)
                return f->field;
        (void) snprintf(buffer, size, "latency_p%s", run->percentile);
        return buffer;
}

static void enter_figures(struct import *in, const struct sysbench_run *run)
{
        bool is_timed = run->layout && run->layout[0] == '1';

        for (size_t k = 0; k < run->n_figures; k++) {
                const struct sysbench_figure *f = &run->figures[k];
                bool is_time = strcmp(f->field, "total_time") == 0;
                char name[48];

                import_number(in, field_name(run, f, name, sizeof name), &f->n, f->unit,
                              is_time && is_timed && run->kind != KIND_MEMORY ? BETTER_UNSTATED
                                                                              : f->better,
                              f->i, f->raw);
        }
}

static void enter_histogram(struct import *in, const struct sysbench_run *run)
{
        double events = value_of(run, "events"), sum = 0; /* no integer: counts may be anything */

        if (run->n_bars == 0)
                return;
        for (size_t k = 0; k < run->n_bars; k++) {
                import_detail_pair(in, "histogram_ms", run->bars[k].value_ms, run->bars[k].count);
                sum += (double) run->bars[k].count;
        }
        if (isfinite(events) && fabs(events - sum) > 0.5)
                import_mismatch(in, "events", "the histogram counts %.0f", sum);
}

void sysbench_enter(struct import *in, struct sysbench_run *run)
{
        const char *word = sysbench_kind_word(run->kind);
        char workload[48];

        derive_block(run);
        (void) snprintf(workload, sizeof workload, "sysbench.%s", word ? word : "unnamed");
        (void) import_sample(in, workload, 0, run->first);
        enter_parameters(in, run);
        enter_figures(in, run);
        enter_histogram(in, run);
        if (!word)
                import_warn(in, "line %u: a run of sysbench that does not say what it tested",
                            text_number(in->text, run->first));
        if (run->kind == KIND_CPU || run->kind == KIND_UNKNOWN)
                expect(in, run, "events_per_s",
                       value_of(run, "events") / value_of(run, "total_time"), RATE_TOLERANCE,
                       "events over the time");
        if (run->kind == KIND_MEMORY)
                check_memory(in, run);
        if (run->kind == KIND_FILEIO)
                check_fileio(in, run);
        check_latency(in, run);
        check_fairness(in, run);
}
