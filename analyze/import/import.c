/* analyze/import/import.c - the bookkeeping that all formats share; see import.h */
#include "analyze/import/import.h"
#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include "record/json.h"

#define RUN_LATER UINT_MAX /* until the record is whole: see number_runs() */
#define LINE_DIGEST_MAX_BYTES 8192

static void fail(struct import *in, int error, const char *what)
{
        if (in->error == 0)
                in->error = fault_set(in->fault, error, "%s: %s", in->text->name, what);
}

void import_out_of_memory(struct import *in) { fail(in, -ENOMEM, "no memory"); }

/* failed() - -ENOMEM and its kin of a call into record/ */
static bool failed(struct import *in, int r)
{
        if (r < 0)
                fail(in, r, r == -ENOMEM ? "no memory" : strerror(-r));
        return in->error < 0;
}

/* count_item() - false once there is more than one import may hold */
static bool count_item(struct import *in)
{
        if (in->error == 0 && ++in->n_items > IMPORT_MAX_ITEMS)
                fail(in, -E2BIG, "too many results for one import: cut out the part that matters");
        return in->error == 0;
}

static struct record *open_record(const struct import *in)
{
        return in->error == 0 && in->n_records > 0 ? in->records[in->n_records - 1] : NULL;
}

struct sample *import_newest(const struct import *in)
{
        struct record *r = open_record(in);

        return r && in->newest < r->n_samples ? &r->samples[in->newest] : NULL;
}

void import_reopen(struct import *in, size_t k) { in->newest = k; }

/* cover() - chain @text, its blanks squeezed, onto the digest of the record's content */
static void cover(char content[DIGEST_HEX_BYTES], const char *text)
{
        char line[DIGEST_HEX_BYTES + LINE_DIGEST_MAX_BYTES];
        size_t used = DIGEST_HEX_BYTES - 1;

        memcpy(line, content, used);
        for (const char *p = text; *p && used < sizeof line; p++)
                if (*p != ' ' || line[used - 1] != ' ')
                        line[used++] = *p;
        digest_hex(line, used, content);
}

void import_cover(struct import *in, const char *text)
{
        if (in->error == 0)
                cover(in->content, text);
}

void import_skip(struct import *in, size_t i)
{
        if (i < in->text->n_lines)
                in->text->lines[i].taken = true;
}

void import_take(struct import *in, size_t i)
{
        if (in->error < 0 || i >= in->text->n_lines)
                return;
        in->text->lines[i].taken = true;
        cover(in->content, text_at(in->text, i));
}

/* give_id() - what the record was made of; equal ones of a file are numbered */
static void give_id(struct import *in, struct record *r)
{
        size_t n = in->n_records - 1, equal = 0;
        char(*grown)[DIGEST_HEX_BYTES] = reallocarray(in->contents, n + 1, sizeof *grown);

        if (!grown) {
                fail(in, -ENOMEM, "no memory");
                return;
        }
        in->contents = grown;
        for (size_t i = 0; i < n; i++)
                equal += strcmp(grown[i], in->content) == 0;
        memcpy(grown[n], in->content, sizeof *grown);
        if (equal > 0) {
                char again[32];

                (void) snprintf(again, sizeof again, "again %zu", equal);
                cover(in->content, again);
                import_warn(in, "the same as an earlier one in this file: pasted twice?");
        }
        r->id = strdup(in->content);
        if (!r->id)
                fail(in, -ENOMEM, "no memory");
}

static bool same_parameters(const struct sample *a, const struct sample *b)
{
        size_t n_a = json_object_size(a->parameters), n_b = json_object_size(b->parameters);

        return n_a == n_b && (n_a == 0 || json_equal(a->parameters, b->parameters));
}

/* number_runs() - samples that were begun without a number: one more than the last like them */
static void number_runs(struct record *r)
{
        for (size_t i = 0; i < r->n_samples; i++) {
                struct sample *s = &r->samples[i];

                if (s->run != RUN_LATER)
                        continue;
                s->run = 1;
                for (size_t k = i; k-- > 0;)
                        if (strcmp(r->samples[k].workload, s->workload) == 0 &&
                            same_parameters(&r->samples[k], s)) {
                                s->run = r->samples[k].run + 1;
                                break;
                        }
        }
}

static int compare_units(const void *va, const void *vb)
{
        const struct unit_time *a = va, *b = vb;

        if (a->elapsed_us != b->elapsed_us)
                return a->elapsed_us > b->elapsed_us ? -1 : 1;
        return strcmp(a->name, b->name);
}

void import_close(struct import *in)
{
        struct record *r = open_record(in);

        if (!r || r->id)
                return;
        if (r->n_samples == 0 && r->n_milestones == 0 && r->n_units == 0)
                import_incomplete(in, "no result in it");
        give_id(in, r);
        number_runs(r);
        if (r->n_units > 1)
                qsort(r->units, r->n_units, sizeof *r->units, compare_units);
        record_sort(r);
}

static int describe_origin(struct import *in, struct record *r, size_t i)
{
        json_t *j = json_object();

        r->extra = json_object();
        if (json_put(r->extra, "import", j) < 0)
                return -ENOMEM;
        if (record_set_string(j, "format", in->format) < 0 ||
            record_set_string(j, "file", in->text->name) < 0 ||
            record_set_integer(j, "line", text_number(in->text, i)) < 0 ||
            record_set_integer(j, "index", (int64_t) in->n_records) < 0 ||
            record_set_string(j, "sha256", in->text->sha256) < 0)
                return -ENOMEM;
        return 0;
}

struct record *import_record(struct import *in, size_t i)
{
        CLEANUP(record_freep) struct record *r = NULL;
        struct record **grown;

        import_close(in);
        if (!count_item(in))
                return NULL;
        r = record_new();
        grown = reallocarray(in->records, in->n_records + 1, sizeof(struct record *));
        if (grown)
                in->records = grown;
        if (!r || !grown) {
                fail(in, -ENOMEM, "no memory");
                return NULL;
        }
        r->machine = strdup(IMPORT_MACHINE);
        r->tool_version = strdup(PACKAGE_VERSION);
        if (!r->machine || !r->tool_version || describe_origin(in, r, i) < 0) {
                fail(in, -ENOMEM, "no memory");
                return NULL;
        }
        digest_hex(in->format, strlen(in->format), in->content);
        in->newest = 0;
        grown[in->n_records++] = r;
        r = NULL;
        return grown[in->n_records - 1];
}

void import_unread(struct import *in, size_t i, const char *format, ...)
{
        struct import_remark *grown;
        va_list ap;
        char *why = NULL;

        if (!count_item(in))
                return;
        va_start(ap, format);
        if (vasprintf(&why, format, ap) < 0)
                why = NULL;
        va_end(ap);
        grown = reallocarray(in->unread, in->n_unread + 1, sizeof *grown);
        if (grown)
                in->unread = grown;
        if (!grown || !why) {
                free(why);
                fail(in, -ENOMEM, "no memory");
                return;
        }
        grown[in->n_unread++] =
                (struct import_remark){ .line = text_number(in->text, i), .text = why };
        if (i < in->text->n_lines)
                in->text->lines[i].taken = true;
}

void import_warn(struct import *in, const char *format, ...)
{
        struct record *r = open_record(in);
        CLEANUP(freep) char *text = NULL;
        va_list ap;

        if (!r || !count_item(in))
                return;
        va_start(ap, format);
        if (vasprintf(&text, format, ap) < 0)
                text = NULL;
        va_end(ap);
        (void) failed(in, text ? record_add_warning(r, "%s", text) : -ENOMEM);
}

void import_label(struct import *in, const char *key, const char *value)
{
        struct record *r = open_record(in);

        if (r && !json_object_get(r->labels, key))
                (void) failed(in, record_set_string(r->labels, key, value));
}

void import_label_integer(struct import *in, const char *key, int64_t value)
{
        struct record *r = open_record(in);

        if (r && !json_object_get(r->labels, key))
                (void) failed(in, record_set_integer(r->labels, key, value));
}

void import_config(struct import *in, const char *key, const char *value)
{
        struct record *r = open_record(in);

        if (r && !json_object_get(r->config, key))
                (void) failed(in, record_set_string(r->config, key, value));
}

void import_config_integer(struct import *in, const char *key, int64_t value)
{
        struct record *r = open_record(in);

        if (r && !json_object_get(r->config, key))
                (void) failed(in, record_set_integer(r->config, key, value));
}

void import_incomplete(struct import *in, const char *why)
{
        struct record *r = open_record(in);

        if (!r || r->incomplete)
                return;
        r->incomplete = strdup(why);
        if (!r->incomplete)
                fail(in, -ENOMEM, "no memory");
}

void import_see(struct import *in, const char *name, const struct timespan *at, size_t i,
                const char *words)
{
        struct record *r = open_record(in);
        CLEANUP(freep) char *detail = NULL, *why = NULL;

        if (!r || !count_item(in))
                return;
        if (asprintf(&detail, "%s (%s:%u)", words, in->text->name, text_number(in->text, i)) < 0)
                detail = NULL;
        why = at->implausible ? strdup(at->implausible) : NULL;
        if (!detail || (at->implausible && !why)) {
                fail(in, -ENOMEM, "no memory");
                return;
        }
        /* The texts are only read: record_see() copies them. */
        (void) failed(in, record_see(r, name, NULL,
                                     &(struct sighting){ .at_us = at->us,
                                                         .error_us = at->error_us,
                                                         .source = (char *) (uintptr_t) in->format,
                                                         .detail = detail,
                                                         .implausible = why }));
}

void import_wait(struct import *in, const char *kind, int64_t from_us, int64_t to_us)
{
        struct record *r = open_record(in);

        if (r && count_item(in))
                (void) failed(in, record_add_wait(r, kind, NULL, from_us, to_us, 0));
}

void import_origin(struct import *in, const char *milestone)
{
        struct record *r = open_record(in);

        if (!r || r->origin)
                return;
        r->origin = strdup(milestone);
        if (!r->origin)
                fail(in, -ENOMEM, "no memory");
}

void import_realtime(struct import *in, int64_t realtime_us)
{
        struct record *r = open_record(in);

        if (r && r->start.realtime_us == 0)
                r->start.realtime_us = realtime_us;
}

void import_absent(struct import *in, const char *milestone, const char *reason)
{
        struct record *r = open_record(in);

        if (r && count_item(in))
                (void) failed(in, record_add_absent(r, milestone, "%s", reason));
}

static struct unit_time *find_unit(const struct import *in, const char *name)
{
        struct record *r = open_record(in);

        for (size_t i = 0; r && i < r->n_units; i++)
                if (strcmp(r->units[i].name, name) == 0)
                        return &r->units[i];
        return NULL;
}

bool import_unit_find(const struct import *in, const char *name)
{
        return find_unit(in, name) != NULL;
}

void import_unit(struct import *in, const char *name, int64_t started_us, int64_t elapsed_us)
{
        struct record *r = open_record(in);
        struct unit_time *u = find_unit(in, name);

        if (u && u->started_us == UNIT_START_UNKNOWN)
                u->started_us = started_us;
        if (r && !u && count_item(in))
                (void) failed(in, record_add_unit(r, name, started_us, elapsed_us));
}

void import_origin_integer(struct import *in, const char *key, int64_t value)
{
        struct record *r = open_record(in);

        if (r)
                (void) failed(in,
                              record_set_integer(json_object_get(r->extra, "import"), key, value));
}

void import_note(struct import *in, const char *text)
{
        struct record *r = open_record(in);
        json_t *j = r ? json_object_get(r->extra, "import") : NULL, *notes;

        if (!j || !count_item(in))
                return;
        notes = json_object_get(j, "remarks");
        if (!notes) {
                notes = json_array();
                if (failed(in, json_put(j, "remarks", notes)))
                        return;
        }
        if (json_array_append_new(notes, json_text(text)) < 0)
                fail(in, -ENOMEM, "no memory");
}

struct sample *import_sample_find(const struct import *in, const char *workload, unsigned run)
{
        struct record *r = open_record(in);

        for (size_t i = 0; r && i < r->n_samples; i++)
                if (strcmp(r->samples[i].workload, workload) == 0 && r->samples[i].run == run)
                        return &r->samples[i];
        return NULL;
}

struct sample *import_sample(struct import *in, const char *workload, unsigned run, size_t i)
{
        CLEANUP(sample_done) struct sample s = SAMPLE_NULL;
        struct record *r = open_record(in);

        if (!r || !count_item(in))
                return NULL;
        if (failed(in, sample_init(&s, workload, run ? run : RUN_LATER)))
                return NULL;
        s.details = json_object();
        if (failed(in, json_put(s.details, "file", json_text(in->text->name))) ||
            failed(in, record_set_integer(s.details, "line", text_number(in->text, i))) ||
            failed(in, record_add_sample(r, &s)))
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
                fail(in, -ENOMEM, "no memory");
}

/* member() - the object at *j, made when it is not there yet */
static json_t *member(struct import *in, json_t **j)
{
        if (!*j)
                *j = json_object();
        if (!*j)
                fail(in, -ENOMEM, "no memory");
        return *j;
}

void import_parameter(struct import *in, const char *key, const char *value)
{
        struct sample *s = import_newest(in);

        if (s && member(in, &s->parameters))
                (void) failed(in, record_set_string(s->parameters, key, value));
}

void import_parameter_integer(struct import *in, const char *key, int64_t value)
{
        struct sample *s = import_newest(in);

        if (s && member(in, &s->parameters))
                (void) failed(in, record_set_integer(s->parameters, key, value));
}

void import_detail(struct import *in, const char *key, const char *value)
{
        struct sample *s = import_newest(in);

        if (s)
                (void) failed(in, record_set_string(s->details, key, value));
}

void import_detail_pair(struct import *in, const char *key, double a, int64_t b)
{
        struct sample *s = import_newest(in);
        json_t *pairs = s ? json_object_get(s->details, key) : NULL;

        if (!s || !count_item(in))
                return;
        if (!pairs) {
                pairs = json_array();
                if (failed(in, json_put(s->details, key, pairs)))
                        return;
        }
        if (json_array_append_new(pairs, json_pack("[f, I]", a, (json_int_t) b)) < 0)
                fail(in, -ENOMEM, "no memory");
}

/* note_line() - details.lines: on which line each figure stands */
static void note_line(struct import *in, struct sample *s, const char *field, size_t i)
{
        json_t *lines = json_object_get(s->details, "lines");

        if (!lines) {
                lines = json_object();
                if (failed(in, json_put(s->details, "lines", lines)))
                        return;
        }
        (void) failed(in, record_set_integer(lines, field, text_number(in->text, i)));
}

void import_value(struct import *in, const char *field, double value, const char *unit,
                  enum better better, size_t i, const char *raw)
{
        struct sample *s = import_newest(in);
        struct sample_value *v;
        int r;

        if (!s || !count_item(in))
                return;
        r = sample_add(s, field, value, unit, better, &v);
        if (r == -EEXIST || r == -EINVAL) {
                import_warn(in, "line %u: %s %s of %s was left out: %s", text_number(in->text, i),
                            field, raw, s->workload,
                            r == -EEXIST ? "it is there already" : "it is no number");
                return;
        }
        if (failed(in, r))
                return;
        v->raw = strdup(raw);
        if (!v->raw)
                fail(in, -ENOMEM, "no memory");
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
                (void) failed(in, record_set_real(v->extra, "below", digit));
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
                fail(in, -ENOMEM, "no memory");
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
                fail(in, -ENOMEM, "no memory");
                return;
        }
        (void) failed(in, record_set_string(v->extra, "mismatch", text));
        import_warn(in, "%s.%s: %s", import_newest(in)->workload, field, text);
}

static void read_with(struct import *in, const struct import_format *f)
{
        size_t before = in->n_records;
        const char **grown;

        in->format = f->name;
        f->read(in);
        import_close(in);
        if (in->n_records == before || in->error < 0)
                return;
        grown = reallocarray(in->formats, in->n_formats + 1, sizeof(const char *));
        if (!grown) {
                fail(in, -ENOMEM, "no memory");
                return;
        }
        in->formats = grown;
        grown[in->n_formats++] = f->name;
}

int import_text(struct text *text, const struct import_format *format, const char *start,
                struct import *ret, struct fault *fault)
{
        struct import in = { .text = text,
                             .start = start ? start : "loader.start",
                             .fault = fault };
        size_t n;
        const struct import_format *table = import_formats(&n);

        if (format)
                read_with(&in, format);
        for (size_t i = 0; !format && in.error == 0 && i < n; i++)
                if (table[i].recognize(text) >= IMPORT_SURE)
                        read_with(&in, &table[i]);
        if (in.error == 0 && in.n_records == 0)
                in.error =
                        format ? fault_set(fault, -ENOMSG, "%s: no %s in it", text->name,
                                           format->name)
                               : fault_set(fault, -ENOMSG,
                                           "%s: nothing recognized; name the format if you know it",
                                           text->name);
        *ret = in;
        return in.error;
}

void import_done(struct import *in)
{
        for (size_t i = 0; i < in->n_records; i++)
                (void) record_free(in->records[i]);
        for (size_t i = 0; i < in->n_unread; i++)
                free(in->unread[i].text);
        free(in->records);
        free(in->unread);
        free(in->formats);
        free(in->contents);
        *in = (struct import){ .text = NULL };
}
