/* witness/rights.h - what a process that talks to a display server may still do
 *
 * Whatever a user's server says is parsed with that user's rights and not with root's, without a
 * way back, and with no more of the kernel than an event loop needs.
 */
#pragma once
#include <sys/types.h>
#include "record/fault.h"

/** RIGHTS_NOBODY - an account without files, for servers that belong to root */
#define RIGHTS_NOBODY 65534

/**
 * rights_switch() - become @uid with group @gid and no other, for good
 *
 * Without root it is a check: -EPERM unless @uid is who we are. No privilege can be regained by
 * executing anything afterwards.
 */
int rights_switch(uid_t uid, gid_t gid, struct fault *fault);

/**
 * rights_confine() - no more opening, executing, forking or connecting; memory bounded
 *
 * What is open stays usable. A call that is not allowed fails with EPERM. In builds with a
 * sanitizer only the memory bound is left out, since its shadow memory would exceed any.
 */
int rights_confine(struct fault *fault);
