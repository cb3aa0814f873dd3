/* analyze/import/sysbench.c - sysbench 0.4, 0.5, 1.0 and 1.1: cutting a text into runs and figures.
 *
 * Banners are often missing, lines are joined, and headings stick to the last figure of the run
 * before
 * ("execution time (avg/stddev): 10.1753/0.00CPU Multi Thread (4)"). So labels are looked for
 * anywhere in a line, in the order in which they stand, and a run ends where a figure would come a
 * second time. What is between runs is headings: one that describes a test belongs to the next run,
 * one that does not ("Debian 11") begins a record. */
#include "analyze/import/sysbench.h"
#include <ctype.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/sysbench_labels.h"

#define HEADINGS_MAX 3
#define COMMANDS_MAX 64

struct bench {
        struct import *in;
        struct patterns *p, *headings;
        struct sysbench_tables *tables;
        struct sysbench_run run;
        struct sysbench_command commands[COMMANDS_MAX];
        size_t n_commands;
        size_t n_script; /* commands before the first run: they may be the script of all */
        char pending[HEADINGS_MAX][128]; /* lines since the last run's end */
        size_t n_pending;
        char group[128]; /* heading of the open record */
        bool record_is_open;
        size_t runs_of_kind[KIND_OTHER + 1]; /* in the open record */
        bool in_latency;                     /* "min:" and its kin count only there */
        bool had_run;
};

static void remember_heading(struct bench *b, const char *text)
{
        if (!heading_may_be(text))
                return;
        if (b->n_pending == HEADINGS_MAX) {
                memmove(b->pending[0], b->pending[1], sizeof b->pending - sizeof b->pending[0]);
                b->n_pending--;
        }
        (void) snprintf(b->pending[b->n_pending++], sizeof b->pending[0], "%s", text);
}

/* describes_test() - "CPU Single Thread", against "Debian 11" */
static bool describes_test(const char *words)
{
        static const char *const test_words[] = { "thread", "run",     "test",   "sequential",
                                                  "random", "latency", "single", "multi",
                                                  "seqwr",  "seqrd",   "rnd" };

        if (sysbench_kind_of(words) != KIND_UNKNOWN)
                return true;
        for (size_t k = 0; k < ELEMENTSOF(test_words); k++)
                if (strcasestr(words, test_words[k]))
                        return true;
        return false;
}

static void begin_record(struct bench *b, size_t i, const char *group)
{
        (void) import_record(b->in, i);
        heading_label(b->headings, b->in, group);
        (void) snprintf(b->group, sizeof b->group, "%s", group);
        b->record_is_open = true;
        memset(b->runs_of_kind, 0, sizeof b->runs_of_kind);
}

/* place_run() - the headings since the last run say whose this one is */
static void place_run(struct bench *b, size_t i)
{
        const char *group = NULL;

        for (size_t k = 0; k < b->n_pending; k++)
                if (!describes_test(b->pending[k]))
                        group = b->pending[k];
                else
                        (void) snprintf(b->run.heading, sizeof b->run.heading, "%s", b->pending[k]);
        if (group || !b->record_is_open)
                begin_record(b, i, group ? group : "");
        b->n_pending = 0;
}

/* ---- commands ---- */

static bool command_fits(const struct sysbench_command *c, const struct sysbench_run *run)
{
        return c->kind == run->kind && (!c->threads || !run->threads || c->threads == run->threads);
}

/* command_of() - the command that gave this run: the only one since the last run, else the one of
 * the same place among its kind in the script that stands before all runs */
static const struct sysbench_command *command_of(struct bench *b)
{
        const struct sysbench_command *found = NULL;
        size_t nth = b->runs_of_kind[b->run.kind], n_fresh = 0;

        for (size_t k = 0; k < b->n_commands; k++)
                if (!b->commands[k].used) {
                        found = &b->commands[k];
                        n_fresh++;
                }
        for (size_t k = 0; k < b->n_commands; k++)
                b->commands[k].used = true;
        if (n_fresh == 1 && b->run.kind == KIND_UNKNOWN)
                b->run.kind = found->kind;
        if (n_fresh == 1 && found->kind == b->run.kind)
                return found;
        for (size_t k = 0; k < b->n_script; k++)
                if (b->commands[k].kind == b->run.kind && nth-- == 0)
                        return &b->commands[k];
        return NULL;
}

static void apply_command(struct bench *b)
{
        struct sysbench_run *run = &b->run;
        const struct sysbench_command *c = command_of(b);

        if (!c)
                return;
        if (!command_fits(c, run)) {
                import_warn(b->in,
                            "line %u: %lld threads, but the command on line %u has %lld: its "
                            "parameters are not taken over",
                            text_number(b->in->text, run->first), (long long) run->threads,
                            text_number(b->in->text, c->i), (long long) c->threads);
                return;
        }
        if (!run->prime_limit)
                run->prime_limit = c->prime_limit;
        if (!run->mode[0])
                (void) snprintf(run->mode, sizeof run->mode, "%s", c->mode);
        (void) snprintf(run->total, sizeof run->total, "%s", c->total);
}

static void remember_command(struct bench *b, const struct sysbench_command *c, size_t i)
{
        if (b->n_commands == COMMANDS_MAX)
                return;
        b->commands[b->n_commands] = *c;
        b->commands[b->n_commands++].i = i;
        if (!b->had_run)
                b->n_script = b->n_commands;
}

/* ---- runs ---- */

static void close_run(struct bench *b)
{
        struct sysbench_run *run = &b->run;

        if (!run->is_open)
                return;
        run->is_open = false;
        b->in_latency = false;
        if (run->is_checkpoint) /* nothing final followed it */
                run->n_figures = 0;
        if (run->kind == KIND_OTHER) {
                import_unread(b->in, run->first,
                              "sysbench's database tests and scripts are not imported");
                return;
        }
        if (run->kind == KIND_UNKNOWN)
                run->kind = sysbench_kind_of(run->heading);
        if (run->n_figures == 0) {
                import_warn(b->in, "line %u: a run of sysbench without a result",
                            text_number(b->in->text, run->first));
                return;
        }
        sysbench_derive_threads(run);
        apply_command(b);
        b->runs_of_kind[run->kind]++;
        sysbench_enter(b->in, run);
        if (b->tables)
                sysbench_tables_check(b->tables, b->in, b->group, run);
        b->had_run = true;
}

static void open_run(struct bench *b, size_t i)
{
        if (b->run.is_open)
                return;
        b->run = (struct sysbench_run){ .is_open = true, .first = i };
        place_run(b, i);
}

/* new_run() - @is_final: another report of the same run may follow a checkpoint */
static void new_run(struct bench *b, size_t i, bool is_final)
{
        if (b->run.is_open && b->run.is_checkpoint && !is_final) {
                b->run.is_checkpoint = false;
                b->run.n_figures = 0;
                b->in_latency = false;
                return;
        }
        close_run(b);
        open_run(b, i);
}

static void set_kind(struct bench *b, size_t i, enum sysbench_kind kind)
{
        if (b->run.is_open && b->run.n_figures > 0 && b->run.kind != KIND_UNKNOWN &&
            b->run.kind != kind)
                new_run(b, i, true);
        open_run(b, i);
        b->run.kind = kind;
}

static void set_layout(struct bench *b, const char *layout) { b->run.layout = layout; }

static void add_figure(struct bench *b, size_t i, const struct sysbench_field *f,
                       const struct match *m)
{
        struct sysbench_figure figure = {
                .field = f->field, .unit = f->unit, .better = f->better, .i = i
        };

        if (!match_number(m, f->group, f->comma, &figure.n, figure.raw))
                return;
        if (!figure.unit)
                figure.unit = sysbench_size_unit(m->subject + m->to[f->group]);
        if (b->run.is_open && sysbench_figure(&b->run, f->field)) {
                if (f->may_repeat)
                        return;
                new_run(b, i, false);
        }
        open_run(b, i);
        if (b->run.n_figures < SYSBENCH_FIGURES_MAX)
                b->run.figures[b->run.n_figures++] = figure;
}

static void add_bar(struct bench *b, const struct match *m)
{
        struct number value;
        int64_t count;

        if (b->run.is_open && b->run.n_bars < SYSBENCH_BARS_MAX &&
            match_number(m, 1, COMMA_THREE, &value, NULL) && match_integer(m, 2, &count))
                b->run.bars[b->run.n_bars++] = (struct sysbench_bar){ value.value, count };
}

static void read_block(struct bench *b, size_t i, const struct match *m)
{
        bool is_mib = match_has(m, 2) && toupper((unsigned char) m->subject[m->from[2]]) == 'M';
        int64_t n;

        if (!match_integer(m, 1, &n) || __builtin_mul_overflow(n, is_mib ? 1024 : 1, &n))
                import_unread(b->in, i, "a block larger than any memory");
        else
                b->run.block_kib = n;
}

/* handle() - label @l stands here */
static void handle(struct bench *b, size_t i, const struct sysbench_label *l, const struct match *m)
{
        switch (l->action) {
        case LABEL_BANNER:
                new_run(b, i, true);
                match_copy(m, 1, b->run.version, sizeof b->run.version);
                break;
        case LABEL_KIND:
                set_kind(b, i, l->kind);
                break;
        case LABEL_PRIME:
                set_kind(b, i, KIND_CPU);
                (void) match_integer(m, 1, &b->run.prime_limit);
                break;
        case LABEL_BLOCK:
                set_kind(b, i, l->kind);
                read_block(b, i, m);
                break;
        case LABEL_MODE:
                set_kind(b, i, l->kind);
                sysbench_mode(m, b->run.mode, sizeof b->run.mode);
                break;
        case LABEL_THREADS:
                open_run(b, i);
                (void) match_integer(m, 1, &b->run.threads);
                break;
        case LABEL_CHECKPOINT:
                open_run(b, i);
                b->run.is_checkpoint = true;
                break;
        case LABEL_LATENCY:
                open_run(b, i);
                b->in_latency = true;
                if (l->layout)
                        set_layout(b, l->layout);
                break;
        case LABEL_SECTION:
                open_run(b, i);
                b->in_latency = false;
                if (l->layout)
                        set_layout(b, l->layout);
                break;
        case LABEL_FIGURES:
                if (l->only_latency && !b->in_latency)
                        break;
                if (l->kind != KIND_UNKNOWN)
                        set_kind(b, i, l->kind);
                if (l->layout) {
                        open_run(b, i);
                        set_layout(b, l->layout);
                }
                for (size_t k = 0; k < ELEMENTSOF(l->fields) && l->fields[k].field; k++)
                        add_figure(b, i, &l->fields[k], m);
                if (l->percentile && b->run.is_open)
                        match_copy(m, 1, b->run.percentile, sizeof b->run.percentile);
                break;
        case LABEL_BAR:
                add_bar(b, m);
                break;
        case LABEL_NOISE:
                break;
        }
}

/* rest_of_line() - what stands behind the last label is a heading that lost its line break */
static void rest_of_line(struct bench *b, const char *rest)
{
        while (*rest == ' ')
                rest++;
        if (isupper((unsigned char) *rest) && strlen(rest) > 2) {
                close_run(b);
                remember_heading(b, rest);
        }
}

static void read_labels(struct bench *b, size_t i, const char *line)
{
        size_t at = 0;
        bool any = false;

        for (;;) {
                const struct sysbench_label *l = NULL;
                struct match m;

                l = sysbench_next_label(b->p, line, at, &m);
                if (!l)
                        break;
                any = true;
                handle(b, i, l, &m);
                at = m.to[0] > at ? m.to[0] : at + 1;
                if (b->in->error < 0 || l->action == LABEL_NOISE)
                        break;
        }
        if (any) {
                if (b->record_is_open)
                        import_take(b->in, i);
                if (b->run.is_open && sysbench_figure(&b->run, "exec_per_thread"))
                        rest_of_line(b, line + at);
        } else {
                if (b->run.is_open && sysbench_figure(&b->run, "exec_per_thread"))
                        close_run(b);
                /* In the middle of a head or of a foreign block it is only a line not known here.
                 */
                if (!b->run.is_open || (b->run.n_figures > 0 && b->run.kind != KIND_OTHER))
                        remember_heading(b, line);
        }
}

/* joined() - a label whose figure was wrapped onto the next line; NULL when it was not */
static char *joined(const struct bench *b, size_t i)
{
        const char *line = text_at(b->in->text, i), *next = text_at(b->in->text, i + 1);
        size_t n = strlen(line);
        char *both;

        if (n == 0 || line[n - 1] != ':' || !isdigit((unsigned char) *next))
                return NULL;
        return asprintf(&both, "%s %s", line, next) < 0 ? NULL : both;
}

/* read_line() - line @i, and the next when the two were one. Return: the last line read. */
static size_t read_line(struct bench *b, size_t i)
{
        CLEANUP(freep) char *both = joined(b, i);
        const char *line = text_at(b->in->text, i);
        struct sysbench_command c;
        char glued[128];

        if (sysbench_command_read(line, &c, glued, sizeof glued)) {
                close_run(b);
                remember_command(b, &c, i);
                remember_heading(b, glued);
                import_skip(b->in, i);
                return i;
        }
        read_labels(b, i, both ? both : line);
        if (both && b->in->text->lines[i].taken)
                import_take(b->in, i + 1);
        return both ? i + 1 : i;
}

int sysbench_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = sysbench_patterns();
        unsigned n = 0;

        for (size_t i = 0; p && i < text->n_lines; i++) {
                const struct sysbench_label *l;
                struct match m;

                if (!text_is_free(text, i))
                        continue;
                l = sysbench_next_label(p, text_at(text, i), 0, &m);
                if (l && l->is_sure)
                        return 95;
                n += l != NULL && l->action != LABEL_NOISE;
                if (n >= 6)
                        return 60;
        }
        return 0;
}

void sysbench_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = sysbench_patterns();
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        CLEANUP(sysbench_tables_freep) struct sysbench_tables *tables = sysbench_tables_read(in);
        CLEANUP(freep) struct bench *b = calloc(1, sizeof *b);

        if (!p || !headings || !b) {
                import_out_of_memory(in);
                return;
        }
        b->in = in;
        b->p = p;
        b->headings = headings;
        b->tables = tables;
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        i = read_line(b, i);
        close_run(b);
}
