/* daemon/probes/x11_composite.h - does what is drawn into a window reach the screen by itself? */
#pragma once
#include <stdbool.h>
#include <xcb/xcb.h>

struct x11_server;
struct x11_screen;

/**
 * x11_is_composited() - is there a compositing manager between @window and the screen?
 *
 * By _NET_WM_CM_Sn, and since not every one owns that (Enlightenment does not), by whether the
 * server keeps the window, or the frame that it is in, in a pixmap of its own.
 */
bool x11_is_composited(struct x11_server *x, const struct x11_screen *s, xcb_window_t window);
