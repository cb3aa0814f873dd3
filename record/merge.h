/* record/merge.h - a boot that is measured again keeps what was known of it */
#pragma once
#include "record/record.h"

/**
 * record_merge_earlier() - bring what only @earlier knows into @r, which is about the same boot
 *
 * Samples, labels, waits and warnings are kept; milestones and their sightings where no witness of
 * the same name speaks again (a mark that a script made, what bootlapd watched); factors and costs
 * that @r lacks; the earlier start of measuring. What @earlier could not see is taken over only
 * where
 * @r says nothing at all.
 *
 * Return: 0; -ENOMEM.
 */
int record_merge_earlier(struct record *r, const struct record *earlier);
