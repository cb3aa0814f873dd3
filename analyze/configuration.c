/* analyze/configuration.c - one key per boot from the factors that vary at all */
#include "analyze/configuration.h"
#include "analyze/factor_level.h"
#include "record/json.h"

static char *key_of(const struct factors *f, size_t boot)
{
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        if (!out)
                return NULL;
        for (size_t k = 0; k < f->n; k++)
                if (f->factor[k].varies)
                        (void) fprintf(out, "%s%s\n", f->factor[k].level[boot] ? "=" : "",
                                       f->factor[k].level[boot] ? f->factor[k].level[boot] : "");
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}

int configuration_of(const struct record *const *boots, size_t n, size_t **ret, size_t *ret_n)
{
        CLEANUP(factors_done) struct factors f = FACTORS_NULL;
        CLEANUP(json_decrefp) json_t *index = json_object();
        CLEANUP(freep) size_t *numbers = reallocarray(NULL, n + 1, sizeof *numbers);

        if (!index || !numbers || factors_of(boots, n, &f) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                CLEANUP(freep) char *key = key_of(&f, i);
                const json_t *at = key ? json_object_get(index, key) : NULL;

                numbers[i] = at ? (size_t) json_integer_value(at) : json_object_size(index);
                if (!key ||
                    (!at && json_put(index, key, json_integer((json_int_t) numbers[i])) < 0))
                        return -ENOMEM;
        }
        if (ret_n)
                *ret_n = json_object_size(index);
        *ret = TAKE(numbers);
        return 0;
}
