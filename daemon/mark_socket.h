/* daemon/mark_socket.h - marks from programs that may not write the marks file
 *
 * One datagram a mark, from anyone on this machine. The kernel says who sent it: what does not come
 * from root is named "user.NAME", keeps the sender's uid, and cannot claim another source.
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"
#include "record/mark.h"

#define MARK_SOCKET_USERS_MAX 1000 /* marks a boot that do not come from root */

struct mark_socket {
        int fd;
        size_t n_from_users;
        size_t n_dropped; /* no marks, or too many */
};
#define MARK_SOCKET_NULL ((struct mark_socket){ .fd = -EBADF })

/** mark_socket_open() - bind RUN_DIR/socket, in place of a predecessor's; 0 or a negative errno */
int mark_socket_open(struct mark_socket *s, const char *run_dir, struct fault *fault);
void mark_socket_done(struct mark_socket *s);

/**
 * mark_socket_receive() - take one datagram
 * @now_ns: CLOCK_MONOTONIC; nobody can have seen what is later
 * @ret: on 1 only; release with mark_done()
 *
 * Return: 1 a mark; 0 a datagram that was dropped and counted; -EAGAIN nothing is there; another
 * negative errno.
 */
int mark_socket_receive(struct mark_socket *s, uint64_t now_ns, struct mark *ret);

/** mark_socket_own() - make @m, which @uid sent, one of that user; 0, -EINVAL (too long a name),
 * -ENOMEM */
int mark_socket_own(struct mark *m, uid_t uid, uint64_t now_ns);
