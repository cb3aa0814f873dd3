/* analyze/explain_view.c - the waterfall from A's mean total to B's */
#include "analyze/explain_view.h"
#include <math.h>
#include "analyze/duration.h"
#include "analyze/left_out.h"
#include "analyze/paragraph.h"
#include "analyze/prose.h"
#include "analyze/table.h"
#include "analyze/view_json.h"
#include "record/json.h"

#define UNITS_SHOWN 15
#define BAR_WIDTH 24
#define SHARES_FROM 0.1 /* of the largest part: a smaller whole makes shares of thousands of % */

static const char *length(double us, char ret[DURATION_BYTES])
{
        return duration_text(llround(us), ret);
}

static const char *difference(double us, char ret[DURATION_BYTES + 1])
{
        char text[DURATION_BYTES];

        (void) length(us, text);
        (void) snprintf(ret, DURATION_BYTES + 1, "%s%s", us > 0.5 ? "+" : "", text);
        return ret;
}

/* add_bar() - signs rather than blocks: they survive every terminal and mailer */
static int add_bar(struct table *t, double us, double largest_us)
{
        int n = largest_us > 0 ? (int) lround(BAR_WIDTH * fabs(us) / largest_us) : 0;
        char bar[BAR_WIDTH + 1];

        for (int i = 0; i < n; i++)
                bar[i] = us > 0 ? '+' : '-';
        bar[n] = '\0';
        return table_add(t, bar);
}

static int add_line(struct table *t, const char *name, double a_us, double b_us)
{
        char a[DURATION_BYTES], b[DURATION_BYTES], by[DURATION_BYTES + 1];

        return table_add(t, name) < 0 || table_add(t, length(a_us, a)) < 0 ||
                               table_add(t, length(b_us, b)) < 0 ||
                               table_add(t, difference(b_us - a_us, by)) < 0
                       ? -ENOMEM
                       : 0;
}

static double largest_of(const struct explanation *e)
{
        double largest_us = 0;

        for (size_t i = 0; i < e->n_parts; i++)
                largest_us = fmax(largest_us, fabs(e->parts[i].b_us - e->parts[i].a_us));
        return largest_us;
}

/* has_shares() - parts that cancel out are no shares of what is left of them */
static bool has_shares(const struct explanation *e, double largest_us)
{
        double whole_us = fabs(e->total_b_us - e->total_a_us);

        return whole_us >= 1 && whole_us >= SHARES_FROM * largest_us;
}

static int add_part(struct table *t, const struct explanation *e, const struct part *p,
                    double largest_us)
{
        double whole_us = e->total_b_us - e->total_a_us;

        if (add_line(t, p->name, p->a_us, p->b_us) < 0 ||
            (has_shares(e, largest_us)
                     ? table_addf(t, "%ld %%", lround(100 * (p->b_us - p->a_us) / whole_us))
                     : table_add(t, "")) < 0)
                return -ENOMEM;
        return add_bar(t, p->b_us - p->a_us, largest_us);
}

static int print_parts(const struct explanation *e, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "phase", TABLE_LEFT },  { "A", TABLE_RIGHT },     { "B", TABLE_RIGHT },
                { "B - A", TABLE_RIGHT }, { "share", TABLE_RIGHT }, { "", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < e->n_parts; i++)
                if (add_part(t, e, &e->parts[i], largest_of(e)) < 0)
                        return -ENOMEM;
        if (add_line(t, "total", e->total_a_us, e->total_b_us) < 0 ||
            table_add(t, has_shares(e, largest_of(e)) ? "100 %" : "") < 0 || table_add(t, "") < 0)
                return -ENOMEM;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

static int print_units(const struct explanation *e, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "unit", TABLE_LEFT },
                                                       { "A", TABLE_RIGHT },
                                                       { "B", TABLE_RIGHT },
                                                       { "B - A", TABLE_RIGHT },
                                                       { "boots", TABLE_RIGHT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));

        if (!t)
                return -ENOMEM;
        if (e->n_units == 0)
                return 0;
        for (size_t i = 0; i < e->n_units && i < UNITS_SHOWN; i++) {
                const struct unit_part *u = &e->units[i];

                if (add_line(t, u->name, u->a_us, u->b_us) < 0 ||
                    table_addf(t, "%zu+%zu", u->n_a, u->n_b) < 0)
                        return -ENOMEM;
        }
        paragraph_heading(
                f,
                "Units that both sets list among their slowest; they run side by side, so "
                "they do not add up",
                color);
        return table_print(t, f, color);
}

static int print_head(const struct explanation *e, FILE *f)
{
        const struct part *most = NULL;
        char total[DURATION_BYTES + 1], part[DURATION_BYTES + 1], a[DURATION_BYTES],
                b[DURATION_BYTES];
        struct prose p;

        if (!prose_open(&p))
                return -ENOMEM;
        if (e->problem) {
                (void) fprintf(p.f, "Nothing to explain: %s.", e->problem);
                return prose_print(&p, f);
        }
        for (size_t i = 0; i < e->n_parts; i++)
                if (!most ||
                    fabs(e->parts[i].b_us - e->parts[i].a_us) > fabs(most->b_us - most->a_us))
                        most = &e->parts[i];
        (void) fprintf(p.f, "From %s to %s ", e->from, e->to);
        if (fabs(e->total_b_us - e->total_a_us) < 1)
                (void) fputs("B takes as much machine time as A", p.f);
        else
                (void) fprintf(p.f, "B takes %s of machine time against A",
                               difference(e->total_b_us - e->total_a_us, total));
        (void) fprintf(p.f, " on average (%zu+%zu boots)", e->n_a, e->n_b);
        if (most && fabs(most->b_us - most->a_us) >= 1)
                (void) fprintf(p.f, "; what moved most is %s, by %s", most->name,
                               difference(most->b_us - most->a_us, part));
        (void) fputs(". Whether B differs at all is for 'bootlap compare' to say.", p.f);
        if (e->waited_a_us + e->waited_b_us > 0.5)
                (void) fprintf(p.f, " Waits for a person, not in these figures: %s in A, %s in B.",
                               length(e->waited_a_us, a), length(e->waited_b_us, b));
        return prose_print(&p, f);
}

int explain_view_print(const struct explanation *e, FILE *f, bool color)
{
        int r = print_head(e, f);

        if (r == 0 && !e->problem)
                r = print_parts(e, f, color);
        if (r == 0 && !e->problem)
                r = print_units(e, f, color);
        if (r == 0)
                r = left_out_print_pair(e->a, e->b, f);
        return r < 0 ? r : ferror(f) ? -EIO : 0;
}

static json_t *part_json(const char *name, double a_us, double b_us)
{
        CLEANUP(json_decrefp) json_t *j = json_object();

        if (json_put(j, "name", json_text(name)) < 0 || view_json_real(j, "a_mean_us", a_us) < 0 ||
            view_json_real(j, "b_mean_us", b_us) < 0 ||
            view_json_real(j, "difference_us", b_us - a_us) < 0)
                return NULL;
        return TAKE(j);
}

static json_t *unit_json(const struct unit_part *u)
{
        CLEANUP(json_decrefp) json_t *j = part_json(u->name, u->a_us, u->b_us);

        if (json_put(j, "n_a", json_integer((json_int_t) u->n_a)) < 0 ||
            json_put(j, "n_b", json_integer((json_int_t) u->n_b)) < 0)
                return NULL;
        return TAKE(j);
}

static int put_totals(json_t *j, const struct explanation *e)
{
        return json_put(j, "n_a", json_integer((json_int_t) e->n_a)) < 0 ||
                               json_put(j, "n_b", json_integer((json_int_t) e->n_b)) < 0 ||
                               json_put(j, "total",
                                        part_json("total", e->total_a_us, e->total_b_us)) < 0 ||
                               json_put(j, "waited",
                                        part_json("waited", e->waited_a_us, e->waited_b_us)) < 0
                       ? -ENOMEM
                       : 0;
}

json_t *explain_view_json(const struct explanation *e)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *parts = json_array(), *units = json_array();

        if (json_put(j, "problem", e->problem ? json_text(e->problem) : json_null()) < 0 ||
            json_put(j, "from", e->from ? json_text(e->from) : json_null()) < 0 ||
            json_put(j, "to", e->to ? json_text(e->to) : json_null()) < 0 ||
            json_put(j, "phases", parts) < 0 || json_put(j, "units", units) < 0 ||
            json_put(j, "status", json_integer(explain_status(e))) < 0 ||
            left_out_json_pair(j, e->a, e->b) < 0 || (!e->problem && put_totals(j, e) < 0))
                return NULL;
        for (size_t i = 0; i < e->n_parts && !e->problem; i++) {
                const struct part *p = &e->parts[i];
                json_t *part = part_json(p->name, p->a_us, p->b_us);

                if (json_array_append_new(parts, part) < 0 ||
                    (has_shares(e, largest_of(e)) &&
                     view_json_real(part, "share",
                                    (p->b_us - p->a_us) / (e->total_b_us - e->total_a_us)) < 0))
                        return NULL;
        }
        for (size_t i = 0; i < e->n_units && !e->problem; i++)
                if (json_array_append_new(units, unit_json(&e->units[i])) < 0)
                        return NULL;
        return TAKE(j);
}
