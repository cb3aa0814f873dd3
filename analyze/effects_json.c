/* analyze/effects_json.c - every figure of the effects */
#include <math.h>
#include "analyze/effects_view.h"
#include "analyze/left_out.h"
#include "analyze/view_json.h"
#include "record/json.h"

static json_t *key_texts(const struct design_group *g, size_t level)
{
        CLEANUP(json_decrefp) json_t *j = json_object();

        for (size_t k = 0; k < g->n_keys; k++)
                if (json_put(j, g->keys[k].key, json_text(g->keys[k].text[level])) < 0)
                        return NULL;
        return TAKE(j);
}

static json_t *effect_json(const struct effects *e, const struct effect *effect)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        const struct design_group *g = &e->design.groups[effect->group];

        if (json_put(j, "group", json_text(g->name)) < 0 ||
            json_put(j, "level", key_texts(g, effect->level)) < 0 ||
            json_put(j, "base", key_texts(g, 0)) < 0 ||
            json_put(j, "n", json_integer((json_int_t) g->n_boots[effect->level])) < 0 ||
            json_put(j, "separable", json_boolean(effect->estimable)) < 0 ||
            json_put(j, "rests_on_boots", json_integer((json_int_t) effect->rests_on)) < 0 ||
            json_put(j, "model_only", json_boolean(!effect->could)) < 0)
                return NULL;
        if (effect->estimable && (view_json_estimate(j, "ratio", &effect->ratio) < 0 ||
                                  view_json_real(j, "p", effect->p) < 0))
                return NULL;
        if (effect->could) {
                if (json_put(j, "verdict", json_string(verdict_name(effect->verdict.kind))) < 0 ||
                    json_put(j, "matched_base", json_integer((json_int_t) effect->matched.a.n)) <
                            0 ||
                    json_put(j, "matched_level", json_integer((json_int_t) effect->matched.b.n)) <
                            0 ||
                    view_json_estimate(j, "matched_shift", &effect->matched.shift) < 0 ||
                    view_json_real(j, "matched_p", effect->matched.p) < 0 ||
                    view_json_real(j, "matched_p_holm", effect->p_holm) < 0)
                        return NULL;
        }
        return TAKE(j);
}

static json_t *inseparable_json(const struct effects *e, const struct inseparable *s)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *parts = json_array(), *would = json_array();

        if (json_put(j, "changes", parts) < 0 || json_put(j, "would_separate", would) < 0 ||
            (s->has_together && view_json_estimate(j, "together", &s->together) < 0))
                return NULL;
        for (size_t i = 0; i < s->n_effects; i++) {
                const struct effect *effect = &e->effects[s->effects[i]];
                const struct design_group *g = &e->design.groups[effect->group];
                json_t *part = json_object();

                if (json_array_append_new(parts, part) < 0 ||
                    json_put(part, "group", json_text(g->name)) < 0 ||
                    json_put(part, "level", key_texts(g, effect->level)) < 0)
                        return NULL;
        }
        for (size_t i = 0; i < s->n_would; i++)
                if (json_array_append_new(would, json_text(s->would[i])) < 0)
                        return NULL;
        return TAKE(j);
}

json_t *effects_view_json(const struct effects *e)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        json_t *effects = json_array(), *inseparable = json_array();

        if (json_put(j, "primary", json_text(e->primary)) < 0 ||
            json_put(j, "problem", e->problem ? json_text(e->problem) : json_null()) < 0 ||
            json_put(j, "model", json_string("additive, equal spread")) < 0 ||
            json_put(j, "n", json_integer((json_int_t) e->n_boots)) < 0 ||
            json_put(j, "n_left_out", json_integer((json_int_t) e->n_left_out)) < 0 ||
            json_put(j, "n_configurations", json_integer((json_int_t) e->n_configurations)) < 0 ||
            json_put(j, "degrees_of_freedom", json_integer((json_int_t) e->df)) < 0 ||
            view_json_real(j, "spread_log_sd", e->spread) < 0 ||
            json_put(j, "effects", effects) < 0 || json_put(j, "inseparable", inseparable) < 0 ||
            json_put(j, "status", json_integer(effects_status(e))) < 0 ||
            left_out_json(j, e->boots) < 0)
                return NULL;
        if (!e->problem && view_json_estimate(j, "base", &e->base) < 0)
                return NULL;
        for (size_t i = 0; i < e->n_effects; i++)
                if (json_array_append_new(effects, effect_json(e, &e->effects[i])) < 0)
                        return NULL;
        for (size_t i = 0; i < e->n_inseparable; i++)
                if (json_array_append_new(inseparable, inseparable_json(e, &e->inseparable[i])) < 0)
                        return NULL;
        return TAKE(j);
}
