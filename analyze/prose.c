/* analyze/prose.c - open_memstream() around paragraph_print() */
#include "analyze/prose.h"
#include "analyze/paragraph.h"
#include "record/macros.h"

bool prose_open(struct prose *p)
{
        *p = (struct prose){ .text = NULL };
        p->f = open_memstream(&p->text, &p->size);
        return p->f;
}

int prose_print(struct prose *p, FILE *f)
{
        int r = fclose(p->f) == 0 ? paragraph_print(f, p->text) : -ENOMEM;

        free(TAKE(p->text));
        p->f = NULL;
        return r;
}
