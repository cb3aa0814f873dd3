/* analyze/factor_level.h - the factors of a boot: labels and configuration as one flat space of
 * names
 *
 * A label wins over a configuration key of the same name: a person knows better. Values are
 * compared as text in one canonical form, so that 7200, 7200.0 and "7200" are one level.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "record/record.h"

/** factor_level_text() - the value of @key in this boot, or NULL when absent or out of memory; to
 * be freed */
char *factor_level_text(const struct record *r, const char *key);

/** factor_level_is() - is the value of @key in this boot @text? False when the boot has no such
 * factor.
 */
bool factor_level_is(const struct record *r, const char *key, const char *text);

/** factor_level_compare() - levels in their natural order: none, no and off first, numbers, then
 * text */
int factor_level_compare(const char *a, const char *b);

/* All factors of some boots, as a matrix of texts. */
struct factor {
        char *key;
        const char *group; /* what one act changes: "drive", "crypt", ...; else the key itself */
        bool is_own;       /* no known group: a label of somebody's own making */
        char **level;      /* one a boot; NULL where the boot does not say */
        bool varies;       /* at least two different levels, or said by some boots only */
};

struct factors {
        struct factor *factor; /* sorted by key */
        size_t n;
        size_t n_boots;
};
#define FACTORS_NULL ((struct factors){ .factor = NULL })

/**
 * factors_of() - what could explain a difference
 *
 * Left out is what differs between any two sets (fill and age of a file system), what only repeats
 * other keys, and the campaign a boot belongs to. @boots may go before @ret does.
 * Return: 0; -ENOMEM.
 */
int factors_of(const struct record *const *boots, size_t n_boots, struct factors *ret);
void factors_done(struct factors *f);
