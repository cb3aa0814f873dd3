/* analyze/table.h - text tables: columns sized to their content, within a given width
 *
 * Cells are UTF-8; a cell's width is what wcwidth() says. Control characters of foreign text
 * (window titles, unit names, labels) are printed as '?', so a record cannot steer a terminal.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "record/fault.h"

#define TABLE_WIDTH 100

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table_column {
        const char *head; /* "" for none */
        enum table_align align;
};

struct table;

/** table_new() - @columns is not copied and must outlive the table; NULL when out of memory */
struct table *table_new(const struct table_column *columns, size_t n_columns);
struct table *table_free(struct table *t);
void table_freep(struct table **t);

/** table_add() - the next cell, row by row; -ENOMEM. NULL is an empty cell. */
int table_add(struct table *t, const char *text);
int table_addf(struct table *t, const char *format, ...) PRINTF_LIKE(2, 3);

/** table_width() - in cells, before anything is wrapped */
size_t table_width(const struct table *t);

/**
 * table_print() - heads (bold with @color), then the rows, two blanks between columns
 *
 * What does not fit TABLE_WIDTH wraps inside the last column, at blanks where there are some; where
 * the others leave it no room, cells of the widest of them lose their middles.
 * Return: 0; -EIO when @f cannot be written.
 */
int table_print(const struct table *t, FILE *f, bool color);
