/* witness/listener.h - who listens on a socket, asked without connecting to it
 *
 * Connecting to an X socket that a compositor holds starts Xwayland, and a socket in /tmp can be
 * anyone's. So the kernel is asked first (sock_diag), and /proc says which program holds it.
 */
#pragma once
#include <stdbool.h>
#include <sys/types.h>
#include "record/fault.h"

enum listener_kind {
        LISTENER_PROGRAM,    /* some program of its own: a server, or what pretends to be one */
        LISTENER_COMPOSITOR, /* also holds a Wayland socket: an X socket of it is Xwayland's */
        LISTENER_XWAYLAND,   /* Xwayland itself has it already */
        LISTENER_INIT,       /* PID 1 alone: connecting would start something */
        LISTENER_UNSEEN, /* not ours to look at (no right to read /proc/PID/fd), or just ending */
};

struct listener {
        enum listener_kind kind;
        uid_t uid;        /* who made the socket */
        pid_t pid;        /* a process that holds it; 0 when unseen */
        ino_t socket_ino; /* of the socket itself: changes when the server is another */
        char program[64]; /* that process's name; "" when unseen */
};

#define LISTENER_NULL ((struct listener){ .socket_ino = 0 })

/** listener_is_xwaylands() - an X socket of this one is for Xwayland, which connecting would start
 */
bool listener_is_xwaylands(const struct listener *l);

/**
 * listener_find() - who listens on the socket at @path
 * @ret: what was found before, or LISTENER_NULL: as long as the socket stays what it was, and for
 *       Xwayland, its holder is not looked for again, which takes reading all of /proc
 * Return: 0; -ENOENT no such file; -ENOTSOCK something else lies there; -ECONNREFUSED nobody
 * listens (yet, or any more); another negative errno when the kernel would not say.
 */
int listener_find(const char *path, struct listener *ret, struct fault *fault);
