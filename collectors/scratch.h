/* collectors/scratch.h - a folder of work that is gone when the work is over
 *
 * The folder is locked while its maker lives. One that is found unlocked was left by a run that was
 * killed or whose power went: the next one removes it.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "collectors/progress.h"
#include "record/fault.h"

struct scratch {
        char *path; /* absolute, owned */
        int lock_fd;
};
#define SCRATCH_NULL ((struct scratch){ .lock_fd = -EBADF })

/**
 * scratch_make() - a new folder inside @parent, for nobody but us
 * @parent: absolute; has to exist
 * @purpose: "build": a word for the folder's name
 *
 * Return: 0; a negative errno, with the reason.
 */
int scratch_make(struct scratch *s, const char *parent, const char *purpose,
                 struct progress *progress, struct fault *fault);

/** scratch_join() - "@folder/@name"; NULL when out of memory */
char *scratch_join(const char *folder, const char *name);

/** scratch_remove() - remove @path with all below it; missing is no error. Not interruptible. */
int scratch_remove(const char *path, struct fault *fault);

/** scratch_done() - remove the folder and release the rest; harmless on SCRATCH_NULL */
void scratch_done(struct scratch *s);

/** scratch_keep() - release everything but the folder: it stays, and is nobody's to sweep up */
int scratch_keep(struct scratch *s, const char *as, struct fault *fault);

/**
 * scratch_need_space() - is there room below @path, for us as an ordinary user?
 * @bytes, @files: what will be written; 0 files: any number
 * @what: "an unpacked kernel tree"
 *
 * Return: 0; -ENOSPC with the reason; another negative errno.
 */
int scratch_need_space(const char *path, uint64_t bytes, uint64_t files, const char *what,
                       struct fault *fault);
