/* analyze/metric.c - a matrix of boots and metrics
 *
 * Samples are gathered under a key of name and manner in a hash table (jansson's), so thousands of
 * metrics cost no more than their number. A manner without a tool version joins the one version
 * that the others name, if there is only one: that is a warning, not a difference. */
#include "analyze/metric.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <gsl/gsl_sort.h>
#include "analyze/shift.h"
#include "analyze/span.h"
#include "record/clock.h"
#include "record/json.h"

/* Beyond it a difference or a square would not be finite. */
#define VALUE_MAX 1e150

/* One boot's value as read, before samples of one run are reduced to their median. */
struct reading {
        size_t boot;
        double value;
};

/* A metric while it is gathered. */
struct gathering {
        struct metric metric;
        struct reading *readings;
        size_t n_readings;
};

struct gatherer {
        struct gathering *items;
        size_t n;
        json_t *index; /* key -> position in items */
        size_t n_boots;
};

static void metric_done(struct metric *m)
{
        free(m->name);
        free(m->from);
        free(m->to);
        free(m->values);
}

static void gatherer_done(struct gatherer *g)
{
        for (size_t i = 0; i < g->n; i++) {
                metric_done(&g->items[i].metric);
                free(g->items[i].readings);
        }
        free(g->items);
        json_decref(g->index);
}

static struct gathering *gatherer_add(struct gatherer *g, const char *name)
{
        struct gathering *grown, *item;
        size_t room = 16;

        /* Doubling, told from the count alone: grow whenever it is a power of two from 16 on. */
        if (g->n == 0 || (g->n >= room && (g->n & (g->n - 1)) == 0)) {
                grown = reallocarray(g->items, g->n ? 2 * g->n : room, sizeof *grown);
                if (!grown)
                        return NULL;
                g->items = grown;
        }
        item = &g->items[g->n];
        *item = (struct gathering){ .metric = { .name = strdup(name) } };
        if (!item->metric.name)
                return NULL;
        g->n++;
        return item;
}

static int gathering_add(struct gathering *item, size_t boot, double value)
{
        struct reading *grown = reallocarray(item->readings, item->n_readings + 1, sizeof *grown);

        if (!grown)
                return -ENOMEM;
        item->readings = grown;
        grown[item->n_readings++] = (struct reading){ boot, value };
        return 0;
}

/* note_version() - which tool versions a metric was measured with: {key: {"4.3": true}} */
static int note_version(json_t *versions, const char *key, const char *version)
{
        json_t *seen = json_object_get(versions, key);

        if (!seen) {
                seen = json_object();
                if (json_put(versions, key, seen) < 0)
                        return -ENOMEM;
        }
        return version ? json_put(seen, version, json_true()) : 0;
}

/* the_version() - what a manner without a version is taken for: the only one named, or NULL */
static const char *the_version(const json_t *versions, const char *key)
{
        json_t *seen = json_object_get(versions, key);

        return json_object_size(seen) == 1 ? json_object_iter_key(json_object_iter(seen)) : NULL;
}

static struct gathering *find_or_add(struct gatherer *g, const char *key, const char *name,
                                     const struct manner *manner, enum better better)
{
        const json_t *at = json_object_get(g->index, key);
        struct gathering *item;

        if (at)
                return &g->items[json_integer_value(at)];
        item = gatherer_add(g, name);
        if (!item || json_put(g->index, key, json_integer((json_int_t) g->n - 1)) < 0)
                return NULL;
        item->metric.manner = *manner;
        item->metric.better = better;
        return item;
}

static int add_value(struct gatherer *g, json_t *versions, const struct sample *s,
                     const struct sample_value *v, size_t boot)
{
        struct manner manner = { v->unit, s->tool, s->tool_version, s->parameters };
        CLEANUP(freep) char *name = NULL, *plain = NULL, *key = NULL;
        struct gathering *item;

        if (asprintf(&name, "%s.%s#%u", s->workload, v->field, s->run) < 0)
                return TAKE(name), -ENOMEM;
        plain = manner_key(name, &manner, NULL);
        if (!plain)
                return -ENOMEM;
        if (!manner.tool_version)
                manner.tool_version = the_version(versions, plain);
        key = manner_key(name, &manner, manner.tool_version);
        item = key ? find_or_add(g, key, name, &manner, v->better) : NULL;
        if (!item)
                return -ENOMEM;
        if (!isfinite(v->value) || fabs(v->value) > VALUE_MAX || v->implausible) {
                item->metric.n_implausible++;
                return 0;
        }
        item->metric.n_unversioned += s->tool && !s->tool_version;
        return gathering_add(item, boot, v->value);
}

static int note_versions(json_t *versions, const struct record *r)
{
        for (size_t i = 0; i < r->n_samples; i++) {
                const struct sample *s = &r->samples[i];

                for (size_t k = 0; k < s->n_values; k++) {
                        struct manner manner = { s->values[k].unit, s->tool, NULL, s->parameters };
                        CLEANUP(freep) char *name = NULL, *key = NULL;

                        if (asprintf(&name, "%s.%s#%u", s->workload, s->values[k].field, s->run) <
                            0)
                                return TAKE(name), -ENOMEM;
                        key = manner_key(name, &manner, NULL);
                        if (!key || note_version(versions, key, s->tool_version) < 0)
                                return -ENOMEM;
                }
        }
        return 0;
}

static int gather_samples(struct gatherer *g, const struct record *const *boots)
{
        CLEANUP(json_decrefp) json_t *versions = json_object();

        if (!versions)
                return -ENOMEM;
        for (size_t i = 0; i < g->n_boots; i++)
                if (note_versions(versions, boots[i]) < 0)
                        return -ENOMEM;
        for (size_t i = 0; i < g->n_boots; i++)
                for (size_t s = 0; s < boots[i]->n_samples; s++)
                        for (size_t k = 0; k < boots[i]->samples[s].n_values; k++)
                                if (add_value(g, versions, &boots[i]->samples[s],
                                              &boots[i]->samples[s].values[k], i) < 0)
                                        return -ENOMEM;
        return 0;
}

/* median_error_s() - of the stamps of @name (or @alternative) over all boots that have one */
static double median_error_s(const struct record *const *boots, size_t n_boots, const char *name,
                             const char *alternative, bool *ret_unknown)
{
        CLEANUP(freep) double *errors = reallocarray(NULL, n_boots, sizeof *errors);
        size_t n = 0, n_unknown = 0;

        for (size_t i = 0; errors && i < n_boots; i++) {
                const struct milestone *m = record_find(boots[i], name);

                if (!m && alternative)
                        m = record_find(boots[i], alternative);
                if (!m || m->best.implausible)
                        continue;
                if (m->best.error_us < 0)
                        n_unknown++;
                else
                        errors[n++] = s_from_us(m->best.error_us);
        }
        if (n_unknown > n)
                *ret_unknown = true;
        if (n == 0)
                return 0;
        gsl_sort(errors, 1, n);
        return shift_median(errors, n);
}

static int describe_span(struct metric *m, const struct record *const *boots, size_t n_boots,
                         const char *from, const char *to, const char *alternative)
{
        m->from = strdup(from);
        m->to = strdup(to);
        if (!m->from || !m->to)
                return -ENOMEM;
        m->resolution =
                fmax(median_error_s(boots, n_boots, from, NULL, &m->resolution_unknown),
                     median_error_s(boots, n_boots, to, alternative, &m->resolution_unknown));
        return 0;
}

static bool is_implausible(const struct record *r, const char *milestone)
{
        const struct milestone *m = milestone ? record_find(r, milestone) : NULL;

        return m && m->best.implausible;
}

static int gather_goal(struct gatherer *g, const struct record *const *boots,
                       const struct goal *goal, const char *from)
{
        struct gathering *item = gatherer_add(g, goal->name);

        if (!item)
                return -ENOMEM;
        item->metric.manner.unit = "s";
        item->metric.better = BETTER_LOWER;
        for (size_t i = 0; from && i < g->n_boots; i++) {
                const char *to = span_goal_at(boots[i], goal);
                int64_t us;

                if (to && span_machine_us(boots[i], from, to, &us)) {
                        if (gathering_add(item, i, s_from_us(us)) < 0)
                                return -ENOMEM;
                } else {
                        item->metric.n_implausible += to || is_implausible(boots[i], goal->to);
                }
        }
        return describe_span(&item->metric, boots, g->n_boots, from ? from : "kernel.start",
                             goal->to, goal->alternative);
}

/* gather_named() - a phase or A..B, unless no boot has it: then it is some sample's name */
static int gather_named(struct gatherer *g, const struct record *const *boots, const char *name)
{
        CLEANUP(freep) char *from = NULL, *to = NULL;
        struct gathering *item = NULL;

        for (size_t i = 0; i < N_GOALS; i++)
                if (strcmp(goals[i].name, name) == 0)
                        return 0;
        (void) span_split(name, &from, &to);
        for (size_t i = 0; i < g->n_boots; i++) {
                int64_t us;

                if (!span_named_us(boots[i], name, &us))
                        continue;
                if (!item) {
                        item = gatherer_add(g, name);
                        if (!item)
                                return -ENOMEM;
                        item->metric.manner.unit = "s";
                        item->metric.better = BETTER_LOWER;
                }
                if (gathering_add(item, i, s_from_us(us)) < 0)
                        return -ENOMEM;
        }
        return item && from ? describe_span(&item->metric, boots, g->n_boots, from, to, NULL) : 0;
}

static int compare_readings(const void *va, const void *vb)
{
        const struct reading *a = va, *b = vb;

        if (a->boot != b->boot)
                return a->boot < b->boot ? -1 : 1;
        return a->value < b->value ? -1 : a->value > b->value;
}

/* reduce() - one value a boot: the median of what was read there */
static int reduce(struct gathering *item, size_t n_boots)
{
        CLEANUP(freep) double *several = reallocarray(NULL, item->n_readings + 1, sizeof *several);
        double *values = reallocarray(NULL, n_boots + 1, sizeof *values);

        item->metric.values = values;
        if (!values || !several)
                return -ENOMEM;
        for (size_t i = 0; i < n_boots; i++)
                values[i] = NAN;
        if (item->n_readings > 1)
                qsort(item->readings, item->n_readings, sizeof *item->readings, compare_readings);
        for (size_t i = 0, end; i < item->n_readings; i = end) {
                size_t boot = item->readings[i].boot;

                for (end = i; end < item->n_readings && item->readings[end].boot == boot; end++)
                        several[end - i] = item->readings[end].value;
                values[boot] = shift_median(several, end - i);
        }
        return 0;
}

static int compare_texts(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int compare_metrics(const void *va, const void *vb)
{
        const struct metric *a = va, *b = vb;
        CLEANUP(freep) char *key_a = NULL, *key_b = NULL;
        int order = strcmp(a->name, b->name);

        if (order != 0)
                return order;
        key_a = manner_key(a->name, &a->manner, a->manner.tool_version);
        key_b = manner_key(b->name, &b->manner, b->manner.tool_version);
        return compare_texts(key_a, key_b);
}

int metrics_of(const struct record *const *boots, size_t n_boots, const char *from,
               const char *more, struct metrics *ret)
{
        CLEANUP(gatherer_done) struct gatherer g = { .n_boots = n_boots, .index = json_object() };
        CLEANUP(metrics_done) struct metrics m = { .n_boots = n_boots };

        if (!from)
                from = span_common_start(boots, n_boots);
        m.from = from ? strdup(from) : NULL;
        if (!g.index || (from && !m.from))
                return -ENOMEM;
        for (size_t i = 0; i < N_GOALS; i++)
                if (gather_goal(&g, boots, &goals[i], from) < 0)
                        return -ENOMEM;
        if ((more && gather_named(&g, boots, more) < 0) || gather_samples(&g, boots) < 0)
                return -ENOMEM;
        m.metric = reallocarray(NULL, g.n, sizeof *m.metric);
        if (!m.metric)
                return -ENOMEM;
        for (size_t i = 0; i < g.n; i++) {
                if (reduce(&g.items[i], n_boots) < 0)
                        return -ENOMEM;
                m.metric[m.n++] = g.items[i].metric;
                g.items[i].metric = (struct metric){ .name = NULL };
        }
        qsort(m.metric, m.n, sizeof *m.metric, compare_metrics);
        *ret = m;
        m = METRICS_NULL;
        return 0;
}

void metrics_done(struct metrics *m)
{
        for (size_t i = 0; i < m->n; i++)
                metric_done(&m->metric[i]);
        free(m->metric);
        free(m->from);
        *m = METRICS_NULL;
}

bool metric_has_name(const struct metric *m, const char *name)
{
        size_t bytes = strlen(name);

        return strncmp(m->name, name, bytes) == 0 &&
               (m->name[bytes] == '\0' || strcmp(m->name + bytes, "#1") == 0);
}

const struct metric *metric_richest(const struct metrics *m, const char *name)
{
        const struct metric *best = NULL;
        size_t most = 0;

        for (size_t i = 0; i < m->n; i++) {
                size_t n = 0;

                if (!metric_has_name(&m->metric[i], name))
                        continue;
                for (size_t b = 0; b < m->n_boots; b++)
                        if (!isnan(m->metric[i].values[b]))
                                n++;
                if (n > most) {
                        most = n;
                        best = &m->metric[i];
                }
        }
        return best;
}

bool metric_is_time(const struct metric *m)
{
        static const char *const units[] = { "s", "ms", "us", "ns", "min", "h" };

        for (size_t i = 0; i < ELEMENTSOF(units); i++)
                if (strcmp(m->manner.unit, units[i]) == 0)
                        return m->better != BETTER_HIGHER;
        return false;
}
