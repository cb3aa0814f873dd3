/* collectors/kernel_make.h - run a kernel tree's make, out of the tree, and read what it says */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include "collectors/build_log.h"
#include "collectors/progress.h"
#include "record/fault.h"

struct kernel_make {
        const char *make;           /* path of the program */
        const char *tree, *objects; /* absolute */
        char *const *environment;   /* all that make gets */
        struct progress *progress;  /* stepped with the objects built; NULL for none */
        FILE *copy;                 /* the whole output goes here too, or NULL */

        /* Of the last call: */
        struct build_log log;
        int status;             /* make's exit status, or 128 + the signal that killed it */
        int64_t peak_rss_bytes; /* of its largest process */
};

/**
 * kernel_make_run() - "make O=OBJECTS [-jJOBS] [TARGET]", and nothing left running after it
 * @jobs: 0 for no -j at all
 * @target: NULL for the default one
 *
 * Return: 0 when make has ended, well or not: see m->status and kernel_make_explain(); -EINTR when
 * we were interrupted; another negative errno when it could not be started, with the reason.
 */
int kernel_make_run(struct kernel_make *m, unsigned jobs, const char *target, struct fault *fault);

/**
 * kernel_make_explain() - why the last call did not come to its end
 * @what: "run #1"
 *
 * Return: -ENOSPC when a disk was full, -ENOPKG when a program is missing, else -EIO.
 */
int kernel_make_explain(const struct kernel_make *m, const char *what, struct fault *fault);
