/* daemon/probes/x11_server.h - one X server, watched by a process of its own
 *
 * A server that is stopped, or is none, may never answer; what it answers may be anything. So each
 * server gets a child with that server's user's rights, a seccomp filter and bounded memory, and
 * the x11 probe itself only reads the child's lines, and checks those too.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <xcb/xcb.h>
#include <xcb/xcb_ewmh.h>
#include "daemon/probes/child.h"
#include "daemon/probes/served.h"
#include "daemon/probes/x11_windows.h"
#include "daemon/probes/x11_wm.h"
#include "record/mark_detail.h"

#define X11_SOURCE "probe x11"
#define X11_SCREENS_MAX 8

struct x11_screen {
        unsigned number;
        const xcb_screen_t *info;
        xcb_atom_t compositor; /* _NET_WM_CM_Sn: owned by a compositing manager */
        struct x11_wm wm;
        struct x11_windows windows;
};

struct x11_server {
        xcb_connection_t *c;
        xcb_ewmh_connection_t ewmh;
        struct child child;
        int64_t since_ns; /* when the socket appeared; 0 some time since the kernel started */
        xcb_atom_t manager, utf8_string;
        bool has_xfixes, has_res, has_damage, has_composite;
        uint8_t xfixes_first_event, damage_first_event;
        const struct desktop_conf *desktop;
        struct x11_screen screens[X11_SCREENS_MAX];
        unsigned n_screens;
};

/** x11_serve() - the child's whole life; returns its exit status */
int x11_serve(const struct served_target *target);

/** x11_report() - a mark of screen @s (NULL for the display) at @at_ns, late by what the last
 * wake-up was, and at least @error_us */
void x11_report(const struct x11_server *x, const struct x11_screen *s, const char *name,
                int64_t at_ns, int64_t error_us, const struct mark_detail *more);

/** x11_absent() - why @milestone has not been seen on screen @s */
void x11_absent(const struct x11_server *x, const struct x11_screen *s, const char *milestone,
                const char *format, ...) PRINTF_LIKE(4, 5);

/**
 * x11_text_property() - a text of @window, at most @size - 1 bytes of it and a NUL; "" when there
 * is none. Return: how many bytes, NULs inside it included.
 *
 * xcb-ewmh and xcb-icccm would fetch a text property whole, 16 MiB of it included.
 */
size_t x11_text_property(const struct x11_server *x, xcb_window_t window, xcb_atom_t property,
                         char *ret, size_t size);

/** x11_pid_of() - the process that made @window, by the server's word (X-Resource); 0 unknown */
pid_t x11_pid_of(const struct x11_server *x, xcb_window_t window);
