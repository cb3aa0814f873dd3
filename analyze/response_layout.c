/* analyze/response_layout.c - a response under load as the table that kernels used to be compared
 * by
 *
 * The S.D. is in ms here like all else, not in seconds as the old tables have it; that there are
 * two ratios in the head tells the two apart. */
#include <string.h>
#include "analyze/idle.h"
#include "analyze/sample_layout.h"
#include "analyze/table.h"

static const char *const fields[] = { "low", "high",  "median",       "average",
                                      "sd",  "ratio", "ratio_median", NULL };

static bool takes(const struct sample *s)
{
        struct response_name name;

        return response_name_parse(s->workload, &name) && sample_layout_is_plain(s, fields);
}

/* is_of() - the same table: task, name and run */
static bool is_of(const struct sample *a, const struct sample *b)
{
        struct response_name x, y;

        return a->run == b->run && response_name_parse(a->workload, &x) &&
               response_name_parse(b->workload, &y) && response_name_is_alike(&x, &y);
}

static int print_table(const struct sample **samples, size_t n, const struct sample *first, FILE *f,
                       bool color)
{
        static const struct table_column columns[] = {
                { "Test", TABLE_LEFT },    { "low", TABLE_RIGHT },          { "high", TABLE_RIGHT },
                { "median", TABLE_RIGHT }, { "average", TABLE_RIGHT },      { "S.D.", TABLE_RIGHT },
                { "ratio", TABLE_RIGHT },  { "median ratio", TABLE_RIGHT },
        };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        struct response_name name;

        if (!t)
                return -ENOMEM;
        (void) response_name_parse(first->workload, &name);
        (void) fprintf(f, "Response%s%.*s%s%s, run #%u\n", name.n_task ? " of a " : "",
                       (int) name.n_task, name.task, *name.name ? ", " : "",
                       *name.name ? name.name + 1 : "", first->run);
        (void) fprintf(f, "_____________ delay ms. ____________\n");
        for (size_t i = 0; i < n; i++) {
                const struct sample *s = samples[i];

                if (!s || !is_of(s, first))
                        continue;
                samples[i] = NULL;
                (void) response_name_parse(s->workload, &name);
                if (table_addf(t, "%.*s", (int) name.n_load, name.load) < 0)
                        return -ENOMEM;
                for (size_t k = 0; fields[k]; k++)
                        if (table_addf(t, "%.3f", sample_find(s, fields[k])->value) < 0)
                                return -ENOMEM;
        }
        return table_print(t, f, color);
}

static int print(const struct sample *const *samples, size_t n, FILE *f, bool color)
{
        CLEANUP(freep) const struct sample **left = calloc(n, sizeof *left);
        bool is_first = true;
        int r = 0;

        if (!left)
                return -ENOMEM;
        memcpy(left, samples, n * sizeof *left);
        for (size_t i = 0; r == 0 && i < n; i++) {
                if (!left[i])
                        continue;
                if (!is_first)
                        (void) fputc('\n', f);
                is_first = false;
                r = print_table(left, n, left[i], f, color);
        }
        return r;
}

const struct sample_layout response_layout = { .takes = takes, .print = print };
