/* analyze/history_view.c - a line a level, with what changed where it began */
#include "analyze/history_view.h"
#include <math.h>
#include <string.h>
#include <time.h>
#include "analyze/boot_name.h"
#include "analyze/figure.h"
#include "analyze/left_out.h"
#include "analyze/level_change.h"
#include "analyze/prose.h"
#include "analyze/table.h"
#include "analyze/view_json.h"
#include "record/clock.h"
#include "record/json.h"

#define MACHINE_SHOWN 12

static struct figure_style style_of(const struct history *h)
{
        /* Only medians are printed: their differences decide how many decimals tell. */
        struct contrast c = CONTRAST_NULL;

        c.a = (struct sample_set){ .n = h->n, .least = INFINITY, .most = -INFINITY };
        for (size_t i = 0; i < h->n; i++) {
                c.a.least = fmin(c.a.least, h->values[i]);
                c.a.most = fmax(c.a.most, h->values[i]);
        }
        c.a.median = h->segments[0].segment.median;
        return figure_style_of(&c, h->metric->manner.unit);
}

static const char *day_of(const struct record *r, char ret[32])
{
        time_t seconds = (time_t) (r->start.realtime_us / US_PER_S);
        struct tm tm;

        if (!gmtime_r(&seconds, &tm))
                return "?";
        (void) strftime(ret, 32, "%Y-%m-%d %H:%M", &tm);
        return ret;
}

static void put_changes(const struct history_segment *s, FILE *f)
{
        for (size_t i = 0; i < s->n_changes; i++) {
                const struct history_change *c = &s->changes[i];
                CLEANUP(freep) char *change = level_change(c->before, c->after);

                (void) fprintf(f, "%s%s %s", i ? "; " : "", c->key, change ? change : "");
                if (c->offset != 0)
                        (void) fprintf(f, " (%d boot%s %s)", abs(c->offset),
                                       abs(c->offset) == 1 ? "" : "s",
                                       c->offset < 0 ? "before" : "after");
        }
        if (s->n_changes == 0)
                (void) fputs("no factor that is recorded", f);
}

static char *what_changed(const struct history_segment *s, bool first)
{
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        if (s->segment.trend)
                (void) fputs("a trend, no step", f);
        if (!first) {
                (void) fputs(s->segment.trend ? "; at its beginning: " : "", f);
                put_changes(s, f);
        }
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}

static int add_segment(struct table *t, const struct history *h, size_t i,
                       const struct figure_style *style)
{
        const struct history_segment *s = &h->segments[i];
        const struct segment *g = &s->segment;
        CLEANUP(freep) char *changed = what_changed(s, i == 0);
        char day[32], value[FIGURE_BYTES], last[FIGURE_BYTES], p[FIGURE_BYTES];

        if (!changed || table_addf(t, "%zu-%zu", g->from + 1, g->from + g->n) < 0 ||
            table_add(t, day_of(h->boots[g->from], day)) < 0)
                return -ENOMEM;
        if (g->trend ? table_addf(t, "%s to %s", figure_value(style, g->first, value),
                                  figure_value(style, g->last, last)) < 0
                     : table_add(t, figure_value(style, g->median, value)) < 0)
                return -ENOMEM;
        if (i == 0) {
                if (table_add(t, "") < 0 || table_add(t, g->trend ? figure_p(g->p, p) : "") < 0)
                        return -ENOMEM;
        } else if (table_add(t,
                             figure_difference(style, g->median - h->segments[i - 1].segment.median,
                                               value)) < 0 ||
                   table_add(t, figure_p(g->p, p)) < 0) {
                return -ENOMEM;
        }
        return table_add(t, changed);
}

static const char *times(size_t n, char ret[32])
{
        if (n == 1)
                return "once";
        (void) snprintf(ret, 32, "%zu times", n);
        return ret;
}

static int print_head(const struct history *h, const char *primary, FILE *f)
{
        char low[FIGURE_BYTES], high[FIGURE_BYTES];
        struct figure_style style;
        size_t n_steps = h->n_segments > 0 ? h->n_segments - 1 : 0;
        struct prose p;
        char first[32], last[32], count[32];

        if (!prose_open(&p))
                return -ENOMEM;
        (void) fprintf(p.f, "Machine %.*s, %s: ", MACHINE_SHOWN, h->machine, primary);
        if (h->problem) {
                (void) fprintf(p.f, "%s.", h->problem);
                return prose_print(&p, f);
        }
        if (h->n < STEPS_BOOTS_MIN)
                (void) fprintf(p.f, "%zu boots are too few to look for a change (%d it takes).",
                               h->n, STEPS_BOOTS_MIN);
        else if (n_steps > 0)
                (void) fprintf(p.f, "the level changed %s.", times(n_steps, count));
        else
                (void) fputs(h->segments[0].segment.trend ? "a gradual trend, no step."
                                                          : "steady: no change that stands out.",
                             p.f);
        (void) fprintf(p.f, " %zu boots from %s to %s", h->n, day_of(h->boots[0], first),
                       day_of(h->boots[h->n - 1], last));
        if (h->n_without + h->n_undated > 0)
                (void) fprintf(p.f, "; left out: %zu without the metric, %zu undated", h->n_without,
                               h->n_undated);
        (void) fputs(".", p.f);
        style = style_of(h);
        if (h->modes.two)
                (void) fprintf(p.f, " Two modes: %zu boots around %s and %zu around %s.",
                               h->modes.n_low, figure_value(&style, h->modes.low, low),
                               h->modes.n_high, figure_value(&style, h->modes.high, high));
        return prose_print(&p, f);
}

static int print_history(const struct history *h, const char *primary, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "boots", TABLE_RIGHT },  { "from (UTC)", TABLE_LEFT },
                { "median", TABLE_RIGHT }, { "change", TABLE_RIGHT },
                { "p", TABLE_RIGHT },      { "what changed there", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        struct figure_style style;

        if (!t || print_head(h, primary, f) < 0)
                return -ENOMEM;
        if (h->problem)
                return 0;
        style = style_of(h);
        for (size_t i = 0; i < h->n_segments; i++)
                if (add_segment(t, h, i, &style) < 0)
                        return -ENOMEM;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

int histories_print(const struct histories *h, FILE *f, bool color)
{
        if (h->n == 0)
                (void) fputs("No complete boot.\n", f);
        for (size_t i = 0; i < h->n; i++) {
                int r;

                if (i > 0)
                        (void) fputs("\n\n", f);
                r = print_history(&h->history[i], h->primary, f, color);
                if (r < 0)
                        return r;
        }
        if (left_out_print(h->boots, f) < 0)
                return -ENOMEM;
        return ferror(f) ? -EIO : 0;
}

static json_t *segment_json(const struct history *h, size_t at)
{
        const struct history_segment *s = &h->segments[at];
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *changes = json_array();
        const struct segment *g = &s->segment;

        if (json_put(j, "from", json_integer((json_int_t) g->from + 1)) < 0 ||
            json_put(j, "to", json_integer((json_int_t) (g->from + g->n))) < 0 ||
            json_put(j, "first_boot", json_text(h->boots[g->from]->id)) < 0 ||
            json_put(j, "first_realtime_us", json_integer(h->boots[g->from]->start.realtime_us)) <
                    0 ||
            json_put(j, "last_realtime_us",
                     json_integer(h->boots[g->from + g->n - 1]->start.realtime_us)) < 0 ||
            view_json_real(j, "median", g->median) < 0 || view_json_real(j, "p", g->p) < 0 ||
            json_put(j, "trend", json_boolean(g->trend)) < 0 || json_put(j, "changes", changes) < 0)
                return NULL;
        if (at > 0 && view_json_real(j, "change", g->median - s[-1].segment.median) < 0)
                return NULL;
        if (g->trend && (view_json_real(j, "trend_first", g->first) < 0 ||
                         view_json_real(j, "trend_last", g->last) < 0))
                return NULL;
        for (size_t i = 0; i < s->n_changes; i++) {
                const struct history_change *c = &s->changes[i];
                json_t *one = json_object();

                if (json_array_append_new(changes, one) < 0 ||
                    json_put(one, "factor", json_text(c->key)) < 0 ||
                    json_put(one, "before", json_text(c->before)) < 0 ||
                    json_put(one, "after", json_text(c->after)) < 0 ||
                    json_put(one, "boots_from_step", json_integer(c->offset)) < 0)
                        return NULL;
        }
        return TAKE(j);
}

static json_t *history_json(const struct history *h)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *segments = json_array(), *values = json_array();

        if (json_put(j, "machine", json_text(h->machine)) < 0 ||
            json_put(j, "problem", h->problem ? json_text(h->problem) : json_null()) < 0 ||
            json_put(j, "unit", h->metric ? json_text(h->metric->manner.unit) : json_null()) < 0 ||
            json_put(j, "n", json_integer((json_int_t) h->n)) < 0 ||
            json_put(j, "n_undated", json_integer((json_int_t) h->n_undated)) < 0 ||
            json_put(j, "n_without", json_integer((json_int_t) h->n_without)) < 0 ||
            json_put(j, "two_modes", json_boolean(h->modes.two)) < 0 ||
            json_put(j, "values", values) < 0 || json_put(j, "segments", segments) < 0)
                return NULL;
        if (h->modes.two && (view_json_real(j, "mode_low", h->modes.low) < 0 ||
                             view_json_real(j, "mode_high", h->modes.high) < 0 ||
                             json_put(j, "n_low", json_integer((json_int_t) h->modes.n_low)) < 0 ||
                             json_put(j, "n_high", json_integer((json_int_t) h->modes.n_high)) < 0))
                return NULL;
        for (size_t i = 0; i < h->n; i++)
                if (json_array_append_new(values, json_real(h->values[i])) < 0)
                        return NULL;
        for (size_t i = 0; i < h->n_segments; i++)
                if (json_array_append_new(segments, segment_json(h, i)) < 0)
                        return NULL;
        return TAKE(j);
}

json_t *histories_json(const struct histories *h)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *machines = json_array();

        if (json_put(j, "primary", json_text(h->primary)) < 0 ||
            json_put(j, "machines", machines) < 0 ||
            json_put(j, "status", json_integer(histories_status(h))) < 0 ||
            left_out_json(j, h->boots) < 0)
                return NULL;
        for (size_t i = 0; i < h->n; i++)
                if (json_array_append_new(machines, history_json(&h->history[i])) < 0)
                        return NULL;
        return TAKE(j);
}
