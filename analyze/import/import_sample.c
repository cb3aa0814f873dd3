/* analyze/import/import_sample.c - what formats enter about a measurement; see import.h */
#include <stdarg.h>
#include <string.h>
#include "analyze/import/import_internal.h"
#include "record/json.h"

struct sample *import_newest(const struct import *in)
{
        struct record *r = import_open(in);

        return r && in->newest < r->n_samples ? &r->samples[in->newest] : NULL;
}

void import_reopen(struct import *in, size_t k) { in->newest = k; }

struct sample *import_sample_find(const struct import *in, const char *workload, unsigned run)
{
        struct record *r = import_open(in);

        for (size_t i = 0; r && i < r->n_samples; i++)
                if (strcmp(r->samples[i].workload, workload) == 0 && r->samples[i].run == run)
                        return &r->samples[i];
        return NULL;
}

struct sample *import_sample(struct import *in, const char *workload, unsigned run, size_t i)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        struct record *r = import_open(in);

        if (!r || !import_count(in))
                return NULL;
        if (import_failed(in, sample_init(&s, workload, run ? run : RUN_LATER)))
                return NULL;
        s.details = json_object();
        if (import_failed(in, json_put(s.details, "file", json_text(in->text->name))) ||
            import_failed(in, record_set_integer(s.details, "line", text_number(in->text, i))) ||
            import_failed(in, record_add_sample(r, &s)))
                return NULL;
        in->newest = r->n_samples - 1;
        return import_newest(in);
}

void import_tool(struct import *in, const char *tool, const char *version)
{
        struct sample *s = import_newest(in);

        if (!s)
                return;
        free(s->tool);
        free(s->tool_version);
        s->tool = tool ? strdup(tool) : NULL;
        s->tool_version = version ? strdup(version) : NULL;
        if ((tool && !s->tool) || (version && !s->tool_version))
                import_fail(in, -ENOMEM, "no memory");
}

/* member() - the object at *j, made when it is not there yet */
static json_t *member(struct import *in, json_t **j)
{
        if (!*j)
                *j = json_object();
        if (!*j)
                import_fail(in, -ENOMEM, "no memory");
        return *j;
}

void import_parameter(struct import *in, const char *key, const char *value)
{
        struct sample *s = import_newest(in);

        if (s && member(in, &s->parameters))
                (void) import_failed(in, record_set_string(s->parameters, key, value));
}

void import_parameter_integer(struct import *in, const char *key, int64_t value)
{
        struct sample *s = import_newest(in);

        if (s && member(in, &s->parameters))
                (void) import_failed(in, record_set_integer(s->parameters, key, value));
}

void import_detail(struct import *in, const char *key, const char *value)
{
        struct sample *s = import_newest(in);

        if (s)
                (void) import_failed(in, record_set_string(s->details, key, value));
}

void import_detail_pair(struct import *in, const char *key, double a, int64_t b)
{
        struct sample *s = import_newest(in);
        json_t *pairs = s ? json_object_get(s->details, key) : NULL;

        if (!s || !import_count(in))
                return;
        if (!pairs) {
                pairs = json_array();
                if (import_failed(in, json_put(s->details, key, pairs)))
                        return;
        }
        if (json_array_append_new(pairs, json_pack("[f, I]", a, (json_int_t) b)) < 0)
                import_fail(in, -ENOMEM, "no memory");
}

/* note_line() - details.lines: on which line each figure stands */
static void note_line(struct import *in, struct sample *s, const char *field, size_t i)
{
        json_t *lines = json_object_get(s->details, "lines");

        if (!lines) {
                lines = json_object();
                if (import_failed(in, json_put(s->details, "lines", lines)))
                        return;
        }
        (void) import_failed(in, record_set_integer(lines, field, text_number(in->text, i)));
}

void import_value(struct import *in, const char *field, double value, const char *unit,
                  enum better better, size_t i, const char *raw)
{
        struct sample *s = import_newest(in);
        struct sample_value *v;
        int r;

        if (!s || !import_count(in))
                return;
        r = sample_add(s, field, value, unit, better, &v);
        if (r == -EEXIST || r == -EINVAL) {
                import_warn(in, "line %u: %s %s of %s was left out: %s", text_number(in->text, i),
                            field, raw, s->workload,
                            r == -EEXIST ? "it is there already" : "it is no number");
                return;
        }
        if (import_failed(in, r))
                return;
        v->raw = strdup(raw);
        if (!v->raw)
                import_fail(in, -ENOMEM, "no memory");
        note_line(in, s, field, i);
}

static struct sample_value *find_value(const struct import *in, const char *field)
{
        struct sample *s = import_newest(in);

        return s ? (struct sample_value *) (uintptr_t) sample_find(s, field) : NULL;
}

/* note_below() - a time that is printed as 0.00 was not nothing: it lay below what is printed */
static void note_below(struct import *in, const char *field, double digit)
{
        struct sample_value *v = find_value(in, field);

        if (v && v->value == 0 && v->better == BETTER_LOWER && digit < 1 && member(in, &v->extra))
                (void) import_failed(in, record_set_real(v->extra, "below", digit));
}

void import_number(struct import *in, const char *field, const struct number *n, const char *unit,
                   enum better better, size_t i, const char *raw)
{
        import_value(in, field, n->value, unit, better, i, raw);
        note_below(in, field, n->digit);
        if (n->ambiguous)
                import_warn(in, "line %u: the comma of %s in %s can mean two things; read as %.15g",
                            text_number(in->text, i), field, raw, n->value);
}

void import_value_span(struct import *in, const char *field, const struct timespan *t, size_t i,
                       const char *raw)
{
        import_value(in, field, s_from_us(t->us), "s", BETTER_LOWER, i, raw);
        note_below(in, field, s_from_us(t->error_us));
        if (t->implausible)
                import_implausible(in, field, t->implausible);
}

void import_implausible(struct import *in, const char *field, const char *why)
{
        struct sample_value *v = find_value(in, field);

        if (!v || v->implausible)
                return;
        v->implausible = strdup(why);
        if (!v->implausible)
                import_fail(in, -ENOMEM, "no memory");
}

void import_mismatch(struct import *in, const char *field, const char *format, ...)
{
        struct sample_value *v = find_value(in, field);
        CLEANUP(freep) char *text = NULL;
        va_list ap;

        if (!v)
                return;
        va_start(ap, format);
        if (vasprintf(&text, format, ap) < 0)
                text = NULL;
        va_end(ap);
        if (!text || !member(in, &v->extra)) {
                import_fail(in, -ENOMEM, "no memory");
                return;
        }
        (void) import_failed(in, record_set_string(v->extra, "mismatch", text));
        import_warn(in, "%s.%s: %s", import_newest(in)->workload, field, text);
}
