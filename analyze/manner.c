/* analyze/manner.c - compares tools, versions, parameters and units, and puts it into words */
#include "analyze/manner.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "record/json.h"
#include "record/macros.h"

/* is_same() - numbers by what they amount to: one tool writes 1, another 1.0 */
static bool is_same(const json_t *a, const json_t *b)
{
        if (json_is_number(a) && json_is_number(b))
                return fpclassify(json_number_value(a) - json_number_value(b)) == FP_ZERO;
        return json_equal(a, b);
}

/* dump_parameters() - as one text, the same for all that is_same(); NULL when out of memory */
static char *dump_parameters(const json_t *parameters)
{
        CLEANUP(json_decrefp) json_t *plain = json_object();
        const char *key;
        json_t *value;

        json_object_foreach((json_t *) (uintptr_t) parameters, key, value)
        {
                json_t *same = json_is_number(value) ? json_real(json_number_value(value))
                                                     : json_incref(value);

                if (json_object_set_new(plain, key, same) < 0)
                        return NULL;
        }
        return json_dumps(plain, JSON_SORT_KEYS | JSON_COMPACT);
}

char *manner_key(const char *name, const struct manner *m, const char *version)
{
        CLEANUP(freep) char *parameters = NULL;
        char *key;

        if (m->parameters && json_object_size(m->parameters) > 0) {
                parameters = dump_parameters(m->parameters);
                if (!parameters)
                        return NULL;
        }
        if (asprintf(&key, "%s\n%s\n%s\n%s\n%s", name, m->unit, m->tool ? m->tool : "",
                     parameters ? parameters : "", version ? version : "") < 0)
                return NULL;
        return key;
}

static void put_value(FILE *f, const json_t *value)
{
        CLEANUP(freep) char *text = NULL;

        if (!value) {
                (void) fputs("not said", f);
        } else if (json_is_string(value)) {
                (void) fputs(json_string_value(value), f);
        } else {
                text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
                (void) fputs(text ? text : "?", f);
        }
}

static void put_pair(FILE *f, const char *what, const char *a, const char *b)
{
        if (strcmp(a ? a : "", b ? b : "") == 0)
                return;
        (void) fprintf(f, "%s%s %s against %s", ftell(f) > 0 ? ", " : "", what, a ? a : "not said",
                       b ? b : "not said");
}

static void put_parameter(FILE *f, const char *key, const json_t *a, const json_t *b)
{
        if (a && b && is_same(a, b))
                return;
        (void) fprintf(f, "%s%s ", ftell(f) > 0 ? ", " : "", key);
        put_value(f, a);
        (void) fputs(" against ", f);
        put_value(f, b);
}

/* finish() - the text that was written, or NULL when a part of it could not be */
static char *finish(FILE *f, char **buffer)
{
        bool failed = ferror(f);

        if (fclose(f) == 0 && !failed)
                return TAKE(*buffer);
        free(TAKE(*buffer));
        return NULL;
}

char *manner_difference(const struct manner *a, const struct manner *b)
{
        char *buffer = NULL;
        size_t size;
        FILE *f = open_memstream(&buffer, &size);
        const char *key;
        json_t *value;

        if (!f)
                return NULL;
        put_pair(f, "tool", a->tool, b->tool);
        put_pair(f, "tool version", a->tool_version, b->tool_version);
        put_pair(f, "unit", a->unit, b->unit);
        json_object_foreach((json_t *) (uintptr_t) a->parameters, key, value)
                put_parameter(f, key, value, json_object_get(b->parameters, key));
        json_object_foreach((json_t *) (uintptr_t) b->parameters, key,
                            value) if (!json_object_get(a->parameters, key))
                put_parameter(f, key, NULL, value);
        return finish(f, &buffer);
}

char *manner_text(const struct manner *m)
{
        char *buffer = NULL;
        size_t size;
        FILE *f = open_memstream(&buffer, &size);
        const char *key;
        json_t *value;

        if (!f)
                return NULL;
        (void) fprintf(f, "%s%s%s", m->tool ? m->tool : "", m->tool && m->tool_version ? " " : "",
                       m->tool_version ? m->tool_version : "");
        json_object_foreach((json_t *) (uintptr_t) m->parameters, key, value)
        {
                (void) fprintf(f, "%s%s=", ftell(f) > 0 ? " " : "", key);
                put_value(f, value);
        }
        (void) fprintf(f, "%s%s", ftell(f) > 0 ? " " : "", m->unit);
        return finish(f, &buffer);
}
