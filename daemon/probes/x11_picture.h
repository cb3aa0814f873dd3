/* daemon/probes/x11_picture.h - what can be seen of a window, read back from the server */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <xcb/xcb.h>

struct x11_server;
struct x11_screen;

/* In a window's own coordinates; empty when width or height is 0. */
struct x11_box {
        int x, y, width, height;
};

/** x11_box_join() - the smallest box around both; an empty one adds nothing */
struct x11_box x11_box_join(struct x11_box a, struct x11_box b);

/** x11_box_contains() - does @outer hold all of @inner? */
bool x11_box_contains(struct x11_box outer, struct x11_box inner);

enum x11_picture {
        X11_PICTURE_NONE,  /* not viewable, or off the screen */
        X11_PICTURE_PLAIN, /* one colour: a background, or nothing yet */
        X11_PICTURE_DRAWN, /* more than one colour */
};

/**
 * x11_picture() - the colours of @window inside @box and one pixel around it
 *
 * Read in bands, until a second colour is met.
 */
enum x11_picture x11_picture(struct x11_server *x, const struct x11_screen *s, xcb_window_t window,
                             struct x11_box box);

enum x11_shown { X11_SHOWN_NO, X11_SHOWN_YES, X11_SHOWN_UNKNOWN };

/**
 * x11_picture_shown() - does the screen show what the window holds?
 *
 * Under a compositing manager a window is drawn into a pixmap first, and onto the screen a frame
 * later, or seconds later while the manager still starts: some rows of @box are compared between
 * both. One that is dimmed or fades in has other colours, but they change in the same places.
 * Without such a manager both are the same memory. Unknown when their pixels cannot be compared.
 */
enum x11_shown x11_picture_shown(struct x11_server *x, const struct x11_screen *s,
                                 xcb_window_t window, struct x11_box box);
