/* daemon/probes/file_time.h - when a file came, by the stamps that the kernel gave it
 *
 * Who watches files learns of one late, on a busy machine by as long as it waits for a CPU. The
 * file itself carries the kernel's stamps, which wait for nobody: its birth, and its last change of
 * status, which making, moving and linking it set and nobody can set back. They are of the wall
 * clock as its last tick left it, so they are two ticks early at most, and never late. They are
 * believed on file systems of this machine that keep them in ns, and while the wall clock is not
 * stepped.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* CLOCK_MONOTONIC less CLOCK_REALTIME, as far as reading two clocks can tell. */
struct wall_offset {
        int64_t least_ns, most_ns;
};

struct file_time {
        struct wall_offset before; /* as of the last file_time_sleep() */
        int64_t grain_ns;
};

enum file_how {
        FILE_MADE,   /* just now */
        FILE_MOVED,  /* moved here; or something was removed from this folder */
        FILE_LISTED, /* found in a folder that came; with it, or made in it since */
        FILE_WAS_THERE,
};

void file_time_init(struct file_time *t);

/** file_time_sleep() - about to wait for what comes: the wall clock is known until here */
void file_time_sleep(struct file_time *t);

/**
 * file_time_stamp() - a better stamp for what was noticed at *@at_ns, late by *@bound_ns at most
 *
 * Sets both to what @path's own stamps allow; they stay as they are where these are not to be
 * believed.
 */
void file_time_stamp(const struct file_time *t, const char *path, enum file_how how, int64_t *at_ns,
                     int64_t *bound_ns);
