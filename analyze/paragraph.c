/* analyze/paragraph.c - wrapping and cleaning are the table's: a paragraph is a table of one cell */
#include "analyze/paragraph.h"
#include "analyze/table.h"

int paragraph_print(FILE *f, const char *text)
{
        static const struct table_column columns[] = { { "", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, 1);

        if (!t || table_add(t, text) < 0)
                return -ENOMEM;
        return table_print(t, f, false);
}

void paragraph_heading(FILE *f, const char *text, bool color)
{
        (void) fputs(color ? "\n\033[1m" : "\n", f);
        (void) paragraph_print(f, text); /* a heading may be missing; a write error stays in @f */
        if (color)
                (void) fputs("\033[0m", f);
}
