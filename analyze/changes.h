/* analyze/changes.h - what else changed between two sets of boots
 *
 * Factors come in groups that one act changes (a new drive brings another model, size and bus). A
 * group that takes no value of A in B is disjoint: the comparison cannot tell its effect from that
 * of another disjoint group, and with two of them the sets are confounded.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "analyze/set.h"

enum change_kind {
        CHANGE_DISJOINT,   /* no boot of A agrees with a boot of B in this group */
        CHANGE_UNBALANCED, /* they share values, but not in like numbers */
        CHANGE_ONE_SIDED,  /* only one set says anything about it: nothing can be concluded */
};

/* One key of a group that differs, with the levels in either set. */
struct change_key {
        char *key;
        char *a, *b; /* "5400", "none (3), luks2 (1)"; "not said" */
};

struct change {
        char *group;
        enum change_kind kind;
        bool is_name; /* a label of one's own by which the sets were chosen: their name, not a
                       * further change */
        struct change_key *keys;
        size_t n_keys;
};

struct changes {
        struct change *change; /* disjoint ones first, then by name */
        size_t n;
        size_t n_disjoint; /* names not counted, unless they are all there is */
        bool confounded;   /* two or more groups are disjoint */
};
#define CHANGES_NULL ((struct changes){ .change = NULL })

/** changes_of() - Return: 0; -ENOMEM. @a and @b may go before @ret does. */
int changes_of(const struct boot_set *a, const struct boot_set *b, struct changes *ret);
void changes_done(struct changes *c);
