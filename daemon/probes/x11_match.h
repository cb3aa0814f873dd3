/* daemon/probes/x11_match.h - is a window one of those that make the desktop? */
#pragma once
#include <stdbool.h>
#include <xcb/xcb.h>
#include "daemon/probes/x11_windows.h"
#include "record/mark_detail.h"

struct x11_server;

/**
 * x11_match() - the line of the configuration that @window fits, the first of them; -1 for none
 *
 * Without lines: 0 for a panel, a desktop or a normal window of a client (_NET_WM_WINDOW_TYPE; a
 * window without a type is normal unless it belongs to another). For a greeter 0 for any.
 */
int x11_match(struct x11_server *x, xcb_window_t window, enum x11_windows_mode mode);

/** x11_match_is_about() - may a change of property @atom change the answer? */
bool x11_match_is_about(const struct x11_server *x, xcb_atom_t atom);

/** x11_match_is_client() - a client's own window, and not a manager's frame around one */
bool x11_match_is_client(struct x11_server *x, xcb_window_t window);

/** x11_match_describe() - its class, into a mark; a title can be private */
void x11_match_describe(struct x11_server *x, xcb_window_t window, struct mark_detail *d);
