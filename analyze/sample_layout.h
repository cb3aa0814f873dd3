/* analyze/sample_layout.h - workloads that people know as a table of their own
 *
 * A seek profile or a response table is read as a whole, in the order and with the columns of the
 * tool that made it known. Samples that no layout takes are listed value by value.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "record/sample.h"

struct sample_layout {
        /** takes() - it shows everything that @s says, remarks included */
        bool (*takes)(const struct sample *s);
        /** print() - @n that it takes, in the record's order; Return: 0; -ENOMEM, -EIO */
        int (*print)(const struct sample *const *samples, size_t n, FILE *f, bool color);
};

extern const struct sample_layout disk_layout, response_layout;

/** sample_layout_of() - the one that takes @s, or NULL */
const struct sample_layout *sample_layout_of(const struct sample *s);

/**
 * sample_layouts_print() - all tables there are
 * @is_first: whether nothing stands above them, from which a blank line would part them
 */
int sample_layouts_print(const struct sample *samples, size_t n_samples, bool is_first, FILE *f,
                         bool color);

/** sample_layout_is_plain() - has all @fields (ended by NULL), and nothing is to be remarked on */
bool sample_layout_is_plain(const struct sample *s, const char *const *fields);

/**
 * sample_layout_row() - "disk.seek.full_stroke.ssd" is row "full_stroke" of "disk.seek."
 * @ret_name: what follows the row: ".ssd", or ""
 *
 * Return: whether @workload begins with @prefix and @row.
 */
bool sample_layout_row(const char *workload, const char *prefix, const char *row,
                       const char **ret_name);
