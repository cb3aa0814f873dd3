/* analyze/compare_odd_view.c - a line per odd value, then each metric's figures twice */
#include "analyze/compare_odd_view.h"
#include "analyze/boot_name.h"
#include "analyze/figure.h"
#include "analyze/paragraph.h"
#include "analyze/short_name.h"
#include "analyze/table.h"

#define SHOWN 20
#define NAME_WIDTH 28

static int add_odd(struct table *t, const struct comparison *c, const struct odd_boot *o,
                   bool named)
{
        const struct row *r = &c->rows[o->row];
        struct figure_style style = figure_style_of(&r->contrast, r->metric->manner.unit);
        char name[BOOT_NAME_BYTES], metric[SHORT_NAME_BYTES], value[FIGURE_BYTES],
                least[FIGURE_BYTES], most[FIGURE_BYTES];

        if (table_add(t, o->in_b ? "B" : "A") < 0 ||
            table_add(t, named ? boot_name(o->boot, name) : "") < 0 ||
            table_add(t, short_name(r->name, NAME_WIDTH, metric)) < 0)
                return -ENOMEM;
        return table_addf(t, "%s; %s to %s (%zu)%s%s", figure_value(&style, o->value, value),
                          figure_value(&style, o->least, least),
                          figure_value(&style, o->most, most), o->n_others, o->beside ? "; " : "",
                          o->beside ? o->beside : "");
}

static int print_odd(const struct comparison *c, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "set", TABLE_LEFT },
                                                       { "boot", TABLE_LEFT },
                                                       { "odd in", TABLE_LEFT },
                                                       { "value; the others", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < c->n_odd && i < SHOWN; i++)
                if (add_odd(t, c, &c->odd[i], i == 0 || c->odd[i].boot != c->odd[i - 1].boot) < 0)
                        return -ENOMEM;
        if (table_print(t, f, color) < 0)
                return -EIO;
        if (c->n_odd > SHOWN)
                (void) fprintf(f, "... and %zu more, which --json has\n", c->n_odd - SHOWN);
        return 0;
}

static int add_figures(struct table *t, const struct contrast *k, const struct figure_style *style)
{
        char shift[FIGURE_BYTES], low[FIGURE_BYTES], high[FIGURE_BYTES], ratio[FIGURE_BYTES],
                p[FIGURE_BYTES];

        if (table_addf(t, "%zu+%zu", k->a.n, k->b.n) < 0)
                return -ENOMEM;
        if (k->a.n == 0 || k->b.n == 0)
                return table_add(t, "") < 0 || table_add(t, "nothing left") < 0 ||
                                       table_add(t, "") < 0 || table_add(t, "") < 0
                               ? -ENOMEM
                               : 0;
        if (table_add(t, figure_difference(style, k->shift.value, shift)) < 0 ||
            (k->shift.has_interval
                     ? table_addf(t, "[%s, %s] at %.1f %%", figure_signed(style, k->shift.low, low),
                                  figure_signed(style, k->shift.high, high), 100 * k->shift.level)
                     : table_add(t, "none")) < 0 ||
            table_add(t, k->has_ratio ? figure_ratio(k->ratio.value, ratio) : "") < 0 ||
            table_add(t, figure_p(k->p, p)) < 0)
                return -ENOMEM;
        return 0;
}

static int print_without(const struct comparison *c, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "", TABLE_LEFT },       { "odd boots", TABLE_LEFT }, { "boots", TABLE_RIGHT },
                { "B - A", TABLE_RIGHT }, { "interval", TABLE_LEFT },  { "B / A", TABLE_RIGHT },
                { "p", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < c->n_without && i < SHOWN; i++) {
                const struct row *r = &c->rows[c->without[i].row];
                struct figure_style style = figure_style_of(&r->contrast, r->metric->manner.unit);
                char name[SHORT_NAME_BYTES];

                if (table_add(t, short_name(r->name, NAME_WIDTH, name)) < 0 ||
                    table_add(t, "with") < 0 || add_figures(t, &r->contrast, &style) < 0 ||
                    table_add(t, "") < 0 || table_add(t, "without") < 0 ||
                    add_figures(t, &c->without[i].contrast, &style) < 0)
                        return -ENOMEM;
        }
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

int compare_odd_print(const struct comparison *c, FILE *f, bool color)
{
        char head[96];
        int r;

        if (c->n_odd == 0)
                return 0;
        (void) snprintf(head, sizeof head,
                        "Odd boots, judged by the spread of %zu boots in %zu configurations",
                        c->n_pool, c->n_configurations);
        paragraph_heading(f, head, color);
        r = print_odd(c, f, color);
        return r < 0 ? r : print_without(c, f, color);
}
