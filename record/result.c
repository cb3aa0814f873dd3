/* record/result.c - a collector's result, which is foreign text like any other: collectors are
 * programs of all kinds, those of the user's too */
#include "record/result.h"
#include <string.h>
#include "record/json.h"
#include "record/json_reader.h"
#include "record/procfile.h"

static void free_texts(char **texts, size_t n)
{
        for (size_t i = 0; i < n; i++)
                free(texts[i]);
        free(texts);
}

void result_done(struct result *r)
{
        free(r->collector);
        for (size_t i = 0; i < r->n_samples; i++)
                sample_done(&r->samples[i]);
        free(r->samples);
        free_texts(r->warnings, r->n_warnings);
        free_texts(r->faults, r->n_faults);
        *r = RESULT_NULL;
}

static int check_schema(const char *schema, struct fault *fault)
{
        static const char family[] = "bootlap.result/";
        int64_t major;

        if (!schema || strncmp(schema, family, strlen(family)) != 0 ||
            parse_int(schema + strlen(family), &major) < 0 || major < 1)
                return fault_set(fault, -EINVAL, "schema is not " RESULT_SCHEMA);
        if (major > RESULT_SCHEMA_MAJOR)
                return fault_set(fault, -EPROTONOSUPPORT, "schema %s is newer than this bootlap",
                                 schema);
        return 0;
}

static int read_samples(const json_t *array, struct result *r, struct fault *fault)
{
        size_t n = json_array_size(array);

        if (n == 0)
                return fault_set(fault, -EINVAL, "holds no sample");
        r->samples = calloc(n, sizeof *r->samples);
        if (!r->samples)
                return fault_set(fault, -ENOMEM, "no memory");
        for (size_t i = 0; i < n; i++) {
                int code = sample_from_json(json_array_get(array, i), &r->samples[i], fault);

                if (code < 0)
                        return code;
                r->n_samples++;
        }
        return 0;
}

/* read_texts() - into @ret as far as it comes: the caller frees that */
static int read_texts(const json_t *array, const char *what, char ***ret, size_t *ret_n,
                      struct fault *fault)
{
        size_t n = json_array_size(array);

        if (n == 0)
                return 0;
        *ret = calloc(n, sizeof **ret);
        if (!*ret)
                return fault_set(fault, -ENOMEM, "no memory");
        for (size_t i = 0; i < n; i++) {
                const char *text = json_string_value(json_array_get(array, i));

                if (!text)
                        return fault_set(fault, -EINVAL, "a %s that is no text", what);
                (*ret)[i] = strdup(text);
                if (!(*ret)[i])
                        return fault_set(fault, -ENOMEM, "no memory");
                (*ret_n)++;
        }
        return 0;
}

int result_read(const char *text, size_t n_bytes, struct result *ret, struct fault *fault)
{
        CLEANUP(result_done) struct result r = RESULT_NULL;
        CLEANUP(json_decrefp) json_t *j = NULL, *samples = NULL, *warnings = NULL, *faults = NULL;
        CLEANUP(freep) char *schema = NULL;
        struct json_reader in;
        json_error_t error;
        int code;

        j = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, &error);
        if (!j)
                return fault_set(fault, -EINVAL, "output is no JSON: line %d: %s", error.line,
                                 error.text);
        in = json_reader_open(j, "result", fault);
        json_read_text(&in, "schema", &schema);
        json_read_text(&in, "collector", &r.collector);
        json_read_array(&in, "samples", &samples);
        json_read_array(&in, "warnings", &warnings);
        json_read_array(&in, "faults", &faults);
        json_decref(json_reader_rest(&in)); /* a later minor version may say more */
        if (in.error < 0)
                return in.error;
        code = check_schema(schema, fault);
        if (code == 0)
                code = read_samples(samples, &r, fault);
        if (code == 0)
                code = read_texts(warnings, "warning", &r.warnings, &r.n_warnings, fault);
        if (code == 0)
                code = read_texts(faults, "fault", &r.faults, &r.n_faults, fault);
        if (code < 0)
                return code;
        *ret = r;
        r = RESULT_NULL;
        return 0;
}
