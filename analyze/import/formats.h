/* analyze/import/formats.h - the two functions of each format; what they do is said in import.h
 * and, for each format, on top of its file */
#pragma once
#include "analyze/import/import.h"

int boot_notes_recognize(const struct text *text);
void boot_notes_read(struct import *in);
