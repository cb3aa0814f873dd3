/* analyze/import/unixbench.c - UnixBench 4.1 and 5.x: raw lines, index tables, scores.
 *
 *     8 CPUs in system; running 8 parallel copies of tests
 *     Dhrystone 2 using register variables      240000000.0 lps   (10.0 s, 7 samples)
 *     System Benchmarks Index Values               BASELINE       RESULT    INDEX
 *     Dhrystone 2 using register variables         116700.0  240000000.0  20565.6
 *     System Benchmarks Index Score                                         8000.0
 *
 * A record is one machine: what stands below one banner, or below one heading when there is no
 * banner. The number of copies is a parameter, since 5.x runs everything twice. Indices and the
 * score are recomputed: index = result / baseline x 10, score = their geometric mean. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unixbench_names.h"
#include "analyze/import/unwrap.h"

enum {
        BANNER,
        COPIES,
        OS,
        MACHINE,
        CPU,
        TABLE_4,
        TABLE_5,
        RAW,
        INDEX,
        SCORE,
        CUT_RAW,
        BOILERPLATE,
        REMARK,
        N_PATTERNS
};

/* One decimal each: that is what parts columns that have run together. */
#define FIGURE "([0-9]+\\.[0-9])"

static const char *const sources[N_PATTERNS] = {
        [BANNER] = "BYTE UNIX Benchmarks \\(Version ([0-9.]+\\w*)",
        [COPIES] = "^([0-9]+) CPUs? in system; running ([0-9]+) parallel cop(?:y|ies) of tests",
        [OS] = "^OS: (\\S+) -- (\\S+) -- ",
        [MACHINE] = "^Machine: (\\S+)",
        [CPU] = "^CPU 0: (.*\\S) \\([0-9.]+ bogomips\\)",
        [TABLE_4] = "^test baseline result index$",
        [TABLE_5] = "^System Benchmarks (Partial )?Index(?: Values)? baseline result index$",
        [RAW] = ("^(\\S.*?) ({num}) ?(lps|MWIPS|MFLOPS|KBps|lpm) ?\\(({num}) ?s(?:ecs?)?, "
                 "([0-9]+) samples?\\)$"),
        [INDEX] = ("^(\\S.*?) *" FIGURE " *" FIGURE " *" FIGURE "$"),
        [SCORE] = ("^(System Benchmarks Index Score|final score|=*\\s*final score)(?: \\((partial) "
                   "only\\))? ?:? ?" FIGURE "$"),
        [CUT_RAW] = ("^(dhrystone 2|double-precision whetstone|execl|file "
                     "(?:copy|read|write)|pipe|process|shell|"
                     "system call)\\b.*[0-9]"),
        [BOILERPLATE] = ("^(system:|language:|benchmark run:|index values$|-+$|=+$|.*\\bload "
                         "averages?:|.*\\brunlevel\\b)"),
        [REMARK] = "^\\((.+)\\)$",
};

#define INDICES_MAX 64

struct bench {
        struct import *in;
        struct patterns *p, *headings;
        bool is_open;       /* a record that still takes figures */
        bool has_banner;    /* it began with one, and only another one ends it */
        bool has_score;     /* the table that was read last is complete */
        char version[32];   /* "" not known yet */
        int64_t copies;     /* 0 not said */
        size_t copies_line; /* where the run without a result yet began; SIZE_MAX for none */
        bool is_partial;
        double logs; /* of recomputed indices, summed */
        unsigned n_indices;
};

static void open_record(struct bench *b, size_t i)
{
        char heading[HEADING_MAX_BYTES];

        (void) heading_above(b->in, i, 3, heading, sizeof heading);
        (void) import_record(b->in, i);
        heading_label(b->headings, b->in, heading);
        b->is_open = true;
        b->has_banner = b->has_score = false;
        b->version[0] = '\0';
        b->copies = 0;
        b->copies_line = SIZE_MAX;
        b->n_indices = 0;
        b->logs = 0;
}

/* warn_of_silence() - 5.1.3 stops without a word above 16 copies */
static void warn_of_silence(struct bench *b)
{
        if (b->is_open && b->copies_line != SIZE_MAX)
                import_warn(b->in, "line %u: the run with %lld copies has no results",
                            text_number(b->in->text, b->copies_line), (long long) b->copies);
        b->copies_line = SIZE_MAX;
}

static void close_record(struct bench *b)
{
        warn_of_silence(b);
        b->is_open = false;
}

static void read_banner(struct bench *b, size_t i, const struct match *m)
{
        close_record(b);
        open_record(b, i);
        b->has_banner = true;
        match_copy(m, 1, b->version, sizeof b->version);
        import_take(b->in, i);
}

static void read_copies(struct bench *b, size_t i, const struct match *m)
{
        int64_t cpus;

        if (!b->is_open)
                open_record(b, i);
        warn_of_silence(b);
        if (match_integer(m, 1, &cpus))
                import_config_integer(b->in, "cpu.cores", cpus);
        (void) match_integer(m, 2, &b->copies);
        b->copies_line = i;
        b->n_indices = 0;
        b->logs = 0;
        import_take(b->in, i);
}

static void read_os(struct bench *b, size_t i, const struct match *m)
{
        char name[64], release[64];

        if (!b->is_open)
                return;
        import_take(b->in, i);
        import_config(b->in, "os.name", match_copy(m, 1, name, sizeof name));
        import_config(b->in, "kernel.release", match_copy(m, 2, release, sizeof release));
}

static void read_word(struct bench *b, size_t i, const struct match *m, const char *key)
{
        char word[128];

        if (!b->is_open)
                return;
        import_take(b->in, i);
        import_config(b->in, key, match_copy(m, 1, word, sizeof word));
}

static void read_table_head(struct bench *b, size_t i, const struct match *m, bool is_5)
{
        /* Without a banner a second table is another machine, or another configuration of it. */
        if (b->is_open && !b->has_banner && b->has_score)
                close_record(b);
        if (!b->is_open)
                open_record(b, i);
        if (b->version[0] == '\0')
                (void) snprintf(b->version, sizeof b->version, "%s",
                                is_5 ? "5 by layout" : "4 by layout");
        b->is_partial = match_has(m, 1) && is_5;
        b->has_score = false;
        b->n_indices = 0;
        b->logs = 0;
        import_skip(b->in, i);
}

/* begin_sample() - the sample of @workload and this many copies that still lacks @field, or a new
 * run */
static void begin_sample(struct bench *b, const char *workload, size_t i, const char *field)
{
        struct record *r = b->in->error == 0 ? b->in->records[b->in->n_records - 1] : NULL;
        for (size_t k = 0; r && k < r->n_samples; k++) {
                struct sample *s = &r->samples[k];

                if (strcmp(s->workload, workload) != 0 ||
                    json_integer_value(json_object_get(s->parameters, "copies")) != b->copies)
                        continue;
                if (!sample_find(s, field)) {
                        import_reopen(b->in, k);
                        return;
                }
        }
        (void) import_sample(b->in, workload, 0, i);
        import_tool(b->in, "unixbench", b->version[0] ? b->version : NULL);
        if (b->copies)
                import_parameter_integer(b->in, "copies", b->copies);
}

static void workload_of(const char *test, char *ret, size_t size)
{
        (void) snprintf(ret, size, "unixbench.%s", test);
}

static void read_raw(struct bench *b, size_t i, const struct match *m)
{
        char name[96], test[48], workload[64], raw[MATCH_RAW_BYTES], unit[16], words[64],
                samples[16];
        struct number result;

        if (!match_number(m, 2, COMMA_DECIMAL, &result, raw)) {
                import_unread(b->in, i, "'%s' is no number", raw);
                return;
        }
        if (!b->is_open)
                open_record(b, i);
        b->copies_line = SIZE_MAX;
        unixbench_test(match_copy(m, 1, name, sizeof name), test, sizeof test);
        workload_of(test, workload, sizeof workload);
        import_take(b->in, i);
        begin_sample(b, workload, i, "result");
        import_number(b->in, "result", &result, match_copy(m, 3, unit, sizeof unit), BETTER_HIGHER,
                      i, raw);
        import_detail(b->in, "elapsed_s", match_copy(m, 4, words, sizeof words));
        import_detail(b->in, "samples", match_copy(m, 5, samples, sizeof samples));
}

/* enter_result() - the index table's result: the raw line's again, or the only one there is */
static void enter_result(struct bench *b, size_t i, const struct number *result, const char *raw,
                         const char *unit)
{
        const struct sample *s = import_newest(b->in);
        const struct sample_value *v = s ? sample_find(s, "result") : NULL;

        if (!v)
                import_number(b->in, "result", result, unit, BETTER_HIGHER, i, raw);
        else if (!number_agrees(result, v->value))
                import_mismatch(b->in, "result", "the index table on line %u has %s",
                                text_number(b->in->text, i), raw);
}

static void read_index(struct bench *b, size_t i, const struct match *m)
{
        char name[96], test[48], workload[64], raw[3][MATCH_RAW_BYTES];
        struct number baseline, result, index;
        double computed;

        if (!b->is_open || !match_number(m, 2, COMMA_DECIMAL, &baseline, raw[0]) ||
            !match_number(m, 3, COMMA_DECIMAL, &result, raw[1]) ||
            !match_number(m, 4, COMMA_DECIMAL, &index, raw[2]) || baseline.value <= 0)
                return;
        b->copies_line = SIZE_MAX;
        unixbench_test(match_copy(m, 1, name, sizeof name), test, sizeof test);
        workload_of(test, workload, sizeof workload);
        import_take(b->in, i);
        begin_sample(b, workload, i, "index");
        import_parameter(b->in, "baseline", raw[0]); /* only the same baseline compares */
        enter_result(b, i, &result, raw[1], unixbench_unit(test));
        import_number(b->in, "index", &index, "", BETTER_HIGHER, i, raw[2]);
        computed = result.value / baseline.value * 10;
        if (!number_agrees(&index, computed))
                import_mismatch(b->in, "index", "stated %s, but %s / %s x 10 is %.1f", raw[2],
                                raw[1], raw[0], computed);
        if (computed > 0) {
                b->logs += log(computed);
                b->n_indices++;
        }
}

static void read_score(struct bench *b, size_t i, const struct match *m)
{
        bool partial = b->is_partial || match_has(m, 2);
        char raw[MATCH_RAW_BYTES];
        struct number score;

        if (!b->is_open || !match_number(m, 3, COMMA_DECIMAL, &score, raw))
                return;
        import_take(b->in, i);
        begin_sample(b, partial ? "unixbench.partial_score" : "unixbench.score", i, "index");
        import_parameter_integer(b->in, "tests", b->n_indices);
        import_number(b->in, "index", &score, "", BETTER_HIGHER, i, raw);
        b->has_score = true;
        if (b->n_indices == 0)
                import_warn(b->in, "line %u: a score without the indices it is made of",
                            text_number(b->in->text, i));
        else if (!number_agrees(&score, exp(b->logs / b->n_indices)))
                import_mismatch(b->in, "index",
                                "stated %s, but the geometric mean of its %u indices is %.1f", raw,
                                b->n_indices, exp(b->logs / b->n_indices));
}

/* read_remark() - what an author puts in brackets below a score */
static void read_remark(struct bench *b, size_t i, const struct match *m)
{
        char remark[HEADING_MAX_BYTES];

        if (!b->is_open || !b->has_score)
                return;
        import_take(b->in, i);
        import_note(b->in, match_copy(m, 1, remark, sizeof remark));
}

static void read_line(struct bench *b, size_t i)
{
        const char *line = text_at(b->in->text, i);
        struct match m;

        switch (pattern_first(b->p, N_PATTERNS, line, &m)) {
        case BANNER:
                read_banner(b, i, &m);
                break;
        case COPIES:
                read_copies(b, i, &m);
                break;
        case OS:
                read_os(b, i, &m);
                break;
        case MACHINE:
                read_word(b, i, &m, "kernel.arch");
                break;
        case CPU:
                read_word(b, i, &m, "cpu.model");
                break;
        case TABLE_4:
        case TABLE_5:
                read_table_head(b, i, &m, strncasecmp(line, "system", 6) == 0);
                break;
        case RAW:
                read_raw(b, i, &m);
                break;
        case INDEX:
                read_index(b, i, &m);
                break;
        case SCORE:
                read_score(b, i, &m);
                break;
        case CUT_RAW:
                if (b->is_open)
                        import_unread(b->in, i, "neither a result nor an index of UnixBench");
                break;
        case BOILERPLATE:
                import_skip(b->in, i);
                break;
        case REMARK:
                read_remark(b, i, &m);
                break;
        default:
                break;
        }
}

void unixbench_unwrap(struct text *text)
{
        const char *const lines[] = { sources[TABLE_5], sources[RAW], sources[INDEX],
                                      sources[SCORE] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int unixbench_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);

        for (size_t i = 0; p && i < text->n_lines; i++) {
                const char *line = text_at(text, i);

                if (text_is_free(text, i) &&
                    (pattern_match(p, BANNER, line, NULL) ||
                     pattern_match(p, TABLE_4, line, NULL) ||
                     pattern_match(p, TABLE_5, line, NULL) || pattern_match(p, COPIES, line, NULL)))
                        return 95;
        }
        return 0;
}

void unixbench_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        struct bench b = { .in = in, .p = p, .headings = headings };

        if (!p || !headings) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&b, i);
        close_record(&b);
}
