/* collectors/privilege.h - work as an ordinary user, with one root errand left
 *
 * Started by root, a collector gives root up for good before it works. What then still needs root
 * is small and fixed: dropping the page cache, and counting which pages of an open file are in it.
 * A child forked before the drop does just these two, asked over a socket.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

struct privilege {
        int socket_fd; /* to the helper; -EBADF when there is none */
        pid_t helper;  /* 0 when there is none */
};
#define PRIVILEGE_NULL ((struct privilege){ .socket_fd = -EBADF })

/**
 * privilege_drop() - become @uid for good, leaving the helper behind
 *
 * Does nothing unless run by root; with @uid 0 the helper is made and root is kept. Groups, HOME,
 * USER and LOGNAME follow the user. Must be called before any thread is made.
 *
 * Return: 0; a negative errno, after which the process must not go on.
 */
int privilege_drop(struct privilege *p, uid_t uid, struct fault *fault);

/** privilege_drop_caches() - sync, then drop page cache, dentries and inodes; -EPERM without a
 * helper; -EROFS and others where the kernel's file cannot be written (containers) */
int privilege_drop_caches(const struct privilege *p);

/**
 * privilege_residency() - pages of the file behind @fd, and how many are in the page cache
 *
 * Asks the helper where there is one, since the kernel answers only to a file's owner and root.
 * Return: 0; -EPERM when the kernel will not tell; another negative errno.
 */
int privilege_residency(const struct privilege *p, int fd, uint64_t *ret_pages,
                        uint64_t *ret_resident);

/** privilege_done() - ends the helper */
void privilege_done(struct privilege *p);
