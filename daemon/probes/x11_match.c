/* daemon/probes/x11_match.c - class, instance, title and type of a window */
#include "daemon/probes/x11_match.h"
#include <string.h>
#include <xcb/xcb_icccm.h>
#include "daemon/probes/x11_server.h"

#define TEXT_BYTES 256
#define TYPES_MAX 8

struct names {
        char class[TEXT_BYTES], instance[TEXT_BYTES], title[TEXT_BYTES];
};

/* read_class() - WM_CLASS is two texts, each ended by a NUL: instance, then class. Whoever wrote it
 * may have left out either NUL. */
static void read_class(struct x11_server *x, xcb_window_t window, struct names *n)
{
        char both[2 * TEXT_BYTES];
        size_t n_bytes = x11_text_property(x, window, XCB_ATOM_WM_CLASS, both, sizeof both);
        size_t n_instance = strlen(both);

        (void) snprintf(n->instance, sizeof n->instance, "%.255s", both);
        (void) snprintf(n->class, sizeof n->class, "%.255s",
                        n_instance < n_bytes ? both + n_instance + 1 : "");
}

static void read_title(struct x11_server *x, xcb_window_t window, struct names *n)
{
        x11_text_property(x, window, x->ewmh._NET_WM_NAME, n->title, sizeof n->title);
        if (!n->title[0])
                x11_text_property(x, window, XCB_ATOM_WM_NAME, n->title, sizeof n->title);
}

static bool is_transient(struct x11_server *x, xcb_window_t window)
{
        xcb_window_t owner;

        return xcb_icccm_get_wm_transient_for_reply(
                       x->c, xcb_icccm_get_wm_transient_for(x->c, window), &owner, NULL) &&
               owner != XCB_NONE;
}

/* is_desktops() - a panel, a desktop or a normal window */
static bool is_desktops(struct x11_server *x, xcb_window_t window, const struct names *n)
{
        xcb_get_property_reply_t *r = xcb_get_property_reply(
                x->c,
                xcb_get_property(x->c, 0, window, x->ewmh._NET_WM_WINDOW_TYPE, XCB_ATOM_ATOM, 0,
                                 TYPES_MAX),
                NULL);
        bool is_typed = r && r->format == 32 && r->value_len > 0, fits = false;

        for (uint32_t i = 0; is_typed && i < r->value_len; i++) {
                xcb_atom_t type = ((const xcb_atom_t *) xcb_get_property_value(r))[i];

                fits = fits || type == x->ewmh._NET_WM_WINDOW_TYPE_DESKTOP ||
                       type == x->ewmh._NET_WM_WINDOW_TYPE_DOCK ||
                       type == x->ewmh._NET_WM_WINDOW_TYPE_NORMAL;
        }
        free(r);
        if (is_typed)
                return fits;
        return n->class[0] && !is_transient(x, window);
}

int x11_match(struct x11_server *x, xcb_window_t window, enum x11_windows_mode mode)
{
        struct names n;

        read_class(x, window, &n);
        if (mode == X11_WINDOWS_GREETER) /* any but a manager's frames, which are drawn too */
                return n.class[0] ? 0 : -1;
        if (x->desktop->n_windows == 0)
                return is_desktops(x, window, &n) ? 0 : -1;
        read_title(x, window, &n);
        if (!n.class[0] && !n.title[0])
                return -1; /* a frame, or not named yet */
        for (size_t i = 0; i < x->desktop->n_windows; i++)
                if (desktop_window_fits(&x->desktop->windows[i], n.class, n.instance, n.title))
                        return (int) i;
        return -1;
}

bool x11_match_is_about(const struct x11_server *x, xcb_atom_t atom)
{
        return atom == XCB_ATOM_WM_CLASS || atom == XCB_ATOM_WM_NAME ||
               atom == XCB_ATOM_WM_TRANSIENT_FOR || atom == x->ewmh._NET_WM_NAME ||
               atom == x->ewmh._NET_WM_WINDOW_TYPE;
}

bool x11_match_is_client(struct x11_server *x, xcb_window_t window)
{
        struct names n;

        read_class(x, window, &n);
        return n.class[0] != '\0';
}

void x11_match_describe(struct x11_server *x, xcb_window_t window, struct mark_detail *d)
{
        struct names n;

        read_class(x, window, &n);
        if (n.class[0])
                mark_detail_add(d, "class", "%s", n.class);
}
