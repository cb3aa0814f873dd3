/* analyze/import/heading.h - the factors that a person's heading names */
#pragma once
#include "analyze/import/import.h"

/** heading_patterns() - what the calls below look for; NULL when out of memory */
struct patterns *heading_patterns(void);

/** heading_names_factors() - @text says something about drive, encryption, kernel or desktop */
bool heading_names_factors(const struct patterns *p, const char *text);

/**
 * heading_label() - "7200 RPM 500GB hitachi, dmcrypt, HIMEM4G" as labels of the open record
 *
 * drive.rpm, drive.size_bytes, drive.maker, drive.type, crypt.type, kernel.highmem, wm.name and
 * memory.bytes are set where named; the heading itself is kept in the label "heading", and the
 * record's id covers it. An empty one is nothing.
 */
void heading_label(const struct patterns *p, struct import *in, const char *text);

/** heading_may_be() - no rule, no sentence, no command, no remark in brackets, no mail header */
bool heading_may_be(const char *line);

/** heading_is_rule() - a line of dashes and the like */
bool heading_is_rule(const char *line);

/**
 * heading_above() - what a person wrote over line @i: up to @n_max free lines, joined with ", "
 *
 * Looks no further than a rule, a line that was taken, or a paragraph of prose.
 * Return: the index of the first line used, or @i when there is no heading.
 */
size_t heading_above(struct import *in, size_t i, unsigned n_max, char *ret, size_t size);

#define HEADING_MAX_BYTES 512
