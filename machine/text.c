/* machine/text.c - see text.h */
#include "machine/text.h"
#include <string.h>
#include "record/macros.h"

void text_put(struct text *t, const char *bytes, size_t n_bytes)
{
        char *grown;

        if (t->error < 0)
                return;
        grown = realloc(t->bytes, t->n_bytes + n_bytes + 1);
        if (!grown) {
                t->error = -ENOMEM;
                return;
        }
        memcpy(grown + t->n_bytes, bytes, n_bytes);
        t->bytes = grown;
        t->n_bytes += n_bytes;
        grown[t->n_bytes] = '\0';
}

void text_put_string(struct text *t, const char *string) { text_put(t, string, strlen(string)); }

char *text_take(struct text *t)
{
        char *bytes = t->error < 0 ? NULL : TAKE(t->bytes);

        free(t->bytes);
        *t = TEXT_NULL;
        return bytes;
}
