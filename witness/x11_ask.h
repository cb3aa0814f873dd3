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
        unsigned display;
        const char *path;    /* of the socket */
        uid_t uid;           /* the server's */
        const char *cookies; /* cookie_path_for(), or NULL */
        int64_t timeout_us;
};

/**
 * x11_ask() - connect, ask, and be done before the deadline
 *
 * Done in a child process, since the server may never answer or answer anything: it gives up its
 * rights for the server's user's (cookie_take()), cannot open or execute anything more, and is
 * killed when the deadline passes.
 *
 * Return: 0; -ETIMEDOUT; -ECONNREFUSED when the server does not let us in; another negative errno.
 */
int x11_ask(const struct x11_question *q, struct x11_answer *ret, struct fault *fault);
