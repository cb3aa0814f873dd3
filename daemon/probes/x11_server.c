/* daemon/probes/x11_server.c - the child that talks to one X server
 *
 * Everything here is allowed to block: the server's silence is what is being measured, and the
 * parent keeps the deadlines. The one trap is the other way round: events that xcb has read already
 * make no descriptor readable, so the queue is drained before each sleep.
 */
#include "daemon/probes/x11_server.h"
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/res.h>
#include <xcb/xfixes.h>
#include "witness/cookie.h"
#include "daemon/probes/report.h"
#include "witness/rights.h"
#include "witness/x11_setup.h"

void x11_report(const struct x11_server *x, const struct x11_screen *s, const char *name,
                int64_t at_ns, int64_t error_us, const struct mark_detail *more)
{
        child_report(&x->child, s ? s->number : 0, name, at_ns, error_us, more);
}

void x11_absent(const struct x11_server *x, const struct x11_screen *s, const char *milestone,
                const char *format, ...)
{
        char reason[256];
        va_list list;

        va_start(list, format);
        (void) vsnprintf(reason, sizeof reason, format, list);
        va_end(list);
        child_absent(&x->child, s ? s->number : 0, milestone, reason);
}

size_t x11_text_property(const struct x11_server *x, xcb_window_t window, xcb_atom_t property,
                         char *ret, size_t size)
{
        xcb_get_property_reply_t *r = xcb_get_property_reply(
                x->c,
                xcb_get_property(x->c, 0, window, property, XCB_GET_PROPERTY_TYPE_ANY, 0,
                                 (uint32_t) (size / 4)),
                NULL);
        size_t n = 0;

        if (r && r->format == 8 && (r->type == x->utf8_string || r->type == XCB_ATOM_STRING)) {
                n = (size_t) xcb_get_property_value_length(r);
                n = n < size ? n : size - 1;
                memcpy(ret, xcb_get_property_value(r), n);
        }
        ret[n] = '\0';
        free(r);
        return n;
}

pid_t x11_pid_of(const struct x11_server *x, xcb_window_t window)
{
        const xcb_res_client_id_spec_t spec = { window, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };
        xcb_res_query_client_ids_reply_t *r;
        pid_t pid = 0;

        if (!x->has_res)
                return 0;
        r = xcb_res_query_client_ids_reply(x->c, xcb_res_query_client_ids(x->c, 1, &spec), NULL);
        if (!r)
                return 0;
        for (xcb_res_client_id_value_iterator_t i = xcb_res_query_client_ids_ids_iterator(r);
             i.rem > 0; xcb_res_client_id_value_next(&i))
                if (i.data->spec.mask & XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID &&
                    xcb_res_client_id_value_value_length(i.data) >= 1)
                        pid = (pid_t) *xcb_res_client_id_value_value(i.data);
        free(r);
        return pid;
}

static xcb_atom_t intern(xcb_connection_t *c, const char *name)
{
        xcb_intern_atom_reply_t *r = xcb_intern_atom_reply(
                c, xcb_intern_atom(c, 0, (uint16_t) strlen(name), name), NULL);
        xcb_atom_t atom = r ? r->atom : XCB_ATOM_NONE;

        free(r);
        return atom;
}

static bool has_extension(struct x11_server *x, xcb_extension_t *extension)
{
        const xcb_query_extension_reply_t *r = xcb_get_extension_data(x->c, extension);

        return r && r->present;
}

static void setup_extensions(struct x11_server *x)
{
        x->has_xfixes = has_extension(x, &xcb_xfixes_id);
        if (x->has_xfixes) {
                x->xfixes_first_event = xcb_get_extension_data(x->c, &xcb_xfixes_id)->first_event;
                free(xcb_xfixes_query_version_reply(x->c, xcb_xfixes_query_version(x->c, 4, 0),
                                                    NULL));
        }
        x->has_damage = has_extension(x, &xcb_damage_id);
        if (x->has_damage) {
                x->damage_first_event = xcb_get_extension_data(x->c, &xcb_damage_id)->first_event;
                free(xcb_damage_query_version_reply(x->c, xcb_damage_query_version(x->c, 1, 1),
                                                    NULL));
        }
        x->has_composite = has_extension(x, &xcb_composite_id);
        if (x->has_composite)
                free(xcb_composite_query_version_reply(
                        x->c, xcb_composite_query_version(x->c, 0, 4), NULL));
        x->has_res = has_extension(x, &xcb_res_id);
        if (x->has_res) {
                xcb_res_query_version_reply_t *r =
                        xcb_res_query_version_reply(x->c, xcb_res_query_version(x->c, 1, 2), NULL);

                x->has_res = r && (r->server_major > 1 || r->server_minor >= 2);
                free(r);
        }
}

static enum x11_windows_mode mode_of(enum seat_role role)
{
        return role == SEAT_GREETER ? X11_WINDOWS_GREETER : X11_WINDOWS_DESKTOP;
}

/* take_role() - the parent says whose the server is from now on: a display manager hands the
 * greeter's server on to the person's session. What is on the screen at that time is the other's.
 */
static void take_role(struct x11_server *x, char letter)
{
        enum seat_role before = x->child.role;

        x->child.role = seat_role_from_letter(letter);
        for (unsigned i = 0; i < x->n_screens; i++) {
                struct x11_screen *s = &x->screens[i];

                if (before == SEAT_UNKNOWN && mode_of(x->child.role) == s->windows.mode)
                        continue; /* it was this one's all the time */
                x11_wm_start_over(x, s);
                x11_windows_start(x, s, mode_of(x->child.role), before == SEAT_UNKNOWN);
        }
}

static void start_screen(struct x11_server *x, struct x11_screen *s)
{
        char name[32];

        (void) snprintf(name, sizeof name, "_NET_WM_CM_S%u", s->number);
        s->compositor = intern(x->c, name);
        x11_wm_start(x, s);
        x11_windows_start(x, s, mode_of(x->child.role), true);
}

static int setup(struct x11_server *x)
{
        xcb_intern_atom_cookie_t *cookies = xcb_ewmh_init_atoms(x->c, &x->ewmh);

        if (!cookies || !xcb_ewmh_init_atoms_replies(&x->ewmh, cookies, NULL))
                return -EPROTO;
        x->manager = intern(x->c, "MANAGER");
        x->utf8_string = x->ewmh.UTF8_STRING;
        setup_extensions(x);
        for (xcb_screen_iterator_t i = xcb_setup_roots_iterator(xcb_get_setup(x->c));
             i.rem > 0 && x->n_screens < X11_SCREENS_MAX; xcb_screen_next(&i)) {
                struct x11_screen *s = &x->screens[x->n_screens];

                s->number = x->n_screens++;
                s->info = i.data;
                start_screen(x, s);
        }
        return xcb_connection_has_error(x->c) ? -EPIPE : 0;
}

static void dispatch(struct x11_server *x, const xcb_generic_event_t *event, bool *due)
{
        for (unsigned i = 0; i < x->n_screens; i++) {
                if (x11_wm_event(x, &x->screens[i], event))
                        due[i] = true;
                x11_windows_event(x, &x->screens[i], event);
        }
}

/* drain() - handle what came, until nothing is left in xcb's own queue either: a reply that is
 * waited for brings events along, after which the descriptor stays silent */
static void drain(struct x11_server *x)
{
        bool again = true;

        while (again) {
                bool due[X11_SCREENS_MAX] = { false };
                xcb_generic_event_t *event;

                again = false;
                while ((event = xcb_poll_for_event(x->c))) {
                        dispatch(x, event, due);
                        free(event);
                        again = true;
                }
                for (unsigned i = 0; i < x->n_screens; i++) {
                        struct x11_screen *s = &x->screens[i];

                        if (due[i] || monotonic_ns() >= x11_wm_next_ns(s))
                                x11_wm_check(x, s);
                        again = x11_windows_check(x, s) || again;
                }
                (void) xcb_flush(x->c);
        }
}

static int64_t next_ns(const struct x11_server *x)
{
        int64_t next = INT64_MAX;

        for (unsigned i = 0; i < x->n_screens; i++) {
                int64_t wm_ns = x11_wm_next_ns(&x->screens[i]);
                int64_t windows_ns = x11_windows_next_ns(&x->screens[i]);

                next = wm_ns < next ? wm_ns : next;
                next = windows_ns < next ? windows_ns : next;
        }
        return next;
}

/* loop() - until the server or the parent is gone */
static void loop(struct x11_server *x)
{
        struct pollfd fds[] = {
                { .fd = xcb_get_file_descriptor(x->c), .events = POLLIN },
                { .fd = STDIN_FILENO, .events = POLLIN },
        };

        for (;;) {
                struct timespec timeout;

                drain(x);
                if (xcb_connection_has_error(x->c))
                        return;
                timeout = child_until(next_ns(x));
                lateness_sleep(&x->child.lateness);
                if (ppoll(fds, ELEMENTSOF(fds), &timeout, NULL) < 0 && errno != EINTR)
                        return;
                lateness_woke(&x->child.lateness);
                if (fds[1].revents) {
                        char letter;

                        if (read(STDIN_FILENO, &letter, 1) <= 0)
                                return; /* goodbye */
                        take_role(x, letter);
                }
        }
}

static const char *words_of_setup_error(int error)
{
        switch (error) {
        case XCB_CONN_CLOSED_MEM_INSUFFICIENT:
                return "no memory for its answer";
        case XCB_CONN_CLOSED_PARSE_ERR:
                return "its answer makes no sense";
        default:
                return "it closed the connection, or refused us";
        }
}

static bool setup_is_sane(const xcb_setup_t *s)
{
        return x11_setup_is_sane(s, 8 + 4 * (size_t) s->length);
}

int x11_serve(const struct served_target *t)
{
        struct x11_server x = { .since_ns = t->socket_ns,
                                .desktop = t->desktop,
                                .child = { .source = X11_SOURCE, .role = t->role } };
        struct cookie cookie = COOKIE_NULL;
        xcb_auth_info_t auth = { .name = cookie.name, .data = (char *) cookie.data };
        struct fault fault = FAULT_NULL, no_cookie = FAULT_NULL;
        int64_t asked_ns, at_ns;
        int fd = -EBADF, r;

        lateness_init(&x.child.lateness);
        r = cookie_take(t->cookie_path, t->display, t->listener.uid, &cookie, &no_cookie, &fault);
        /* Without one the server may still let us in; if not, it is the server's word against us,
         * and this is the reason. */
        if (no_cookie.text[0])
                report_remark("%s", no_cookie.text);
        if (r == 0)
                r = fd = child_connect(t->path, &fault);
        if (r >= 0)
                r = rights_confine(&fault);
        if (r < 0) {
                x11_absent(&x, NULL, "x.ready", "%s", fault.text);
                return EXIT_FAILURE;
        }
        auth.namelen = (int) strlen(cookie.name);
        auth.datalen = (int) cookie.n_bytes;
        asked_ns = monotonic_ns();
        lateness_sleep(&x.child.lateness);
        x.c = xcb_connect_to_fd(fd, cookie.n_bytes ? &auth : NULL); /* closes fd in any case */
        lateness_woke(&x.child.lateness);
        at_ns = monotonic_ns();
        r = xcb_connection_has_error(x.c);
        if (r == 0 && !setup_is_sane(xcb_get_setup(x.c)))
                r = XCB_CONN_CLOSED_PARSE_ERR;
        if (r) {
                x11_absent(&x, NULL, "x.ready", "%s: %s", t->path, words_of_setup_error(r));
                xcb_disconnect(x.c);
                return EXIT_FAILURE;
        }
        x11_report(&x, NULL, "x.ready", at_ns, child_error_of_answer(t, asked_ns, at_ns), NULL);
        if (setup(&x) == 0)
                loop(&x);
        xcb_ewmh_connection_wipe(&x.ewmh);
        xcb_disconnect(x.c);
        lateness_done(&x.child.lateness);
        return EXIT_SUCCESS;
}
