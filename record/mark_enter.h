/* record/mark_enter.h - what a mark says, put into a record */
#pragma once
#include <stdint.h>
#include "record/mark.h"
#include "record/record.h"

/**
 * mark_enter() - a mark as a sighting of the milestone that it names
 * @session: whose it is when its detail (record/mark_detail.h) names no session; may be NULL
 * @now_us: a mark from after this instant cannot be true
 *
 * Its detail also gives the bound and whether it is a lower one; what is left of the detail is kept
 * as it is. MARK_ABSENT gives an absence instead, in place of an earlier reason for the same one.
 *
 * Return: 0; -ENOMEM.
 */
int mark_enter(struct record *r, const struct mark *m, const char *session, int64_t now_us);
