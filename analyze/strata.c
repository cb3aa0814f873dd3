/* analyze/strata.c - sorts boots into strata and levels, and has them compared */
#include "analyze/strata.h"
#include <string.h>
#include "analyze/factor_level.h"
#include "record/factors.h"

enum { STATUS_COMPARED = 0, STATUS_INCOMPARABLE = 3 };

static void level_done(struct level *l)
{
        free(l->text);
        set_done(&l->set);
}

void strata_done(struct strata *s)
{
        for (size_t i = 0; i < s->n; i++) {
                for (size_t k = 0; k < s->stratum[i].n_levels; k++)
                        level_done(&s->stratum[i].levels[k]);
                free(s->stratum[i].levels);
                free(s->stratum[i].what);
        }
        free(s->stratum);
        free(s->factor);
        *s = STRATA_NULL;
}

/* describe() - the boot's levels of all factors that vary outside @group */
static char *describe(const struct factors *f, const char *group, size_t boot)
{
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        if (!out)
                return NULL;
        for (size_t k = 0; k < f->n; k++)
                if (f->factor[k].varies && strcmp(f->factor[k].group, group) != 0)
                        (void) fprintf(out, "%s%s=%s", ftell(out) > 0 ? ", " : "", f->factor[k].key,
                                       f->factor[k].level[boot] ? f->factor[k].level[boot] : "?");
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}

static struct stratum *find_stratum(struct strata *s, const char *what)
{
        struct stratum *grown;

        for (size_t i = 0; i < s->n; i++)
                if (strcmp(s->stratum[i].what, what) == 0)
                        return &s->stratum[i];
        grown = reallocarray(s->stratum, s->n + 1, sizeof *grown);
        if (!grown)
                return NULL;
        s->stratum = grown;
        grown[s->n] = (struct stratum){ .what = strdup(what) };
        return grown[s->n].what ? &grown[s->n++] : NULL;
}

static struct level *find_level(struct stratum *s, const char *factor, const char *text,
                                size_t room)
{
        struct level *grown, *l;

        for (size_t i = 0; i < s->n_levels; i++)
                if (strcmp(s->levels[i].text, text) == 0)
                        return &s->levels[i];
        grown = reallocarray(s->levels, s->n_levels + 1, sizeof *grown);
        if (!grown)
                return NULL;
        s->levels = grown;
        l = &grown[s->n_levels++];
        *l = (struct level){ .text = strdup(text), .set = BOOT_SET_NULL };
        l->set.boots = reallocarray(NULL, room, sizeof *l->set.boots);
        l->set.keys = calloc(1, sizeof *l->set.keys);
        if (l->set.keys) {
                l->set.keys[0] = strdup(factor);
                l->set.n_keys = 1;
        }
        if (asprintf(&l->set.name, "%s=%s", factor, text) < 0)
                l->set.name = NULL;
        return l->text && l->set.boots && l->set.keys && l->set.keys[0] && l->set.name ? l : NULL;
}

static int compare_levels(const void *va, const void *vb)
{
        const struct level *a = va, *b = vb;

        return factor_level_compare(a->text, b->text);
}

static int compare_strata(const void *va, const void *vb)
{
        const struct stratum *a = va, *b = vb;

        return strcmp(a->what, b->what);
}

static int sort_in(struct strata *s, const struct factors *f, const struct boot_set *boots)
{
        const char *group = factor_group(s->factor);

        if (!group)
                group = s->factor;
        for (size_t i = 0; i < boots->n; i++) {
                CLEANUP(freep) char *text = factor_level_text(boots->boots[i], s->factor);
                CLEANUP(freep) char *what = NULL;
                struct stratum *stratum;
                struct level *level;

                if (!text) {
                        s->n_unsaid++;
                        continue;
                }
                what = describe(f, group, i);
                stratum = what ? find_stratum(s, what) : NULL;
                level = stratum ? find_level(stratum, s->factor, text, boots->n) : NULL;
                if (!level)
                        return -ENOMEM;
                level->set.boots[level->set.n++] = boots->boots[i];
        }
        return 0;
}

int strata_of(const struct boot_set *boots, const char *factor, struct strata *ret)
{
        CLEANUP(factors_done) struct factors f = FACTORS_NULL;
        CLEANUP(strata_done) struct strata s = { .factor = strdup(factor) };

        if (!s.factor || factors_of(boots->boots, boots->n, &f) < 0 || sort_in(&s, &f, boots) < 0)
                return -ENOMEM;
        if (s.n > 1)
                qsort(s.stratum, s.n, sizeof *s.stratum, compare_strata);
        for (size_t i = 0; i < s.n; i++)
                if (s.stratum[i].n_levels > 1)
                        qsort(s.stratum[i].levels, s.stratum[i].n_levels,
                              sizeof *s.stratum[i].levels, compare_levels);
        *ret = s;
        s = STRATA_NULL;
        return 0;
}

void by_factor_done(struct by_factor *b)
{
        for (size_t i = 0; i < b->n; i++)
                comparison_done(&b->comparisons[i]);
        free(b->comparisons);
        free(b->stratum);
        strata_done(&b->strata);
        *b = BY_FACTOR_NULL;
}

int by_factor(const struct boot_set *boots, const char *factor,
              const struct compare_options *options, struct by_factor *ret)
{
        CLEANUP(by_factor_done) struct by_factor b = { .boots = boots };
        size_t room = 1;

        if (strata_of(boots, factor, &b.strata) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < b.strata.n; i++)
                room += b.strata.stratum[i].n_levels;
        b.comparisons = calloc(room, sizeof *b.comparisons);
        b.stratum = calloc(room, sizeof *b.stratum);
        if (!b.comparisons || !b.stratum)
                return -ENOMEM;
        for (size_t i = 0; i < b.strata.n; i++) {
                const struct stratum *s = &b.strata.stratum[i];

                for (size_t k = 1; k < s->n_levels; k++) {
                        if (compare_sets(&s->levels[0].set, &s->levels[k].set, options,
                                         &b.comparisons[b.n]) < 0)
                                return -ENOMEM;
                        b.stratum[b.n++] = i;
                }
        }
        if (compare_correct_together(b.comparisons, b.n) < 0)
                return -ENOMEM;
        *ret = b;
        b = BY_FACTOR_NULL;
        return 0;
}

int by_factor_status(const struct by_factor *b)
{
        for (size_t i = 0; i < b->n; i++)
                if (!b->comparisons[i].problem)
                        return STATUS_COMPARED;
        return STATUS_INCOMPARABLE;
}
