/* analyze/table.c - the one text table of all views; see table.h */
#include "analyze/table.h"
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#define GAP 2
#define LAST_COLUMN_MIN 20
#define COLUMN_MIN 8 /* what a column that gives way keeps */
#define CUT "..."    /* in place of the middle of what is too wide */

struct table {
        const struct table_column *columns;
        size_t n_columns;
        char **cells;
        size_t n_cells;
};

struct table *table_new(const struct table_column *columns, size_t n_columns)
{
        struct table *t = calloc(1, sizeof *t);

        if (t)
                *t = (struct table){ .columns = columns, .n_columns = n_columns };
        return t;
}

struct table *table_free(struct table *t)
{
        if (!t)
                return NULL;
        for (size_t i = 0; i < t->n_cells; i++)
                free(t->cells[i]);
        free(t->cells);
        free(t);
        return NULL;
}

void table_freep(struct table **t) { *t = table_free(*t); }

/* next_char() - length in bytes of the character at @text and its width in cells; what is no
 * printable character counts as one byte, one cell */
static size_t next_char(const char *text, int *ret_width, bool *ret_printable)
{
        mbstate_t state = { 0 };
        wchar_t c;
        size_t n = mbrtowc(&c, text, strlen(text), &state);

        *ret_width = 1;
        *ret_printable = false;
        if (n == 0 || n == (size_t) -1 || n == (size_t) -2)
                return 1;
        if (wcwidth(c) >= 0) {
                *ret_width = wcwidth(c);
                *ret_printable = true;
        }
        return n;
}

static size_t text_width(const char *text)
{
        size_t width = 0;

        while (*text) {
                bool printable;
                int w;

                text += next_char(text, &w, &printable);
                width += (size_t) w;
        }
        return width;
}

/* clean_copy() - without control characters and broken bytes */
static char *clean_copy(const char *text)
{
        char *copy = malloc(strlen(text) + 1), *to = copy;

        while (copy && *text) {
                bool printable;
                int w;
                size_t n = next_char(text, &w, &printable);

                if (printable) {
                        memcpy(to, text, n);
                        to += n;
                } else {
                        *to++ = '?';
                }
                text += n;
        }
        if (copy)
                *to = '\0';
        return copy;
}

int table_add(struct table *t, const char *text)
{
        char **grown = reallocarray(t->cells, t->n_cells + 1, sizeof *grown);

        if (!grown)
                return -ENOMEM;
        t->cells = grown;
        grown[t->n_cells] = clean_copy(text ? text : "");
        if (!grown[t->n_cells])
                return -ENOMEM;
        t->n_cells++;
        return 0;
}

int table_addf(struct table *t, const char *format, ...)
{
        char *text;
        va_list ap;
        int r;

        va_start(ap, format);
        r = vasprintf(&text, format, ap);
        va_end(ap);
        if (r < 0)
                return -ENOMEM;
        r = table_add(t, text);
        free(text);
        return r;
}

static void pad(FILE *f, size_t n)
{
        while (n-- > 0)
                (void) fputc(' ', f);
}

/* fitting() - bytes of @text that fit @width cells, cut after a blank when there is one */
static size_t fitting(const char *text, size_t width)
{
        size_t used = 0, bytes = 0, at_blank = 0;

        while (text[bytes]) {
                bool printable;
                int w;
                size_t n = next_char(text + bytes, &w, &printable);

                if (used + (size_t) w > width)
                        return at_blank ? at_blank : bytes ? bytes : n;
                used += (size_t) w;
                bytes += n;
                if (text[bytes - 1] == ' ')
                        at_blank = bytes;
        }
        return bytes;
}

/* beginning_of() - bytes of @text that fit @width cells */
static size_t beginning_of(const char *text, size_t width)
{
        size_t used = 0, bytes = 0;

        while (text[bytes]) {
                bool printable;
                int w;
                size_t n = next_char(text + bytes, &w, &printable);

                if (used + (size_t) w > width)
                        break;
                used += (size_t) w;
                bytes += n;
        }
        return bytes;
}

/* end_of() - the last @width cells of @text, or fewer */
static const char *end_of(const char *text, size_t width)
{
        for (size_t rest = text_width(text); rest > width;) {
                bool printable;
                int w;

                text += next_char(text, &w, &printable);
                rest -= (size_t) w;
        }
        return text;
}

/* print_cell() - one that is wider than its column loses its middle, which tells least */
static void print_cell(FILE *f, const char *text, size_t width, enum table_align align)
{
        size_t cells = text_width(text);

        if (cells > width) {
                const char *end = end_of(text, (width - strlen(CUT)) / 2);
                size_t n = beginning_of(text, width - strlen(CUT) - text_width(end));

                (void) fprintf(f, "%.*s" CUT "%s", (int) n, text, end);
                return;
        }
        if (align == TABLE_RIGHT)
                pad(f, width - cells);
        (void) fputs(text, f);
        if (align == TABLE_LEFT)
                pad(f, width - cells);
}

/* print_last() - the last cell, wrapped below its own beginning */
static void print_last(FILE *f, const char *text, size_t indent, size_t width,
                       enum table_align align)
{
        size_t n;

        if (align == TABLE_RIGHT && text_width(text) < width)
                pad(f, width - text_width(text));
        while (text_width(text) > width && (n = fitting(text, width)) < strlen(text)) {
                size_t shown = n;

                while (shown > 0 && text[shown - 1] == ' ')
                        shown--;
                (void) fprintf(f, "%.*s\n", (int) shown, text);
                text += n;
                pad(f, indent);
        }
        (void) fputs(text, f);
}

static void print_row(const struct table *t, FILE *f, char *const *cells, const size_t *widths)
{
        size_t column_at = 0, n_used = t->n_columns;

        while (n_used > 0 && *cells[n_used - 1] == '\0') /* no blanks at the end of a line */
                n_used--;
        for (size_t c = 0; c < n_used; c++) {
                enum table_align align = t->columns[c].align;

                if (c + 1 == t->n_columns) {
                        print_last(f, cells[c], column_at, widths[c], align);
                        break;
                }
                if (c + 1 == n_used && align == TABLE_LEFT && text_width(cells[c]) <= widths[c]) {
                        (void) fputs(cells[c], f);
                        break;
                }
                print_cell(f, cells[c], widths[c], align);
                if (c + 1 == n_used)
                        break;
                pad(f, GAP);
                column_at += widths[c] + GAP;
        }
        (void) fputc('\n', f);
}

static size_t column_width(const struct table *t, size_t column)
{
        size_t width = text_width(t->columns[column].head);

        for (size_t i = column; i < t->n_cells; i += t->n_columns)
                if (text_width(t->cells[i]) > width)
                        width = text_width(t->cells[i]);
        return width;
}

size_t table_width(const struct table *t)
{
        size_t width = 0;

        for (size_t c = 0; c < t->n_columns; c++)
                width += column_width(t, c) + (c > 0 ? GAP : 0);
        return width;
}

/* widest() - of the columns before the last */
static size_t widest(const size_t *widths, size_t n_columns)
{
        size_t at = 0;

        for (size_t c = 1; c + 1 < n_columns; c++)
                if (widths[c] > widths[at])
                        at = c;
        return at;
}

/* fit_widths() - the last column wraps; where that is not enough, the widest others give way */
static void fit_widths(size_t *widths, size_t n_columns)
{
        size_t *last = &widths[n_columns - 1], before_last = 0, wanted;

        for (size_t c = 0; c + 1 < n_columns; c++)
                before_last += widths[c] + GAP;
        wanted = *last < LAST_COLUMN_MIN ? *last : LAST_COLUMN_MIN;
        while (before_last + wanted > TABLE_WIDTH) {
                size_t at = widest(widths, n_columns);

                if (widths[at] <= COLUMN_MIN)
                        break;
                widths[at]--;
                before_last--;
        }
        if (before_last + *last > TABLE_WIDTH)
                *last = before_last + wanted < TABLE_WIDTH ? TABLE_WIDTH - before_last : wanted;
}

int table_print(const struct table *t, FILE *f, bool color)
{
        CLEANUP(freep) size_t *widths = calloc(t->n_columns, sizeof *widths);
        CLEANUP(freep) char **heads = calloc(t->n_columns, sizeof *heads);
        bool has_heads = false;

        if (!widths || !heads)
                return -ENOMEM;
        for (size_t c = 0; c < t->n_columns; c++) {
                heads[c] = (char *) (uintptr_t) t->columns[c].head;
                has_heads = has_heads || *heads[c];
                widths[c] = column_width(t, c);
        }
        if (t->n_columns > 0)
                fit_widths(widths, t->n_columns);
        if (has_heads) {
                if (color)
                        (void) fputs("\033[1m", f);
                print_row(t, f, heads, widths);
                if (color)
                        (void) fputs("\033[0m", f);
        }
        for (size_t i = 0; i + t->n_columns <= t->n_cells; i += t->n_columns)
                print_row(t, f, t->cells + i, widths);
        return ferror(f) ? -EIO : 0;
}
