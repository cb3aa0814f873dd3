/* analyze/import/import_boot.c - what formats enter about a boot and its machine; see import.h */
#include <string.h>
#include "analyze/import/import_internal.h"
#include "record/json.h"

#define UNITS_MAX 4096

void import_label(struct import *in, const char *key, const char *value)
{
        struct record *r = import_open(in);

        if (r && !json_object_get(r->labels, key))
                (void) import_failed(in, record_set_string(r->labels, key, value));
}

void import_label_integer(struct import *in, const char *key, int64_t value)
{
        struct record *r = import_open(in);

        if (r && !json_object_get(r->labels, key))
                (void) import_failed(in, record_set_integer(r->labels, key, value));
}

void import_config(struct import *in, const char *key, const char *value)
{
        struct record *r = import_open(in);

        if (r && !json_object_get(r->config, key))
                (void) import_failed(in, record_set_string(r->config, key, value));
}

void import_config_integer(struct import *in, const char *key, int64_t value)
{
        struct record *r = import_open(in);

        if (r && !json_object_get(r->config, key))
                (void) import_failed(in, record_set_integer(r->config, key, value));
}

void import_incomplete(struct import *in, const char *why)
{
        struct record *r = import_open(in);

        if (!r || r->incomplete)
                return;
        r->incomplete = strdup(why);
        if (!r->incomplete)
                import_fail(in, -ENOMEM, "no memory");
}

void import_see(struct import *in, const char *name, const struct timespan *at, size_t i,
                const char *words)
{
        struct record *r = import_open(in);
        CLEANUP(freep) char *detail = NULL, *why = NULL;

        if (!r || !import_count(in))
                return;
        if (asprintf(&detail, "%s (%s:%u)", words, in->text->name, text_number(in->text, i)) < 0)
                detail = NULL;
        why = at->implausible ? strdup(at->implausible) : NULL;
        if (!detail || (at->implausible && !why)) {
                import_fail(in, -ENOMEM, "no memory");
                return;
        }
        /* The texts are only read: record_see() copies them. */
        (void) import_failed(
                in, record_see(r, name, NULL,
                               &(struct sighting){ .at_us = at->us,
                                                   .error_us = at->error_us,
                                                   .source = (char *) (uintptr_t) in->format,
                                                   .detail = detail,
                                                   .implausible = why }));
}

void import_wait(struct import *in, const char *kind, int64_t from_us, int64_t to_us)
{
        struct record *r = import_open(in);

        if (r && import_count(in))
                (void) import_failed(in, record_add_wait(r, kind, NULL, from_us, to_us, 0));
}

void import_origin(struct import *in, const char *milestone)
{
        struct record *r = import_open(in);

        if (!r || r->origin)
                return;
        r->origin = strdup(milestone);
        if (!r->origin)
                import_fail(in, -ENOMEM, "no memory");
}

void import_realtime(struct import *in, int64_t realtime_us)
{
        struct record *r = import_open(in);

        if (r && r->start.realtime_us == 0)
                r->start.realtime_us = realtime_us;
}

void import_absent(struct import *in, const char *milestone, const char *reason)
{
        struct record *r = import_open(in);

        if (r && import_count(in))
                (void) import_failed(in, record_add_absent(r, milestone, "%s", reason));
}

static struct unit_time *find_unit(const struct import *in, const char *name)
{
        struct record *r = import_open(in);

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
        struct record *r = import_open(in);
        struct unit_time *u = find_unit(in, name);

        if (u && u->started_us == UNIT_START_UNKNOWN)
                u->started_us = started_us;
        if (r && !u && r->n_units == UNITS_MAX)
                import_fail(in, -E2BIG, "more units in one boot than any has");
        if (r && !u && import_count(in))
                (void) import_failed(in, record_add_unit(r, name, started_us, elapsed_us));
}

void import_origin_integer(struct import *in, const char *key, int64_t value)
{
        struct record *r = import_open(in);

        if (r)
                (void) import_failed(
                        in, record_set_integer(json_object_get(r->extra, "import"), key, value));
}

void import_note(struct import *in, const char *text)
{
        struct record *r = import_open(in);
        json_t *j = r ? json_object_get(r->extra, "import") : NULL, *notes;

        if (!j || !import_count(in))
                return;
        notes = json_object_get(j, "remarks");
        if (!notes) {
                notes = json_array();
                if (import_failed(in, json_put(j, "remarks", notes)))
                        return;
        }
        if (json_array_append_new(notes, json_text(text)) < 0)
                import_fail(in, -ENOMEM, "no memory");
}
