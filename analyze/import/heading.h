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
