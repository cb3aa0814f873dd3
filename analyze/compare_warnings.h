/* analyze/compare_warnings.h - what a reader of a comparison has to know beside the figures */
#pragma once
#include "analyze/compare.h"

/** compare_problem() - why the primary cannot be compared, as a sentence; to be freed; NULL no
 * memory */
char *compare_problem(const struct comparison *c);

/** compare_add_warnings() - fill @c->warnings; -ENOMEM */
int compare_add_warnings(struct comparison *c);
