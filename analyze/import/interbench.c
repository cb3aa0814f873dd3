/* analyze/import/interbench.c - interbench: scheduling latency of a simulated task beside loads:
 *
 *     Benchmarking kernel 2.6.15 at datestamp 200601201234
 *     --- Benchmarking simulated cpu of Audio in the presence of simulated ---
 *     Load    Latency +/- SD (ms)  Max Latency   % Desired CPU  % Deadlines Met
 *     None      0.003 +/- 0.0039      0.01             100            100
 *
 * Gaming has no deadlines. The deviation may exceed the mean, and asterisks are only marks. */
#include <ctype.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum { KERNEL, RUN, BENCH, HEAD, ROW, SHORT_ROW, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [KERNEL] = "^benchmarking kernel (\\S+)(?: at datestamp ([0-9]+))?",
        [RUN] = "^using ([0-9]+) loops per ms, running every load for ([0-9]+) seconds",
        [BENCH] = ("benchmarking simulated cpu of ([a-z]+)(?: nice (-?[0-9]+))? in the presence of "
                   "simulated"
                   "(?: nice (-?[0-9]+))?(?: ?-+)?"),
        [HEAD] = "^load latency \\S{1,3} sd \\(ms\\)(?: max latency(?: % ?desired cpu(?: % "
                 "?deadlines met)?)?)?",
        [ROW] = ("^([a-z]+) ({num})\\*?(?: \\S{1,3} | ?\\+/?- ?)({num})\\*? ({num})\\*? "
                 "({num})\\*?%?"
                 "(?: ({num})\\*?%?)?$"),
        [SHORT_ROW] = ("^(none|audio|video|x|gaming|burn|write|read|ring|compile|memload|server|"
                       "custom)\\b"),
};

struct interbench {
        struct import *in;
        struct patterns *p, *headings;
        bool is_open;
        char bench[32];
        int64_t nice, load_nice, seconds;
        bool has_nice, has_load_nice, has_seconds;
};

static void open_record(struct interbench *t, size_t i)
{
        char heading[HEADING_MAX_BYTES];

        (void) heading_above(t->in, i, 1, heading, sizeof heading);
        (void) import_record(t->in, i);
        heading_label(t->headings, t->in, heading);
        t->is_open = true;
        t->bench[0] = '\0';
}

static void read_kernel(struct interbench *t, size_t i, const struct match *m)
{
        char release[64];

        /* "Using ... loops" may stand before it or after it: only a second kernel begins anew. */
        if (!t->is_open ||
            json_object_get(t->in->records[t->in->n_records - 1]->labels, "kernel.release"))
                open_record(t, i);
        import_take(t->in, i);
        import_label(t->in, "kernel.release", match_copy(m, 1, release, sizeof release));
}

static void read_bench(struct interbench *t, size_t i, const struct match *m)
{
        if (!t->is_open)
                open_record(t, i);
        import_take(t->in, i);
        match_copy(m, 1, t->bench, sizeof t->bench);
        for (char *p = t->bench; *p; p++)
                *p = (char) tolower((unsigned char) *p);
        t->has_nice = match_integer(m, 2, &t->nice);
        t->has_load_nice = match_integer(m, 3, &t->load_nice);
}

static void read_row(struct interbench *t, size_t i, const struct match *m)
{
        static const struct {
                const char *field, *unit;
                enum better better;
        } columns[] = {
                { "latency", "ms", BETTER_LOWER },       { "latency_sd", "ms", BETTER_LOWER },
                { "latency_max", "ms", BETTER_LOWER },   { "desired_cpu", "%", BETTER_HIGHER },
                { "deadlines_met", "%", BETTER_HIGHER },
        };
        char load[32], workload[96], raw[MATCH_RAW_BYTES];

        match_copy(m, 1, load, sizeof load);
        for (char *p = load; *p; p++)
                *p = (char) tolower((unsigned char) *p);
        import_take(t->in, i);
        (void) snprintf(workload, sizeof workload, "interbench.%.24s.%.24s", t->bench, load);
        (void) import_sample(t->in, workload, 0, i);
        import_tool(t->in, "interbench", NULL);
        if (t->has_nice)
                import_parameter_integer(t->in, "nice", t->nice);
        if (t->has_load_nice)
                import_parameter_integer(t->in, "load_nice", t->load_nice);
        if (t->has_seconds)
                import_parameter_integer(t->in, "seconds", t->seconds);
        for (size_t k = 0; k < ELEMENTSOF(columns); k++) {
                struct number n;

                if (match_number(m, 2 + k, COMMA_DECIMAL, &n, raw))
                        import_number(t->in, columns[k].field, &n, columns[k].unit,
                                      columns[k].better, i, raw);
        }
}

static void read_line(struct interbench *t, size_t i)
{
        const char *line = text_at(t->in->text, i);
        struct match m;

        if (pattern_match(t->p, KERNEL, line, &m)) {
                read_kernel(t, i, &m);
        } else if (pattern_match(t->p, RUN, line, &m)) {
                if (!t->is_open)
                        open_record(t, i);
                import_take(t->in, i);
                t->has_seconds = match_integer(&m, 2, &t->seconds);
        } else if (pattern_match(t->p, BENCH, line, &m)) {
                read_bench(t, i, &m);
        } else if (pattern_match(t->p, HEAD, line, NULL)) {
                import_skip(t->in, i);
        } else if (t->bench[0] && pattern_match(t->p, ROW, line, &m)) {
                read_row(t, i, &m);
        } else if (t->bench[0] && pattern_match(t->p, SHORT_ROW, line, NULL)) {
                import_unread(t->in, i, "a row of %s without its figures", t->bench);
        } else {
                t->bench[0] = '\0';
        }
}

void interbench_unwrap(struct text *text)
{
        const char *const lines[] = { sources[RUN], sources[BENCH], sources[HEAD], sources[ROW] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int interbench_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);

        for (size_t i = 0; p && i < text->n_lines; i++)
                if (text_is_free(text, i) && pattern_match(p, BENCH, text_at(text, i), NULL))
                        return 95;
        return 0;
}

void interbench_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        struct interbench t = { .in = in, .p = p, .headings = headings };

        if (!p || !headings) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&t, i);
}
