/* machine/names.h - the words by which this machine and its people are known */
#pragma once
#include "machine/machine.h"

struct name {
        char *word;
        const char *instead; /* "<host>" */
};

struct names {
        struct name *entries;
        size_t n_entries;
};
#define NAMES_NULL ((struct names){ .entries = NULL })

void names_done(struct names *n);

/**
 * names_read() - host name, users with a login, machine id, serial numbers that sysfs shows
 *
 * Left out are words that thousands of machines share ("localhost", "debian", "user") and those
 * shorter than three characters: hiding them would hide other things.
 */
int names_read(struct names *ret, const struct machine_context *m);

/** names_hide() - @text with every such word replaced; NULL when out of memory */
char *names_hide(const struct names *n, const char *text);
