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

/** marks_begin() - a record whose 0 is the milestone @start, where a watch was started */
void marks_begin(struct import *in, const char *start, size_t i);

/**
 * marks_end() - the open record's marks are all there
 *
 * Prompts with their answers become waits; a boot with dm-crypt and no mark of its unlocking gets a
 * warning, since the typing of a passphrase is inside its times.
 */
void marks_end(struct import *in);

/** marks_split() - "Before: 1:15 (really)" as words and time (64 bytes each); false for another
 * line */
bool marks_split(const struct marks *m, const char *line, char *ret_words, char *ret_raw);

/**
 * marks_goal() - "From boot menu to desktop" says what was reached: "desktop"
 * @ret_start: the milestone that the words count from, or NULL
 * @ret_goal: 64 bytes
 *
 * Return: false when the words neither are known nor have the form "[from ...] to ...".
 */
bool marks_goal(const struct marks *m, const char *words, const char **ret_start, char *ret_goal);

/** marks_enter() - one time with its words into the open record */
void marks_enter(const struct marks *m, struct import *in, size_t i, const char *words,
                 const char *raw);

/** marks_count() - parts of @line that are a time with words that are known */
unsigned marks_count(const struct marks *m, const char *line);

/** marks_read() - enter @line (all or the end of line @i) into the open record; what cannot be read
 * of it is listed */
void marks_read(const struct marks *m, struct import *in, size_t i, const char *line);
