/* analyze/import/marks.h - "27 X start / 50 E ready / 0:58 rcvds": times with a person's words
 * beside them, on one line
 *
 * Words for a milestone make a mark of the boot, counted from the watch's start; words for a mail
 * folder make a sample "maildir.open.<folder>". Other words are a milestone "user.<words>" while
 * the times keep rising, and a sample "notes.<words>" when they do not.
 */
#pragma once
#include "analyze/import/import.h"

struct marks;

struct marks *marks_new(void);
void marks_freep(struct marks **m);

/** marks_count() - parts of @line that are a time with words that are known */
unsigned marks_count(const struct marks *m, const char *line);

/** marks_read() - enter @line (all or the end of line @i) into the open record; what cannot be read
 * of it is listed */
void marks_read(const struct marks *m, struct import *in, size_t i, const char *line);
