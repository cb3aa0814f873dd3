/* record/json.c - the schema bootlap.record/1, written and read; data/record.schema.json says the
 * same to other programs. */
#include "record/json.h"
#include <limits.h>
#include <string.h>
#include "record/json_reader.h"
#include "record/utf8.h"

int json_put(json_t *object, const char *key, json_t *value)
{
        if (!object || !value) {
                json_decref(value);
                return -ENOMEM;
        }
        return json_object_set_new(object, key, value) < 0 ? -ENOMEM : 0;
}

json_t *json_text(const char *text)
{
        CLEANUP(freep) char *repaired = NULL;
        const unsigned char *p = (const unsigned char *) text;
        size_t used = 0;
        json_t *j;

        if (!text)
                return json_null();
        j = json_string(text); /* NULL when it is not UTF-8 */
        if (j)
                return j;
        repaired = malloc(strlen(text) * 3 + 1); /* one bad byte becomes three */
        if (!repaired)
                return NULL;
        while (*p) {
                size_t n = utf8_length((const char *) p);

                if (n == 0) {
                        memcpy(repaired + used, "\xef\xbf\xbd", 3);
                        used += 3;
                        p++;
                        continue;
                }
                memcpy(repaired + used, p, n);
                used += n;
                p += n;
        }
        return json_stringn(repaired, used);
}

int json_read_file(const char *path, json_t **ret, struct fault *fault)
{
        json_error_t error;
        FILE *f = fopen(path, "re");
        json_t *j;

        if (!f)
                return fault_errno(fault, -errno, "%s", path);
        errno = 0;
        j = json_loadf(f, JSON_REJECT_DUPLICATES, &error);
        if (!j && ferror(f)) {
                int r = errno ? -errno : -EIO;

                (void) fclose(f);
                return fault_errno(fault, r, "%s", path);
        }
        (void) fclose(f);
        if (!j)
                return fault_set(fault, -EINVAL, "%s:%d:%d: no JSON: %s", path, error.line,
                                 error.column, error.text);
        *ret = j;
        return 0;
}

static json_t *object_from(const json_t *extra)
{
        return extra ? json_deep_copy(extra) : json_object();
}

static int put_text(json_t *j, const char *key, const char *text)
{
        return text ? json_put(j, key, json_text(text)) : 0;
}

static int put_sighting(json_t *j, const struct sighting *s)
{
        int r = json_put(j, "at_us", json_integer(s->at_us));

        if (r == 0 && s->error_us != RECORD_ERROR_UNKNOWN)
                r = json_put(j, "error_us", json_integer(s->error_us));
        if (r == 0 && s->bound == BOUND_LOWER)
                r = json_put(j, "bound", json_string("lower"));
        if (r == 0)
                r = put_text(j, "source", s->source);
        if (r == 0)
                r = put_text(j, "detail", s->detail);
        if (r == 0)
                r = put_text(j, "implausible", s->implausible);
        if (r == 0 && s->extra && json_object_update_missing(j, s->extra) < 0)
                r = -ENOMEM;
        return r;
}

static json_t *milestone_to_json(const struct milestone *m)
{
        CLEANUP(json_decrefp) json_t *j = object_from(m->extra);
        CLEANUP(json_decrefp) json_t *also = json_array();

        for (size_t i = 0; i < m->n_also; i++) {
                json_t *s = json_object();

                if (!s || json_array_append_new(also, s) < 0 || put_sighting(s, &m->also[i]) < 0)
                        return NULL;
        }
        if (put_text(j, "name", m->name) < 0 || put_text(j, "session", m->session) < 0 ||
            put_sighting(j, &m->best) < 0 || (m->n_also > 0 && json_put(j, "also", TAKE(also)) < 0))
                return NULL;
        return TAKE(j);
}

static json_t *wait_to_json(const struct wait *w)
{
        CLEANUP(json_decrefp) json_t *j = object_from(w->extra);

        if (put_text(j, "kind", w->kind) < 0 || put_text(j, "name", w->name) < 0 ||
            json_put(j, "from_us", json_integer(w->from_us)) < 0 ||
            json_put(j, "to_us", json_integer(w->to_us)) < 0 ||
            (w->attempts && json_put(j, "attempts", json_integer(w->attempts)) < 0))
                return NULL;
        return TAKE(j);
}

static json_t *absence_to_json(const struct absence *a)
{
        CLEANUP(json_decrefp) json_t *j = object_from(a->extra);

        if (put_text(j, "name", a->name) < 0 || put_text(j, "reason", a->reason) < 0)
                return NULL;
        return TAKE(j);
}

static json_t *unit_to_json(const struct unit_time *u)
{
        CLEANUP(json_decrefp) json_t *j = object_from(u->extra);

        if (put_text(j, "name", u->name) < 0 ||
            (u->started_us != UNIT_START_UNKNOWN &&
             json_put(j, "started_us", json_integer(u->started_us)) < 0) ||
            json_put(j, "elapsed_us", json_integer(u->elapsed_us)) < 0)
                return NULL;
        return TAKE(j);
}

static json_t *tuple_to_json(const struct clock_tuple *t, const json_t *extra)
{
        CLEANUP(json_decrefp) json_t *j = object_from(extra);

        if (json_put(j, "monotonic_us", json_integer(t->monotonic_us)) < 0 ||
            json_put(j, "raw_us", json_integer(t->raw_us)) < 0 ||
            json_put(j, "boottime_us", json_integer(t->boottime_us)) < 0 ||
            json_put(j, "realtime_us", json_integer(t->realtime_us)) < 0)
                return NULL;
        return TAKE(j);
}

/* The unknown members of boot and clocks, which are no structs of the model, are kept in the
 * record's extra under the same names. */
static json_t *clocks_to_json(const struct record *r)
{
        const json_t *extra = json_object_get(r->extra, "clocks");
        CLEANUP(json_decrefp) json_t *j = object_from(extra);

        if (json_put(j, "start", tuple_to_json(&r->start, json_object_get(extra, "start"))) < 0 ||
            json_put(j, "end", tuple_to_json(&r->end, json_object_get(extra, "end"))) < 0)
                return NULL;
        return TAKE(j);
}

/* append() - json_array_append_new() that takes NULL for "out of memory" on either side */
static int append(json_t *array, json_t *value)
{
        if (!array || !value) {
                json_decref(value);
                return -ENOMEM;
        }
        return json_array_append_new(array, value) < 0 ? -ENOMEM : 0;
}

#define PUT_ARRAY(j, key, items, n, to_json)                                                       \
        __extension__({                                                                            \
                json_t *array_ = json_array();                                                     \
                int r_ = 0;                                                                        \
                for (size_t i_ = 0; i_ < (n) && r_ == 0; i_++)                                     \
                        r_ = append(array_, to_json(&(items)[i_]));                                \
                if (r_ < 0)                                                                        \
                        json_decref(array_);                                                       \
                r_ < 0 ? r_ : json_put((j), (key), array_);                                        \
        })

static json_t *warning_to_json(char *const *text) { return json_text(*text); }

static json_t *boot_to_json(const struct record *r)
{
        CLEANUP(json_decrefp) json_t *j = object_from(json_object_get(r->extra, "boot"));

        if (put_text(j, "kind", r->boot_kind) < 0 ||
            json_put(j, "number", json_integer(r->boot_number)) < 0 ||
            json_put(j, "complete", json_boolean(!r->incomplete)) < 0 ||
            put_text(j, "incomplete", r->incomplete) < 0)
                return NULL;
        return TAKE(j);
}

json_t *record_to_json(const struct record *r)
{
        CLEANUP(json_decrefp) json_t *j = object_from(r->extra);

        if (json_put(j, "schema", json_string(RECORD_SCHEMA)) < 0 || put_text(j, "id", r->id) < 0 ||
            put_text(j, "machine", r->machine) < 0 ||
            put_text(j, "tool_version", r->tool_version) < 0 ||
            put_text(j, "origin", r->origin) < 0 || json_put(j, "boot", boot_to_json(r)) < 0 ||
            json_put(j, "clocks", clocks_to_json(r)) < 0 ||
            PUT_ARRAY(j, "milestones", r->milestones, r->n_milestones, milestone_to_json) < 0 ||
            PUT_ARRAY(j, "waits", r->waits, r->n_waits, wait_to_json) < 0 ||
            PUT_ARRAY(j, "absent", r->absent, r->n_absent, absence_to_json) < 0 ||
            PUT_ARRAY(j, "units", r->units, r->n_units, unit_to_json) < 0 ||
            PUT_ARRAY(j, "samples", r->samples, r->n_samples, sample_to_json) < 0 ||
            PUT_ARRAY(j, "warnings", r->warnings, r->n_warnings, warning_to_json) < 0 ||
            json_put(j, "config", json_deep_copy(r->config)) < 0 ||
            json_put(j, "labels", json_deep_copy(r->labels)) < 0 ||
            json_put(j, "cost", json_deep_copy(r->cost)) < 0)
                return NULL;
        return TAKE(j);
}

static void read_sighting(struct json_reader *in, struct sighting *s)
{
        CLEANUP(freep) char *bound = NULL;
        bool has_at = false;

        s->error_us = RECORD_ERROR_UNKNOWN;
        json_read_integer(in, "at_us", &s->at_us, &has_at);
        json_read_integer(in, "error_us", &s->error_us, NULL);
        json_read_text(in, "bound", &bound);
        json_read_text(in, "source", &s->source);
        json_read_text(in, "detail", &s->detail);
        json_read_text(in, "implausible", &s->implausible);
        if (!has_at)
                json_reader_fail(in, -EINVAL, "wants \"at_us\"");
        if (s->error_us < RECORD_ERROR_UNKNOWN)
                json_reader_fail(in, -EINVAL, "\"error_us\" is negative");
        if (in->error == 0 && !s->source)
                json_reader_fail(in, -EINVAL, "wants a \"source\"");
        if (bound && strcmp(bound, "lower") == 0)
                s->bound = BOUND_LOWER;
        else if (bound)
                json_reader_fail(in, -EINVAL, "\"bound\" %s is not known", bound);
}

/* Every element decoder works on a zeroed slot that is already counted in the record: whatever it
 * fills in before it fails is freed with the record. */
static int milestone_from_json(const json_t *j, struct milestone *m, struct fault *fault)
{
        struct json_reader in = json_reader_open(j, "milestone", fault);
        CLEANUP(json_decrefp) json_t *also = NULL;
        const json_t *other;
        size_t i;

        json_read_text(&in, "name", &m->name);
        if (m->name)
                in.what = m->name;
        else
                json_reader_fail(&in, -EINVAL, "wants a \"name\"");
        json_read_text(&in, "session", &m->session);
        read_sighting(&in, &m->best);
        json_read_array(&in, "also", &also);
        m->extra = json_reader_rest(&in);
        if (in.error < 0)
                return in.error;
        m->also = calloc(json_array_size(also) + 1, sizeof *m->also);
        if (!m->also)
                return fault_set(fault, -ENOMEM, "no memory");
        json_array_foreach(also, i, other)
        {
                struct json_reader other_in = json_reader_open(other, m->name, fault);

                m->n_also++;
                read_sighting(&other_in, &m->also[i]);
                m->also[i].extra = json_reader_rest(&other_in);
                if (other_in.error < 0)
                        return other_in.error;
        }
        return 0;
}

static int wait_from_json(const json_t *j, struct wait *w, struct fault *fault)
{
        struct json_reader in = json_reader_open(j, "wait", fault);
        bool has_from = false, has_to = false;
        int64_t attempts = 0;

        json_read_text(&in, "kind", &w->kind);
        json_read_text(&in, "name", &w->name);
        json_read_integer(&in, "from_us", &w->from_us, &has_from);
        json_read_integer(&in, "to_us", &w->to_us, &has_to);
        json_read_integer(&in, "attempts", &attempts, NULL);
        w->extra = json_reader_rest(&in);
        if (!w->kind || !has_from || !has_to || w->to_us < w->from_us)
                json_reader_fail(&in, -EINVAL, "wants a kind and from_us <= to_us");
        if (attempts < 0 || attempts > INT_MAX)
                json_reader_fail(&in, -EINVAL, "\"attempts\" is out of range");
        w->attempts = (unsigned) attempts;
        return in.error;
}

static int absence_from_json(const json_t *j, struct absence *a, struct fault *fault)
{
        struct json_reader in = json_reader_open(j, "absent", fault);

        json_read_text(&in, "name", &a->name);
        json_read_text(&in, "reason", &a->reason);
        a->extra = json_reader_rest(&in);
        if (!a->name || !a->reason)
                json_reader_fail(&in, -EINVAL, "wants a name and a reason");
        return in.error;
}

static int unit_from_json(const json_t *j, struct unit_time *u, struct fault *fault)
{
        struct json_reader in = json_reader_open(j, "unit", fault);

        json_read_text(&in, "name", &u->name);
        u->started_us = UNIT_START_UNKNOWN;
        json_read_integer(&in, "started_us", &u->started_us, NULL);
        json_read_integer(&in, "elapsed_us", &u->elapsed_us, NULL);
        u->extra = json_reader_rest(&in);
        if (!u->name)
                json_reader_fail(&in, -EINVAL, "wants a name");
        return in.error;
}

static int warning_from_json(const json_t *j, char **text, struct fault *fault)
{
        if (!json_is_string(j))
                return fault_set(fault, -EINVAL, "a warning is no string");
        *text = strdup(json_string_value(j));
        return *text ? 0 : fault_set(fault, -ENOMEM, "no memory");
}

/* READ_ARRAY() - decode a member that is an array into r->items, r->n_items */
#define READ_ARRAY(in, key, items, n_items, from_json)                                             \
        do {                                                                                       \
                CLEANUP(json_decrefp) json_t *array_ = NULL;                                       \
                json_read_array((in), (key), &array_);                                             \
                (items) = calloc(json_array_size(array_) + 1, sizeof *(items));                    \
                if (!(items))                                                                      \
                        json_reader_fail((in), -ENOMEM, "no memory");                              \
                for (size_t i_ = 0; (in)->error == 0 && i_ < json_array_size(array_); i_++) {      \
                        (n_items)++;                                                               \
                        (in)->error =                                                              \
                                from_json(json_array_get(array_, i_), &(items)[i_], (in)->fault);  \
                }                                                                                  \
        } while (0)

/* put_rest() - keep unknown members below @key of @extra; nothing to do without any */
static void put_rest(struct json_reader *in, json_t *extra, const char *key, json_t *rest)
{
        if (rest && json_put(extra, key, rest) < 0)
                json_reader_fail(in, -ENOMEM, "no memory");
}

static void read_tuple(struct json_reader *in, const char *key, struct clock_tuple *t,
                       json_t *extra)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        struct json_reader tuple_in;

        json_read_object(in, key, &j);
        if (!j)
                return;
        tuple_in = json_reader_open(j, "clocks", in->fault);
        json_read_integer(&tuple_in, "monotonic_us", &t->monotonic_us, NULL);
        json_read_integer(&tuple_in, "raw_us", &t->raw_us, NULL);
        json_read_integer(&tuple_in, "boottime_us", &t->boottime_us, NULL);
        json_read_integer(&tuple_in, "realtime_us", &t->realtime_us, NULL);
        put_rest(&tuple_in, extra, key, json_reader_rest(&tuple_in));
        in->error = tuple_in.error;
}

static void read_clocks(struct json_reader *in, struct record *r, json_t *extra)
{
        CLEANUP(json_decrefp) json_t *clocks = NULL, *kept = json_object(), *rest = NULL;
        struct json_reader clocks_in;

        json_read_object(in, "clocks", &clocks);
        if (!clocks)
                return;
        clocks_in = json_reader_open(clocks, "clocks", in->fault);
        read_tuple(&clocks_in, "start", &r->start, kept);
        read_tuple(&clocks_in, "end", &r->end, kept);
        rest = json_reader_rest(&clocks_in);
        if (rest && json_object_update(kept, rest) < 0)
                json_reader_fail(&clocks_in, -ENOMEM, "no memory");
        if (json_object_size(kept) > 0)
                put_rest(&clocks_in, extra, "clocks", TAKE(kept));
        in->error = clocks_in.error;
}

static void read_boot(struct json_reader *in, struct record *r, json_t *extra)
{
        CLEANUP(json_decrefp) json_t *boot = NULL;
        struct json_reader boot_in;
        bool complete = true;
        int64_t number = 0;

        json_read_object(in, "boot", &boot);
        if (!boot || in->error < 0)
                return;
        boot_in = json_reader_open(boot, "boot", in->fault);
        json_read_text(&boot_in, "kind", &r->boot_kind);
        json_read_integer(&boot_in, "number", &number, NULL);
        json_read_boolean(&boot_in, "complete", &complete);
        json_read_text(&boot_in, "incomplete", &r->incomplete);
        put_rest(&boot_in, extra, "boot", json_reader_rest(&boot_in));
        if (number < 0 || number > INT_MAX)
                json_reader_fail(&boot_in, -EINVAL, "\"number\" is out of range");
        r->boot_number = (unsigned) number;
        if (!complete && !r->incomplete && boot_in.error == 0) {
                r->incomplete = strdup("no reason given");
                if (!r->incomplete)
                        json_reader_fail(&boot_in, -ENOMEM, "no memory");
        }
        in->error = boot_in.error;
}

static int check_schema(const json_t *j, struct fault *fault)
{
        const char *schema = json_string_value(json_object_get(j, "schema"));
        static const char family[] = "bootlap.record/";

        if (!schema || strncmp(schema, family, strlen(family)) != 0)
                return fault_set(fault, -EINVAL, "is no bootlap record (no \"schema\": \"%s\")",
                                 RECORD_SCHEMA);
        if (strcmp(schema, RECORD_SCHEMA) != 0)
                return fault_set(fault, -EPROTONOSUPPORT,
                                 "has schema %s, newer than the %s known here", schema,
                                 RECORD_SCHEMA);
        return 0;
}

int record_from_json(const json_t *j, struct record **ret, struct fault *fault)
{
        CLEANUP(record_freep) struct record *r = record_new();
        CLEANUP(json_decrefp) json_t *extra = json_object(), *rest = NULL;
        json_t *flat[3] = { NULL, NULL, NULL };
        struct json_reader in;
        int code;

        code = check_schema(j, fault);
        if (code < 0)
                return code;
        if (!r)
                return fault_set(fault, -ENOMEM, "no memory");
        in = json_reader_open(j, "record", fault);
        if (in.rest) {
                (void) json_object_del(in.rest, "schema");
                (void) json_object_del(in.rest, "checksum");
        }
        json_read_text(&in, "id", &r->id);
        json_read_text(&in, "machine", &r->machine);
        json_read_text(&in, "tool_version", &r->tool_version);
        json_read_text(&in, "origin", &r->origin);
        read_boot(&in, r, extra);
        read_clocks(&in, r, extra);
        READ_ARRAY(&in, "milestones", r->milestones, r->n_milestones, milestone_from_json);
        READ_ARRAY(&in, "waits", r->waits, r->n_waits, wait_from_json);
        READ_ARRAY(&in, "absent", r->absent, r->n_absent, absence_from_json);
        READ_ARRAY(&in, "units", r->units, r->n_units, unit_from_json);
        READ_ARRAY(&in, "samples", r->samples, r->n_samples, sample_from_json);
        READ_ARRAY(&in, "warnings", r->warnings, r->n_warnings, warning_from_json);
        json_read_flat(&in, "config", &flat[0]);
        json_read_flat(&in, "labels", &flat[1]);
        json_read_flat(&in, "cost", &flat[2]);
        if (flat[0])
                json_decref(r->config), r->config = flat[0];
        if (flat[1])
                json_decref(r->labels), r->labels = flat[1];
        if (flat[2])
                json_decref(r->cost), r->cost = flat[2];
        if (in.error == 0 && (!r->id || !r->machine))
                json_reader_fail(&in, -EINVAL, "wants an \"id\" and a \"machine\"");
        rest = json_reader_rest(&in);
        if (rest && json_object_update(extra, rest) < 0)
                json_reader_fail(&in, -ENOMEM, "no memory");
        if (json_object_size(extra) > 0)
                r->extra = TAKE(extra);
        if (in.error < 0)
                return in.error;
        *ret = TAKE(r);
        return 0;
}
