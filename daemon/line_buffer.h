/* daemon/line_buffer.h - whole lines out of a pipe whose writer is not trusted */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "record/mark.h"

struct line_buffer {
        char text[MARK_LINE_MAX_BYTES + 2];
        size_t used;
        bool skipping; /* inside a line that was too long */
        size_t n_too_long;
};

/**
 * line_buffer_read() - read once, and hand over each line that is whole
 * @fd: should not block
 * @on_line: the line without its newline, control characters made blanks; valid during the call
 *
 * A line longer than a mark may be is dropped and counted.
 * Return: 1 when there may be more, 0 at the end of file, -EAGAIN when nothing is there now,
 * another negative errno.
 */
int line_buffer_read(struct line_buffer *b, int fd, void (*on_line)(void *userdata, char *line),
                     void *userdata);
