/* analyze/sample_layout.c - the list of layouts, and what they share */
#include "analyze/sample_layout.h"
#include <string.h>

static const struct sample_layout *const layouts[] = { &response_layout, &disk_layout };

const struct sample_layout *sample_layout_of(const struct sample *s)
{
        for (size_t i = 0; i < ELEMENTSOF(layouts); i++)
                if (layouts[i]->takes(s))
                        return layouts[i];
        return NULL;
}

int sample_layouts_print(const struct sample *samples, size_t n_samples, bool is_first, FILE *f,
                         bool color)
{
        CLEANUP(freep) const struct sample **taken = calloc(n_samples + 1, sizeof *taken);
        int r = taken ? 0 : -ENOMEM;

        for (size_t k = 0; r == 0 && k < ELEMENTSOF(layouts); k++) {
                size_t n = 0;

                for (size_t i = 0; i < n_samples; i++)
                        if (sample_layout_of(&samples[i]) == layouts[k])
                                taken[n++] = &samples[i];
                if (n == 0)
                        continue;
                if (!is_first)
                        (void) fputc('\n', f);
                is_first = false;
                r = layouts[k]->print(taken, n, f, color);
        }
        return r;
}

bool sample_layout_is_plain(const struct sample *s, const char *const *fields)
{
        for (size_t k = 0; fields[k]; k++)
                if (!sample_find(s, fields[k]))
                        return false;
        for (size_t i = 0; i < s->n_values; i++)
                if (s->values[i].implausible || s->values[i].extra)
                        return false;
        return true;
}

bool sample_layout_row(const char *workload, const char *prefix, const char *row,
                       const char **ret_name)
{
        size_t n_prefix = strlen(prefix), n_row = strlen(row);

        if (strncmp(workload, prefix, n_prefix) != 0 ||
            strncmp(workload + n_prefix, row, n_row) != 0)
                return false;
        *ret_name = workload + n_prefix + n_row;
        return **ret_name == '\0' || **ret_name == '.';
}
