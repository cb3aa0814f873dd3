/* analyze/history.c - a row of boots per machine, cut at its steps
 *
 * A step is located to within a few boots, so factors that changed nearby are named with how far
 * away that was. Only a change that lasted counts: a level that comes and goes explains no step. */
#include "analyze/history.h"
#include <math.h>
#include <string.h>
#include <gsl/gsl_sort.h>
#include "analyze/factor_level.h"
#include "record/json.h"

#define NEAR 3    /* boots; what tests/bench/simulate holds the location to */
#define LASTING 3 /* boots that have the new level, and had the old one before */

enum { STATUS_DONE = 0, STATUS_MISSING = 3 };

static void history_done(struct history *h)
{
        for (size_t i = 0; i < h->n_segments; i++) {
                struct history_segment *s = &h->segments[i];

                for (size_t k = 0; k < s->n_changes; k++) {
                        free(s->changes[k].key);
                        free(s->changes[k].before);
                        free(s->changes[k].after);
                }
                free(s->changes);
        }
        free(h->segments);
        free(h->machine);
        free(h->problem);
        free(h->boots);
        free(h->values);
        metrics_done(&h->metrics);
}

void histories_done(struct histories *h)
{
        for (size_t i = 0; i < h->n; i++)
                history_done(&h->history[i]);
        free(h->history);
        free(h->primary);
        *h = HISTORIES_NULL;
}

static bool same_level(const struct factor *f, size_t i, size_t k)
{
        return f->level[i] && f->level[k] && strcmp(f->level[i], f->level[k]) == 0;
}

/* lasted() - between boots @at - 1 and @at of @n, from one level to another, both for a while */
static bool lasted(const struct factor *f, size_t at, size_t n)
{
        if (!f->level[at - 1] || !f->level[at] || same_level(f, at - 1, at))
                return false;
        for (size_t i = 1; i <= LASTING; i++) {
                if (i < at && i < LASTING && !same_level(f, at - 1, at - 1 - i))
                        return false;
                if (i < LASTING && at + i < n && !same_level(f, at, at + i))
                        return false;
        }
        return true;
}

static int add_change(struct history_segment *s, const struct factor *f, size_t at, int offset)
{
        struct history_change *grown = reallocarray(s->changes, s->n_changes + 1, sizeof *grown);
        struct history_change *c;

        if (!grown)
                return -ENOMEM;
        s->changes = grown;
        c = &grown[s->n_changes++];
        *c = (struct history_change){ .key = strdup(f->key),
                                      .before = strdup(f->level[at - 1]),
                                      .after = strdup(f->level[at]),
                                      .offset = offset };
        return c->key && c->before && c->after ? 0 : -ENOMEM;
}

static int compare_offsets(const void *va, const void *vb)
{
        const struct history_change *a = va, *b = vb;

        if (abs(a->offset) != abs(b->offset))
                return abs(a->offset) - abs(b->offset);
        return strcmp(a->key, b->key);
}

static int find_changes(struct history_segment *s, const struct factors *f, size_t n)
{
        size_t at = s->segment.from;

        for (size_t k = 0; k < f->n; k++)
                for (int offset = -NEAR; offset <= NEAR; offset++) {
                        size_t here = (size_t) ((long) at + offset);

                        if ((long) at + offset < 1 || here >= n || !f->factor[k].varies ||
                            !lasted(&f->factor[k], here, n))
                                continue;
                        if (add_change(s, &f->factor[k], here, offset) < 0)
                                return -ENOMEM;
                }
        if (s->n_changes > 1)
                qsort(s->changes, s->n_changes, sizeof *s->changes, compare_offsets);
        return 0;
}

static int cut(struct history *h)
{
        CLEANUP(steps_done) struct steps steps = STEPS_NULL;
        CLEANUP(factors_done) struct factors f = FACTORS_NULL;

        if (steps_of(h->values, h->n, &steps) < 0 || factors_of(h->boots, h->n, &f) < 0)
                return -ENOMEM;
        h->segments = calloc(steps.n + 1, sizeof *h->segments);
        if (!h->segments)
                return -ENOMEM;
        for (size_t i = 0; i < steps.n; i++) {
                struct history_segment *s = &h->segments[h->n_segments++];

                s->segment = steps.segment[i];
                if (i > 0 && find_changes(s, &f, h->n) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int look_for_modes(struct history *h)
{
        CLEANUP(freep) double *sorted = reallocarray(NULL, h->n + 1, sizeof *sorted);

        if (!sorted)
                return -ENOMEM;
        memcpy(sorted, h->values, h->n * sizeof *sorted);
        gsl_sort(sorted, 1, h->n);
        if (h->n_segments == 1 && !h->segments[0].segment.trend)
                h->modes = modes_of(sorted, h->n, h->metric->resolution);
        return 0;
}

static int set_problem(struct history *h, const char *primary, size_t n_boots)
{
        int r;

        if (!h->metric)
                r = asprintf(&h->problem, "none of %zu boots has %s", n_boots, primary);
        else
                r = asprintf(&h->problem,
                             "the boots that have %s are not dated, so they have no order",
                             primary);
        if (r < 0)
                h->problem = NULL;
        return h->problem ? 0 : -ENOMEM;
}

static int history_of(struct history *h, const struct record *const *boots, size_t n,
                      const struct compare_options *options, const char *primary)
{
        h->machine = strdup(boots[0]->machine ? boots[0]->machine : "?");
        h->boots = calloc(n + 1, sizeof *h->boots);
        h->values = calloc(n + 1, sizeof *h->values);
        if (!h->machine || !h->boots || !h->values ||
            metrics_of(boots, n, options->from, primary, &h->metrics) < 0)
                return -ENOMEM;
        h->metric = metric_richest(&h->metrics, primary);
        for (size_t i = 0; h->metric && i < n; i++) {
                if (isnan(h->metric->values[i])) {
                        h->n_without++;
                } else if (boots[i]->start.realtime_us <= 0) {
                        h->n_undated++;
                } else {
                        h->boots[h->n] = boots[i];
                        h->values[h->n++] = h->metric->values[i];
                }
        }
        if (h->n == 0)
                return set_problem(h, primary, n);
        return cut(h) < 0 ? -ENOMEM : look_for_modes(h);
}

static int compare_machines(const void *va, const void *vb)
{
        const struct record *a = *(const struct record *const *) va;
        const struct record *b = *(const struct record *const *) vb;
        int order = strcmp(a->machine ? a->machine : "", b->machine ? b->machine : "");

        return order ? order : set_compare_boots(va, vb);
}

int histories_of(const struct boot_set *boots, const struct compare_options *options,
                 struct histories *ret)
{
        CLEANUP(histories_done) struct histories h = { .boots = boots };
        CLEANUP(freep)
        const struct record **sorted = reallocarray(NULL, boots->n + 1, sizeof *sorted);

        h.primary = strdup(options->primary ? options->primary : COMPARE_PRIMARY);
        h.history = calloc(boots->n + 1, sizeof *h.history);
        if (!sorted || !h.primary || !h.history)
                return -ENOMEM;
        if (boots->n > 0) {
                memcpy(sorted, boots->boots, boots->n * sizeof *sorted);
                qsort(sorted, boots->n, sizeof *sorted, compare_machines);
        }
        for (size_t i = 0, end; i < boots->n; i = end) {
                const char *machine = sorted[i]->machine ? sorted[i]->machine : "";

                for (end = i + 1; end < boots->n; end++)
                        if (strcmp(sorted[end]->machine ? sorted[end]->machine : "", machine) != 0)
                                break;
                h.n++;
                if (history_of(&h.history[h.n - 1], sorted + i, end - i, options, h.primary) < 0)
                        return -ENOMEM;
        }
        *ret = h;
        h = HISTORIES_NULL;
        return 0;
}

int histories_status(const struct histories *h)
{
        for (size_t i = 0; i < h->n; i++)
                if (!h->history[i].problem)
                        return STATUS_DONE;
        return STATUS_MISSING;
}
