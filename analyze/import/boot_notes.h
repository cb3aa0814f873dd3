/* analyze/import/boot_notes.h - the two other layouts of times that people take by hand */
#pragma once
#include "analyze/import/marks.h"

/* What boot_notes.c, boot_notes_list.c and boot_notes_table.c share: one time in a layout that has
 * its boots side by side, to be sorted into records once all are read. */
struct noted {
        size_t i;
        char group[128];   /* heading */
        char variant[64];  /* "Before", a column's head, a row's number; or "" */
        char words[64];    /* what was reached */
        char raw[64];      /* when */
        const char *start; /* milestone that the words count from, or NULL */
};

struct noted_list {
        struct noted *items;
        size_t n;
};

/** noted_add() - @n is copied; false when out of memory, which is told to @in */
bool noted_add(struct import *in, struct noted_list *l, const struct noted *n);

/** noted_enter() - a record for each group and variant, in the order of their first times */
void noted_enter(struct import *in, const struct marks *m, const struct noted_list *l);

void noted_done(struct noted_list *l);

/** boot_notes_count_list() - times in nested lists that are about a boot */
size_t boot_notes_count_list(const struct text *text, const struct marks *m);
void boot_notes_read_list(struct import *in, const struct marks *m);

/** boot_notes_count_table() - the same for tables */
size_t boot_notes_count_table(const struct text *text, const struct marks *m);
void boot_notes_read_table(struct import *in, const struct marks *m);
