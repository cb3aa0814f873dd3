/* collectors/window_watch.c - notices about windows on the root, and whose they are
 *
 * A window manager may take a window into a frame and map the frame before or after it; so every
 * window of the program is remembered when it is made, and looked at again whenever anything is
 * mapped. */
#include "collectors/window_watch.h"
#include <string.h>
#include <time.h>
#include <xcb/res.h>
#include <xcb/xcb.h>
#include "record/clock.h"
#include "record/hush.h"
#include "record/process.h"

#define WINDOWS_MAX 256

struct window_watch {
        xcb_connection_t *connection;
        xcb_window_t root;
        xcb_window_t windows[WINDOWS_MAX]; /* the program's, at the top level */
        size_t n_windows;
        int64_t seen_us;
};

void window_watch_freep(struct window_watch **w)
{
        if (!*w)
                return;
        if ((*w)->connection)
                xcb_disconnect((*w)->connection);
        free(*w);
        *w = NULL;
}

int window_watch_fd(const struct window_watch *w) { return xcb_get_file_descriptor(w->connection); }

int64_t window_watch_seen_us(const struct window_watch *w) { return w->seen_us; }

bool window_watch_is_lost(const struct window_watch *w)
{
        return xcb_connection_has_error(w->connection) != 0;
}

/* owner() - the process whose client made @window; 0 when the server does not tell */
static pid_t owner(struct window_watch *w, xcb_window_t window)
{
        xcb_res_client_id_spec_t spec = { .client = window,
                                          .mask = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };
        xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(
                w->connection, xcb_res_query_client_ids(w->connection, 1, &spec), NULL);
        xcb_res_client_id_value_iterator_t i;
        pid_t pid = 0;

        if (!reply)
                return 0;
        i = xcb_res_query_client_ids_ids_iterator(reply);
        if (i.rem > 0 && xcb_res_client_id_value_value_length(i.data) > 0)
                pid = (pid_t) *xcb_res_client_id_value_value(i.data);
        free(reply);
        return pid;
}

static bool is_viewable(struct window_watch *w, xcb_window_t window)
{
        xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
                w->connection, xcb_get_window_attributes(w->connection, window), NULL);
        bool yes = reply && reply->map_state == XCB_MAP_STATE_VIEWABLE &&
                   reply->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;

        free(reply);
        return yes;
}

static void look_at_all(struct window_watch *w)
{
        int64_t now_us =
                clock_us(CLOCK_MONOTONIC); /* before the questions, which take their time */

        for (size_t i = 0; i < w->n_windows && w->seen_us == 0; i++)
                if (is_viewable(w, w->windows[i]))
                        w->seen_us = now_us;
}

static void remember(struct window_watch *w, xcb_window_t window)
{
        static const uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;

        if (w->n_windows == WINDOWS_MAX || !process_is_below(owner(w, window), getpid()))
                return;
        w->windows[w->n_windows++] = window;
        (void) xcb_change_window_attributes(w->connection, window, XCB_CW_EVENT_MASK, &mask);
        look_at_all(w); /* it may have been mapped before we asked to be told */
}

static void take(struct window_watch *w, const xcb_generic_event_t *event)
{
        const xcb_create_notify_event_t *created = (const void *) event;

        switch (event->response_type & 0x7f) {
        case XCB_CREATE_NOTIFY:
                remember(w, created->window);
                break;
        case XCB_MAP_NOTIFY:
        case XCB_REPARENT_NOTIFY:
                look_at_all(w);
                break;
        default:
                break;
        }
}

bool window_watch_look(struct window_watch *w)
{
        xcb_generic_event_t *event;

        /* Until there is none: an answer to one of our questions may have brought more along. */
        while ((event = xcb_poll_for_event(w->connection))) {
                if (w->seen_us == 0)
                        take(w, event);
                free(event);
                (void) xcb_flush(w->connection);
        }
        return w->seen_us != 0 || window_watch_is_lost(w);
}

void window_watch_begin(struct window_watch *w)
{
        w->n_windows = 0;
        w->seen_us = 1; /* what is still on its way belongs to the last program */
        free(xcb_get_input_focus_reply(w->connection, xcb_get_input_focus(w->connection), NULL));
        (void) window_watch_look(w);
        w->seen_us = 0;
}

static int ask_for_resources(struct window_watch *w)
{
        xcb_res_query_version_reply_t *reply = xcb_res_query_version_reply(
                w->connection, xcb_res_query_version(w->connection, 1, 2), NULL);
        bool tells = reply && (reply->server_major > 1 ||
                               (reply->server_major == 1 && reply->server_minor >= 2));

        free(reply);
        return tells ? 0 : -ENODEV;
}

int window_watch_open(struct window_watch **ret, struct fault *fault)
{
        static const uint32_t mask = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
        CLEANUP(window_watch_freep) struct window_watch *w = calloc(1, sizeof *w);
        const char *display = getenv("DISPLAY");
        xcb_screen_iterator_t screens;
        int screen, hushed;

        if (!w)
                return fault_set(fault, -ENOMEM, "no memory");
        if (!display || !*display)
                return fault_set(fault, -ENODEV, "there is no display");
        hushed = hush_stderr();
        w->connection = xcb_connect(NULL, &screen);
        hush_end(hushed);
        if (window_watch_is_lost(w))
                return fault_set(fault, -ENODEV, "display %.64s does not let us in", display);
        if (ask_for_resources(w) < 0)
                return fault_set(fault, -ENODEV,
                                 "display %.64s does not tell whose a window is (X-Resource 1.2)",
                                 display);
        screens = xcb_setup_roots_iterator(xcb_get_setup(w->connection));
        while (screen-- > 0 && screens.rem > 1)
                xcb_screen_next(&screens);
        w->root = screens.data->root;
        (void) xcb_change_window_attributes(w->connection, w->root, XCB_CW_EVENT_MASK, &mask);
        *ret = TAKE(w);
        return 0;
}
