/* record/mark_enter.h - what a mark says, put into a record */
#pragma once
#include <stdint.h>
#include "record/mark.h"
#include "record/record.h"

/**
 * mark_whose() - what a mark belongs to: the session that its detail names; of an encrypted disk's
 * question, whose hooks know no words, the whole detail
 *
 * Return: 0 and *ret, which is the caller's, or NULL when it belongs to the whole boot; -ENOMEM.
 */
int mark_whose(const struct mark *m, char **ret);

/**
 * mark_enter() - a mark as a sighting of the milestone that it names, in the session of
 * mark_whose()
 * @now_us: a mark from after this instant cannot be true
 *
 * Its detail also gives the bound and whether it is a lower one; what is left of the detail is kept
 * as it is. MARK_ABSENT gives an absence instead, in place of an earlier reason for the same one.
 *
 * Return: 0; -ENOMEM.
 */
int mark_enter(struct record *r, const struct mark *m, int64_t now_us);
