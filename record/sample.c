/* record/sample.c - one run of one workload; its JSON is described in sample.h */
#include "record/sample.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "record/json.h"
#include "record/json_reader.h"
#include "record/mark.h"

static const char *const better_words[] = {
        [BETTER_UNSTATED] = NULL,
        [BETTER_LOWER] = "lower",
        [BETTER_HIGHER] = "higher",
};

static void sample_value_done(struct sample_value *v)
{
        free(v->field);
        free(v->unit);
        free(v->raw);
        free(v->implausible);
        json_decref(v->extra);
}

void sample_done(struct sample *s)
{
        free(s->workload);
        free(s->tool);
        free(s->tool_version);
        json_decref(s->parameters);
        json_decref(s->details);
        for (size_t i = 0; i < s->n_values; i++)
                sample_value_done(&s->values[i]);
        free(s->values);
        json_decref(s->extra);
        *s = SAMPLE_NULL;
}

int sample_init(struct sample *s, const char *workload, unsigned run)
{
        *s = SAMPLE_NULL;
        if (!mark_name_is_valid(workload) || run == 0)
                return -EINVAL;
        s->run = run;
        s->workload = strdup(workload);
        return s->workload ? 0 : -ENOMEM;
}

const struct sample_value *sample_find(const struct sample *s, const char *field)
{
        for (size_t i = 0; i < s->n_values; i++)
                if (strcmp(s->values[i].field, field) == 0)
                        return &s->values[i];
        return NULL;
}

int sample_add(struct sample *s, const char *field, double value, const char *unit,
               enum better better, struct sample_value **ret)
{
        struct sample_value v = { .value = value, .better = better }, *grown;

        if (!isfinite(value))
                return -EINVAL;
        if (sample_find(s, field))
                return -EEXIST;
        grown = reallocarray(s->values, s->n_values + 1, sizeof *grown);
        if (!grown)
                return -ENOMEM;
        s->values = grown;
        v.field = strdup(field);
        v.unit = strdup(unit);
        if (!v.field || !v.unit) {
                sample_value_done(&v);
                return -ENOMEM;
        }
        s->values[s->n_values] = v;
        if (ret)
                *ret = &s->values[s->n_values];
        s->n_values++;
        return 0;
}

static json_t *value_to_json(const struct sample_value *v)
{
        CLEANUP(json_decrefp) json_t *j = v->extra ? json_deep_copy(v->extra) : json_object();

        if (json_put(j, "value", json_real(v->value)) < 0 ||
            json_put(j, "unit", json_text(v->unit)) < 0 ||
            (better_words[v->better] &&
             json_put(j, "better", json_string(better_words[v->better])) < 0) ||
            (v->raw && json_put(j, "raw", json_text(v->raw)) < 0) ||
            (v->implausible && json_put(j, "implausible", json_text(v->implausible)) < 0))
                return NULL;
        return TAKE(j);
}

json_t *sample_to_json(const struct sample *s)
{
        CLEANUP(json_decrefp) json_t *j = s->extra ? json_deep_copy(s->extra) : json_object();
        CLEANUP(json_decrefp) json_t *values = json_object();

        for (size_t i = 0; i < s->n_values; i++)
                if (json_put(values, s->values[i].field, value_to_json(&s->values[i])) < 0)
                        return NULL;
        if (json_put(j, "workload", json_text(s->workload)) < 0 ||
            json_put(j, "run", json_integer(s->run)) < 0 ||
            (s->tool && json_put(j, "tool", json_text(s->tool)) < 0) ||
            (s->tool_version && json_put(j, "tool_version", json_text(s->tool_version)) < 0) ||
            (s->parameters && json_put(j, "parameters", json_deep_copy(s->parameters)) < 0) ||
            (s->details && json_put(j, "details", json_deep_copy(s->details)) < 0) ||
            json_put(j, "values", TAKE(values)) < 0)
                return NULL;
        return TAKE(j);
}

static int value_from_json(struct sample *s, const char *field, const json_t *j,
                           struct fault *fault)
{
        struct json_reader in = json_reader_open(j, field, fault);
        struct sample_value v = { .field = strdup(field) }, *grown;
        CLEANUP(freep) char *better = NULL;
        bool has_value = false;

        json_read_real(&in, "value", &v.value, &has_value);
        json_read_text(&in, "unit", &v.unit);
        json_read_text(&in, "better", &better);
        json_read_text(&in, "raw", &v.raw);
        json_read_text(&in, "implausible", &v.implausible);
        v.extra = json_reader_rest(&in);
        for (size_t i = 0; better && i < ELEMENTSOF(better_words); i++)
                if (better_words[i] && strcmp(better, better_words[i]) == 0)
                        v.better = (enum better) i;
        if (in.error == 0 && (!has_value || !v.unit))
                json_reader_fail(&in, -EINVAL, "wants a value and a unit");
        if (in.error == 0 && sample_find(s, field))
                json_reader_fail(&in, -EINVAL, "is there twice");
        grown = in.error == 0 ? reallocarray(s->values, s->n_values + 1, sizeof *grown) : NULL;
        if (in.error == 0 && (!grown || !v.field))
                json_reader_fail(&in, -ENOMEM, "no memory");
        if (grown)
                s->values = grown;
        if (in.error < 0) {
                sample_value_done(&v);
                return in.error;
        }
        s->values[s->n_values++] = v;
        return 0;
}

int sample_from_json(const json_t *j, struct sample *ret, struct fault *fault)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        struct json_reader in = json_reader_open(j, "sample", fault);
        CLEANUP(json_decrefp) json_t *values = NULL;
        int64_t run = 1;
        const char *field;
        json_t *value;

        json_read_text(&in, "workload", &s.workload);
        json_read_integer(&in, "run", &run, NULL);
        json_read_text(&in, "tool", &s.tool);
        json_read_text(&in, "tool_version", &s.tool_version);
        json_read_flat(&in, "parameters", &s.parameters);
        json_read_object(&in, "details", &s.details);
        json_read_object(&in, "values", &values);
        s.extra = json_reader_rest(&in);
        if (in.error == 0 && (!s.workload || !mark_name_is_valid(s.workload)))
                json_reader_fail(&in, -EINVAL, "wants a workload of [A-Za-z0-9._-]");
        if (in.error == 0 && (run < 1 || run > 1000000))
                json_reader_fail(&in, -EINVAL, "run is not 1 to 1000000");
        if (in.error < 0)
                return in.error;
        s.run = (unsigned) run;
        json_object_foreach(values, field, value)
        {
                int r = value_from_json(&s, field, value, fault);

                if (r < 0)
                        return fault_context(fault, r, "sample %s", s.workload);
        }
        *ret = s;
        s = SAMPLE_NULL;
        return 0;
}
