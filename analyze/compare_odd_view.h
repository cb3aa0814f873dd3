/* analyze/compare_odd_view.h - odd boots by name, and the figures with and without them */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "analyze/compare.h"

/** compare_odd_print() - nothing when no boot is odd; -ENOMEM, -EIO */
int compare_odd_print(const struct comparison *c, FILE *f, bool color);
