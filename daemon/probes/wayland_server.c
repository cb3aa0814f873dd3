/* daemon/probes/wayland_server.c - registry, and the list of windows */
#include "daemon/probes/wayland_server.h"
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <wayland-client.h>
#include "daemon/probes/child.h"
#include "daemon/probes/tally.h"
#include "daemon/probes/wayland_lists.h"
#include "record/clock.h"
#include "witness/rights.h"

#define WINDOWS_MAX 256
#define TEXT_BYTES 256
#define ABSENT_NS (10 * (int64_t) NS_PER_S)

struct wayland_window {
        struct wl_proxy *handle; /* NULL: free */
        char app_id[TEXT_BYTES], title[TEXT_BYTES];
        bool is_told, was_there; /* before we were */
        int64_t told_ns;         /* when we were first told what it is */
};

struct wayland_server {
        struct child child;
        const struct served_target *target;
        struct wl_display *display;
        struct wl_registry *registry;
        struct wl_proxy *list;
        const struct wayland_list_kind *kind;
        struct wayland_window windows[WINDOWS_MAX];
        bool has_shell, is_ready, is_done, is_listed; /* listed: those that were there are told */
        int64_t asked_ns, ready_ns, said_absent_ns;
        char reason[160];
};

/* milestone() - a greeter's first window asks who is there */
static const char *milestone(const struct wayland_server *w)
{
        return w->child.role == SEAT_GREETER ? "login.prompt" : "desktop.windows";
}

static const struct desktop_conf *wanted(const struct wayland_server *w)
{
        return w->child.role == SEAT_GREETER ? NULL : w->target->desktop;
}

static int line_of(const struct wayland_server *w, const struct wayland_window *window)
{
        const struct desktop_conf *conf = wanted(w);

        if (!conf || conf->n_windows == 0)
                return 0;
        for (size_t i = 0; i < conf->n_windows; i++)
                if (desktop_window_fits(&conf->windows[i], window->app_id, window->app_id,
                                        window->title))
                        return (int) i;
        return -1;
}

static size_t take_tally(const struct wayland_server *w, struct tally_window *windows,
                         const struct wayland_window **which)
{
        size_t n = 0;

        for (size_t i = 0; i < WINDOWS_MAX; i++) {
                const struct wayland_window *window = &w->windows[i];

                if (!window->handle || !window->is_told)
                        continue;
                which[n] = window;
                windows[n++] = (struct tally_window){ .line = line_of(w, window),
                                                      .is_mapped = true,
                                                      .is_drawn = true,
                                                      .drawn_ns = window->told_ns };
        }
        return n;
}

static void stop_listing(struct wayland_server *w)
{
        for (size_t i = 0; i < WINDOWS_MAX; i++)
                if (w->windows[i].handle) {
                        wl_proxy_marshal(w->windows[i].handle, w->kind->destroy);
                        wl_proxy_destroy(w->windows[i].handle);
                        w->windows[i].handle = NULL;
                }
        if (w->list)
                wl_proxy_marshal(w->list, w->kind->stop); /* it is gone once it says "finished" */
}

static const char *list_name(const struct wayland_server *w)
{
        return w->kind == &wayland_list_ext ? "ext-foreign-toplevel-list"
                                            : "wlr-foreign-toplevel-management";
}

static void say_windows(struct wayland_server *w, const struct tally *tally,
                        const struct wayland_window *last)
{
        struct mark_detail d = MARK_DETAIL_NULL;

        mark_detail_add(&d, "windows", "%u", tally_count(tally));
        mark_detail_add(&d, "by", "%s%s", list_name(w), last->was_there ? "-already" : "");
        if (last->app_id[0])
                mark_detail_add(&d, "class", "%s", last->app_id);
        child_report(&w->child, 0, milestone(w), last->told_ns,
                     last->was_there ? us_from_ns(last->told_ns - w->target->socket_ns) : 0, &d);
}

/* conclude() - all there? Asked after each change, and now and then. */
static void conclude(struct wayland_server *w)
{
        struct tally_window windows[WINDOWS_MAX];
        const struct wayland_window *which[WINDOWS_MAX];
        const struct tally tally = { .wanted = wanted(w),
                                     .windows = windows,
                                     .n_windows = take_tally(w, windows, which) };
        int64_t now_ns = monotonic_ns();
        char reason[sizeof w->reason];
        size_t last;

        if (w->is_done || !w->is_ready)
                return;
        if (tally_is_complete(&tally, &last)) {
                say_windows(w, &tally, which[last]);
                stop_listing(w);
                w->is_done = true;
                return;
        }
        if (now_ns - (w->said_absent_ns ? w->said_absent_ns : w->ready_ns) < ABSENT_NS)
                return;
        w->said_absent_ns = now_ns;
        if (w->list)
                tally_lack(&tally, reason, sizeof reason);
        else
                (void) snprintf(reason, sizeof reason,
                                "the compositor lists its windows to nobody, and its session has "
                                "not said that it has started");
        if (strcmp(reason, w->reason) != 0)
                child_absent(&w->child, 0, milestone(w), reason);
        (void) snprintf(w->reason, sizeof w->reason, "%s", reason);
}

static struct wayland_window *find(struct wayland_server *w, const struct wl_proxy *handle)
{
        for (size_t i = 0; i < WINDOWS_MAX; i++)
                if (w->windows[i].handle == handle)
                        return &w->windows[i];
        return NULL;
}

/* on_window() - libwayland's dispatcher for a handle; texts are the compositor's, and checked by it
 * to be there */
static int on_window(const void *implementation, void *handle, uint32_t opcode,
                     const struct wl_message *message, union wl_argument *args)
{
        struct wayland_server *w = wl_proxy_get_user_data(handle);
        struct wayland_window *window = find(w, handle);

        (void) implementation;
        (void) message;
        if (!window || opcode >= ELEMENTSOF(w->kind->words))
                return 0;
        switch (w->kind->words[opcode]) {
        case WAYLAND_TITLE:
                (void) snprintf(window->title, sizeof window->title, "%s", args[0].s);
                break;
        case WAYLAND_APP_ID:
                (void) snprintf(window->app_id, sizeof window->app_id, "%s", args[0].s);
                break;
        case WAYLAND_DONE:
                if (!window->is_told) {
                        window->told_ns = monotonic_ns();
                        window->was_there = !w->is_listed;
                }
                window->is_told = true;
                break;
        case WAYLAND_CLOSED:
                wl_proxy_marshal(window->handle, w->kind->destroy);
                wl_proxy_destroy(window->handle);
                *window = (struct wayland_window){ .handle = NULL };
                break;
        default:
                break;
        }
        return 0;
}

static int on_list(const void *implementation, void *list, uint32_t opcode,
                   const struct wl_message *message, union wl_argument *args)
{
        struct wayland_server *w = wl_proxy_get_user_data(list);
        struct wl_proxy *handle;
        struct wayland_window *window;

        (void) implementation;
        (void) message;
        if (opcode == WAYLAND_LIST_FINISHED) {
                wl_proxy_destroy(w->list);
                w->list = NULL;
                return 0;
        }
        handle = (struct wl_proxy *) args[0].o;
        window = w->is_done ? NULL : find(w, NULL);
        if (!window) { /* more than anyone has */
                wl_proxy_marshal(handle, w->kind->destroy);
                wl_proxy_destroy(handle);
                return 0;
        }
        *window = (struct wayland_window){ .handle = handle };
        return wl_proxy_add_dispatcher(handle, on_window, NULL, w);
}

static void on_global(void *data, struct wl_registry *registry, uint32_t name,
                      const char *interface, uint32_t version)
{
        static const struct wayland_list_kind *const kinds[] = { &wayland_list_ext,
                                                                 &wayland_list_wlr };
        struct wayland_server *w = data;

        (void) version;
        if (strcmp(interface, "xdg_wm_base") == 0)
                w->has_shell = true;
        for (size_t i = 0; i < ELEMENTSOF(kinds) && !w->list; i++)
                if (strcmp(interface, kinds[i]->list->name) == 0) {
                        w->kind = kinds[i];
                        w->list =
                                wl_registry_bind(registry, name, kinds[i]->list, kinds[i]->version);
                        if (w->list)
                                (void) wl_proxy_add_dispatcher(w->list, on_list, NULL, w);
                }
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
        (void) data;
        (void) registry;
        (void) name;
}

static const struct wl_registry_listener registry_listener = { on_global, on_global_remove };

/* say_ready() - a compositor is its own window manager */
static void say_ready(struct wayland_server *w, int64_t at_ns)
{
        struct mark_detail d = MARK_DETAIL_NULL;
        int64_t error_us = child_error_of_answer(w->target, w->asked_ns, at_ns);

        w->is_ready = true;
        w->ready_ns = at_ns;
        if (w->target->listener.pid)
                mark_detail_add(&d, "pid", "%ld", (long) w->target->listener.pid);
        mark_detail_add(&d, "lists", "%s", !w->list ? "none" : list_name(w));
        child_report(&w->child, 0, "wayland.ready", at_ns, error_us, &d);
        mark_detail_add(&d, "by", "wayland.ready");
        child_report(&w->child, 0, "wm.ready", at_ns, error_us, &d);
}

static void on_listed(void *data, struct wl_callback *callback, uint32_t serial)
{
        struct wayland_server *w = data;

        (void) serial;
        wl_callback_destroy(callback);
        w->is_listed = true;
}

static void on_answer(void *data, struct wl_callback *callback, uint32_t serial)
{
        static const struct wl_callback_listener listed = { on_listed };
        struct wayland_server *w = data;

        (void) serial;
        wl_callback_destroy(callback);
        if (w->has_shell)
                say_ready(w, monotonic_ns());
        else
                child_absent(&w->child, 0, "wayland.ready",
                             "it answers, but offers no xdg_wm_base: no program can show a window");
        /* What is listed until this is answered was there before us. */
        callback = wl_display_sync(w->display);
        if (callback)
                (void) wl_callback_add_listener(callback, &listed, w);
}

static const struct wl_callback_listener answer_listener = { on_answer };

static void take_role(struct wayland_server *w, char letter)
{
        enum seat_role before = w->child.role;

        w->child.role = seat_role_from_letter(letter);
        /* A greeter's compositor ends with it: only a session that was not known yet becomes known.
         */
        if (before == SEAT_GREETER || w->child.role == SEAT_GREETER)
                w->reason[0] = '\0';
}

/* handle() - all that has been read so far; false when the connection is no more */
static bool handle(struct wayland_server *w)
{
        bool could_shell = w->has_shell;

        while (wl_display_prepare_read(w->display) != 0)
                if (wl_display_dispatch_pending(w->display) < 0)
                        return false;
        if (w->has_shell && !could_shell && !w->is_ready && w->is_listed)
                say_ready(w, monotonic_ns()); /* offered later than all else */
        conclude(w);
        if (wl_display_flush(w->display) < 0 && errno != EAGAIN) {
                wl_display_cancel_read(w->display);
                return false;
        }
        return true;
}

static void loop(struct wayland_server *w)
{
        struct pollfd fds[] = {
                { .fd = wl_display_get_fd(w->display), .events = POLLIN },
                { .fd = STDIN_FILENO, .events = POLLIN },
        };

        while (handle(w)) {
                struct timespec timeout = child_until(
                        (w->said_absent_ns ? w->said_absent_ns : w->ready_ns) + ABSENT_NS);
                bool has_end = w->is_ready && !w->is_done;
                char letter;

                lateness_sleep(&w->child.lateness);
                if (ppoll(fds, ELEMENTSOF(fds), has_end ? &timeout : NULL, NULL) < 0 &&
                    errno != EINTR) {
                        wl_display_cancel_read(w->display);
                        return;
                }
                lateness_woke(&w->child.lateness);
                if (fds[0].revents) {
                        if (wl_display_read_events(w->display) < 0)
                                return;
                } else {
                        wl_display_cancel_read(w->display);
                }
                if (fds[1].revents) {
                        if (read(STDIN_FILENO, &letter, 1) <= 0)
                                return; /* goodbye */
                        take_role(w, letter);
                }
        }
}

/* connect_as() - with the rights of whom the compositor belongs to. Root's own is in a folder that
 * only root can enter. */
static int connect_as(const struct served_target *t, struct fault *fault)
{
        CLEANUP(closep) int fd = -EBADF;
        uid_t uid = geteuid() == 0 ? t->listener.uid : geteuid();
        struct ucred peer = { .uid = 0 };
        socklen_t n = sizeof peer;
        int r = uid ? rights_switch(uid, RIGHTS_NOBODY, fault) : 0;

        if (r == 0)
                r = fd = child_connect(t->path, fault);
        if (r >= 0 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) < 0)
                r = fault_errno(fault, -errno, "%s", t->path);
        if (r >= 0 && peer.uid != t->listener.uid)
                r = fault_set(fault, -EPERM, "%s is now another user's", t->path);
        if (r >= 0 && uid == 0)
                r = rights_switch(RIGHTS_NOBODY, RIGHTS_NOBODY, fault);
        if (r >= 0)
                r = rights_confine(fault);
        return r < 0 ? r : TAKE_FD(fd);
}

static const char *words_of_end(const struct wayland_server *w)
{
        switch (wl_display_get_error(w->display)) {
        case EPROTO:
        case EINVAL:
        case ENOMEM:
        case E2BIG:
                return "its answer makes no sense";
        default:
                return "it closed the connection";
        }
}

int wayland_serve(const struct served_target *t)
{
        struct wayland_server w = { .child = { .source = WAYLAND_SOURCE, .role = t->role },
                                    .target = t };
        struct fault fault = FAULT_NULL;
        struct wl_callback *callback;
        int fd;

        lateness_init(&w.child.lateness);
        fd = connect_as(t, &fault);
        if (fd < 0) {
                child_absent(&w.child, 0, "wayland.ready", fault.text);
                return EXIT_FAILURE;
        }
        w.display = wl_display_connect_to_fd(fd); /* closes fd in any case */
        if (!w.display)
                return EXIT_FAILURE;
        w.asked_ns = monotonic_ns();
        w.registry = wl_display_get_registry(w.display);
        callback = w.registry ? wl_display_sync(w.display) : NULL;
        if (callback && wl_registry_add_listener(w.registry, &registry_listener, &w) == 0 &&
            wl_callback_add_listener(callback, &answer_listener, &w) == 0)
                loop(&w);
        if (!w.is_ready)
                child_absent(&w.child, 0, "wayland.ready", words_of_end(&w));
        wl_display_disconnect(w.display);
        lateness_done(&w.child.lateness);
        return EXIT_SUCCESS;
}
