/* analyze/effects_view.c - what is known, on which boots it rests, and what is not separable */
#include "analyze/effects_view.h"
#include <math.h>
#include "analyze/figure.h"
#include "analyze/left_out.h"
#include "analyze/paragraph.h"
#include "analyze/prose.h"
#include "analyze/table.h"
#include "analyze/verdict_words.h"
#include "record/json.h"

#define SHOWN 60
#define BASES_NAMED 20 /* groups; --json has all */

static bool is_inseparable(const struct effects *e, size_t effect)
{
        return !e->effects[effect].estimable;
}

static const char *word_of(const struct effects *e, const struct effect *effect)
{
        struct row row = { .metric = e->metric,
                           .contrast = effect->matched,
                           .verdict = effect->verdict };

        return verdict_word(&row);
}

static int add_effect(struct table *t, const struct effects *e, const struct effect *effect)
{
        const struct design_group *g = &e->design.groups[effect->group];
        CLEANUP(freep) char *level = design_level_text(g, effect->level, true);
        char ratio[FIGURE_BYTES], low[FIGURE_BYTES], high[FIGURE_BYTES], p[FIGURE_BYTES];

        if (!level || table_add(t, g->name) < 0 ||
            table_addf(t, "%zu", g->n_boots[effect->level]) < 0 ||
            table_add(t, figure_ratio(effect->ratio.value, ratio)) < 0 ||
            (effect->ratio.has_interval
                     ? table_addf(t, "[%s, %s]", figure_ratio(effect->ratio.low, low),
                                  figure_ratio(effect->ratio.high, high))
                     : table_add(t, "none")) < 0 ||
            table_add(t, figure_p(effect->p, p)) < 0)
                return -ENOMEM;
        if (effect->could)
                return table_addf(t, "%s: %s (compare: %zu+%zu boots, p(Holm) %s)", level,
                                  word_of(e, effect), effect->matched.a.n, effect->matched.b.n,
                                  figure_p(effect->p_holm, p));
        return table_addf(t, "%s: rests on %zu boots, model only", level, effect->rests_on);
}

static int print_effects(const struct effects *e, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "group", TABLE_LEFT },    { "boots", TABLE_RIGHT }, { "ratio", TABLE_RIGHT },
                { "interval", TABLE_LEFT }, { "p", TABLE_RIGHT },     { "change", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        size_t n = 0;

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < e->n_effects; i++)
                if (!is_inseparable(e, i) && n++ < SHOWN && add_effect(t, e, &e->effects[i]) < 0)
                        return -ENOMEM;
        paragraph_heading(f, "Model: additive, equal spread; intervals at 95 %", color);
        if (n == 0)
                return paragraph_print(f, "No group of factors can be told from the others.");
        if (table_print(t, f, color) < 0)
                return -EIO;
        if (n > SHOWN)
                (void) fprintf(f, "... and %zu more, which --json has\n", n - SHOWN);
        return 0;
}

static void put_together(const struct inseparable *s, FILE *f)
{
        char ratio[FIGURE_BYTES], low[FIGURE_BYTES], high[FIGURE_BYTES];

        if (!s->has_together)
                return;
        (void) fprintf(f, " Together: ratio %s", figure_ratio(s->together.value, ratio));
        if (s->together.has_interval)
                (void) fprintf(f, " [%s, %s]", figure_ratio(s->together.low, low),
                               figure_ratio(s->together.high, high));
        (void) fputs(".", f);
}

static int print_inseparable(const struct effects *e, const struct inseparable *s, FILE *f)
{
        struct prose p;
        int r;

        if (!prose_open(&p))
                return -ENOMEM;
        for (size_t i = 0; i < s->n_effects; i++) {
                const struct effect *effect = &e->effects[s->effects[i]];
                const struct design_group *g = &e->design.groups[effect->group];
                CLEANUP(freep) char *level = design_level_text(g, effect->level, true);

                (void) fprintf(p.f, "%s%s (%s)",
                               i == 0                  ? ""
                               : i + 1 == s->n_effects ? " and "
                                                       : ", ",
                               g->name, level ? level : "?");
        }
        (void) fputs(" always changed together.", p.f);
        put_together(s, p.f);
        if (s->n_would > 0)
                (void) fputs(" Boots that would separate them:", p.f);
        r = prose_print(&p, f);
        for (size_t i = 0; r == 0 && i < s->n_would; i++) {
                if (!prose_open(&p))
                        return -ENOMEM;
                (void) fprintf(p.f, "- %s", s->would[i]);
                r = prose_print(&p, f);
        }
        return r;
}

static size_t count_machines(const struct boot_set *s)
{
        CLEANUP(json_decrefp) json_t *seen = json_object();

        for (size_t i = 0; i < s->n; i++)
                (void) json_put(seen, s->boots[i]->machine ? s->boots[i]->machine : "",
                                json_true());
        return json_object_size(seen);
}

static int print_head(const struct effects *e, FILE *f, bool color)
{
        struct prose p;
        char base[FIGURE_BYTES];
        struct figure_style style = { .unit = e->metric ? e->metric->manner.unit : "",
                                      .decimals = 2 };
        size_t n_known = 0, n_machines;

        if (!prose_open(&p))
                return -ENOMEM;
        if (e->problem) {
                (void) fprintf(p.f, "No effects: %s.", e->problem);
                return prose_print(&p, f);
        }
        for (size_t i = 0; i < e->n_effects; i++)
                n_known += e->effects[i].could;
        (void) fprintf(p.f, "%s: ", e->metric->name);
        if (e->n_inseparable > 0)
                (void) fputs("some factors always changed together and cannot be told apart. ",
                             p.f);
        if (n_known == 0)
                (void) fputs(
                        "No factor has enough boots that are alike in all else for a verdict; what "
                        "follows is the model's alone.",
                        p.f);
        else
                (void) fprintf(p.f,
                               "%zu of %zu changes have boots enough, alike in all else, for a "
                               "verdict.",
                               n_known, e->n_effects);
        if (prose_print(&p, f) < 0 || !prose_open(&p))
                return -ENOMEM;
        (void) fputc('\n', f);
        (void) fprintf(p.f, "%zu boots in %zu configurations", e->n_boots, e->n_configurations);
        if (e->n_left_out > 0)
                (void) fprintf(p.f, " (%zu without the metric left out)", e->n_left_out);
        if (e->base.has_interval)
                (void) fprintf(p.f, ", base level %s", figure_value(&style, e->base.value, base));
        if (e->df > 0)
                (void) fprintf(p.f, ", spread around the model %.1f %% with %zu degrees of freedom",
                               100 * expm1(e->spread), e->df);
        else
                (void) fputs(", no degrees of freedom left to tell a spread", p.f);
        (void) fprintf(p.f, ". Base:");
        for (size_t g = 0; g < e->design.n_groups && g < BASES_NAMED; g++) {
                CLEANUP(freep) char *text = design_level_text(&e->design.groups[g], 0, false);

                (void) fprintf(p.f, "%s %s", g ? "," : "", text ? text : "?");
        }
        if (e->design.n_groups > BASES_NAMED)
                (void) fprintf(p.f, " and %zu groups more", e->design.n_groups - BASES_NAMED);
        (void) color;
        (void) fputc('.', p.f);
        n_machines = count_machines(e->boots);
        if (n_machines > 1)
                (void) fprintf(p.f,
                               " The boots are of %zu machines or installations, which are no "
                               "factor: what these differ in beside is part of the figures.",
                               n_machines);
        return prose_print(&p, f);
}

int effects_view_print(const struct effects *e, FILE *f, bool color)
{
        int r = print_head(e, f, color);

        if (r == 0 && !e->problem)
                r = print_effects(e, f, color);
        if (r == 0 && e->n_inseparable > 0)
                paragraph_heading(f, "Inseparable", color);
        for (size_t i = 0; r == 0 && i < e->n_inseparable; i++)
                r = print_inseparable(e, &e->inseparable[i], f);
        if (r == 0)
                r = left_out_print(e->boots, f);
        return r < 0 ? r : ferror(f) ? -EIO : 0;
}
