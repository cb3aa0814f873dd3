/* analyze/import/resp.c - tables of a kernel's response under load:
 *
 *     2.4.18-5.out
 *     Starting 1 CPU run with 92 MB RAM, minimum 5 data points at 20 sec intervals
 *     _____________ delay ms. ____________
 *     Test low high median average S.D. ratio
 *     noload 238.745 247.882 239.419 240.904 0.004 1.000
 *
 * The four delays are in ms, the S.D. is in seconds. In variants the header's end differs: "median
 * avg" are two ratios and there is no S.D.; "raw S.D." is the average's ratio and another one.
 * Letters before the test's name tell kernels apart that share one table. */
#include <ctype.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum { HEAD, START, BANNER, ROW, ROW_NAME, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [HEAD] = ("^(?:test )?low high median (?:average|avg) "
                  "(?:(s\\.?d\\.? ratio)|(median avg)|(raw s\\.?d\\.?))$"),
        [START] = ("\\b([0-9]+) CPUs? run with ([0-9]+) MB RAM, minimum ([0-9]+) data points at "
                   "([0-9]+) sec(?:onds?)?(?: intervals?)?"),
        [BANNER] = "^_+ *delay ms\\.? *_+(?: *_* *ratio *_*)?$",
        [ROW] = ("^(?:([a-z0-9]{1,2}) )?([a-z0-9]+(?:-[a-z]+)?) ({num}) ({num}) ({num}) ({"
                 "num}) "
                 "({num}) ({num})$"),
        [ROW_NAME] =
                "^(?:[a-z0-9]{1,2} )?((?:no|cpu|spawn)load|(?:small|large)write|[28]ctx-mem)\\b",
};

#define N_LOADS 7
#define FIGURES 6
#define ROWS_MAX 64

enum ending { SD_RATIO, MEDIAN_AVERAGE, RAW_SD };

struct row {
        size_t i;
        char prefix[4]; /* the letter of its kernel, or "" */
        char name[32];
        struct number v[FIGURES];
        char raw[FIGURES][MATCH_RAW_BYTES];
        bool entered;
};

struct resp {
        struct import *in;
        struct patterns *p, *headings;
        char heading[HEADING_MAX_BYTES];
        size_t start, banner; /* lines above the header; SIZE_MAX for none */
        enum ending ending;
        struct row rows[ROWS_MAX];
        size_t n_rows;
        struct number base[2]; /* average and median of the open record's noload */
        bool has_base;
};

/* A heading like "2.5.38-mm2-1.out" names the kernel. */
static void label_kernel(struct import *in, const char *heading)
{
        char release[128];
        size_t n = strcspn(heading, " ,");

        if (!isdigit((unsigned char) heading[0]) || heading[1] != '.' || n >= sizeof release)
                return;
        memcpy(release, heading, n);
        release[n] = '\0';
        if (n > 4 && strcmp(release + n - 4, ".out") == 0)
                release[n - 4] = '\0';
        import_label(in, "kernel.release", release);
}

static void begin_record(struct resp *t, const struct row *row)
{
        struct import *in = t->in;
        struct match m;
        int64_t n;

        (void) import_record(in, row->i);
        heading_label(t->headings, in, t->heading);
        label_kernel(in, t->heading);
        if (row->prefix[0])
                import_label(in, "kernel.letter", row->prefix);
        t->has_base = false;
        if (t->banner != SIZE_MAX)
                import_take(in, t->banner);
        if (t->start == SIZE_MAX || !pattern_match(t->p, START, text_at(in->text, t->start), &m))
                return;
        import_take(in, t->start);
        if (match_integer(&m, 1, &n))
                import_config_integer(in, "cpu.cores", n);
        if (match_integer(&m, 2, &n) && n < INT32_MAX)
                import_config_integer(in, "memory.bytes", n << 20);
}

static void add_parameters(const struct resp *t)
{
        struct match m;
        int64_t n;

        if (t->start == SIZE_MAX || !pattern_match(t->p, START, text_at(t->in->text, t->start), &m))
                return;
        if (match_integer(&m, 3, &n))
                import_parameter_integer(t->in, "min_points", n);
        if (match_integer(&m, 4, &n))
                import_parameter_integer(t->in, "interval_s", n);
}

static void check_ratio(struct resp *t, const char *field, const struct number *ratio,
                        const struct number *delay, const struct number *base, const char *what)
{
        double computed = base->value > 0 ? delay->value / base->value : 0;

        if (t->has_base && base->value > 0 && !number_agrees(ratio, computed))
                import_mismatch(t->in, field, "stated %.3f, but %s over that of noload is %.3f",
                                ratio->value, what, computed);
}

static void check_order(struct resp *t, const struct number v[FIGURES])
{
        if (v[0].value > v[1].value)
                import_mismatch(t->in, "low", "above the high of %.3f", v[1].value);
        if (v[2].value < v[0].value || v[2].value > v[1].value)
                import_mismatch(t->in, "median", "outside low and high");
        if (v[3].value < v[0].value || v[3].value > v[1].value)
                import_mismatch(t->in, "average", "outside low and high");
}

/* enter_ends() - the last two columns, which the header gave their meaning */
static void enter_ends(struct resp *t, const struct number v[FIGURES],
                       char raw[FIGURES][MATCH_RAW_BYTES], size_t i)
{
        struct number sd_ms = { .value = v[4].value * 1000, .digit = v[4].digit * 1000 };

        switch (t->ending) {
        case SD_RATIO:
                import_number(t->in, "sd", &sd_ms, "ms", BETTER_LOWER, i, raw[4]);
                import_number(t->in, "ratio", &v[5], "", BETTER_LOWER, i, raw[5]);
                check_ratio(t, "ratio", &v[5], &v[3], &t->base[0], "its average");
                break;
        case MEDIAN_AVERAGE:
                import_number(t->in, "ratio_median", &v[4], "", BETTER_LOWER, i, raw[4]);
                import_number(t->in, "ratio", &v[5], "", BETTER_LOWER, i, raw[5]);
                check_ratio(t, "ratio_median", &v[4], &v[2], &t->base[1], "its median");
                check_ratio(t, "ratio", &v[5], &v[3], &t->base[0], "its average");
                break;
        case RAW_SD:
                import_number(t->in, "ratio", &v[4], "", BETTER_LOWER, i, raw[4]);
                import_number(t->in, "ratio_sd", &v[5], "", BETTER_LOWER, i, raw[5]);
                check_ratio(t, "ratio", &v[4], &v[3], &t->base[0], "its average");
                break;
        }
}

static void enter_row(struct resp *t, struct row *row)
{
        static const char *const fields[] = { "low", "high", "median", "average" };
        char workload[64];

        row->entered = true;
        import_take(t->in, row->i);
        (void) snprintf(workload, sizeof workload, "response.%s", row->name);
        (void) import_sample(t->in, workload, 0, row->i);
        import_tool(t->in, "resp", NULL);
        add_parameters(t);
        if (strcmp(row->name, "noload") == 0) {
                t->base[0] = row->v[3];
                t->base[1] = row->v[2];
                t->has_base = true;
        }
        for (size_t k = 0; k < ELEMENTSOF(fields); k++)
                import_number(t->in, fields[k], &row->v[k], "ms", BETTER_LOWER, row->i,
                              row->raw[k]);
        enter_ends(t, row->v, row->raw, row->i);
        check_order(t, row->v);
}

/* enter_rows() - a record for each letter, in the order of their first rows */
static void enter_rows(struct resp *t)
{
        for (size_t first = 0; first < t->n_rows; first++) {
                unsigned n = 0;

                if (t->rows[first].entered)
                        continue;
                begin_record(t, &t->rows[first]);
                for (size_t k = first; k < t->n_rows; k++)
                        if (strcmp(t->rows[k].prefix, t->rows[first].prefix) == 0) {
                                enter_row(t, &t->rows[k]);
                                n++;
                        }
                if (n < N_LOADS)
                        import_warn(t->in, "%u of %u loads: the run was interrupted", n, N_LOADS);
        }
}

static void read_row(struct resp *t, size_t i, const struct match *m)
{
        struct row row = { .i = i };

        match_copy(m, 1, row.prefix, sizeof row.prefix);
        match_copy(m, 2, row.name, sizeof row.name);
        for (size_t k = 0; k < FIGURES; k++)
                if (!match_number(m, 3 + k, COMMA_THREE, &row.v[k], row.raw[k])) {
                        import_unread(t->in, i, "'%s' is no number", row.raw[k]);
                        return;
                }
        if (t->n_rows == ROWS_MAX)
                import_unread(t->in, i, "more than %d rows in one table", ROWS_MAX);
        else
                t->rows[t->n_rows++] = row;
}

/* look_above() - the run's parameters, the banner and the heading over the header on line @i */
static void look_above(struct resp *t, size_t i)
{
        size_t above = i;

        t->start = t->banner = SIZE_MAX;
        for (size_t k = i; k-- > 0 && k + 5 > i;) {
                const char *line = text_at(t->in->text, k);

                if (pattern_match(t->p, BANNER, line, NULL))
                        t->banner = above = k;
                else if (pattern_match(t->p, START, line, NULL))
                        t->start = above = k;
                else if (*line)
                        break;
        }
        (void) heading_above(t->in, above, 1, t->heading, sizeof t->heading);
}

/* read_table() - the rows below the header on line @i. Return: the line after them. */
static size_t read_table(struct resp *t, size_t i, const struct match *head)
{
        struct import *in = t->in;

        t->ending = match_has(head, 1) ? SD_RATIO : match_has(head, 2) ? MEDIAN_AVERAGE : RAW_SD;
        t->n_rows = 0;
        look_above(t, i);
        import_skip(in, i);
        for (i++; i < in->text->n_lines && in->error == 0; i++) {
                const char *line = text_at(in->text, i);
                char name[32];
                struct match m;

                if (pattern_match(t->p, ROW, line, &m))
                        read_row(t, i, &m);
                else if (pattern_match(t->p, ROW_NAME, line, &m))
                        import_unread(in, i, "a row of %s without six figures",
                                      match_copy(&m, 1, name, sizeof name));
                else if (*line)
                        break;
        }
        enter_rows(t);
        return i;
}

void resp_unwrap(struct text *text)
{
        const char *const lines[] = { sources[START], sources[HEAD], sources[ROW] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int resp_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);

        for (size_t i = 0; p && i < text->n_lines; i++)
                if (text_is_free(text, i) && pattern_match(p, HEAD, text_at(text, i), NULL))
                        return 95;
        return 0;
}

void resp_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        CLEANUP(freep) struct resp *t = calloc(1, sizeof *t);
        struct match m;

        if (!p || !headings || !t) {
                import_out_of_memory(in);
                return;
        }
        *t = (struct resp){ .in = in, .p = p, .headings = headings };
        for (size_t i = 0; i < in->text->n_lines && in->error == 0;) {
                if (text_is_free(in->text, i) && pattern_match(p, HEAD, text_at(in->text, i), &m))
                        i = read_table(t, i, &m);
                else
                        i++;
        }
}
