/* tests/tree.h - recorded machines below tests/data, and small ones made for a test */
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "record/clock.h"
#include "record/macros.h"

/* birth_clock_us() - CLOCK_BOOTTIME as the kernel stamps files: of the last timer tick, however
 * late that was. A file made after this call was born at or after it. */
static inline int64_t birth_clock_us(void)
{
        int64_t boottime_us = clock_us(CLOCK_BOOTTIME); /* first: an interruption errs to early */

        return clock_us(CLOCK_MONOTONIC_COARSE) + boottime_us - clock_us(CLOCK_MONOTONIC);
}

/* tree_open() - the recorded tree tests/data/witness/NAME; the test's to close */
static inline int tree_open(const char *name)
{
        const char *srcdir = getenv("srcdir");
        char path[4096];
        int fd;

        (void) snprintf(path, sizeof path, "%s/tests/data/witness/%s", srcdir ? srcdir : ".", name);
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                perror(path);
        return fd;
}

struct tree {
        char path[64];
        int fd;
};

/* tree_make() - an empty folder that tree_remove() takes away with all that is in it */
static inline struct tree tree_make(void)
{
        struct tree t = { .path = "/tmp/bootlap-test.XXXXXX", .fd = -EBADF };

        if (mkdtemp(t.path))
                t.fd = open(t.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return t;
}

static inline void tree_remove(struct tree *t)
{
        char command[128];

        closep(&t->fd);
        (void) snprintf(command, sizeof command, "rm -rf '%s'", t->path);
        if (system(command) != 0)
                (void) fprintf(stderr, "%s: is left\n", t->path);
}

/* tree_mkdirs() - the folders above @path */
static inline void tree_mkdirs(int fd, const char *path)
{
        char copy[512];

        (void) snprintf(copy, sizeof copy, "%s", path);
        for (char *slash = strchr(copy, '/'); slash; slash = strchr(slash + 1, '/')) {
                *slash = '\0';
                (void) mkdirat(fd, copy, 0755);
                *slash = '/';
        }
}

/* tree_put() - a file with that content; 0 or -1 */
static inline int tree_put(int fd, const char *path, const char *content)
{
        CLEANUP(closep) int file = -EBADF;

        tree_mkdirs(fd, path);
        file = openat(fd, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        return file >= 0 && write(file, content, strlen(content)) == (ssize_t) strlen(content) ? 0
                                                                                               : -1;
}
