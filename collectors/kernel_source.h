/* collectors/kernel_source.h - a kernel tree to build from: found, unpacked, checked */
#pragma once
#include <stdbool.h>
#include "collectors/progress.h"
#include "collectors/scratch.h"
#include "record/fault.h"

#define KERNEL_SOURCE_FOLDER "/usr/src"

struct kernel_source {
        char *origin;   /* tree or tarball as found, absolute */
        char *tree;     /* what is built; the same when it is a tree */
        char *version;  /* "6.1.192" or "6.2.0-rc3" */
        char *unpacked; /* the folder that a tarball was unpacked into, or NULL */
        bool is_fresh;  /* unpacked in this run */
};

void kernel_source_done(struct kernel_source *s);

/**
 * kernel_source_newest() - the newest linux-source-*.tar.* in @folder, by version
 * Return: 0; -ENOENT when there is none; -ENOMEM.
 */
int kernel_source_newest(const char *folder, char **ret);

/**
 * kernel_source_open() - make a tree of what the user named
 * @from: a tree or a tarball
 * @scratch: where a tarball is unpacked
 * @cache: absolute folder in which unpacked trees stay and are found again, or NULL
 *
 * Return: 0; -EINVAL when it is no kernel tree or not a clean one; what unpack_tarball() returns.
 */
int kernel_source_open(struct kernel_source *s, const char *from, const struct scratch *scratch,
                       const char *cache, struct progress *progress, struct fault *fault);

/**
 * kernel_source_version() - from the head of a kernel's Makefile
 * Return: 0; -EINVAL when @makefile is not one.
 */
int kernel_source_version(const char *makefile, char **ret);
