/* analyze/import/cells.c - see cells.h. A row has at least two cells. */
#include "analyze/import/cells.h"
#include <stdio.h>
#include <string.h>

size_t cells_split(const char *line, char ret[CELLS_MAX][CELL_MAX_BYTES])
{
        size_t n = 0;

        if (*line == '|')
                line++;
        else if (!strchr(line, '|'))
                return 0;
        while (*line && n < CELLS_MAX) {
                size_t length = strcspn(line, "|"), from = strspn(line, " "), to = length;

                if (from > length)
                        from = length;
                while (to > from && line[to - 1] == ' ')
                        to--;
                (void) snprintf(ret[n++], CELL_MAX_BYTES, "%.*s", (int) (to - from), line + from);
                line += length + (line[length] == '|');
        }
        return n >= 2 ? n : 0;
}

bool cells_is_rule(const char *line)
{
        return strchr(line, '-') && strchr(line, '|') && strspn(line, "|-: ") == strlen(line);
}
