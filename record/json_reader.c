/* record/json_reader.c - the decoder's half of "unknown members survive"; see json_reader.h */
#include "record/json_reader.h"
#include <stdarg.h>
#include <string.h>

void json_reader_fail(struct json_reader *in, int error, const char *format, ...)
{
        char why[256];
        va_list ap;

        if (in->error < 0)
                return;
        va_start(ap, format);
        (void) vsnprintf(why, sizeof why, format, ap);
        va_end(ap);
        in->error = fault_set(in->fault, error, "%s: %s", in->what, why);
}

struct json_reader json_reader_open(const json_t *j, const char *what, struct fault *fault)
{
        struct json_reader in = { .what = what, .fault = fault };

        if (!json_is_object(j)) {
                json_reader_fail(&in, -EINVAL, "is no JSON object");
                return in;
        }
        in.rest = json_copy((json_t *) (uintptr_t) j); /* jansson counts on a non-const pointer */
        if (!in.rest)
                json_reader_fail(&in, -ENOMEM, "no memory");
        return in;
}

json_t *json_reader_rest(struct json_reader *in)
{
        json_t *rest = TAKE(in->rest);

        if (rest && (in->error < 0 || json_object_size(rest) == 0)) {
                json_decref(rest);
                return NULL;
        }
        return rest;
}

/* take() - a reference to a member, which leaves the rest; NULL when absent, null or of another
 * type than wanted (which sticks as an error) */
static json_t *take(struct json_reader *in, const char *key, bool is_wanted_type(const json_t *),
                    const char *wanted)
{
        json_t *value;

        if (in->error < 0)
                return NULL;
        value = json_incref(json_object_get(in->rest, key));
        if (!value)
                return NULL;
        (void) json_object_del(in->rest, key);
        if (is_wanted_type(value))
                return value;
        if (!json_is_null(value))
                json_reader_fail(in, -EINVAL, "\"%s\" is no %s", key, wanted);
        json_decref(value);
        return NULL;
}

static bool is_text(const json_t *j) { return json_is_string(j); }

static bool is_integer(const json_t *j) { return json_is_integer(j); }

static bool is_number(const json_t *j) { return json_is_number(j); }

static bool is_boolean(const json_t *j) { return json_is_boolean(j); }

static bool is_object(const json_t *j) { return json_is_object(j); }

static bool is_array(const json_t *j) { return json_is_array(j); }

void json_read_text(struct json_reader *in, const char *key, char **ret)
{
        json_t *j = take(in, key, is_text, "string");

        if (!j)
                return;
        /* A second NUL inside would be cut off and lost on the way back. */
        if (strlen(json_string_value(j)) != json_string_length(j)) {
                json_reader_fail(in, -EINVAL, "\"%s\" holds a NUL", key);
        } else {
                *ret = strdup(json_string_value(j));
                if (!*ret)
                        json_reader_fail(in, -ENOMEM, "no memory");
        }
        json_decref(j);
}

void json_read_integer(struct json_reader *in, const char *key, int64_t *ret, bool *ret_has)
{
        json_t *j = take(in, key, is_integer, "integer");

        if (!j)
                return;
        *ret = json_integer_value(j);
        if (ret_has)
                *ret_has = true;
        json_decref(j);
}

void json_read_real(struct json_reader *in, const char *key, double *ret, bool *ret_has)
{
        json_t *j = take(in, key, is_number, "number");

        if (!j)
                return;
        *ret = json_number_value(j);
        if (ret_has)
                *ret_has = true;
        json_decref(j);
}

void json_read_boolean(struct json_reader *in, const char *key, bool *ret)
{
        json_t *j = take(in, key, is_boolean, "boolean");

        if (!j)
                return;
        *ret = json_is_true(j);
        json_decref(j);
}

void json_read_object(struct json_reader *in, const char *key, json_t **ret)
{
        json_t *j = take(in, key, is_object, "object");

        if (j)
                *ret = j;
}

void json_read_flat(struct json_reader *in, const char *key, json_t **ret)
{
        json_t *j = take(in, key, is_object, "object"), *value;
        const char *member;

        json_object_foreach(j, member, value) if (json_is_object(value) || json_is_array(value))
                json_reader_fail(in, -EINVAL, "\"%s\" wants scalars, and %s is none", key, member);
        if (j && in->error < 0)
                json_decref(j);
        else if (j)
                *ret = j;
}

void json_read_array(struct json_reader *in, const char *key, json_t **ret)
{
        json_t *j = take(in, key, is_array, "array");

        if (j)
                *ret = j;
}
