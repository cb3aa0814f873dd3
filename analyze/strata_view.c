/* analyze/strata_view.c - says what is compared within which stratum, and which boots have no
 * partner */
#include "analyze/strata_view.h"
#include "analyze/compare_view.h"
#include "analyze/left_out.h"
#include "analyze/paragraph.h"
#include "analyze/prose.h"
#include "analyze/table.h"
#include "record/json.h"

static const struct stratum *stratum_of(const struct by_factor *b, size_t comparison)
{
        return &b->strata.stratum[b->stratum[comparison]];
}

static bool is_alone(const struct stratum *s) { return s->n_levels == 1; }

static int print_left_out(const struct by_factor *b, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "boots", TABLE_RIGHT },
                                                       { "level", TABLE_LEFT },
                                                       { "elsewhere", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        struct prose p;
        size_t n = 0;

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < b->strata.n; i++) {
                const struct stratum *s = &b->strata.stratum[i];

                if (!is_alone(s))
                        continue;
                n++;
                if (table_addf(t, "%zu", s->levels[0].set.n) < 0 ||
                    table_add(t, s->levels[0].text) < 0 || table_add(t, s->what) < 0)
                        return -ENOMEM;
        }
        if (n > 0) {
                paragraph_heading(f, "Left out: no boots of another level that are alike elsewhere",
                                  color);
                if (table_print(t, f, color) < 0)
                        return -EIO;
        }
        if (b->strata.n_unsaid == 0)
                return 0;
        if (!prose_open(&p))
                return -ENOMEM;
        (void) fprintf(p.f, "%zu boots say nothing about %s and are left out.", b->strata.n_unsaid,
                       b->strata.factor);
        (void) fputc('\n', f);
        return prose_print(&p, f);
}

static int print_head(const struct by_factor *b, size_t i, FILE *f, bool color)
{
        CLEANUP(freep) char *text = NULL;
        const struct stratum *s = stratum_of(b, i);

        if (asprintf(&text, "%s (B) against %s (A)%s%s", b->comparisons[i].b->name,
                     b->comparisons[i].a->name, *s->what ? ", within " : "", s->what) < 0)
                return TAKE(text), -ENOMEM;
        if (i > 0)
                (void) fputc('\n', f);
        paragraph_heading(f, text, color);
        return 0;
}

int by_factor_print(const struct by_factor *b, FILE *f, bool color)
{
        struct prose p;

        for (size_t i = 0; i < b->n; i++) {
                int r = print_head(b, i, f, color);

                if (r == 0)
                        r = compare_view_print(&b->comparisons[i], f, color);
                if (r < 0)
                        return r;
        }
        if (b->n == 0) {
                if (!prose_open(&p))
                        return -ENOMEM;
                (void) fprintf(p.f,
                               "Cannot compare: no two levels of %s among boots that are alike in "
                               "all else.",
                               b->strata.factor);
                if (prose_print(&p, f) < 0)
                        return -ENOMEM;
        }
        if (print_left_out(b, f, color) < 0 || left_out_print(b->boots, f) < 0)
                return -ENOMEM;
        return ferror(f) ? -EIO : 0;
}

json_t *by_factor_json(const struct by_factor *b)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *comparisons = json_array(), *left_out = json_array();

        if (json_put(j, "by", json_text(b->strata.factor)) < 0 ||
            json_put(j, "comparisons", comparisons) < 0 || json_put(j, "left_out", left_out) < 0 ||
            json_put(j, "n_unsaid", json_integer((json_int_t) b->strata.n_unsaid)) < 0 ||
            json_put(j, "status", json_integer(by_factor_status(b))) < 0 ||
            left_out_json(j, b->boots) < 0)
                return NULL;
        for (size_t i = 0; i < b->n; i++) {
                json_t *one = compare_view_json(&b->comparisons[i]);

                if (json_array_append_new(comparisons, one) < 0 ||
                    json_put(one, "within_stratum", json_text(stratum_of(b, i)->what)) < 0)
                        return NULL;
        }
        for (size_t i = 0; i < b->strata.n; i++) {
                const struct stratum *s = &b->strata.stratum[i];
                json_t *one;

                if (!is_alone(s))
                        continue;
                one = json_object();
                if (json_array_append_new(left_out, one) < 0 ||
                    json_put(one, "level", json_text(s->levels[0].text)) < 0 ||
                    json_put(one, "stratum", json_text(s->what)) < 0 ||
                    json_put(one, "n", json_integer((json_int_t) s->levels[0].set.n)) < 0)
                        return NULL;
        }
        return TAKE(j);
}
