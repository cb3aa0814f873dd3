/* analyze/odd_beside.c - circumstances, not causes: they are named and nothing is concluded */
#include "analyze/odd_beside.h"
#include <math.h>
#include <string.h>
#include "analyze/duration.h"
#include "record/factors.h"

#define UNIT_WORTH_US 500000 /* beyond the other boots' longest */

static bool is_other(const size_t *configuration, size_t boot, size_t i)
{
        return i != boot && configuration[i] == configuration[boot];
}

/* longest_elsewhere() - of a unit in the other boots; -1 when it is not among their slowest */
static int64_t longest_elsewhere(const struct record *const *boots, size_t n,
                                 const size_t *configuration, size_t boot, const char *name)
{
        int64_t longest_us = -1;

        for (size_t i = 0; i < n; i++)
                for (size_t u = 0; is_other(configuration, boot, i) && u < boots[i]->n_units; u++)
                        if (strcmp(boots[i]->units[u].name, name) == 0 &&
                            boots[i]->units[u].elapsed_us > longest_us)
                                longest_us = boots[i]->units[u].elapsed_us;
        return longest_us;
}

static void put_unit(const struct record *const *boots, size_t n, const size_t *configuration,
                     size_t boot, FILE *f)
{
        const struct unit_time *worst = NULL;
        int64_t worst_us = UNIT_WORTH_US, elsewhere_us = -1;
        char took[DURATION_BYTES], other[DURATION_BYTES];

        for (size_t u = 0; u < boots[boot]->n_units; u++) {
                const struct unit_time *unit = &boots[boot]->units[u];
                int64_t longest_us = longest_elsewhere(boots, n, configuration, boot, unit->name);
                int64_t beyond_us = unit->elapsed_us - (longest_us < 0 ? 0 : longest_us);

                if (beyond_us < worst_us)
                        continue;
                worst = unit;
                worst_us = beyond_us;
                elsewhere_us = longest_us;
        }
        if (!worst)
                return;
        (void) fprintf(f, "%s took %s", worst->name, duration_text(worst->elapsed_us, took));
        if (elsewhere_us < 0)
                (void) fputs(" and is not among the others' slowest", f);
        else
                (void) fprintf(f, ", in the others at most %s", duration_text(elsewhere_us, other));
}

static void put_drifting(const struct record *const *boots, size_t n, const size_t *configuration,
                         size_t boot, FILE *f)
{
        const char *key;
        json_t *value;

        json_object_foreach(boots[boot]->config, key, value)
        {
                double low = INFINITY, high = -INFINITY, mine = json_number_value(value);

                if (!factor_drifts(key) || !json_is_number(value))
                        continue;
                for (size_t i = 0; i < n; i++) {
                        const json_t *theirs = json_object_get(boots[i]->config, key);

                        if (!is_other(configuration, boot, i) || !json_is_number(theirs))
                                continue;
                        low = fmin(low, json_number_value(theirs));
                        high = fmax(high, json_number_value(theirs));
                }
                /* Outside by more than the others differ among themselves. */
                if (low <= high && (mine > high + (high - low) || mine < low - (high - low)) &&
                    (mine > high || mine < low))
                        (void) fprintf(f, "%s%s %g, in the others %g to %g",
                                       ftell(f) > 0 ? "; " : "", key, mine, low, high);
        }
}

int odd_beside(const struct record *const *boots, size_t n, const size_t *configuration,
               size_t boot, bool units, char **ret)
{
        CLEANUP(freep) char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        *ret = NULL;
        if (!f)
                return -ENOMEM;
        if (units)
                put_unit(boots, n, configuration, boot, f);
        put_drifting(boots, n, configuration, boot, f);
        if (fclose(f) != 0)
                return -ENOMEM;
        if (text[0])
                *ret = TAKE(text);
        return 0;
}
