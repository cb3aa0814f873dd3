/* daemon/probes/wayland_lists.h - two protocols by which a compositor lists its windows
 *
 * ext-foreign-toplevel-list-v1 and wlr-foreign-toplevel-management-unstable-v1, as far as they are
 * used: what there is, and what it is called. Debian ships neither description (wayland-protocols
 * 1.31 is older than the first, and has never had the second), so what wayland-scanner would make
 * of them is declared here.
 */
#pragma once
#include <stdint.h>
#include <wayland-client.h>

/* What an event means, in either protocol. */
enum wayland_word {
        WAYLAND_OTHER,
        WAYLAND_TITLE,  /* its first argument is the title */
        WAYLAND_APP_ID, /* ... the application's id */
        WAYLAND_DONE,   /* what came before belongs together */
        WAYLAND_CLOSED,
};

struct wayland_list_kind {
        const struct wl_interface *list;
        uint32_t version;           /* that is bound */
        uint32_t stop;              /* request of the list: no more events */
        uint32_t destroy;           /* request of a window's handle */
        enum wayland_word words[8]; /* of the handle's events, by opcode */
};

/* The list's events, in both: */
#define WAYLAND_LIST_TOPLEVEL 0
#define WAYLAND_LIST_FINISHED 1

extern const struct wayland_list_kind wayland_list_ext, wayland_list_wlr;
