/* witness/x11_ask.h - what an X server says of its window manager now */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

#define X11_TEXT_BYTES 128

struct x11_answer {
        char wm_name[X11_TEXT_BYTES]; /* the window manager's own name; "" when it gives none */
        char wm_by[X11_TEXT_BYTES]; /* "_NET_SUPPORTING_WM_CHECK", "WM_S0", "SubstructureRedirect";
                                       "" when no window manager owns the screen */
};

struct x11_question {
        int root_fd; /* below which the socket lies */
        unsigned display;
        uid_t uid;           /* the server's: the cookie is read with this user's rights */
        const char *cookies; /* Xauthority file, or NULL for a server that wants none */
        int64_t timeout_us;
};

/**
 * x11_ask() - connect, ask, and be done before the deadline
 *
 * Done in a child process, which takes on the server's user before it opens the cookie file (a root
 * that opens a path named by a user's process would do that user's bidding) and is killed when the
 * deadline passes. The file must be a regular one of at most 64 KiB, and no symlink.
 *
 * Return: 0; -ETIMEDOUT; -ECONNREFUSED when the server does not let us in; another negative errno.
 */
int x11_ask(const struct x11_question *q, struct x11_answer *ret, struct fault *fault);
