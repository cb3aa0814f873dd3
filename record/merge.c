/* record/merge.c - see merge.h */
#include "record/merge.h"
#include <string.h>
#include "record/json.h"
#include "record/macros.h"

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

/* speaks_again() - does the source of @s say in @r what it said of @m? Its new word replaces the
 * old one: a stamp placed by another reading of the clocks differs in the last digits. */
static bool speaks_again(const struct record *r, const struct milestone *m,
                         const struct sighting *s)
{
        for (size_t i = 0; i < r->n_milestones; i++) {
                const struct milestone *now = &r->milestones[i];

                if (strcmp(now->name, m->name) != 0 || !same_text(now->session, m->session))
                        continue;
                if (strcmp(now->best.source, s->source) == 0)
                        return true;
                for (size_t k = 0; k < now->n_also; k++)
                        if (strcmp(now->also[k].source, s->source) == 0)
                                return true;
        }
        return false;
}

static int merge_milestones(struct record *r, const struct record *earlier)
{
        for (size_t i = 0; i < earlier->n_milestones; i++) {
                const struct milestone *m = &earlier->milestones[i];

                for (size_t k = 0; k <= m->n_also; k++) {
                        const struct sighting *s = k == 0 ? &m->best : &m->also[k - 1];

                        if (!speaks_again(r, m, s) && record_see(r, m->name, m->session, s) < 0)
                                return -ENOMEM;
                }
        }
        return 0;
}

static int merge_waits(struct record *r, const struct record *earlier)
{
        size_t n = r->n_waits;

        for (size_t i = 0; i < earlier->n_waits; i++) {
                const struct wait *w = &earlier->waits[i];
                bool again = false;

                for (size_t k = 0; k < n && !again; k++)
                        again = strcmp(r->waits[k].kind, w->kind) == 0 &&
                                same_text(r->waits[k].name, w->name);
                if (!again &&
                    record_add_wait(r, w->kind, w->name, w->from_us, w->to_us, w->attempts) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int copy_sample(struct record *r, const struct sample *s)
{
        CLEANUP(json_decrefp) json_t *j = sample_to_json(s);
        struct sample copy = SAMPLE_NULL;

        if (!j || sample_from_json(j, &copy, NULL) < 0)
                return -ENOMEM;
        if (record_add_sample(r, &copy) < 0) {
                sample_done(&copy);
                return -ENOMEM;
        }
        return 0;
}

static int merge_flat(json_t *to, json_t *from)
{
        const char *key;
        json_t *value;

        json_object_foreach(from, key,
                            value) if (!json_object_get(to, key) &&
                                       json_put(to, key, json_incref(value)) < 0) return -ENOMEM;
        return 0;
}

/* merge_factors() - one that could be read earlier and cannot now is not absent */
static int merge_factors(struct record *r, const struct record *earlier)
{
        const char *key;
        json_t *value;

        json_object_foreach(earlier->config, key, value) record_forget_absent(r, key);
        return merge_flat(r->config, earlier->config);
}

static int merge_warnings(struct record *r, const struct record *earlier)
{
        for (size_t i = 0; i < earlier->n_warnings; i++) {
                bool again = false;

                for (size_t k = 0; k < r->n_warnings && !again; k++)
                        again = strcmp(r->warnings[k], earlier->warnings[i]) == 0;
                if (!again && record_add_warning(r, "%s", earlier->warnings[i]) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int merge_rest(struct record *r, const struct record *earlier)
{
        if (!r->boot_kind && earlier->boot_kind && !(r->boot_kind = strdup(earlier->boot_kind)))
                return -ENOMEM;
        for (size_t i = 0; r->n_units == 0 && i < earlier->n_units; i++)
                if (record_add_unit(r, earlier->units[i].name, earlier->units[i].started_us,
                                    earlier->units[i].elapsed_us) < 0)
                        return -ENOMEM;
        for (size_t i = 0; i < earlier->n_absent; i++)
                if (!json_object_get(r->config, earlier->absent[i].name) &&
                    record_add_absent(r, earlier->absent[i].name, "%s", earlier->absent[i].reason) <
                            0)
                        return -ENOMEM;
        if (!r->extra && earlier->extra && !(r->extra = json_deep_copy(earlier->extra)))
                return -ENOMEM;
        if (earlier->start.monotonic_us > 0 && earlier->start.monotonic_us < r->start.monotonic_us)
                r->start = earlier->start;
        return 0;
}

int record_merge_earlier(struct record *r, const struct record *earlier)
{
        for (size_t i = 0; i < earlier->n_samples; i++)
                if (copy_sample(r, &earlier->samples[i]) < 0)
                        return -ENOMEM;
        if (merge_milestones(r, earlier) < 0 || merge_waits(r, earlier) < 0 ||
            merge_flat(r->labels, earlier->labels) < 0 || merge_factors(r, earlier) < 0 ||
            merge_flat(r->cost, earlier->cost) < 0 || merge_warnings(r, earlier) < 0)
                return -ENOMEM;
        return merge_rest(r, earlier);
}
