/* analyze/left_out.h - what a set would have held, had it been complete and readable
 *
 * Every view that says something about a set of boots says this with it: a boot that was cut off or
 * a file that is damaged must not just be missing.
 */
#pragma once
#include <stdio.h>
#include <jansson.h>
#include "analyze/set.h"

/** left_out_incomplete() - "2 incomplete boots are left out."; NULL in @ret for none; 0 or -ENOMEM
 */
int left_out_incomplete(const struct boot_set *s, char **ret);

/** left_out_unreadable() - files that could not be read, with the first one's reason; likewise */
int left_out_unreadable(const struct boot_set *s, char **ret);

/** left_out_print() - both as paragraphs after an empty line, or nothing at all; 0, -ENOMEM, -EIO
 */
int left_out_print(const struct boot_set *s, FILE *f);

/** left_out_print_pair() - the same of two sets, with their letters */
int left_out_print_pair(const struct boot_set *a, const struct boot_set *b, FILE *f);

/** left_out_json() - put n_incomplete and n_unreadable, and the reason; 0 or -ENOMEM */
int left_out_json(json_t *j, const struct boot_set *s);

/** left_out_json_pair() - the same for two sets, under "left_out_a" and "left_out_b"; 0 or -ENOMEM
 */
int left_out_json_pair(json_t *j, const struct boot_set *a, const struct boot_set *b);
