/* analyze/import/noted.c - times that were gathered, sorted into boots */
#include <string.h>
#include "analyze/import/boot_notes.h"
#include "analyze/import/heading.h"

bool noted_add(struct import *in, struct noted_list *l, const struct noted *n)
{
        struct noted *grown = reallocarray(l->items, l->n + 1, sizeof *grown);

        if (!grown) {
                import_out_of_memory(in);
                return false;
        }
        l->items = grown;
        grown[l->n++] = *n;
        return true;
}

void noted_done(struct noted_list *l)
{
        free(l->items);
        *l = (struct noted_list){ .items = NULL };
}

static bool same_boot(const struct noted *a, const struct noted *b)
{
        return strcmp(a->group, b->group) == 0 && strcmp(a->variant, b->variant) == 0;
}

/* start_of() - where the boot's times count from: the first item that says it, else the caller's
 * word */
static const char *start_of(const struct import *in, const struct noted_list *l,
                            const struct noted *n)
{
        for (size_t k = 0; k < l->n; k++)
                if (same_boot(&l->items[k], n) && l->items[k].start)
                        return l->items[k].start;
        return in->start;
}

void noted_enter(struct import *in, const struct marks *m, const struct noted_list *l)
{
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();

        if (!headings) {
                import_out_of_memory(in);
                return;
        }
        for (size_t first = 0; first < l->n && in->error == 0; first++) {
                const struct noted *n = &l->items[first];

                size_t k = 0;

                while (!same_boot(&l->items[k], n))
                        k++;
                if (k < first)
                        continue; /* entered with the first of its boot */
                marks_begin(in, start_of(in, l, n), n->i);
                heading_label(headings, in, n->group);
                if (n->variant[0]) {
                        import_cover(in, n->variant);
                        import_label(in, "variant", n->variant);
                }
                for (k = first; k < l->n; k++)
                        if (same_boot(&l->items[k], n)) {
                                import_take(in, l->items[k].i);
                                marks_enter(m, in, l->items[k].i, l->items[k].words,
                                            l->items[k].raw);
                        }
                marks_end(in);
        }
}
