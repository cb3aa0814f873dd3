/* analyze/boot_view.c - one boot as tables. Everything here is derived from the record; nothing is
 * added that the record does not carry. */
#include "analyze/boot_view.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "analyze/duration.h"
#include "analyze/idle.h"
#include "analyze/sample_layout.h"
#include "analyze/table.h"
#include "record/json.h"
#include "record/phases.h"

#define UNITS_SHOWN 10

static void heading(FILE *f, const char *text, bool color)
{
        (void) fprintf(f, color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static int add_error(struct table *t, const struct sighting *s)
{
        char text[DURATION_BYTES];

        if (s->bound == BOUND_LOWER)
                return table_add(t, "or later");
        if (s->error_us == RECORD_ERROR_UNKNOWN)
                return table_add(t, "unknown");
        return table_add(t, duration_text(s->error_us, text));
}

static int print_milestones(const struct record *r, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "milestone", TABLE_LEFT },   { "at", TABLE_RIGHT },
                { "since last", TABLE_RIGHT }, { "error", TABLE_RIGHT },
                { "seen by", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        bool has_last = false;
        int64_t last_us = 0;

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < r->n_milestones; i++) {
                const struct milestone *m = &r->milestones[i];
                const struct sighting *s = &m->best;
                char at[DURATION_BYTES], since[DURATION_BYTES] = "";

                if (has_last && !s->implausible)
                        (void) duration_text(s->at_us - last_us, since);
                if (table_addf(t, "%s%s%s", m->name, m->session ? " " : "",
                               m->session ? m->session : "") < 0 ||
                    table_add(t, duration_text(s->at_us, at)) < 0 || table_add(t, since) < 0 ||
                    add_error(t, s) < 0 ||
                    table_addf(t, "%s%s%s%s%s%s", s->source, s->detail ? ": " : "",
                               s->detail ? s->detail : "", s->implausible ? " (implausible: " : "",
                               s->implausible ? s->implausible : "", s->implausible ? ")" : "") < 0)
                        return -ENOMEM;
                if (!s->implausible) {
                        last_us = s->at_us;
                        has_last = true;
                }
        }
        return r->n_milestones ? table_print(t, f, color) : 0;
}

static int print_phases(const struct record *r, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "phase", TABLE_LEFT },         { "as it was", TABLE_RIGHT },
                { "machine time", TABLE_RIGHT }, { "share", TABLE_RIGHT },
                { "from..to", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        char elapsed[DURATION_BYTES], machine[DURATION_BYTES];
        struct phases p;

        if (!t)
                return -ENOMEM;
        if (!phases_of(r, &p))
                return 0;
        for (size_t i = 0; i < p.n; i++) {
                const struct phase *ph = &p.phase[i];

                if (table_add(t, ph->name) < 0 ||
                    table_add(t, duration_text(ph->span.elapsed_us, elapsed)) < 0 ||
                    table_add(t, duration_text(ph->span.machine_us, machine)) < 0 ||
                    table_addf(t, "%.1f %%",
                               p.total.machine_us > 0 ? 100.0 * (double) ph->span.machine_us /
                                                                (double) p.total.machine_us
                                                      : 0.0) < 0 ||
                    table_addf(t, "%s%s%s", ph->from ? ph->from : "", ph->from ? ".." : "",
                               ph->to ? ph->to : "") < 0)
                        return -ENOMEM;
        }
        if (table_add(t, "total") < 0 ||
            table_add(t, duration_text(p.total.elapsed_us, elapsed)) < 0 ||
            table_add(t, duration_text(p.total.machine_us, machine)) < 0 ||
            table_add(t, "100.0 %") < 0 || table_addf(t, "%s..%s", p.from, p.to) < 0)
                return -ENOMEM;
        heading(f, "Where the time went", color);
        return table_print(t, f, color);
}

static int print_waits(const struct record *r, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "waited for a person", TABLE_LEFT },
                { "from", TABLE_RIGHT },
                { "for", TABLE_RIGHT },
                { "attempts", TABLE_RIGHT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        char from[DURATION_BYTES], length[DURATION_BYTES];

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < r->n_waits; i++) {
                const struct wait *w = &r->waits[i];

                if (table_addf(t, "%s%s%s", w->kind, w->name ? " " : "", w->name ? w->name : "") <
                            0 ||
                    table_add(t, duration_text(w->from_us, from)) < 0 ||
                    table_add(t, duration_text(w->to_us - w->from_us, length)) < 0 ||
                    (w->attempts ? table_addf(t, "%u", w->attempts) : table_add(t, "")) < 0)
                        return -ENOMEM;
        }
        if (r->n_waits == 0)
                return 0;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

static int print_units(const struct record *r, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "slowest units", TABLE_LEFT },
                { "took", TABLE_RIGHT },
                { "started at", TABLE_RIGHT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        char took[DURATION_BYTES], started[DURATION_BYTES];

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < r->n_units && i < UNITS_SHOWN; i++)
                if (table_add(t, r->units[i].name) < 0 ||
                    table_add(t, duration_text(r->units[i].elapsed_us, took)) < 0 ||
                    table_add(t, r->units[i].started_us == UNIT_START_UNKNOWN
                                         ? "-"
                                         : duration_text(r->units[i].started_us, started)) < 0)
                        return -ENOMEM;
        if (r->n_units == 0)
                return 0;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

/* add_bytes() - in powers of ten, to four figures; the record holds them all */
static int add_bytes(struct table *t, double bytes)
{
        static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
        size_t i = 0;

        for (; fabs(bytes) >= 999.95 && i + 1 < ELEMENTSOF(units); i++)
                bytes /= 1000;
        return table_addf(t, "%.4g %s", bytes, units[i]);
}

static int add_value(struct table *t, const struct sample_value *v)
{
        bool is_count = strcmp(v->unit, "1") == 0;
        char text[DURATION_BYTES];

        if (strcmp(v->unit, "s") == 0 && v->value > -1e12 && v->value < 1e12)
                return table_add(t, duration_text((int64_t) (v->value * US_PER_S), text));
        if (strcmp(v->unit, "B") == 0)
                return add_bytes(t, v->value);
        if (is_count && fabs(v->value) < 1e15 && v->value == trunc(v->value))
                return table_addf(t, "%.0f", v->value);
        return is_count ? table_addf(t, "%.6g", v->value)
                        : table_addf(t, "%.6g %s", v->value, v->unit);
}

/* add_sample() - a row for each value */
static int add_sample(struct table *t, const struct sample *s)
{
        for (size_t k = 0; k < s->n_values; k++) {
                const char *implausible = s->values[k].implausible;

                if (table_addf(t, "%s.%s", s->workload, s->values[k].field) < 0 ||
                    table_addf(t, "#%u", s->run) < 0 || add_value(t, &s->values[k]) < 0 ||
                    table_addf(t, "%s%s", implausible ? "implausible: " : "",
                               implausible ? implausible : "") < 0)
                        return -ENOMEM;
        }
        return 0;
}

int boot_view_print_samples(const struct sample *samples, size_t n_samples, FILE *f, bool color)
{
        static const struct table_column columns[] = {
                { "measured", TABLE_LEFT },
                { "run", TABLE_RIGHT },
                { "value", TABLE_RIGHT },
                { "remarks", TABLE_LEFT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        size_t n_listed = 0;
        int r = t ? 0 : -ENOMEM;

        for (size_t i = 0; r == 0 && i < n_samples; i++)
                if (!sample_layout_of(&samples[i])) {
                        r = add_sample(t, &samples[i]);
                        n_listed++;
                }
        if (r == 0 && n_listed > 0)
                r = table_print(t, f, color);
        return r < 0 ? r : sample_layouts_print(samples, n_samples, n_listed == 0, f, color);
}

static int print_absent(const struct record *r, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "absent", TABLE_LEFT },
                                                       { "because", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < r->n_absent; i++)
                if (table_add(t, r->absent[i].name) < 0 || table_add(t, r->absent[i].reason) < 0)
                        return -ENOMEM;
        if (r->n_absent == 0)
                return 0;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

/* print_flat() - labels or factors, a line each */
static int print_flat(json_t *object, const char *head, FILE *f, bool color)
{
        const struct table_column columns[] = { { head, TABLE_LEFT }, { "", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        const char *key;
        json_t *value;

        if (!t)
                return -ENOMEM;
        json_object_foreach(object, key, value)
        {
                CLEANUP(freep)
                char *text = json_is_string(value) ? strdup(json_string_value(value))
                                                   : json_dumps(value, JSON_ENCODE_ANY);

                if (!text || table_add(t, key) < 0 || table_add(t, text) < 0)
                        return -ENOMEM;
        }
        if (json_object_size(object) == 0)
                return 0;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

int boot_view_print(const struct record *r, FILE *f, bool color)
{
        int code;

        (void) fprintf(f, "Boot %s%s%s%s\n", r->id, r->boot_kind ? ", " : "",
                       r->boot_kind ? r->boot_kind : "", r->boot_kind ? " boot" : "");
        if (r->incomplete)
                (void) fprintf(f, "Incomplete: %s\n", r->incomplete);
        if (r->origin)
                (void) fprintf(f, "Times count from %s.\n", r->origin);
        (void) fputc('\n', f);
        code = print_milestones(r, f, color);
        if (code == 0)
                code = print_phases(r, f, color);
        if (code == 0)
                code = print_waits(r, f, color);
        if (code == 0)
                code = print_units(r, f, color);
        if (code == 0 && r->n_samples > 0) {
                (void) fputc('\n', f);
                code = boot_view_print_samples(r->samples, r->n_samples, f, color);
        }
        if (code == 0)
                code = idle_print(r, f, color);
        if (code == 0)
                code = print_flat(r->labels, "label", f, color);
        if (code == 0)
                code = print_flat(r->config, "factor", f, color);
        if (code == 0)
                code = print_absent(r, f, color);
        for (size_t i = 0; i < r->n_warnings; i++)
                (void) fprintf(f, "%sWarning: %s\n", i ? "" : "\n", r->warnings[i]);
        return code < 0 ? code : ferror(f) ? -EIO : 0;
}

static json_t *span_to_json(const char *name, const char *from, const char *to,
                            const struct span *s)
{
        CLEANUP(json_decrefp) json_t *j = json_object();

        if (json_put(j, "name", json_string(name)) < 0 ||
            (from && json_put(j, "from", json_string(from)) < 0) ||
            (to && json_put(j, "to", json_string(to)) < 0) ||
            json_put(j, "elapsed_us", json_integer(s->elapsed_us)) < 0 ||
            json_put(j, "machine_us", json_integer(s->machine_us)) < 0)
                return NULL;
        return TAKE(j);
}

int boot_view_json(const struct record *r, json_t **ret)
{
        CLEANUP(json_decrefp) json_t *j = record_to_json(r);
        CLEANUP(json_decrefp) json_t *array = json_array();
        struct phases p;

        if (!j || !array)
                return -ENOMEM;
        if (phases_of(r, &p)) {
                for (size_t i = 0; i < p.n; i++) {
                        json_t *phase = span_to_json(p.phase[i].name, p.phase[i].from,
                                                     p.phase[i].to, &p.phase[i].span);

                        if (!phase || json_array_append_new(array, phase) < 0)
                                return -ENOMEM;
                }
                if (json_put(j, "total", span_to_json("total", p.from, p.to, &p.total)) < 0)
                        return -ENOMEM;
        }
        if (json_put(j, "phases", TAKE(array)) < 0 ||
            json_put(j, "response_ratios", idle_json(r)) < 0)
                return -ENOMEM;
        json_decref(*ret);
        *ret = TAKE(j);
        return 0;
}
