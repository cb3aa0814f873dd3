/* analyze/import/hyperfine.c - hyperfine's JSON export, and the text it prints.
 *
 * Each of "times" becomes a run of the sample "command"; what hyperfine made of them (mean, median,
 * ...) becomes one sample "command.summary" and is recomputed. Published JSON is often cut: then
 * the summary stands alone, and how many runs there were is not known. */
#include <math.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/json_part.h"
#include "analyze/import/unwrap.h"

#define MARK "results"
#define SAME                                                                                       \
        1e-6 /* the figures are doubles with all their digits; sums differ in the last ones        \
              */
#define COLD_RATIO 1.5

enum { BENCHMARK, TIME, TIME_ONE, RANGE, N_PATTERNS };

/* The signs between figures (plus-minus, an ellipsis) are the first that a wrong character set
 * turns into "?". */
#define VALUE "({num}) (ms|s|us|ns)"

static const char *const sources[N_PATTERNS] = {
        [BENCHMARK] = "^benchmark #?([0-9]+): (.+)$",
        [TIME] = ("^time \\(mean \\S+ \\S+\\): ?" VALUE " ?\\S{1,3} ?" VALUE "(?: \\[user: " VALUE
                  ", system: " VALUE "\\])?"),
        [TIME_ONE] =
                ("^time \\(abs \\S+\\): ?" VALUE "(?: \\[user: " VALUE ", system: " VALUE "\\])?"),
        [RANGE] =
                ("^range \\(min ?\\S{1,3} ?max\\): ?" VALUE " ?\\S{1,3} ?" VALUE " ([0-9]+) runs"),
};

/* ---- JSON ---- */

static void add_parameters(struct import *in, const json_t *result)
{
        const json_t *parameters = json_object_get(result, "parameters");
        const char *key;
        json_t *value;

        json_object_foreach((json_t *) (uintptr_t) parameters, key,
                            value) if (json_is_string(value))
                import_parameter(in, key, json_string_value(value));
}

static void begin_sample(struct import *in, const char *workload, const json_t *result, size_t i)
{
        const char *command = json_string_value(json_object_get(result, "command"));

        (void) import_sample(in, workload, 0, i);
        import_tool(in, "hyperfine", NULL);
        if (command)
                import_parameter(in, "command", command);
        add_parameters(in, result);
}

static void enter_times(struct import *in, const json_t *result, size_t i)
{
        const json_t *times = json_object_get(result, "times"),
                     *codes = json_object_get(result, "exit_codes");
        const json_t *time;
        size_t k;

        json_array_foreach(times, k, time)
        {
                const json_t *code = json_array_get(codes, k);
                char raw[MATCH_RAW_BYTES], why[64];

                if (!json_is_number(time))
                        continue;
                begin_sample(in, "command", result, i);
                import_value(in, "real", json_number_value(time), "s", BETTER_LOWER, i,
                             json_part_raw(json_number_value(time), raw));
                if (json_is_integer(code) && json_integer_value(code) != 0) {
                        (void) snprintf(why, sizeof why,
                                        "the command exited with status %lld: no result",
                                        (long long) json_integer_value(code));
                        import_implausible(in, "real", why);
                }
        }
}

static int compare_doubles(const void *va, const void *vb)
{
        const double *a = va, *b = vb;

        return *a < *b ? -1 : *a > *b;
}

/* What the times give. */
struct summary {
        double mean, stddev, median, min, max, first;
        size_t n;
};

static bool summarize(const json_t *times, struct summary *ret)
{
        CLEANUP(freep) double *sorted = calloc(json_array_size(times) + 1, sizeof *sorted);
        struct summary s = { .n = 0 };
        double squares = 0;

        for (size_t k = 0; sorted && k < json_array_size(times); k++)
                if (json_is_number(json_array_get(times, k)))
                        sorted[s.n++] = json_number_value(json_array_get(times, k));
        if (s.n == 0)
                return false;
        s.first = sorted[0];
        for (size_t k = 0; k < s.n; k++)
                s.mean += sorted[k] / (double) s.n;
        for (size_t k = 0; k < s.n; k++)
                squares += (sorted[k] - s.mean) * (sorted[k] - s.mean);
        s.stddev = s.n > 1 ? sqrt(squares / (double) (s.n - 1)) : NAN;
        qsort(sorted, s.n, sizeof *sorted, compare_doubles);
        s.min = sorted[0];
        s.max = sorted[s.n - 1];
        s.median = s.n % 2 ? sorted[s.n / 2] : (sorted[s.n / 2 - 1] + sorted[s.n / 2]) / 2;
        *ret = s;
        return true;
}

static void enter_summary(struct import *in, const json_t *result, size_t i, bool was_cut)
{
        static const char *const fields[] = { "mean", "stddev", "median", "min",
                                              "max",  "user",   "system" };
        struct summary s = { .n = 0 };
        bool known = summarize(json_object_get(result, "times"), &s) && !was_cut;
        const double computed[] = { s.mean, s.stddev, s.median, s.min, s.max };

        begin_sample(in, "command.summary", result, i);
        for (size_t k = 0; k < ELEMENTSOF(fields); k++) {
                char raw[MATCH_RAW_BYTES];
                double value;

                if (!json_part_number(result, fields[k], &value))
                        continue;
                import_value(in, fields[k], value, "s", BETTER_LOWER, i, json_part_raw(value, raw));
                if (known && k < ELEMENTSOF(computed) && isfinite(computed[k]) &&
                    fabs(value - computed[k]) > SAME * fabs(computed[k]) + 1e-9)
                        import_mismatch(in, fields[k], "stated %.6g, but its %zu times give %.6g",
                                        value, s.n, computed[k]);
        }
        if (!known)
                import_warn(in,
                            "line %u: without all its times: how many runs there were is not known",
                            text_number(in->text, i));
        else if (s.n > 2 && s.first > COLD_RATIO * s.median)
                import_warn(in,
                            "line %u: the first time, %.6g s, stands apart from a median of %.6g "
                            "s: a cold "
                            "start?",
                            text_number(in->text, i), s.first, s.median);
}

static void read_json(struct import *in, const struct patterns *headings,
                      const struct json_part *part)
{
        const json_t *results = json_object_get(part->j, "results"), *result;
        char heading[HEADING_MAX_BYTES];
        size_t k, i = part->first;

        if (!json_is_array(results))
                return;
        (void) heading_above(in, part->first, 1, heading, sizeof heading);
        (void) import_record(in, part->first);
        heading_label(headings, in, heading);
        json_part_take(in, part);
        json_array_foreach(results, k, result)
        {
                i = json_part_line(in->text, part, i + (k > 0), "command");
                if (!json_is_object(result))
                        continue;
                enter_times(in, result, i);
                enter_summary(in, result, i, part->was_cut);
        }
        if (part->was_cut)
                import_warn(in, "the JSON is cut");
}

/* ---- text ---- */

struct text_run {
        struct import *in;
        struct patterns *p, *headings;
        char command[128];
        bool record_is_open, sample_is_open;
};

/* enter_seconds() - groups @k and @k + 1, a number and its unit, in seconds */
static void enter_seconds(struct text_run *r, const char *field, const struct match *m, size_t k,
                          size_t i)
{
        static const struct {
                const char *unit;
                double s;
        } units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 } };
        char raw[MATCH_RAW_BYTES], unit[8], both[MATCH_RAW_BYTES + 8];
        struct number n;

        if (!match_number(m, k, COMMA_DECIMAL, &n, raw))
                return;
        match_copy(m, k + 1, unit, sizeof unit);
        (void) snprintf(both, sizeof both, "%s %s", raw, unit);
        for (size_t u = 0; u < ELEMENTSOF(units); u++)
                if (strcasecmp(unit, units[u].unit) == 0)
                        import_value(r->in, field, n.value * units[u].s, "s", BETTER_LOWER, i,
                                     both);
}

static void begin_text_sample(struct text_run *r, size_t i)
{
        char heading[HEADING_MAX_BYTES];

        if (!r->record_is_open) {
                (void) heading_above(r->in, i, 1, heading, sizeof heading);
                (void) import_record(r->in, i);
                heading_label(r->headings, r->in, heading);
                r->record_is_open = true;
        }
        (void) import_sample(r->in, "command.summary", 0, i);
        import_tool(r->in, "hyperfine", NULL);
        if (r->command[0])
                import_parameter(r->in, "command", r->command);
        r->command[0] = '\0';
        r->sample_is_open = true;
}

static void read_text_line(struct text_run *r, size_t i)
{
        struct match m;
        char runs[16];

        switch (pattern_first(r->p, N_PATTERNS, text_at(r->in->text, i), &m)) {
        case BENCHMARK:
                match_copy(&m, 2, r->command, sizeof r->command);
                r->sample_is_open = false;
                if (r->record_is_open)
                        import_take(r->in, i);
                break;
        case TIME:
                begin_text_sample(r, i);
                import_take(r->in, i);
                enter_seconds(r, "mean", &m, 1, i);
                enter_seconds(r, "stddev", &m, 3, i);
                enter_seconds(r, "user", &m, 5, i);
                enter_seconds(r, "system", &m, 7, i);
                break;
        case TIME_ONE:
                begin_text_sample(r, i);
                import_take(r->in, i);
                enter_seconds(r, "mean", &m, 1, i);
                enter_seconds(r, "user", &m, 3, i);
                enter_seconds(r, "system", &m, 5, i);
                break;
        case RANGE:
                if (!r->sample_is_open)
                        break;
                import_take(r->in, i);
                enter_seconds(r, "min", &m, 1, i);
                enter_seconds(r, "max", &m, 3, i);
                import_detail(r->in, "runs", match_copy(&m, 5, runs, sizeof runs));
                r->sample_is_open = false;
                break;
        default:
                break;
        }
}

void hyperfine_unwrap(struct text *text)
{
        const char *const lines[] = { sources[TIME], sources[TIME_ONE], sources[RANGE] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int hyperfine_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(json_part_done) struct json_part part = JSON_PART_NULL;

        if (json_part_next(text, 0, MARK, &part) &&
            json_is_array(json_object_get(part.j, "results")))
                return 95;
        for (size_t i = 0; p && i < text->n_lines; i++)
                if (text_is_free(text, i) &&
                    pattern_first(p, N_PATTERNS, text_at(text, i), NULL) >= TIME)
                        return 95;
        return 0;
}

void hyperfine_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        struct text_run r = { .in = in, .p = p, .headings = headings };
        size_t i = 0;

        if (!p || !headings) {
                import_out_of_memory(in);
                return;
        }
        while (in->error == 0) {
                CLEANUP(json_part_done) struct json_part part = JSON_PART_NULL;

                if (!json_part_next(in->text, i, MARK, &part))
                        break;
                read_json(in, headings, &part);
                i = part.last + 1;
        }
        for (i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_text_line(&r, i);
}
