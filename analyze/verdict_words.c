/* analyze/verdict_words.c - the words; the rules are in verdict.c */
#include "analyze/verdict_words.h"
#include <math.h>
#include <string.h>
#include "analyze/figure.h"

/* What B is when its values are lower or higher than A's. */
struct direction {
        const char *word;  /* "faster" */
        const char *every; /* for a table */
};

static struct direction direction_of(const struct row *r)
{
        static const struct direction directions[3][2] = {
                { { "faster", "faster every boot" }, { "slower", "slower every boot" } },
                { { "lower", "lower every boot" }, { "higher", "higher every boot" } },
                { { "worse (lower)", "worse every boot" },
                  { "better (higher)", "better every boot" } },
        };
        int kind = metric_is_time(r->metric) ? 0 : r->metric->better == BETTER_HIGHER ? 2 : 1;

        return directions[kind][r->contrast.tendency == TENDENCY_HIGHER];
}

const char *verdict_word(const struct row *r)
{
        if (r->incomparable)
                return "incomparable";
        switch (r->verdict.kind) {
        case VERDICT_DIFFERENT:
                return direction_of(r).word;
        case VERDICT_EVERY_BOOT:
                return direction_of(r).every;
        case VERDICT_EQUIVALENT:
        case VERDICT_UNRESOLVED:
        case VERDICT_CANNOT_TELL:
                break;
        }
        return verdict_name(r->verdict.kind);
}

static void put_p(const struct row *r, FILE *f)
{
        char p[FIGURE_BYTES];

        (void) fprintf(f, "p %s%s", r->p_holm < 0.001 ? "" : "= ", figure_p(r->p_holm, p));
        if (r->p_holm > r->contrast.p)
                (void) fputs(", corrected", f);
}

static void put_ratio(const struct row *r, FILE *f)
{
        char ratio[FIGURE_BYTES];

        if (r->contrast.has_ratio)
                (void) fprintf(f, "ratio %s, ", figure_ratio(r->contrast.ratio.value, ratio));
}

static const char *size_of_shift(const struct row *r, char *ret)
{
        struct figure_style s = figure_style_of(&r->contrast, r->metric->manner.unit);

        (void) figure_difference(&s, fabs(r->contrast.shift.value), ret);
        return ret + 1; /* the direction is in words */
}

/* shift_agrees() - is there a shift, and do it and the ratio point where the test does? */
static bool shift_agrees(const struct contrast *c)
{
        double sign = c->tendency == TENDENCY_HIGHER ? 1 : -1;

        return sign * c->shift.value > 0 && !(c->has_ratio && sign * log(c->ratio.value) < 0);
}

static void put_difference(const struct comparison *c, const struct row *r, FILE *f)
{
        char shift[FIGURE_BYTES];
        struct figure_style s = figure_style_of(&r->contrast, r->metric->manner.unit);

        if (shift_agrees(&r->contrast))
                (void) fprintf(f, "B is %s %s than A (", size_of_shift(r, shift),
                               direction_of(r).word);
        else
                (void) fprintf(f, "B is more often %s than A, by no one amount (shift %s, ",
                               direction_of(r).word,
                               figure_difference(&s, r->contrast.shift.value, shift));
        put_ratio(r, f);
        put_p(r, f);
        (void) fputc(')', f);
        if (r->verdict.also_equivalent)
                (void) fprintf(f, ", but within %g %%", 100 * c->within);
        (void) fputs(".", f);
}

static void put_more_boots(const struct row *r, FILE *f)
{
        const struct verdict *v = &r->verdict;
        size_t have = r->contrast.a.n + r->contrast.b.n, more = v->could_sum - have;

        if (v->one_more_of_a || v->one_more_of_b)
                (void) fprintf(f, "one more boot of %s could show it",
                               v->one_more_of_a && v->one_more_of_b ? "either"
                               : v->one_more_of_a                   ? "A"
                                                                    : "B");
        else
                (void) fprintf(f, "%zu more boots could show it (%zu+%zu)", more, v->could.n,
                               v->could.m);
}

static void put_every_boot(const struct row *r, FILE *f)
{
        char shift[FIGURE_BYTES];
        bool at_least =
                !r->contrast.drift.matters && r->contrast.p <= r->contrast.least_p * (1 + 1e-9);

        (void) fprintf(f, "B was %s in every boot", direction_of(r).word);
        if (shift_agrees(&r->contrast))
                (void) fprintf(f, ", by %s", size_of_shift(r, shift));
        (void) fputs(" (", f);
        put_ratio(r, f);
        put_p(r, f);
        (void) fprintf(f, "%s); too few boots to be sure; ",
                       at_least ? ", the least that these boots can reach" : "");
        put_more_boots(r, f);
        (void) fputc('.', f);
}

static void put_unresolved(const struct row *r, FILE *f)
{
        char shift[FIGURE_BYTES], error[FIGURE_BYTES];
        struct figure_style s = figure_style_of(&r->contrast, r->metric->manner.unit);

        (void) fprintf(f,
                       "The difference of %s lies below the resolution: the stamps of %s and %s "
                       "may be late by %s.",
                       size_of_shift(r, shift), r->metric->from, r->metric->to,
                       figure_value(&s, r->metric->resolution, error));
}

static void put_cannot_tell(const struct row *r, FILE *f)
{
        (void) fputs("Cannot tell whether A and B differ (", f);
        put_ratio(r, f);
        put_p(r, f);
        (void) fputs(").", f);
}

void verdict_sentence(const struct comparison *c, const struct row *r, FILE *f)
{
        switch (r->verdict.kind) {
        case VERDICT_DIFFERENT:
                put_difference(c, r, f);
                break;
        case VERDICT_EQUIVALENT:
                (void) fprintf(f, "A and B are equivalent within %g %% (", 100 * c->within);
                put_ratio(r, f);
                put_p(r, f);
                (void) fputs(").", f);
                break;
        case VERDICT_EVERY_BOOT:
                put_every_boot(r, f);
                break;
        case VERDICT_UNRESOLVED:
                put_unresolved(r, f);
                break;
        case VERDICT_CANNOT_TELL:
                put_cannot_tell(r, f);
                break;
        }
}

void verdict_needs(const struct comparison *c, const struct row *r, FILE *f)
{
        const struct verdict *v = &r->verdict;
        size_t have = r->contrast.a.n + r->contrast.b.n;

        if (v->kind == VERDICT_DIFFERENT || v->kind == VERDICT_EQUIVALENT)
                return;
        if (v->could_sum > have)
                (void) fprintf(f, "%zu boots in all could show a difference (%zu of A, %zu of B). ",
                               v->could_sum, v->could.n, v->could.m);
        if (v->would_each > 0)
                (void) fprintf(f,
                               "%zu boots a set would show one of %g %% in 4 of 5 cases, at the "
                               "spread seen (%.1f %%). ",
                               v->would_each > v->could.n ? v->would_each : v->could.n,
                               100 * c->within, 100 * expm1(r->contrast.spread));
        else if (!r->contrast.has_spread)
                (void) fputs("How many would is not known, without a spread. ", f);
        else if (r->contrast.spread > 0)
                (void) fprintf(f,
                               "Even %d boots a set would not be likely to show %g %%, at the "
                               "spread seen (%.1f %%). ",
                               POWER_BOOTS_MAX, 100 * c->within, 100 * expm1(r->contrast.spread));
        (void) fputs("Settle the number beforehand: adding boots until p falls to 0.05 finds a "
                     "difference where there is none in 12 to 18 % of cases.",
                     f);
}
