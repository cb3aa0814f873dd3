/* record/record.c - building and asking the model. No I/O and no JSON text here: record/json.c
 * spells the schema, record/store.c keeps the files. */
#include "record/record.h"
#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include "record/json.h"
#include "record/mark.h"

struct record *record_new(void)
{
        CLEANUP(record_freep) struct record *r = calloc(1, sizeof *r);

        if (!r)
                return NULL;
        r->config = json_object();
        r->labels = json_object();
        r->cost = json_object();
        if (!r->config || !r->labels || !r->cost)
                return NULL;
        return TAKE(r);
}

static void sighting_done(struct sighting *s)
{
        free(s->source);
        free(s->detail);
        free(s->implausible);
        json_decref(s->extra);
}

static void milestone_done(struct milestone *m)
{
        free(m->name);
        free(m->session);
        sighting_done(&m->best);
        for (size_t i = 0; i < m->n_also; i++)
                sighting_done(&m->also[i]);
        free(m->also);
        json_decref(m->extra);
}

struct record *record_free(struct record *r)
{
        if (!r)
                return NULL;
        free(r->id);
        free(r->machine);
        free(r->tool_version);
        free(r->boot_kind);
        free(r->incomplete);
        free(r->origin);
        for (size_t i = 0; i < r->n_milestones; i++)
                milestone_done(&r->milestones[i]);
        for (size_t i = 0; i < r->n_waits; i++) {
                free(r->waits[i].kind);
                free(r->waits[i].name);
                json_decref(r->waits[i].extra);
        }
        for (size_t i = 0; i < r->n_absent; i++) {
                free(r->absent[i].name);
                free(r->absent[i].reason);
                json_decref(r->absent[i].extra);
        }
        for (size_t i = 0; i < r->n_units; i++) {
                free(r->units[i].name);
                json_decref(r->units[i].extra);
        }
        for (size_t i = 0; i < r->n_samples; i++)
                sample_done(&r->samples[i]);
        for (size_t i = 0; i < r->n_warnings; i++)
                free(r->warnings[i]);
        free(r->milestones);
        free(r->waits);
        free(r->absent);
        free(r->units);
        free(r->samples);
        free(r->warnings);
        json_decref(r->config);
        json_decref(r->labels);
        json_decref(r->cost);
        json_decref(r->extra);
        free(r);
        return NULL;
}

void record_freep(struct record **r) { *r = record_free(*r); }

/* GROW() - room for one more element at the end of an array; NULL when out of memory */
#define GROW(array, n)                                                                             \
        __extension__({                                                                            \
                __typeof__(array) grown_ = reallocarray((array), (n) + 1, sizeof *(array));        \
                if (grown_)                                                                        \
                        (array) = grown_;                                                          \
                grown_ ? grown_ + (n) : NULL;                                                      \
        })

static int copy_text(char **ret, const char *text)
{
        *ret = NULL;
        if (!text)
                return 0;
        *ret = strdup(text);
        return *ret ? 0 : -ENOMEM;
}

static int sighting_copy(struct sighting *to, const struct sighting *from)
{
        *to = (struct sighting){ .at_us = from->at_us,
                                 .error_us = from->error_us,
                                 .bound = from->bound,
                                 .extra = from->extra ? json_deep_copy(from->extra) : NULL };
        if (copy_text(&to->source, from->source) < 0 || copy_text(&to->detail, from->detail) < 0 ||
            copy_text(&to->implausible, from->implausible) < 0) {
                sighting_done(to);
                return -ENOMEM;
        }
        return 0;
}

/* Plausible before implausible, upper bound before lower, known error before unknown, then the
 * smaller error: each as a digit of one number, so that the order is total. */
static bool sighting_is_better(const struct sighting *a, const struct sighting *b)
{
        const struct sighting *both[] = { a, b };
        int rank[2];

        for (int i = 0; i < 2; i++)
                rank[i] = (both[i]->implausible ? 4 : 0) + (both[i]->bound == BOUND_LOWER ? 2 : 0) +
                          (both[i]->error_us == RECORD_ERROR_UNKNOWN ? 1 : 0);
        if (rank[0] != rank[1])
                return rank[0] < rank[1];
        return a->error_us < b->error_us;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static struct milestone *find_in_session(struct record *r, const char *name, const char *session)
{
        for (size_t i = 0; i < r->n_milestones; i++)
                if (strcmp(r->milestones[i].name, name) == 0 &&
                    same_text(r->milestones[i].session, session))
                        return &r->milestones[i];
        return NULL;
}

void record_forget_absent(struct record *r, const char *name)
{
        for (size_t i = 0; i < r->n_absent; i++)
                if (strcmp(r->absent[i].name, name) == 0) {
                        free(r->absent[i].name);
                        free(r->absent[i].reason);
                        json_decref(r->absent[i].extra);
                        r->absent[i] = r->absent[--r->n_absent];
                        return;
                }
}

int record_see(struct record *r, const char *name, const char *session, const struct sighting *s)
{
        struct sighting copy, *also;
        struct milestone *m;

        assert(s->source);
        if (!mark_name_is_valid(name))
                return -EINVAL;
        if (sighting_copy(&copy, s) < 0)
                return -ENOMEM;

        m = find_in_session(r, name, session);
        if (!m) {
                m = GROW(r->milestones, r->n_milestones);
                if (!m)
                        goto no_memory;
                *m = (struct milestone){ .name = strdup(name), .best = copy };
                if (!m->name || copy_text(&m->session, session) < 0) {
                        free(m->name);
                        goto no_memory;
                }
                r->n_milestones++;
                record_forget_absent(r, name);
                return 0;
        }
        also = GROW(m->also, m->n_also);
        if (!also)
                goto no_memory;
        m->n_also++;
        if (sighting_is_better(&copy, &m->best)) {
                *also = m->best;
                m->best = copy;
        } else {
                *also = copy;
        }
        return 0;
no_memory:
        sighting_done(&copy);
        return -ENOMEM;
}

int record_see_at(struct record *r, const char *name, int64_t at_us, int64_t error_us,
                  const char *source, const char *detail)
{
        /* The texts are only read: record_see() copies them. */
        return record_see(r, name, NULL,
                          &(struct sighting){ .at_us = at_us,
                                              .error_us = error_us,
                                              .source = (char *) (uintptr_t) source,
                                              .detail = (char *) (uintptr_t) detail });
}

static bool ends_with(const char *text, const char *end)
{
        size_t n = strlen(text), n_end = strlen(end);

        return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

bool record_is_greeters(const char *session)
{
        return session && ends_with(session, RECORD_GREETER);
}

bool record_is_persons(const char *session)
{
        return !session || (!record_is_greeters(session) && !ends_with(session, RECORD_OTHER));
}

const struct milestone *record_find(const struct record *r, const char *name)
{
        for (size_t i = 0; i < r->n_milestones; i++)
                if (strcmp(r->milestones[i].name, name) == 0 &&
                    record_is_persons(r->milestones[i].session))
                        return &r->milestones[i];
        return NULL;
}

bool record_at(const struct record *r, const char *name, int64_t *ret_us)
{
        const struct milestone *m = record_find(r, name);

        if (!m || m->best.implausible)
                return false;
        *ret_us = m->best.at_us;
        return true;
}

const char *record_absent_reason(const struct record *r, const char *name)
{
        for (size_t i = 0; i < r->n_absent; i++)
                if (strcmp(r->absent[i].name, name) == 0)
                        return r->absent[i].reason;
        return NULL;
}

int record_add_absent(struct record *r, const char *name, const char *reason_format, ...)
{
        struct absence a = { .name = NULL }, *slot;
        va_list ap;

        if (record_find(r, name) || record_absent_reason(r, name))
                return 0;
        va_start(ap, reason_format);
        if (vasprintf(&a.reason, reason_format, ap) < 0)
                a.reason = NULL;
        va_end(ap);
        a.name = strdup(name);
        slot = GROW(r->absent, r->n_absent);
        if (!a.name || !a.reason || !slot) {
                free(a.name);
                free(a.reason);
                return -ENOMEM;
        }
        *slot = a;
        r->n_absent++;
        return 0;
}

int record_add_wait(struct record *r, const char *kind, const char *name, int64_t from_us,
                    int64_t to_us, unsigned attempts)
{
        struct wait w = { .from_us = from_us, .to_us = to_us, .attempts = attempts }, *slot;

        if (to_us < from_us)
                return -EINVAL;
        slot = GROW(r->waits, r->n_waits);
        if (!slot || copy_text(&w.kind, kind) < 0 || copy_text(&w.name, name) < 0) {
                free(w.kind);
                return -ENOMEM;
        }
        *slot = w;
        r->n_waits++;
        return 0;
}

int record_add_unit(struct record *r, const char *name, int64_t started_us, int64_t elapsed_us)
{
        struct unit_time u = { .started_us = started_us, .elapsed_us = elapsed_us }, *slot;

        slot = GROW(r->units, r->n_units);
        if (!slot || copy_text(&u.name, name) < 0)
                return -ENOMEM;
        *slot = u;
        r->n_units++;
        return 0;
}

int record_add_sample(struct record *r, struct sample *s)
{
        struct sample *slot = GROW(r->samples, r->n_samples);

        if (!slot)
                return -ENOMEM;
        *slot = *s;
        *s = SAMPLE_NULL;
        r->n_samples++;
        return 0;
}

int record_add_warning(struct record *r, const char *format, ...)
{
        char *text, **slot;
        va_list ap;
        int n;

        va_start(ap, format);
        n = vasprintf(&text, format, ap);
        va_end(ap);
        if (n < 0)
                return -ENOMEM;
        slot = GROW(r->warnings, r->n_warnings);
        if (!slot) {
                free(text);
                return -ENOMEM;
        }
        *slot = text;
        r->n_warnings++;
        return 0;
}

int record_set_string(json_t *object, const char *key, const char *value)
{
        return json_put(object, key, json_text(value));
}

int record_set_integer(json_t *object, const char *key, int64_t value)
{
        return json_put(object, key, json_integer(value));
}

int record_set_real(json_t *object, const char *key, double value)
{
        return json_put(object, key, json_real(value));
}

int record_set_boolean(json_t *object, const char *key, bool value)
{
        return json_put(object, key, json_boolean(value));
}

static int compare_milestones(const void *va, const void *vb)
{
        const struct milestone *a = va, *b = vb;

        if (a->best.at_us != b->best.at_us)
                return a->best.at_us < b->best.at_us ? -1 : 1;
        return strcmp(a->name, b->name);
}

void record_sort(struct record *r)
{
        if (r->n_milestones > 1)
                qsort(r->milestones, r->n_milestones, sizeof *r->milestones, compare_milestones);
}
