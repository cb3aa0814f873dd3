/* analyze/separate.c - sets of aliased columns, and rows that are not in the fitted rows' space
 *
 * A further boot separates something exactly when its row is not orthogonal to a combination of
 * columns that is zero in every row so far. Candidates differ from a configuration that was seen in
 * the level of one of the aliased groups: the least that somebody would have to change. */
#include "analyze/separate.h"
#include <math.h>
#include <string.h>

#define ZERO 1e-6
#define WOULD_MAX 8

/* find_root() - of the set that an effect belongs to */
static size_t find_root(const size_t *parent, size_t i)
{
        while (parent[i] != i)
                i = parent[i];
        return i;
}

static size_t effect_of_column(size_t column)
{
        return column - 1; /* effects are listed as their columns are, after the intercept */
}

/* unite() - effects that one combination holds belong together */
static void unite(const struct ols *f, size_t *parent)
{
        for (size_t a = 0; a < f->p - f->rank; a++) {
                size_t first = SIZE_MAX;

                for (size_t c = 1; c < f->p; c++) {
                        size_t effect = effect_of_column(c);

                        if (fabs(f->alias[a * f->p + c]) < ZERO)
                                continue;
                        if (first == SIZE_MAX)
                                first = effect;
                        parent[find_root(parent, effect)] = find_root(parent, first);
                }
        }
}

static bool holds(const struct inseparable *s, size_t effect)
{
        for (size_t i = 0; i < s->n_effects; i++)
                if (s->effects[i] == effect)
                        return true;
        return false;
}

static bool concerns_group(const struct effects *e, const struct inseparable *s, size_t group)
{
        for (size_t i = 0; i < s->n_effects; i++)
                if (e->effects[s->effects[i]].group == group)
                        return true;
        return false;
}

/* separates() - is this row outside what the combinations of this set leave open? */
static bool separates(const struct ols *f, const struct inseparable *s, const double *row)
{
        for (size_t a = 0; a < f->p - f->rank; a++) {
                double sum = 0;
                bool ours = false;

                for (size_t c = 0; c < f->p; c++) {
                        sum += f->alias[a * f->p + c] * row[c];
                        ours = ours || (c > 0 && fabs(f->alias[a * f->p + c]) > ZERO &&
                                        holds(s, effect_of_column(c)));
                }
                if (ours && fabs(sum) > ZERO)
                        return true;
        }
        return false;
}

/* describe() - the levels of the groups of this set: "drive.size=500 with crypt.type=none" */
static char *describe(const struct effects *e, const struct inseparable *s, const size_t *levels)
{
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        if (!out)
                return NULL;
        for (size_t g = 0; g < e->design.n_groups; g++) {
                CLEANUP(freep) char *level = NULL;

                if (!concerns_group(e, s, g))
                        continue;
                level = design_level_text(&e->design.groups[g], levels[g], false);
                (void) fprintf(out, "%s%s", ftell(out) > 0 ? " with " : "", level ? level : "?");
        }
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}

static int add_would(struct inseparable *s, char *text)
{
        char **grown;

        for (size_t i = 0; i < s->n_would; i++)
                if (strcmp(s->would[i], text) == 0) {
                        free(text);
                        return 0;
                }
        grown = reallocarray(s->would, s->n_would + 1, sizeof *grown);
        if (!grown) {
                free(text);
                return -ENOMEM;
        }
        s->would = grown;
        grown[s->n_would++] = text;
        return 0;
}

static int try_row(const struct effects *e, const struct ols *f, struct inseparable *s,
                   const size_t *levels, double *row)
{
        char *text;

        for (size_t g = 0; g < e->design.n_groups; g++)
                if (concerns_group(e, s, g) && e->design.groups[g].unsaid[levels[g]])
                        return 0; /* nobody can make a boot that does not say what it is */
        design_row(&e->design, levels, row);
        if (s->n_would == WOULD_MAX || !separates(f, s, row))
                return 0;
        text = describe(e, s, levels);
        return text ? add_would(s, text) : -ENOMEM;
}

static int find_boots(const struct effects *e, const struct ols *f, struct inseparable *s)
{
        CLEANUP(freep) size_t *levels = calloc(e->design.n_groups + 1, sizeof *levels);
        CLEANUP(freep) double *row = calloc(e->design.n_columns, sizeof *row);

        if (!levels || !row)
                return -ENOMEM;
        /* Group by group, so that each of them is varied before the list is full. */
        for (size_t g = e->design.n_groups; g-- > 0;)
                for (size_t i = 0; concerns_group(e, s, g) && i < e->design.n_boots; i++) {
                        design_levels(&e->design, i, levels);
                        for (size_t l = 0; l < e->design.groups[g].n_levels; l++) {
                                levels[g] = l;
                                if (try_row(e, f, s, levels, row) < 0)
                                        return -ENOMEM;
                        }
                }
        return 0;
}

/* same_boots() - do two effects' levels occur in the very same boots? */
static bool same_boots(const struct effects *e, const struct effect *a, const struct effect *b)
{
        for (size_t i = 0; i < e->design.n_boots; i++)
                if ((e->design.groups[a->group].level[i] == a->level) !=
                    (e->design.groups[b->group].level[i] == b->level))
                        return false;
        return true;
}

/* set_together() - when all levels of the set are one column, the coefficient that the fit kept is
 * the sum of theirs */
static void set_together(const struct effects *e, const struct ols *f, struct inseparable *s)
{
        double half, sum = 0, error = 0;

        for (size_t i = 1; i < s->n_effects; i++)
                if (!same_boots(e, &e->effects[s->effects[0]], &e->effects[s->effects[i]]))
                        return;
        for (size_t i = 0; i < s->n_effects; i++) {
                sum += f->coefficient[s->effects[i] + 1];
                error = fmax(error, f->error[s->effects[i] + 1]);
        }
        half = f->df > 0 ? ols_quantile(f, 0.95) * error : 0;
        s->has_together = true;
        s->together = (struct estimate){ .value = exp(sum),
                                         .low = exp(sum - half),
                                         .high = exp(sum + half),
                                         .level = 0.95,
                                         .has_interval = f->df > 0 };
}

int separate(struct effects *e, const struct ols *f)
{
        CLEANUP(freep) size_t *parent = calloc(e->n_effects + 1, sizeof *parent);

        if (!parent)
                return -ENOMEM;
        for (size_t i = 0; i < e->n_effects; i++)
                parent[i] = i;
        unite(f, parent);
        e->inseparable = calloc(e->n_effects + 1, sizeof *e->inseparable);
        if (!e->inseparable)
                return -ENOMEM;
        for (size_t root = 0; root < e->n_effects; root++) {
                struct inseparable *s = &e->inseparable[e->n_inseparable];

                s->effects = calloc(e->n_effects, sizeof *s->effects);
                if (!s->effects)
                        return -ENOMEM;
                s->n_effects = 0;
                for (size_t i = 0; i < e->n_effects; i++)
                        if (find_root(parent, i) == root)
                                s->effects[s->n_effects++] = i;
                if (s->n_effects < 2) {
                        free(TAKE(s->effects));
                        continue;
                }
                e->n_inseparable++;
                set_together(e, f, s);
                if (find_boots(e, f, s) < 0)
                        return -ENOMEM;
        }
        return 0;
}
