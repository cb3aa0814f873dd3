/* daemon/probes/x11_windows.h - when the windows that make a desktop have been drawn
 *
 * A window is there when it is mapped, viewable and its client has drawn into it. Being mapped is
 * not enough: the server paints a background by itself. So each window that is wanted gets a Damage
 * object before it is mapped; damage that an Expose event follows was the server's background, and
 * what is left counts once the window, read back, shows more than one colour there. A window that
 * was mapped before anyone looked is judged by its colours alone, and the mark says so ("late", or
 * "already" for one that was there when the probe came).
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <xcb/xcb.h>
#include <xcb/damage.h>
#include "daemon/desktop_conf.h"
#include "daemon/probes/x11_picture.h"

struct x11_server;
struct x11_screen;

#define X11_WINDOWS_MAX 256
#define X11_INFERIORS_MAX 512
#define X11_DAMAGED_MAX 16

enum x11_seen { X11_SEEN_DRAWN, X11_SEEN_LATE, X11_SEEN_ALREADY };

struct x11_window {
        xcb_window_t id;
        int wanted; /* index into the configuration; -1: none fits */
        xcb_damage_damage_t damage;
        enum x11_seen seen; /* how far its story is known */
        bool is_mapped, is_drawn;
        bool is_read;    /* more than one colour was read; waits for an Expose that may follow */
        bool is_exposed; /* one came */
        bool is_awaited; /* looked for on the screen before */
        struct x11_box damaged[X11_DAMAGED_MAX];
        size_t n_damaged;
        struct x11_box drawn;                 /* where */
        int64_t damaged_ns, damaged_error_us; /* the last time */
        int64_t unseen_ns;           /* on the screen, when it was last looked for in vain */
        int64_t tracked_ns, late_ns; /* when we came, and when one without a story is judged */
        uint32_t since_sequence; /* damage told before it is what creating the Damage object made */
        int64_t drawn_ns, drawn_error_us;
};

struct x11_inferior {
        xcb_window_t id, top;
};

enum x11_windows_mode {
        X11_WINDOWS_DESKTOP, /* those of the configuration */
        X11_WINDOWS_GREETER, /* any that can be seen: a greeter asks */
        X11_WINDOWS_OFF,
};

struct x11_windows {
        enum x11_windows_mode mode;
        bool is_done;
        struct x11_window windows[X11_WINDOWS_MAX];
        size_t n;
        struct x11_inferior inferiors[X11_INFERIORS_MAX];
        size_t n_inferiors;
        int64_t started_ns, looked_ns, said_absent_ns;
        int64_t shown_next_ns; /* when what was drawn may be looked for on the screen again */
        char reason[160];      /* last absence said */
};

/** x11_windows_start() - begin anew on screen @s; @existing: those that are there count, as
 * "already" */
void x11_windows_start(struct x11_server *x, struct x11_screen *s, enum x11_windows_mode mode,
                       bool existing);

void x11_windows_event(struct x11_server *x, struct x11_screen *s,
                       const xcb_generic_event_t *event);

/** x11_windows_check() - judge what the events have brought; true when it wants to be called again
 * once the events that have come meanwhile are handled */
bool x11_windows_check(struct x11_server *x, struct x11_screen *s);

/** x11_windows_next_ns() - when to check without any event; INT64_MAX for never */
int64_t x11_windows_next_ns(const struct x11_screen *s);
