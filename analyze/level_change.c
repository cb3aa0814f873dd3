/* analyze/level_change.c - long levels are lists of words; the words in common say nothing */
#include "analyze/level_change.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/macros.h"

#define LONG_BYTES 60 /* of both levels together: one line beside the other columns */

static bool has_word(const char *text, const char *word, size_t n)
{
        for (const char *p = text; *p; p += strcspn(p, " ")) {
                p += strspn(p, " ");
                if (strcspn(p, " ") == n && strncmp(p, word, n) == 0)
                        return true;
        }
        return false;
}

/* put_own() - the words of @text that @other lacks, "..." for those between; whether there is one
 */
static bool put_own(FILE *f, const char *text, const char *other)
{
        bool gap = false, any = false, own = false;

        for (const char *p = text + strspn(text, " "); *p; p += strspn(p, " ")) {
                size_t n = strcspn(p, " ");

                if (has_word(other, p, n)) {
                        if (!gap)
                                (void) fprintf(f, "%s...", any ? " " : "");
                        gap = any = true;
                } else {
                        (void) fprintf(f, "%s%.*s", any ? " " : "", (int) n, p);
                        gap = false;
                        any = own = true;
                }
                p += n;
        }
        return own;
}

static char *shortened(const char *before, const char *after)
{
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        bool own;

        if (!f)
                return NULL;
        own = put_own(f, before, after);
        (void) fputs(" -> ", f);
        own = put_own(f, after, before) || own;
        if (fclose(f) == 0 && own)
                return text;
        free(text);
        return NULL; /* the same words in another order, too */
}

char *level_change(const char *before, const char *after)
{
        char *text = NULL;

        if (strlen(before) + strlen(after) > LONG_BYTES)
                text = shortened(before, after);
        if (!text && asprintf(&text, "%s -> %s", before, after) < 0)
                return NULL;
        return text;
}
