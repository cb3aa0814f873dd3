/* daemon/probe_wants.h - what a probe waits for before it is worth starting
 *
 * Beside a probe's program may lie a file of its name with ".wants" after it. Each line names one
 * thing; any of them is enough:
 *
 *   mark desktop.windows             another probe's or a hook's mark
 *   mark display.exec *session=:*    the same, with a detail that fits this pattern
 *   path /tmp/.X11-unix/X*           a file that fits this pattern
 *
 * Empty lines and those that begin with "#" are none. A probe without such a file is started at
 * once.
 */
#pragma once
#include <stdbool.h>
#include "record/fault.h"
#include "record/mark.h"

#define PROBE_WANTS_MAX 8

struct probe_want {
        char *mark, *detail; /* detail may be NULL: any */
        char *path;          /* or this one, and no mark */
};

struct probe_wants {
        struct probe_want want[PROBE_WANTS_MAX];
        unsigned n;
};

/**
 * probe_wants_read() - the file beside @program
 * @ret: to be given to probe_wants_done()
 *
 * Return: 0, with ret->n 0 when there is none; -EINVAL for one that is wrong, with the line;
 * another negative errno.
 */
int probe_wants_read(const char *program, struct probe_wants *ret, struct fault *fault);
void probe_wants_done(struct probe_wants *w);

/** probe_wants_mark() - is this what it waits for? */
bool probe_wants_mark(const struct probe_wants *w, const struct mark *m);

/** probe_wants_is_there() - is one of its files there now? */
bool probe_wants_is_there(const struct probe_wants *w);
