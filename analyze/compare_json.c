/* analyze/compare_json.c - every figure of a comparison under a name that says its unit */
#include "analyze/compare_view.h"
#include "analyze/verdict_words.h"
#include "analyze/view_json.h"
#include "record/json.h"

static int put_set(json_t *j, const char *key, const struct sample_set *s)
{
        json_t *inner = json_object(), *values = json_array();
        const struct estimate *e = &s->median_interval;

        if (json_put(j, key, inner) < 0 || json_put(inner, "values", values) < 0 ||
            json_put(inner, "n", json_integer((json_int_t) s->n)) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < s->n; i++)
                if (json_array_append_new(values, json_real(s->sorted[i])) < 0)
                        return -ENOMEM;
        if (s->n == 0)
                return 0;
        if (view_json_real(inner, "median", s->median) < 0 ||
            view_json_real(inner, "least", s->least) < 0 ||
            view_json_real(inner, "most", s->most) < 0)
                return -ENOMEM;
        return e->has_interval ? view_json_estimate(inner, "median_interval", e) : 0;
}

static const char *method_name(enum rank_method m)
{
        return m == RANK_EXACT ? "exact" : m == RANK_MONTE_CARLO ? "monte-carlo" : "normal";
}

static const char *order_name(enum order o)
{
        return o == ORDER_MIXED ? "mixed" : o == ORDER_B_BELOW_A ? "b-below-a" : "b-above-a";
}

static int put_contrast(json_t *j, const struct contrast *c)
{
        if (put_set(j, "a", &c->a) < 0 || put_set(j, "b", &c->b) < 0 ||
            view_json_estimate(j, "shift", &c->shift) < 0 ||
            (c->has_ratio && view_json_estimate(j, "ratio", &c->ratio) < 0) ||
            (c->has_spread && view_json_real(j, "spread_log_sd", c->spread) < 0) ||
            view_json_real(j, "p", c->p) < 0 || view_json_real(j, "rank_p", c->test.p) < 0 ||
            view_json_real(j, "u", c->test.u) < 0 ||
            json_put(j, "rank_method", json_string(method_name(c->test.method))) < 0 ||
            json_put(j, "drift_taken_out", json_boolean(c->drift.matters)) < 0 ||
            (c->drift.matters &&
             view_json_real(j, "drift_percent_a_boot", c->drift.slope_percent) < 0) ||
            view_json_real(j, "least_p", c->least_p) < 0 ||
            view_json_real(j, "equivalence_p", c->equivalence_p) < 0 ||
            json_put(j, "order", json_string(order_name(c->order))) < 0)
                return -ENOMEM;
        return 0;
}

static int put_verdict(json_t *j, const struct comparison *c, const struct row *r)
{
        json_t *v = json_object(), *could = json_object();
        char *sentence = NULL;
        size_t size;
        FILE *f;
        int code;

        if (json_put(j, "verdict", v) < 0 || json_put(v, "could", could) < 0)
                return -ENOMEM;
        f = open_memstream(&sentence, &size);
        if (!f)
                return -ENOMEM;
        verdict_sentence(c, r, f);
        code = fclose(f) == 0 ? json_put(v, "sentence", json_text(sentence)) : -ENOMEM;
        free(sentence);
        if (code < 0 || json_put(v, "kind", json_string(verdict_name(r->verdict.kind))) < 0 ||
            json_put(v, "word", json_string(verdict_word(r))) < 0 ||
            json_put(v, "within_margin", json_boolean(r->verdict.also_equivalent)) < 0 ||
            json_put(v, "below_resolution", json_boolean(r->verdict.below_resolution)) < 0 ||
            view_json_real(v, "level", r->verdict.level) < 0 ||
            json_put(could, "boots", json_integer((json_int_t) r->verdict.could_sum)) < 0 ||
            json_put(could, "a", json_integer((json_int_t) r->verdict.could.n)) < 0 ||
            json_put(could, "b", json_integer((json_int_t) r->verdict.could.m)) < 0 ||
            json_put(v, "would_boots_each",
                     r->verdict.would_each ? json_integer((json_int_t) r->verdict.would_each)
                                           : json_null()) < 0)
                return -ENOMEM;
        return 0;
}

static json_t *row_json(const struct comparison *c, const struct row *r)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        const struct metric *m = r->metric;

        if (json_put(j, "metric", json_text(r->name)) < 0 ||
            json_put(j, "unit", json_text(m->manner.unit)) < 0)
                return NULL;
        if (m->to && (json_put(j, "from", json_text(m->from)) < 0 ||
                      json_put(j, "to", json_text(m->to)) < 0 ||
                      view_json_real(j, "resolution", m->resolution) < 0))
                return NULL;
        if (r->incomparable)
                return json_put(j, "incomparable", json_text(r->incomparable)) < 0 ? NULL : TAKE(j);
        if (put_contrast(j, &r->contrast) < 0 || view_json_real(j, "p_holm", r->p_holm) < 0 ||
            view_json_real(j, "equivalence_p_holm", r->equivalence_holm) < 0 ||
            put_verdict(j, c, r) < 0)
                return NULL;
        return TAKE(j);
}

static json_t *set_json(const struct boot_set *s)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *ids = json_array();

        if (json_put(j, "name", json_text(s->name)) < 0 || json_put(j, "boots", ids) < 0 ||
            json_put(j, "n", json_integer((json_int_t) s->n)) < 0 ||
            json_put(j, "n_incomplete", json_integer((json_int_t) s->n_incomplete)) < 0 ||
            json_put(j, "n_unreadable", json_integer((json_int_t) s->n_unreadable)) < 0)
                return NULL;
        for (size_t i = 0; i < s->n; i++)
                if (json_array_append_new(ids, json_text(s->boots[i]->id)) < 0)
                        return NULL;
        return TAKE(j);
}

static json_t *change_json(const struct change *g)
{
        static const char *const kinds[] = { [CHANGE_DISJOINT] = "disjoint",
                                             [CHANGE_UNBALANCED] = "unbalanced",
                                             [CHANGE_ONE_SIDED] = "one-sided" };
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *keys = json_array();

        if (json_put(j, "group", json_text(g->group)) < 0 ||
            json_put(j, "kind", json_string(kinds[g->kind])) < 0 ||
            json_put(j, "chosen_by", json_boolean(g->is_name)) < 0 ||
            json_put(j, "factors", keys) < 0)
                return NULL;
        for (size_t i = 0; i < g->n_keys; i++) {
                json_t *key = json_object();

                if (json_array_append_new(keys, key) < 0 ||
                    json_put(key, "factor", json_text(g->keys[i].key)) < 0 ||
                    json_put(key, "a", json_text(g->keys[i].a)) < 0 ||
                    json_put(key, "b", json_text(g->keys[i].b)) < 0)
                        return NULL;
        }
        return TAKE(j);
}

static int put_changes(json_t *j, const struct comparison *c)
{
        json_t *array = json_array();

        if (json_put(j, "changes", array) < 0 ||
            json_put(j, "confounded", json_boolean(c->changes.confounded)) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < c->changes.n; i++)
                if (json_array_append_new(array, change_json(&c->changes.change[i])) < 0)
                        return -ENOMEM;
        return 0;
}

static int put_modes(json_t *j, const char *key, const struct modes *m)
{
        json_t *inner = json_object();

        if (!m->two)
                return json_decref(inner), 0;
        return json_put(j, key, inner) < 0 || view_json_real(inner, "low", m->low) < 0 ||
                               view_json_real(inner, "high", m->high) < 0 ||
                               json_put(inner, "n_low", json_integer((json_int_t) m->n_low)) < 0 ||
                               json_put(inner, "n_high", json_integer((json_int_t) m->n_high)) < 0
                       ? -ENOMEM
                       : 0;
}

static json_t *odd_json(const struct comparison *c, const struct odd_boot *o)
{
        CLEANUP(json_decrefp) json_t *j = json_object();

        if (json_put(j, "boot", json_text(o->boot->id)) < 0 ||
            json_put(j, "set", json_string(o->in_b ? "B" : "A")) < 0 ||
            json_put(j, "metric", json_text(c->rows[o->row].name)) < 0 ||
            view_json_real(j, "value", o->value) < 0 ||
            view_json_real(j, "others_least", o->least) < 0 ||
            view_json_real(j, "others_most", o->most) < 0 ||
            json_put(j, "n_others", json_integer((json_int_t) o->n_others)) < 0 ||
            view_json_real(j, "p", o->p) < 0 ||
            json_put(j, "beside", o->beside ? json_text(o->beside) : json_null()) < 0)
                return NULL;
        return TAKE(j);
}

static int put_odd(json_t *j, const struct comparison *c)
{
        json_t *odd = json_array(), *without = json_array();

        if (json_put(j, "odd_boots", odd) < 0 || json_put(j, "without_odd_boots", without) < 0 ||
            json_put(j, "n_pool", json_integer((json_int_t) c->n_pool)) < 0 ||
            json_put(j, "n_configurations", json_integer((json_int_t) c->n_configurations)) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < c->n_odd; i++)
                if (json_array_append_new(odd, odd_json(c, &c->odd[i])) < 0)
                        return -ENOMEM;
        for (size_t i = 0; i < c->n_without; i++) {
                json_t *one = json_object();

                if (json_array_append_new(without, one) < 0 ||
                    json_put(one, "metric", json_text(c->rows[c->without[i].row].name)) < 0 ||
                    put_contrast(one, &c->without[i].contrast) < 0)
                        return -ENOMEM;
        }
        return 0;
}

json_t *compare_view_json(const struct comparison *c)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *rows = json_array(), *warnings = json_array();

        if (json_put(j, "a", set_json(c->a)) < 0 || json_put(j, "b", set_json(c->b)) < 0 ||
            json_put(j, "primary", json_text(c->primary)) < 0 ||
            json_put(j, "problem", c->problem ? json_text(c->problem) : json_null()) < 0 ||
            json_put(j, "from", c->metrics.from ? json_text(c->metrics.from) : json_null()) < 0 ||
            view_json_real(j, "within", c->within) < 0 ||
            json_put(j, "n_secondaries", json_integer((json_int_t) c->n_family)) < 0 ||
            json_put(j, "status", json_integer(compare_status(c))) < 0 || put_changes(j, c) < 0 ||
            put_modes(j, "two_modes_a", &c->modes_a) < 0 ||
            put_modes(j, "two_modes_b", &c->modes_b) < 0 || put_odd(j, c) < 0 ||
            json_put(j, "metrics", rows) < 0 || json_put(j, "warnings", warnings) < 0)
                return NULL;
        for (size_t i = 0; i < c->n_rows; i++)
                if (json_array_append_new(rows, row_json(c, &c->rows[i])) < 0)
                        return NULL;
        for (size_t i = 0; i < c->n_warnings; i++)
                if (json_array_append_new(warnings, json_text(c->warnings[i])) < 0)
                        return NULL;
        return TAKE(j);
}
