/* analyze/import/contest.c - contest: how long a kernel build takes under a load of each kind:
 *
 *     io_load:
 *     Kernel        [runs]   Time    CPU%    Loads   LCPU%   Ratio
 *     2.5.44             3   181.7    41      5       3.2     2.49
 *
 * Times are seconds. Kernels are mixed in each table, so rows are gathered first and become one
 * record per kernel. The ratio is to no_load, of the same kernel or of one reference for all: what
 * no_load's own ratio says. */
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum { LOAD, HEAD, ROW, SHORT_ROW, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [LOAD] = "^([a-z_]*(?:load|cacherun|run)):?$",
        [HEAD] = "^kernel *(?:\\[runs\\])? time cpu% loads lcpu% ratio$",
        [ROW] = ("^(\\S*[0-9]\\.[0-9]\\S*?) ?\\[?([0-9]+)\\]? ({num}) ({num})%? ({num}) ({num})%? "
                 "({num})$"),
        [SHORT_ROW] = "^(\\S*[0-9]\\.[0-9]\\S*)",
};

#define FIGURES 5
#define ROWS_MAX 2048

struct row {
        size_t i;
        char kernel[64], load[32];
        int64_t runs;
        struct number v[FIGURES];
        char raw[FIGURES][MATCH_RAW_BYTES];
        bool entered;
};

struct contest {
        struct import *in;
        struct patterns *p;
        struct row *rows;
        size_t n_rows;
        char load[32]; /* of the table that is being read; "" outside of one */
};

static const struct column {
        const char *field, *unit;
        enum better better;
} columns[FIGURES] = {
        { "time", "s", BETTER_LOWER },  { "cpu_percent", "%", BETTER_HIGHER },
        { "loads", "", BETTER_HIGHER }, { "load_cpu_percent", "%", BETTER_UNSTATED },
        { "ratio", "", BETTER_LOWER },
};

static void read_row(struct contest *t, size_t i, const struct match *m)
{
        struct row row = { .i = i }, *grown;

        match_copy(m, 1, row.kernel, sizeof row.kernel);
        (void) match_integer(m, 2, &row.runs);
        (void) snprintf(row.load, sizeof row.load, "%s", t->load);
        for (size_t k = 0; k < FIGURES; k++)
                if (!match_number(m, 3 + k, COMMA_DECIMAL, &row.v[k], row.raw[k])) {
                        import_unread(t->in, i, "'%s' is no number", row.raw[k]);
                        return;
                }
        if (t->n_rows == ROWS_MAX) {
                import_unread(t->in, i, "more than %d rows", ROWS_MAX);
                return;
        }
        grown = reallocarray(t->rows, t->n_rows + 1, sizeof *grown);
        if (!grown) {
                import_out_of_memory(t->in);
                return;
        }
        t->rows = grown;
        grown[t->n_rows++] = row;
        import_skip(t->in, i);
}

static void read_line(struct contest *t, size_t i)
{
        const char *line = text_at(t->in->text, i);
        char load[32];
        struct match m;

        if (pattern_match(t->p, LOAD, line, &m)) {
                match_copy(&m, 1, t->load, sizeof t->load);
                import_skip(t->in, i);
        } else if (pattern_match(t->p, HEAD, line, NULL)) {
                import_skip(t->in, i);
        } else if (t->load[0] && pattern_match(t->p, ROW, line, &m)) {
                read_row(t, i, &m);
        } else if (t->load[0] && pattern_match(t->p, SHORT_ROW, line, &m)) {
                import_unread(t->in, i, "a row of %s without its five figures",
                              match_copy(&m, 1, load, sizeof load));
        } else {
                t->load[0] = '\0'; /* prose: a table ends here */
        }
}

/* base_of() - the row of no_load of @row's kernel */
static const struct row *base_of(const struct contest *t, const struct row *row)
{
        for (size_t k = 0; k < t->n_rows; k++)
                if (strcmp(t->rows[k].load, "no_load") == 0 &&
                    strcmp(t->rows[k].kernel, row->kernel) == 0)
                        return &t->rows[k];
        return NULL;
}

static void check_ratio(struct contest *t, const struct row *row)
{
        const struct row *base = base_of(t, row);
        struct number reference;

        if (!base || base == row || base->v[4].value <= 0)
                return;
        reference = base->v[0];
        reference.value /= base->v[4].value;
        /* no_load's ratio is rounded too, and carries that into the reference. */
        if (base->v[4].value != 1)
                reference.digit += reference.value * base->v[4].digit;
        if (!number_agrees_ratio(&row->v[4], &row->v[0], &reference))
                import_mismatch(t->in, "ratio", "stated %s, but %s s over no_load's %s s is %.3f",
                                row->raw[4], row->raw[0], base->raw[0],
                                row->v[0].value / reference.value);
}

static void enter_row(struct contest *t, struct row *row)
{
        char workload[64];

        row->entered = true;
        import_take(t->in, row->i);
        import_cover(t->in, row->load);
        (void) snprintf(workload, sizeof workload, "contest.%s", row->load);
        (void) import_sample(t->in, workload, 0, row->i);
        import_tool(t->in, "contest", NULL);
        import_parameter_integer(t->in, "runs", row->runs);
        for (size_t k = 0; k < FIGURES; k++)
                import_number(t->in, columns[k].field, &row->v[k], columns[k].unit,
                              columns[k].better, row->i, row->raw[k]);
        check_ratio(t, row);
}

static void enter_rows(struct contest *t)
{
        for (size_t first = 0; first < t->n_rows && t->in->error == 0; first++) {
                if (t->rows[first].entered)
                        continue;
                (void) import_record(t->in, t->rows[first].i);
                import_label(t->in, "kernel.release", t->rows[first].kernel);
                for (size_t k = first; k < t->n_rows; k++)
                        if (strcmp(t->rows[k].kernel, t->rows[first].kernel) == 0)
                                enter_row(t, &t->rows[k]);
        }
}

void contest_unwrap(struct text *text)
{
        const char *const lines[] = { sources[HEAD], sources[ROW] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int contest_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);

        for (size_t i = 0; p && i < text->n_lines; i++)
                if (text_is_free(text, i) && pattern_match(p, HEAD, text_at(text, i), NULL))
                        return 95;
        return 0;
}

void contest_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        struct contest t = { .in = in, .p = p };

        if (!p) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&t, i);
        enter_rows(&t);
        free(t.rows);
}
