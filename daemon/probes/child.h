/* daemon/probes/child.h - how the child that talks to a display server speaks to its parent
 *
 * Marks on stdout, as a probe's are; with words that say which screen and whose it is, which the
 * parent (served.c) turns into the session's name.
 */
#pragma once
#include <time.h>
#include "daemon/probes/lateness.h"
#include "daemon/probes/served.h"
#include "record/mark_detail.h"

struct child {
        const char *source;
        struct lateness lateness;
        enum seat_role role;
};

/**
 * child_report() - a mark at @at_ns, late by what the last wake-up was, and at least @error_us
 * @screen: X's screen; 0 otherwise
 * @more: may be NULL
 *
 * Ends the child when the parent is gone.
 */
void child_report(const struct child *c, unsigned screen, const char *name, int64_t at_ns,
                  int64_t error_us, const struct mark_detail *more);

/** child_absent() - why @milestone has not been seen so far */
void child_absent(const struct child *c, unsigned screen, const char *milestone,
                  const char *reason);

/** child_connect() - to the socket at @path: a descriptor, or a negative errno with the reason */
int child_connect(const char *path, struct fault *fault);

/**
 * child_error_of_answer() - how long a server that answered at @at_ns may have been ready, in us
 *
 * One that took a while to answer was waited for: its answer is the event. One that answered at
 * once may have been ready since its socket appeared.
 */
int64_t child_error_of_answer(const struct served_target *t, int64_t asked_ns, int64_t at_ns);

/** child_until() - how long from now to @at_ns, as ppoll() wants it */
struct timespec child_until(int64_t at_ns);
