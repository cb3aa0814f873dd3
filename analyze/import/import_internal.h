/* analyze/import/import_internal.h - what the files behind import.h share, and formats do not see
 */
#pragma once
#include <limits.h>
#include "analyze/import/import.h"

/** import_fail() - the first error sticks; @what follows the file's name in the fault */
void import_fail(struct import *in, int error, const char *what);

/** import_failed() - whether there is an error by now, @r of a call into record/ taken in */
bool import_failed(struct import *in, int r);

/** import_count() - one more thing is held; false once there is more than one import may hold */
bool import_count(struct import *in);

/** import_open() - the record that is being entered into; NULL after an error */
struct record *import_open(const struct import *in);

/* A sample's number until its record is whole and its runs are counted. */
#define RUN_LATER UINT_MAX
