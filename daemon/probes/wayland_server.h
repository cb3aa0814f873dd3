/* daemon/probes/wayland_server.h - one compositor, watched by a process of its own
 *
 * Ready when it answers and offers xdg_wm_base: before that no program can show a window. Its
 * windows are known where it lists them (ext-foreign-toplevel-list,
 * wlr-foreign-toplevel-management): a listed window has given its first picture, which is on the
 * screen with the next frame. Nothing is created, bound or shown beside that list.
 */
#pragma once
#include "daemon/probes/served.h"

#define WAYLAND_SOURCE "probe wayland"

/** wayland_serve() - the child's whole life; returns its exit status */
int wayland_serve(const struct served_target *target);
