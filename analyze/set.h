/* analyze/set.h - a SET of the command line becomes boots
 *
 *   path/to/record.json     one record           crypt.type=luks2,drive.rpm=7200   factors
 *   path/to/folder          all records there    drive.rpm!=5400                   and their denial
 *   4f2c91                  beginning of an id   campaign:NAME   machine:PREFIX
 *   last:N                  the newest N of what the other terms leave
 *   since:TIME until:TIME   UTC, 2026-11-30 or 2026-11-30T12:00[:00]
 *
 * Terms are joined by commas and must all hold; "\," is a comma inside a value.
 */
#pragma once
#include <stddef.h>
#include "record/record.h"
#include "record/store.h"

#define SET_ID_PREFIX_MIN 4

/* Every record that was read, so that each file is read once however many sets name it. */
struct shelf {
        const char *store_dir;    /* not owned */
        struct store_list *lists; /* of the store and of every path named, each once */
        char **paths;             /* what each list was read from */
        size_t n_lists;
};
#define SHELF_NULL ((struct shelf){ .store_dir = NULL })

void shelf_done(struct shelf *s);

struct boot_set {
        char *name;                  /* as it was given */
        const struct record **boots; /* complete ones, oldest first, each boot once; on the shelf */
        size_t n;
        size_t n_incomplete;            /* left out, since a boot that was cut off has no total */
        size_t n_unreadable;            /* files that could not be read */
        const struct fault *unreadable; /* the first one's reason */
        char **keys;                    /* factors that the expression names */
        size_t n_keys;
};
#define BOOT_SET_NULL ((struct boot_set){ .name = NULL })

/**
 * set_find() - the boots that @expression names; none at all is no error
 * @expression: NULL for the whole store
 *
 * Return: 0; -EINVAL for a malformed expression or one that is no SET; -ENOENT for a path or an id
 * that is not there; -EBADMSG and the like of store_read() for a single file; -ENOMEM.
 */
int set_find(struct shelf *shelf, const char *expression, struct boot_set *ret,
             struct fault *fault);
void set_done(struct boot_set *s);

/**
 * shelf_pool() - every complete boot on the shelf of a machine that is in @a or @b, each once
 * @ret: to be freed; the records stay the shelf's
 *
 * Return: 0; -ENOMEM.
 */
int shelf_pool(const struct shelf *shelf, const struct boot_set *a, const struct boot_set *b,
               const struct record ***ret, size_t *ret_n);

/**
 * set_find_all() - the boots of several expressions as one set, each boot once
 * @n: 0 for the whole store
 *
 * Return: what set_find() returns.
 */
int set_find_all(struct shelf *shelf, const char *const *expressions, size_t n,
                 struct boot_set *ret, struct fault *fault);

/** set_common() - a boot that is in both, or NULL */
const struct record *set_common(const struct boot_set *a, const struct boot_set *b);

/** set_compare_boots() - for qsort() of const struct record *: by start, then id and number */
int set_compare_boots(const void *va, const void *vb);
