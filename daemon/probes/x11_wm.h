/* daemon/probes/x11_wm.h - when a window manager has taken a screen, and answers
 *
 * Taking SubstructureRedirect on the root is what makes a window manager one: no other client can
 * have it, and every manager needs it, with EWMH or without. But it may be taken seconds before the
 * manager looks at its first event, and a stopped one has it too. So a manager is ready when it has
 * the screen and answers: a window of our own that is never mapped asks to be moved, the server
 * redirects that to the manager, and ICCCM 4.1.5 has it carry out or answer such a request. Some
 * managers (i3, Openbox) throw away what came while they were starting, so it is asked again and
 * again. Nothing of this shows on the screen. EWMH's check window (valid both ways) and the WM_Sn
 * selection give the name.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <xcb/xcb.h>

struct x11_server;
struct x11_screen;

#define X11_WM_PINGS 64 /* of which the times are kept */

struct x11_wm {
        xcb_window_t ping;               /* never mapped */
        xcb_atom_t selection;            /* WM_Sn */
        xcb_window_t check;              /* EWMH's check window, once valid */
        xcb_window_t owner;              /* of the selection, when the manager became ready */
        int16_t ping_x;                  /* where it was last asked to go */
        unsigned n_pings;                /* to the manager that has the screen now */
        int64_t pinged_ns[X11_WM_PINGS]; /* when the last ones went out, by x */
        bool has_screen;                 /* SubstructureRedirect is taken */
        bool ready, named;
        unsigned n_seen; /* managers that became ready so far */
        int64_t took_ns; /* when the redirect was first seen */
        int64_t took_error_us;
        int64_t checked_ns; /* last look at the root */
        int64_t rested_ns;  /* until when none is due that no event calls for */
        int64_t said_absent_ns;
};

/** x11_wm_start() - begin to watch screen @s */
void x11_wm_start(struct x11_server *x, struct x11_screen *s);

/** x11_wm_start_over() - the screen is another session's now: who manages it is reported anew */
void x11_wm_start_over(struct x11_server *x, struct x11_screen *s);

/** x11_wm_event() - an event that may concern the manager of @s; true when a check is due */
bool x11_wm_event(struct x11_server *x, struct x11_screen *s, const xcb_generic_event_t *event);

/** x11_wm_check() - look at the root now */
void x11_wm_check(struct x11_server *x, struct x11_screen *s);

/** x11_wm_next_ns() - when to check without any event: taking a screen makes none by itself */
int64_t x11_wm_next_ns(const struct x11_screen *s);
