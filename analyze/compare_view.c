/* analyze/compare_view.c - the text of a comparison
 *
 * The order is that of a reader's questions: what is the answer, may I believe it, what are the
 * figures, what else differs, what would it take to know more. */
#include "analyze/compare_view.h"
#include <string.h>
#include "analyze/compare_odd_view.h"
#include "analyze/figure.h"
#include "analyze/level_change.h"
#include "analyze/paragraph.h"
#include "analyze/prose.h"
#include "analyze/short_name.h"
#include "analyze/table.h"
#include "analyze/verdict_words.h"

#define NAME_WIDTH 36 /* longer names are cut in the middle; --json has them whole */
#define NAME_WIDTH_MIN 20
#define GROUPS_NAMED 8 /* in the first sentence; the table below has all */
#define ROWS_SHOWN 40  /* of the rows without a verdict */

/* put_groups() - "drive, crypt and kernel" */
static void put_groups(const struct changes *c, FILE *f)
{
        size_t n = 0;

        for (size_t i = 0; i < c->n; i++)
                if (c->change[i].kind == CHANGE_DISJOINT && !c->change[i].is_name) {
                        if (++n <= GROUPS_NAMED)
                                (void) fprintf(f, "%s%s",
                                               n == 1               ? ""
                                               : n == c->n_disjoint ? " and "
                                                                    : ", ",
                                               c->change[i].group);
                }
        if (n > GROUPS_NAMED)
                (void) fprintf(f, " and %zu more", n - GROUPS_NAMED);
}

static int print_answer(const struct comparison *c, FILE *f)
{
        const struct row *r = compare_primary(c);
        struct prose p;

        if (!prose_open(&p))
                return -ENOMEM;
        if (!r) {
                (void) fprintf(p.f, "Cannot compare: %s.", c->problem);
                return prose_print(&p, f);
        }
        if (c->changes.confounded) {
                (void) fputs("Confounded: ", p.f);
                put_groups(&c->changes, p.f);
                (void) fputs(" changed together, so no difference below can be put down to one of "
                             "them ('bootlap effects' says which boots would separate them). Taken "
                             "together: ",
                             p.f);
        }
        verdict_sentence(c, r, p.f);
        return prose_print(&p, f);
}

static int print_sets(const struct comparison *c, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "set", TABLE_LEFT },
                                                       { "boots", TABLE_RIGHT },
                                                       { "which", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));

        if (!t || table_add(t, "A") < 0 || table_addf(t, "%zu", c->a->n) < 0 ||
            table_add(t, c->a->name) < 0 || table_add(t, "B") < 0 ||
            table_addf(t, "%zu", c->b->n) < 0 || table_add(t, c->b->name) < 0)
                return -ENOMEM;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

static int add_interval(struct table *t, const struct estimate *e, const char *low,
                        const char *high)
{
        return e->has_interval ? table_addf(t, "[%s, %s] at %.1f %%", low, high, 100 * e->level)
                               : table_add(t, "none");
}

static int add_set_line(struct table *t, const char *letter, const struct sample_set *s,
                        const struct figure_style *style)
{
        char median[FIGURE_BYTES], least[FIGURE_BYTES], most[FIGURE_BYTES], low[FIGURE_BYTES],
                high[FIGURE_BYTES];
        const struct estimate *e = &s->median_interval;

        if (table_add(t, letter) < 0 || table_addf(t, "%zu", s->n) < 0 ||
            table_add(t, figure_value(style, s->median, median)) < 0)
                return -ENOMEM;
        if (s->n == 1)
                return table_add(t, "a single boot");
        (void) figure_value(style, s->least, least);
        (void) figure_value(style, s->most, most);
        if (!e->has_interval)
                return table_addf(t, "%s to %s", least, most);
        return table_addf(t, "%s to %s; median within [%s, %s] at %.1f %%", least, most,
                          figure_plain(style, e->low, low), figure_plain(style, e->high, high),
                          100 * e->level);
}

static const char *method_words(const struct row *r)
{
        if (r->contrast.drift.matters)
                return "t test of the fit ln(value) ~ set + order, like the intervals above";
        switch (r->contrast.test.method) {
        case RANK_MONTE_CARLO:
                return "rank test by random draws from a fixed seed (too many boots to count)";
        case RANK_NORMAL:
                return "rank test, normal approximation (thousands of boots)";
        case RANK_EXACT:
                break;
        }
        return "exact rank test (Mann-Whitney), two-sided";
}

static int add_test_line(struct table *t, const struct row *r)
{
        char p[FIGURE_BYTES], least[FIGURE_BYTES];

        if (table_add(t, "p") < 0 || table_add(t, "") < 0 ||
            table_add(t, figure_p(r->contrast.p, p)) < 0)
                return -ENOMEM;
        if (r->p_holm > r->contrast.p)
                return table_addf(t, "%s; corrected for several levels: %s", method_words(r),
                                  figure_p(r->p_holm, p));
        if (r->contrast.drift.matters)
                return table_add(t, method_words(r));
        return table_addf(t, "%s; %zu+%zu boots can reach %s", method_words(r), r->contrast.a.n,
                          r->contrast.b.n, figure_p(r->contrast.least_p, least));
}

static void put_modes(const struct modes *m, const char *letter, const struct figure_style *style,
                      FILE *f)
{
        char low[FIGURE_BYTES], high[FIGURE_BYTES];

        if (m->two)
                (void) fprintf(f, "%s%s has two modes: %zu boots around %s and %zu around %s.",
                               ftell(f) > 0 ? " " : "", letter, m->n_low,
                               figure_value(style, m->low, low), m->n_high,
                               figure_value(style, m->high, high));
}

/* print_shape() - what the table above leaves out: two modes, a drift */
static int print_shape(const struct comparison *c, const struct row *r,
                       const struct figure_style *style, FILE *f)
{
        struct prose p;

        if (!c->modes_a.two && !c->modes_b.two && !r->contrast.drift.matters)
                return 0;
        if (!prose_open(&p))
                return -ENOMEM;
        put_modes(&c->modes_a, "A", style, p.f);
        put_modes(&c->modes_b, "B", style, p.f);
        if (r->contrast.drift.matters)
                (void) fprintf(p.f,
                               "%sThe values drift by %+.2g %% from boot to boot, so verdict, "
                               "shift, ratio and p come from a fit that takes the drift out.",
                               ftell(p.f) > 0 ? " " : "", r->contrast.drift.slope_percent);
        return prose_print(&p, f);
}

static int print_primary(const struct comparison *c, FILE *f, bool color)
{
        const struct row *r = compare_primary(c);
        const struct table_column columns[] = { { "", TABLE_LEFT },
                                                { "boots", TABLE_RIGHT },
                                                { "median", TABLE_RIGHT },
                                                { "range", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        char value[FIGURE_BYTES], low[FIGURE_BYTES], high[FIGURE_BYTES], head[160];
        const struct contrast *k;
        struct figure_style style;

        if (!t)
                return -ENOMEM;
        if (!r)
                return 0;
        k = &r->contrast;
        style = figure_style_of(k, r->metric->manner.unit);
        if (add_set_line(t, "A", &k->a, &style) < 0 || add_set_line(t, "B", &k->b, &style) < 0 ||
            table_add(t, "B - A") < 0 || table_add(t, "") < 0 ||
            table_add(t, figure_difference(&style, k->shift.value, value)) < 0 ||
            add_interval(t, &k->shift, figure_signed(&style, k->shift.low, low),
                         figure_signed(&style, k->shift.high, high)) < 0)
                return -ENOMEM;
        if (k->has_ratio && (table_add(t, "B / A") < 0 || table_add(t, "") < 0 ||
                             table_add(t, figure_ratio(k->ratio.value, value)) < 0 ||
                             add_interval(t, &k->ratio, figure_ratio(k->ratio.low, low),
                                          figure_ratio(k->ratio.high, high)) < 0))
                return -ENOMEM;
        if (add_test_line(t, r) < 0)
                return -ENOMEM;
        if (r->metric->to)
                (void) snprintf(head, sizeof head, "Primary: %s, machine time from %s to %s",
                                r->name, r->metric->from, r->metric->to);
        else
                (void) snprintf(head, sizeof head, "Primary: %s", r->name);
        paragraph_heading(f, head, color);
        if (table_print(t, f, color) < 0)
                return -EIO;
        return print_shape(c, r, &style, f);
}

static int print_changes(const struct comparison *c, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "group", TABLE_LEFT },
                                                       { "", TABLE_LEFT },
                                                       { "factor", TABLE_LEFT },
                                                       { "A -> B", TABLE_LEFT } };
        static const char *const words[] = { [CHANGE_DISJOINT] = "changed",
                                             [CHANGE_UNBALANCED] = "unbalanced",
                                             [CHANGE_ONE_SIDED] = "known in one set only" };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));

        if (!t)
                return -ENOMEM;
        if (c->a->n == 0 || c->b->n == 0)
                return 0;
        for (size_t i = 0; i < c->changes.n; i++) {
                const struct change *g = &c->changes.change[i];

                for (size_t k = 0; k < g->n_keys; k++) {
                        CLEANUP(freep) char *change = level_change(g->keys[k].a, g->keys[k].b);

                        if (!change || table_add(t, k == 0 ? g->group : "") < 0 ||
                            table_add(t, k > 0        ? ""
                                         : g->is_name ? "chosen by"
                                                      : words[g->kind]) < 0 ||
                            table_add(t, g->keys[k].key) < 0 || table_add(t, change) < 0)
                                return -ENOMEM;
                }
        }
        paragraph_heading(f, "What changed between A and B", color);
        if (c->changes.n == 0)
                return paragraph_print(f, "No factor that both sets know.");
        return table_print(t, f, color);
}

/* plain_value() - without the unit, which stands with the difference */
static const char *plain_value(const struct figure_style *style, double value, char *ret)
{
        return style->minutes ? figure_value(style, value, ret) : figure_plain(style, value, ret);
}

static int add_secondary(struct table *t, const struct row *r, size_t name_width)
{
        char cell[FIGURE_BYTES], high[FIGURE_BYTES], name[SHORT_NAME_BYTES];
        const struct contrast *k = &r->contrast;
        struct figure_style style = figure_style_of(k, r->metric->manner.unit);

        if (table_add(t, short_name(r->name, name_width, name)) < 0 ||
            table_addf(t, "%zu+%zu", k->a.n, k->b.n) < 0 ||
            table_add(t, plain_value(&style, k->a.median, cell)) < 0 ||
            table_add(t, plain_value(&style, k->b.median, cell)) < 0 ||
            table_add(t, figure_difference(&style, k->shift.value, cell)) < 0 ||
            (k->shift.has_interval
                     ? table_addf(t, "[%s, %s]", figure_signed(&style, k->shift.low, cell),
                                  figure_signed(&style, k->shift.high, high))
                     : table_add(t, "none")) < 0 ||
            (k->shift.has_interval ? table_addf(t, "%.1f %%", 100 * k->shift.level)
                                   : table_add(t, "")) < 0 ||
            table_add(t, figure_p(k->p, cell)) < 0 ||
            table_addf(t, "%s%s", figure_p(r->p_holm, cell), k->drift.matters ? " drift" : "") < 0)
                return -ENOMEM;
        return 0;
}

/* add_kind() - the secondaries whose verdict is @word; Return: how many there are, or -ENOMEM */
static int add_kind(struct table *t, const struct comparison *c, const char *word,
                    size_t name_width)
{
        int n = 0;

        for (size_t i = compare_primary(c) ? 1 : 0; i < c->n_rows; i++)
                if (!c->rows[i].incomparable && strcmp(verdict_word(&c->rows[i]), word) == 0 &&
                    n++ < ROWS_SHOWN && add_secondary(t, &c->rows[i], name_width) < 0)
                        return -ENOMEM;
        return n;
}

static int print_kind(const struct comparison *c, const char *word, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "", TABLE_LEFT },    { "boots", TABLE_RIGHT }, { "A", TABLE_RIGHT },
                { "B", TABLE_RIGHT },  { "B - A", TABLE_RIGHT }, { "interval", TABLE_LEFT },
                { "at", TABLE_RIGHT }, { "p", TABLE_RIGHT },     { "p(Holm)", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = NULL;
        int n = 0;

        /* Names give way where the figures are long. */
        for (size_t width = NAME_WIDTH; width >= NAME_WIDTH_MIN; width -= 4) {
                t = table_free(t);
                t = table_new(columns, ELEMENTSOF(columns));
                n = t ? add_kind(t, c, word, width) : -ENOMEM;
                if (n < 0)
                        return n;
                if (table_width(t) <= TABLE_WIDTH)
                        break;
        }
        paragraph_heading(f, word, color);
        if (table_print(t, f, color) < 0)
                return -EIO;
        if (n > ROWS_SHOWN)
                (void) fprintf(f, "... and %d more, which --json has\n", n - ROWS_SHOWN);
        return 0;
}

static int print_incomparable(const struct comparison *c, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "", TABLE_LEFT }, { "", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        char name[SHORT_NAME_BYTES];
        size_t n = 0;

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < c->n_rows; i++)
                if (c->rows[i].incomparable && n++ < ROWS_SHOWN &&
                    (table_add(t, short_name(c->rows[i].name, NAME_WIDTH, name)) < 0 ||
                     table_add(t, c->rows[i].incomparable) < 0))
                        return -ENOMEM;
        if (n == 0)
                return 0;
        paragraph_heading(f, "Incomparable: measured in different ways (A against B)", color);
        return table_print(t, f, color);
}

static int print_secondaries(const struct comparison *c, FILE *f, bool color)
{
        size_t first = compare_primary(c) ? 1 : 0;
        int r = 0;

        if (c->n_family > 0)
                paragraph_heading(f, "Secondary metrics, corrected together (Holm)", color);
        /* A word's table comes where its first row stands, verdicts before the lack of one. */
        for (int kind = VERDICT_DIFFERENT; kind <= VERDICT_UNRESOLVED + 1 && r == 0; kind++)
                for (size_t i = first; i < c->n_rows && r == 0; i++) {
                        const struct row *row = &c->rows[i];
                        bool seen = row->incomparable ||
                                    (int) row->verdict.kind != kind % (VERDICT_UNRESOLVED + 1);

                        for (size_t k = first; k < i && !seen; k++)
                                seen = !c->rows[k].incomparable &&
                                       strcmp(verdict_word(&c->rows[k]), verdict_word(row)) == 0;
                        if (!seen)
                                r = print_kind(c, verdict_word(row), f, color);
                }
        return r < 0 ? r : print_incomparable(c, f, color);
}

static int print_remarks(const struct comparison *c, FILE *f, bool color)
{
        const struct row *r = compare_primary(c);
        struct prose p;

        if (c->n_warnings > 0)
                paragraph_heading(f, "Take note", color);
        for (size_t i = 0; i < c->n_warnings; i++)
                if (paragraph_print(f, c->warnings[i]) < 0)
                        return -ENOMEM;
        if (!r || r->verdict.kind == VERDICT_DIFFERENT || r->verdict.kind == VERDICT_EQUIVALENT)
                return 0;
        paragraph_heading(f, "What it would take", color);
        if (!prose_open(&p))
                return -ENOMEM;
        verdict_needs(c, r, p.f);
        return prose_print(&p, f);
}

int compare_view_print(const struct comparison *c, FILE *f, bool color)
{
        int r = print_answer(c, f);

        if (r == 0)
                r = print_sets(c, f, color);
        if (r == 0)
                r = print_primary(c, f, color);
        if (r == 0)
                r = print_changes(c, f, color);
        if (r == 0)
                r = print_secondaries(c, f, color);
        if (r == 0)
                r = compare_odd_print(c, f, color);
        if (r == 0)
                r = print_remarks(c, f, color);
        return r < 0 ? r : ferror(f) ? -EIO : 0;
}
