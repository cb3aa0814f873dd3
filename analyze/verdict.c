/* analyze/verdict.c - the order of the rules is the whole of the matter */
#include "analyze/verdict.h"
#include <math.h>

#define LEVEL 0.05
#define NEARLY 0.10 /* p with which sets that do not overlap are worth a word */
#define ROUNDING 1e-9

static bool reaches(double p, double level) { return p <= level + ROUNDING; }

/* in_every_boot() - the sets do not overlap, and what decides points the same way */
static bool in_every_boot(const struct contrast *c)
{
        return (c->order == ORDER_B_BELOW_A && c->tendency == TENDENCY_LOWER) ||
               (c->order == ORDER_B_ABOVE_A && c->tendency == TENDENCY_HIGHER);
}

static enum verdict_kind kind_of(const struct contrast *c, const struct verdict_rule *rule,
                                 bool below_resolution)
{
        bool equivalent = c->has_ratio && reaches(rule->equivalence_p, LEVEL);

        if (c->a.n == 0 || c->b.n == 0)
                return VERDICT_CANNOT_TELL;
        if (reaches(rule->p, LEVEL) && !below_resolution)
                return VERDICT_DIFFERENT;
        if (equivalent)
                return VERDICT_EQUIVALENT;
        if (reaches(rule->p, LEVEL))
                return VERDICT_UNRESOLVED;
        if (in_every_boot(c) && reaches(rule->p, NEARLY))
                return below_resolution ? VERDICT_UNRESOLVED : VERDICT_EVERY_BOOT;
        return VERDICT_CANNOT_TELL;
}

struct verdict verdict_of(const struct contrast *c, const struct verdict_rule *rule)
{
        size_t n = c->a.n, m = c->b.n;
        struct verdict v = { .level = rule->level };

        v.below_resolution = n > 0 && m > 0 && fabs(c->shift.value) < rule->resolution;
        v.kind = kind_of(c, rule, v.below_resolution);
        v.also_equivalent =
                v.kind == VERDICT_DIFFERENT && c->has_ratio && reaches(rule->equivalence_p, LEVEL);
        v.could_sum = power_could(n, m, rule->level, &v.could);
        v.one_more_of_a = reaches(rank_least_p(n + 1, m), rule->level);
        v.one_more_of_b = reaches(rank_least_p(n, m + 1), rule->level);
        if (c->has_spread && c->spread > 0)
                v.would_each = power_would(c->spread, log1p(rule->within), rule->level);
        return v;
}

const char *verdict_name(enum verdict_kind kind)
{
        static const char *const names[] = {
                [VERDICT_CANNOT_TELL] = "cannot tell",     [VERDICT_DIFFERENT] = "different",
                [VERDICT_EQUIVALENT] = "equivalent",       [VERDICT_EVERY_BOOT] = "every boot",
                [VERDICT_UNRESOLVED] = "below resolution",
        };

        return names[kind];
}
