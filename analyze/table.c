/* analyze/table.c - the one text table of all views; see table.h */
#include "analyze/table.h"
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#define GAP 2
#define LAST_COLUMN_MIN 20

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
                const char *text = cells[c];
                size_t blank = widths[c] > text_width(text) ? widths[c] - text_width(text) : 0;

                if (c + 1 == t->n_columns) {
                        print_last(f, text, column_at, widths[c], t->columns[c].align);
                        break;
                }
                if (t->columns[c].align == TABLE_RIGHT)
                        pad(f, blank);
                (void) fputs(text, f);
                if (c + 1 == n_used)
                        break;
                if (t->columns[c].align == TABLE_LEFT)
                        pad(f, blank);
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

int table_print(const struct table *t, FILE *f, bool color)
{
        CLEANUP(freep) size_t *widths = calloc(t->n_columns, sizeof *widths);
        CLEANUP(freep) char **heads = calloc(t->n_columns, sizeof *heads);
        size_t before_last = 0;
        bool has_heads = false;

        if (!widths || !heads)
                return -ENOMEM;
        for (size_t c = 0; c < t->n_columns; c++) {
                heads[c] = (char *) (uintptr_t) t->columns[c].head;
                has_heads = has_heads || *heads[c];
                widths[c] = column_width(t, c);
                if (c + 1 < t->n_columns)
                        before_last += widths[c] + GAP;
        }
        if (t->n_columns > 0 && before_last + widths[t->n_columns - 1] > TABLE_WIDTH)
                widths[t->n_columns - 1] = before_last + LAST_COLUMN_MIN < TABLE_WIDTH
                                                   ? TABLE_WIDTH - before_last
                                                   : LAST_COLUMN_MIN;
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
