/* analyze/import/sysbench_table.c - summary tables that people put over the outputs they are taken
 * from:
 *
 *     | Test | Debian 10 | Debian 11 |
 *     |---|---|---|
 *     | CPU Single Thread Total Time (s) | 10.1848 | 10.0479 |
 *
 * They repeat figures, so nothing is imported from them. They are compared: a cell that differs
 * from its output is a slip of the pen that readers of the page have believed. */
#include <ctype.h>
#include <string.h>
#include "analyze/import/cells.h"
#include "analyze/import/sysbench.h"

#define TABLE_CELLS_MAX 1024

struct cell {
        size_t i;                    /* line */
        char column[CELL_MAX_BYTES]; /* what heads it: a record's heading */
        enum sysbench_kind kind;
        int64_t threads; /* 0: any */
        const char *field;
        char raw[MATCH_RAW_BYTES];
        struct number n;
        char unit[8]; /* a unit that stands in the cell itself */
};

struct sysbench_tables {
        struct cell cells[TABLE_CELLS_MAX];
        size_t n_cells;
};

void sysbench_tables_freep(struct sysbench_tables **t)
{
        free(*t);
        *t = NULL;
}

/* field_of() - which figure a row's words mean; NULL for none that is known */
static const char *field_of(const char *words, enum sysbench_kind kind)
{
        static const struct {
                const char *word, *field;
                enum sysbench_kind kind; /* KIND_UNKNOWN: any */
        } known[] = {
                { "events per second", "events_per_s", KIND_UNKNOWN },
                { "events/s", "events_per_s", KIND_UNKNOWN },
                { "total time", "total_time", KIND_UNKNOWN },
                { "number of events", "events", KIND_UNKNOWN },
                { "total operations", "operations", KIND_UNKNOWN },
                { "latency min", "latency_min", KIND_UNKNOWN },
                { "latency avg", "latency_avg", KIND_UNKNOWN },
                { "latency average", "latency_avg", KIND_UNKNOWN },
                { "latency max", "latency_max", KIND_UNKNOWN },
                { "latency 95th", "latency_percentile", KIND_UNKNOWN },
                { "writes per second", "writes_per_s", KIND_FILEIO },
                { "reads per second", "reads_per_s", KIND_FILEIO },
                { "writes throughput", "write_rate", KIND_FILEIO },
                { "reads throughput", "read_rate", KIND_FILEIO },
                { "throughput", "rate", KIND_MEMORY },
        };

        for (size_t k = 0; k < ELEMENTSOF(known); k++)
                if ((known[k].kind == KIND_UNKNOWN || known[k].kind == kind) &&
                    strcasestr(words, known[k].word))
                        return known[k].field;
        return NULL;
}

/* threads_of() - "Single Thread", "4 Threads"; 0 when the words do not say */
static int64_t threads_of(const char *words)
{
        const char *at = strcasestr(words, " thread");
        int64_t n = 0, scale = 1;

        if (strcasestr(words, "single thread"))
                return 1;
        for (; at && at > words && isdigit((unsigned char) at[-1]) && scale < 1000000;
             at--, scale *= 10)
                n += (at[-1] - '0') * scale;
        return n;
}

/* read_row() - false when its words mean no figure of ours */
static bool read_row(struct sysbench_tables *t, size_t i, char heads[CELLS_MAX][CELL_MAX_BYTES],
                     char cells[CELLS_MAX][CELL_MAX_BYTES], size_t n)
{
        enum sysbench_kind kind = sysbench_kind_of(cells[0]);
        const char *field = field_of(cells[0], kind);

        if (!field)
                return false;
        for (size_t k = 1; k < n && t->n_cells < TABLE_CELLS_MAX; k++) {
                struct cell *c = &t->cells[t->n_cells];
                size_t used;

                *c = (struct cell){
                        .i = i, .kind = kind, .threads = threads_of(cells[0]), .field = field
                };
                if (!number_parse(cells[k], COMMA_DECIMAL, &c->n, &used))
                        continue;
                (void) snprintf(c->column, sizeof c->column, "%s", heads[k]);
                (void) snprintf(c->raw, sizeof c->raw, "%.60s", cells[k]);
                (void) snprintf(c->unit, sizeof c->unit, "%.7s",
                                cells[k] + used + strspn(cells[k] + used, " "));
                t->n_cells++;
        }
        return true;
}

struct sysbench_tables *sysbench_tables_read(struct import *in)
{
        struct sysbench_tables *t = calloc(1, sizeof *t);
        char heads[CELLS_MAX][CELL_MAX_BYTES], cells[CELLS_MAX][CELL_MAX_BYTES];
        size_t n_heads = 0, head = 0;

        if (!t)
                import_out_of_memory(in);
        for (size_t i = 0; t && i < in->text->n_lines; i++) {
                const char *line = text_at(in->text, i);
                size_t n = text_is_free(in->text, i) ? cells_split(line, cells) : 0;

                if (n == 0) {
                        n_heads = 0;
                } else if (n_heads == 0) {
                        memcpy(heads, cells, sizeof heads);
                        n_heads = n;
                        head = i;
                } else if (cells_is_rule(line)) {
                        import_skip(in, i);
                } else if (read_row(t, i, heads, cells, n < n_heads ? n : n_heads)) {
                        import_skip(in, i);
                        import_skip(in, head);
                }
        }
        return t;
}

static void check_cell(const struct cell *c, struct import *in, const struct sysbench_run *run)
{
        const struct sysbench_figure *f = sysbench_figure(run, c->field);
        char name[48];

        if (!f)
                return;
        if (c->unit[0])
                import_warn(in, "the summary table on line %u writes %s with a unit of its own",
                            text_number(in->text, c->i), c->raw);
        (void) snprintf(name, sizeof name, "%s%s",
                        strcmp(c->field, "latency_percentile") == 0 ? "latency_p" : c->field,
                        strcmp(c->field, "latency_percentile") == 0 ? run->percentile : "");
        if (!number_agrees(&c->n, f->n.value))
                import_mismatch(in, name, "the output says %s; the summary table on line %u has %s",
                                f->raw, text_number(in->text, c->i), c->raw);
}

void sysbench_tables_check(const struct sysbench_tables *t, struct import *in, const char *group,
                           const struct sysbench_run *run)
{
        for (size_t k = 0; k < t->n_cells; k++) {
                const struct cell *c = &t->cells[k];

                if (strcasecmp(c->column, group) == 0 && c->kind == run->kind &&
                    (c->threads == 0 || c->threads == run->threads))
                        check_cell(c, in, run);
        }
}
