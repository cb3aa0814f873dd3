/* analyze/effects.c - the fit, and for each effect the boots that could carry a verdict of their
 * own */
#include "analyze/effects.h"
#include <math.h>
#include <string.h>
#include "analyze/configuration.h"
#include "analyze/holm.h"
#include "analyze/ols.h"
#include "analyze/separate.h"
#include "record/json.h"

#define LEVEL 0.05
#define INTERVAL 0.95
#define ROUNDING 1e-9

enum { STATUS_DONE = 0, STATUS_MISSING = 3 };

void effects_done(struct effects *e)
{
        for (size_t i = 0; i < e->n_effects; i++)
                contrast_done(&e->effects[i].matched);
        free(e->effects);
        for (size_t i = 0; i < e->n_inseparable; i++) {
                for (size_t k = 0; k < e->inseparable[i].n_would; k++)
                        free(e->inseparable[i].would[k]);
                free(e->inseparable[i].would);
                free(e->inseparable[i].effects);
        }
        free(e->inseparable);
        design_done(&e->design);
        metrics_done(&e->metrics);
        free(e->primary);
        free(e->problem);
        *e = EFFECTS_NULL;
}

/* key_elsewhere() - the boot's levels of all groups but @group */
static char *key_elsewhere(const struct design *d, size_t group, size_t boot)
{
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        for (size_t g = 0; g < d->n_groups; g++)
                if (g != group)
                        (void) fprintf(f, "%zu,", d->groups[g].level[boot]);
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}

/* Boots of one stratum: how many have the base level and how many the other. */
struct pairing {
        size_t n_base, n_level;
};

static int pair_boots(const struct design *d, const struct effect *e, size_t *stratum,
                      struct pairing *pairs)
{
        CLEANUP(json_decrefp) json_t *index = json_object();

        if (!index)
                return -ENOMEM;
        for (size_t i = 0; i < d->n_boots; i++) {
                CLEANUP(freep) char *key = key_elsewhere(d, e->group, i);
                const json_t *at = key ? json_object_get(index, key) : NULL;
                size_t level = d->groups[e->group].level[i];

                stratum[i] = at ? (size_t) json_integer_value(at) : json_object_size(index);
                if (!key ||
                    (!at && json_put(index, key, json_integer((json_int_t) stratum[i])) < 0))
                        return -ENOMEM;
                pairs[stratum[i]].n_base += level == 0;
                pairs[stratum[i]].n_level += level == e->level;
        }
        return 0;
}

/* match() - compare base and level within the stratum that can reach the smallest p */
static int match(const struct design *d, const double *values, double within, struct effect *e)
{
        CLEANUP(freep) size_t *stratum = calloc(d->n_boots + 1, sizeof *stratum);
        CLEANUP(freep) struct pairing *pairs = calloc(d->n_boots + 1, sizeof *pairs);
        CLEANUP(freep) double *matched = calloc(d->n_boots + 1, sizeof *matched);
        size_t best = SIZE_MAX, n = 0, n_base = 0;
        double least = 2;

        if (!stratum || !pairs || !matched || pair_boots(d, e, stratum, pairs) < 0)
                return -ENOMEM;
        for (size_t s = 0; s < d->n_boots; s++) {
                double p = rank_least_p(pairs[s].n_base, pairs[s].n_level);

                if (pairs[s].n_base > 0 && pairs[s].n_level > 0 && p < least) {
                        least = p;
                        best = s;
                }
        }
        e->could = least <= LEVEL + ROUNDING && !d->groups[e->group].unsaid[0] &&
                   !d->groups[e->group].unsaid[e->level];
        e->rests_on = d->groups[e->group].n_boots[e->level];
        if (best == SIZE_MAX)
                return 0;
        for (size_t wanted = 0; wanted < 2; wanted++)
                for (size_t i = 0; i < d->n_boots; i++)
                        if (stratum[i] == best &&
                            d->groups[e->group].level[i] == (wanted ? e->level : 0)) {
                                matched[n++] = values[i];
                                n_base += !wanted;
                        }
        e->rests_on = n;
        return contrast_of(matched, n_base, matched + n_base, n - n_base, within, &e->matched);
}

static int list_effects(struct effects *e, const struct ols *f, const double *values, double within)
{
        double quantile = ols_quantile(f, INTERVAL);

        e->effects = calloc(e->design.n_columns, sizeof *e->effects);
        if (!e->effects)
                return -ENOMEM;
        for (size_t g = 0; g < e->design.n_groups; g++)
                for (size_t l = 1; l < e->design.groups[g].n_levels; l++) {
                        size_t column = e->design.groups[g].column + l - 1;
                        double b = f->coefficient[column], half = quantile * f->error[column];
                        struct effect *effect = &e->effects[e->n_effects++];

                        *effect = (struct effect){ .group = g,
                                                   .level = l,
                                                   .estimable = f->estimable[column],
                                                   .p = ols_p(f, column),
                                                   .p_holm = 1 };
                        effect->ratio = (struct estimate){ .value = exp(b),
                                                           .level = INTERVAL,
                                                           .has_interval = f->df > 0 };
                        if (f->df > 0) {
                                effect->ratio.low = exp(b - half);
                                effect->ratio.high = exp(b + half);
                        }
                        if (match(&e->design, values, within, effect) < 0)
                                return -ENOMEM;
                }
        return 0;
}

/* judge() - Holm over the effects whose matched boots could reach the level */
static int judge(struct effects *e, double within)
{
        CLEANUP(freep) double *p = calloc(2 * e->n_effects + 1, sizeof *p);
        size_t n = 0, k = 0;
        double *equivalence;

        if (!p)
                return -ENOMEM;
        equivalence = p + e->n_effects;
        for (size_t i = 0; i < e->n_effects; i++)
                if (e->effects[i].could) {
                        p[n] = e->effects[i].matched.p;
                        equivalence[n++] = e->effects[i].matched.equivalence_p;
                }
        if (holm_adjust(p, n, p) < 0 || holm_adjust(equivalence, n, equivalence) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < e->n_effects; i++) {
                struct effect *effect = &e->effects[i];

                if (!effect->could)
                        continue;
                effect->p_holm = p[k];
                effect->verdict =
                        verdict_of(&effect->matched,
                                   &(struct verdict_rule){ .p = p[k],
                                                           .equivalence_p = equivalence[k],
                                                           .level = LEVEL / (double) n,
                                                           .within = within,
                                                           .resolution = e->metric->resolution });
                k++;
        }
        return 0;
}

static int fit(struct effects *e, const double *values, double within)
{
        size_t n = e->n_boots, p = e->design.n_columns;
        CLEANUP(freep) double *x = reallocarray(NULL, n * p, sizeof *x);
        CLEANUP(freep) double *y = reallocarray(NULL, n, sizeof *y);
        CLEANUP(freep) size_t *levels = calloc(e->design.n_groups + 1, sizeof *levels);
        CLEANUP(ols_done) struct ols f = OLS_NULL;

        if (!x || !y || !levels)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                y[i] = log(values[i]);
                design_levels(&e->design, i, levels);
                design_row(&e->design, levels, x + i * p);
        }
        if (ols_fit(x, n, p, y, &f) < 0)
                return -ENOMEM;
        e->df = f.df;
        e->spread = sqrt(f.variance);
        e->base = (struct estimate){ .value = exp(f.coefficient[0]),
                                     .has_interval = f.df > 0 && f.estimable[0],
                                     .level = INTERVAL };
        if (e->base.has_interval) {
                e->base.low = exp(f.coefficient[0] - ols_quantile(&f, INTERVAL) * f.error[0]);
                e->base.high = exp(f.coefficient[0] + ols_quantile(&f, INTERVAL) * f.error[0]);
        }
        if (list_effects(e, &f, values, within) < 0 || separate(e, &f) < 0)
                return -ENOMEM;
        return judge(e, within);
}

static int set_problem(struct effects *e, const struct boot_set *boots)
{
        int r;

        if (boots->n == 0)
                r = asprintf(&e->problem, "%s: no complete boot", boots->name);
        else if (e->n_boots == 0)
                r = asprintf(&e->problem, "no boot has a value of %s above 0", e->primary);
        else
                r = asprintf(&e->problem, "no factor varies among the %zu boots that have %s",
                             e->n_boots, e->primary);
        if (r < 0)
                e->problem = NULL;
        return e->problem ? 0 : -ENOMEM;
}

int effects_of(const struct boot_set *boots, const struct compare_options *options,
               struct effects *ret)
{
        CLEANUP(effects_done) struct effects e = { .boots = boots };
        CLEANUP(freep) const struct record **kept = calloc(boots->n + 1, sizeof *kept);
        CLEANUP(freep) double *values = calloc(boots->n + 1, sizeof *values);
        CLEANUP(freep) size_t *configuration = NULL;
        int r;

        e.primary = strdup(options->primary ? options->primary : COMPARE_PRIMARY);
        if (!kept || !values || !e.primary ||
            metrics_of(boots->boots, boots->n, options->from, e.primary, &e.metrics) < 0)
                return -ENOMEM;
        e.metric = metric_richest(&e.metrics, e.primary);
        for (size_t i = 0; e.metric && i < boots->n; i++)
                if (e.metric->values[i] > 0) {
                        kept[e.n_boots] = boots->boots[i];
                        values[e.n_boots++] = e.metric->values[i];
                }
        e.n_left_out = boots->n - e.n_boots;
        if (design_of(kept, e.n_boots, &e.design) < 0 ||
            configuration_of(kept, e.n_boots, &configuration, &e.n_configurations) < 0)
                return -ENOMEM;
        r = e.metric && e.design.n_groups > 0 ? fit(&e, values, options->within)
                                              : set_problem(&e, boots);
        if (r < 0)
                return r;
        *ret = e;
        e = EFFECTS_NULL;
        return 0;
}

int effects_status(const struct effects *e)
{
        return e->n_boots > 0 ? STATUS_DONE : STATUS_MISSING;
}
