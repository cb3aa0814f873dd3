/* daemon/probes/wayland_lists.c - see wayland_lists.h. Requests that are never sent are declared
 * too, since opcodes are counted. */
#include "daemon/probes/wayland_lists.h"
#include "record/macros.h"

/* libwayland's tables are not const in their last level. */
#define TYPES(t) ((const struct wl_interface **) (uintptr_t) (t))
#define NO_TYPES TYPES(none)

static const struct wl_interface *const none[] = { NULL, NULL, NULL, NULL, NULL };

/* ext_foreign_toplevel_handle_v1 */
static const struct wl_message ext_handle_requests[] = { { "destroy", "", NO_TYPES } };
static const struct wl_message ext_handle_events[] = { { "closed", "", NO_TYPES },
                                                       { "done", "", NO_TYPES },
                                                       { "title", "s", NO_TYPES },
                                                       { "app_id", "s", NO_TYPES },
                                                       { "identifier", "s", NO_TYPES } };
static const struct wl_interface ext_handle = {
        "ext_foreign_toplevel_handle_v1", 1,
        ELEMENTSOF(ext_handle_requests),  ext_handle_requests,
        ELEMENTSOF(ext_handle_events),    ext_handle_events
};

/* ext_foreign_toplevel_list_v1 */
static const struct wl_interface *const ext_handle_types[] = { &ext_handle };
static const struct wl_message ext_list_requests[] = { { "stop", "", NO_TYPES },
                                                       { "destroy", "", NO_TYPES } };
static const struct wl_message ext_list_events[] = { { "toplevel", "n", TYPES(ext_handle_types) },
                                                     { "finished", "", NO_TYPES } };
static const struct wl_interface ext_list = { "ext_foreign_toplevel_list_v1", 1,
                                              ELEMENTSOF(ext_list_requests),  ext_list_requests,
                                              ELEMENTSOF(ext_list_events),    ext_list_events };

/* zwlr_foreign_toplevel_handle_v1, version 1 */
static const struct wl_interface *const seat_types[] = { &wl_seat_interface };
static const struct wl_interface *const output_types[] = { &wl_output_interface };
static const struct wl_interface *const rectangle_types[] = { &wl_surface_interface, NULL, NULL,
                                                              NULL, NULL };
static const struct wl_message wlr_handle_requests[] = {
        { "set_maximized", "", NO_TYPES },
        { "unset_maximized", "", NO_TYPES },
        { "set_minimized", "", NO_TYPES },
        { "unset_minimized", "", NO_TYPES },
        { "activate", "o", TYPES(seat_types) },
        { "close", "", NO_TYPES },
        { "set_rectangle", "oiiii", TYPES(rectangle_types) },
        { "destroy", "", NO_TYPES },
};
static const struct wl_message wlr_handle_events[] = {
        { "title", "s", NO_TYPES },
        { "app_id", "s", NO_TYPES },
        { "output_enter", "o", TYPES(output_types) },
        { "output_leave", "o", TYPES(output_types) },
        { "state", "a", NO_TYPES },
        { "done", "", NO_TYPES },
        { "closed", "", NO_TYPES },
};
static const struct wl_interface wlr_handle = {
        "zwlr_foreign_toplevel_handle_v1", 1,
        ELEMENTSOF(wlr_handle_requests),   wlr_handle_requests,
        ELEMENTSOF(wlr_handle_events),     wlr_handle_events
};

/* zwlr_foreign_toplevel_manager_v1 */
static const struct wl_interface *const wlr_handle_types[] = { &wlr_handle };
static const struct wl_message wlr_list_requests[] = { { "stop", "", NO_TYPES } };
static const struct wl_message wlr_list_events[] = { { "toplevel", "n", TYPES(wlr_handle_types) },
                                                     { "finished", "", NO_TYPES } };
static const struct wl_interface wlr_list = { "zwlr_foreign_toplevel_manager_v1", 1,
                                              ELEMENTSOF(wlr_list_requests),      wlr_list_requests,
                                              ELEMENTSOF(wlr_list_events),        wlr_list_events };

const struct wayland_list_kind wayland_list_ext = {
        .list = &ext_list,
        .version = 1,
        .stop = 0,
        .destroy = 0,
        .words = { WAYLAND_CLOSED, WAYLAND_DONE, WAYLAND_TITLE, WAYLAND_APP_ID, WAYLAND_OTHER },
};
const struct wayland_list_kind wayland_list_wlr = {
        .list = &wlr_list,
        .version = 1,
        .stop = 0,
        .destroy = 7,
        .words = { WAYLAND_TITLE, WAYLAND_APP_ID, WAYLAND_OTHER, WAYLAND_OTHER, WAYLAND_OTHER,
                   WAYLAND_DONE, WAYLAND_CLOSED },
};
