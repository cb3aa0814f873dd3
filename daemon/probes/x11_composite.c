/* daemon/probes/x11_composite.c - see x11_composite.h */
#include "daemon/probes/x11_composite.h"
#include <stdlib.h>
#include <xcb/composite.h>
#include "daemon/probes/x11_server.h"

#define FRAMES_MAX 8

static bool has_compositor(struct x11_server *x, const struct x11_screen *s)
{
        xcb_get_selection_owner_reply_t *r = xcb_get_selection_owner_reply(
                x->c, xcb_get_selection_owner(x->c, s->compositor), NULL);
        bool has = r && r->owner != XCB_NONE;

        free(r);
        return has;
}

/* frame_of() - the child of the root that @id is, or is in */
static xcb_window_t frame_of(struct x11_server *x, xcb_window_t id)
{
        for (int i = 0; i < FRAMES_MAX; i++) {
                xcb_query_tree_reply_t *tree =
                        xcb_query_tree_reply(x->c, xcb_query_tree(x->c, id), NULL);
                xcb_window_t parent = tree ? tree->parent : XCB_NONE;
                bool is_top = !tree || parent == tree->root || parent == XCB_NONE;

                free(tree);
                if (is_top)
                        break;
                id = parent;
        }
        return id;
}

/* is_redirected() - drawn into a pixmap, which someone has to bring onto the screen */
static bool is_redirected(struct x11_server *x, xcb_window_t id)
{
        xcb_pixmap_t pixmap;
        xcb_generic_error_t *error;
        bool is;

        if (!x->has_composite)
                return false;
        pixmap = xcb_generate_id(x->c);
        error = xcb_request_check(
                x->c, xcb_composite_name_window_pixmap_checked(x->c, frame_of(x, id), pixmap));
        is = !error;
        if (is)
                xcb_free_pixmap(x->c, pixmap);
        free(error);
        return is;
}

bool x11_is_composited(struct x11_server *x, const struct x11_screen *s, xcb_window_t window)
{
        return has_compositor(x, s) || is_redirected(x, window);
}
