/* analyze/design.h - boots as rows of a model: which level of each group of factors they have
 *
 * Only groups that vary count. A group's level is the tuple of its varying keys; the base levels
 * are those of the commonest configuration, of those that say all if there is one, and each other
 * level is a column of zeros and ones.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "record/record.h"

#define DESIGN_UNSAID "not said"

struct design_key {
        char *key;
        char **text; /* of each level: "7200", or DESIGN_UNSAID */
};

struct design_group {
        char *name; /* "drive" */
        struct design_key *keys;
        size_t n_keys;
        size_t n_levels; /* at least two; 0 is the base */
        size_t *n_boots; /* of each level */
        bool *unsaid;  /* of each level: some key is not said in it, so no verdict can rest on it */
        size_t *level; /* of each boot */
        size_t column; /* of level 1; level l has column + l - 1 */
};

struct design {
        struct design_group *groups; /* by name */
        size_t n_groups;
        size_t n_boots;
        size_t n_columns; /* with the intercept, which is column 0 */
};
#define DESIGN_NULL ((struct design){ .groups = NULL })

/** design_of() - Return: 0; -ENOMEM */
int design_of(const struct record *const *boots, size_t n, struct design *ret);
void design_done(struct design *d);

/** design_row() - a row of the model for these levels, one a group; @ret has n_columns elements */
void design_row(const struct design *d, const size_t *levels, double *ret);

/** design_levels() - those of boot @i; @ret has n_groups elements */
void design_levels(const struct design *d, size_t i, size_t *ret);

/**
 * design_level_text() - a level in words: "drive.rpm=7200", every key, or with @changes only those
 * that differ from the base, "drive.rpm 5400 -> 7200" Return: to be freed; NULL when out of memory.
 */
char *design_level_text(const struct design_group *g, size_t level, bool changes);
