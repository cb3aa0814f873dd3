/* witness/unix_listener.h - who listens on a Unix socket, told without connecting to it
 *
 * Connecting would be an act: a compositor starts Xwayland when somebody does.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"
#include "witness/process_table.h"

#define LISTENER_HOLDERS_MAX 8

struct unix_listener {
        uint32_t inode;                     /* the socket's own; 0: nobody listens there */
        pid_t holder[LISTENER_HOLDERS_MAX]; /* processes that have it open, by pid */
        size_t n_holders;                   /* 0 also when they may not be looked at */
};

/**
 * unix_listener_find() - the socket that listens behind a file, from the kernel's sock_diag
 * @dir_fd, @path: the socket file
 *
 * Matched by the file's inode number and name, so that a file left over from a dead server is no
 * listener's.
 * Return: 0, with an inode of 0 when nobody listens (here: another network namespace's are not
 * seen); -errno.
 */
int unix_listener_find(int dir_fd, const char *path, struct unix_listener *ret,
                       struct fault *fault);

/**
 * unix_listener_find_holders() - fill in the holders of @n listeners in one pass over /proc
 *
 * The descriptors of other users' processes are for root only.
 */
void unix_listener_find_holders(int root_fd, const struct process_table *processes,
                                struct unix_listener *l, size_t n);
