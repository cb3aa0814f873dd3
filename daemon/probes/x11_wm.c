/* daemon/probes/x11_wm.c - SubstructureRedirect, a move request as a question, and the name */
#include "daemon/probes/x11_wm.h"
#include <string.h>
#include <xcb/xfixes.h>
#include "daemon/probes/pace.h"
#include "daemon/probes/x11_server.h"
#include "record/clock.h"

/* Managers create windows and set properties as they start, so nearly all are noticed by events;
 * these catch the one that is silent. */
#define POLL_BEFORE_NS (50 * (int64_t) 1000000)
#define POLL_READY_NS (1 * (int64_t) NS_PER_S)
#define PING_AGAIN_NS (25 * (int64_t) 1000000)
#define PING_PATIENT_NS (1 * (int64_t) NS_PER_S) /* to one that has been silent for long */
#define SILENT_NS (5 * (int64_t) NS_PER_S)
#define WAITED_NS (20 * (int64_t) 1000000)
#define PING_X_FIRST (-10)
#define PING_X_LAST (-20000)

static int64_t *sent_ns(struct x11_wm *wm, int x) { return &wm->pinged_ns[-x % X11_WM_PINGS]; }

static void ping(struct x11_server *x, struct x11_screen *s)
{
        uint32_t position;

        s->wm.ping_x = (int16_t) (s->wm.ping_x <= PING_X_LAST ? PING_X_FIRST : s->wm.ping_x - 1);
        position = (uint32_t) (int32_t) s->wm.ping_x;
        xcb_configure_window(x->c, s->wm.ping, XCB_CONFIG_WINDOW_X, &position);
        *sent_ns(&s->wm, s->wm.ping_x) = monotonic_ns();
        s->wm.n_pings++;
}

static int64_t ping_again_ns(const struct x11_screen *s)
{
        return s->wm.n_pings * PING_AGAIN_NS < SILENT_NS ? PING_AGAIN_NS : PING_PATIENT_NS;
}

/* error_of_answer() - how long the manager may have been ready before it answered at @at_ns
 *
 * One that let the question wait was busy, so its answer is the event. One that answered at once
 * may have been ready since it threw the question before away; or, when this was the first, since
 * it took the screen. */
static int64_t error_of_answer(struct x11_screen *s, int answered_x, int64_t at_ns)
{
        int64_t asked_ns = *sent_ns(&s->wm, answered_x);

        if (s->wm.n_pings > X11_WM_PINGS / 2 && s->wm.ping_x != answered_x)
                return 0; /* asked long ago, so it has waited */
        if (at_ns - asked_ns >= WAITED_NS)
                return 0;
        if (s->wm.n_pings > 1)
                return us_from_ns(at_ns - *sent_ns(&s->wm, answered_x + 1));
        return us_from_ns(at_ns - s->wm.took_ns) + s->wm.took_error_us;
}

void x11_wm_start(struct x11_server *x, struct x11_screen *s)
{
        const uint32_t root_events = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY |
                                     XCB_EVENT_MASK_STRUCTURE_NOTIFY |
                                     XCB_EVENT_MASK_PROPERTY_CHANGE;
        const uint32_t ping_events = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
        char name[16];
        xcb_intern_atom_reply_t *atom;

        (void) snprintf(name, sizeof name, "WM_S%u", s->number);
        atom = xcb_intern_atom_reply(x->c, xcb_intern_atom(x->c, 0, (uint16_t) strlen(name), name),
                                     NULL);
        s->wm = (struct x11_wm){ .selection = atom ? atom->atom : XCB_ATOM_NONE,
                                 .ping_x = PING_X_FIRST };
        free(atom);

        s->wm.ping = xcb_generate_id(x->c);
        xcb_create_window(x->c, 0, s->wm.ping, s->info->root, PING_X_FIRST, PING_X_FIRST, 1, 1, 0,
                          XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK,
                          &ping_events);
        xcb_change_window_attributes(x->c, s->info->root, XCB_CW_EVENT_MASK, &root_events);
        if (x->has_xfixes && s->wm.selection)
                xcb_xfixes_select_selection_input(
                        x->c, s->info->root, s->wm.selection,
                        XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                                XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                                XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE);
        x11_wm_check(x, s);
}

/* check_window() - the root names a window that names itself; a stale root property points to a
 * window that is gone, or to another client's that has since got its number */
static xcb_window_t check_window(struct x11_server *x, const struct x11_screen *s)
{
        xcb_window_t window = XCB_NONE, itself = XCB_NONE;
        xcb_get_property_cookie_t cookie =
                xcb_ewmh_get_supporting_wm_check(&x->ewmh, s->info->root);

        if (!xcb_ewmh_get_supporting_wm_check_reply(&x->ewmh, cookie, &window, NULL) || !window)
                return XCB_NONE;
        cookie = xcb_ewmh_get_supporting_wm_check(&x->ewmh, window);
        if (!xcb_ewmh_get_supporting_wm_check_reply(&x->ewmh, cookie, &itself, NULL))
                return XCB_NONE;
        return itself == window ? window : XCB_NONE;
}

static xcb_window_t selection_owner(struct x11_server *x, const struct x11_screen *s)
{
        xcb_get_selection_owner_reply_t *r;
        xcb_window_t owner;

        if (!s->wm.selection)
                return XCB_NONE;
        r = xcb_get_selection_owner_reply(x->c, xcb_get_selection_owner(x->c, s->wm.selection),
                                          NULL);
        owner = r ? r->owner : XCB_NONE;
        free(r);
        return owner;
}

static void name_of(struct x11_server *x, xcb_window_t window, char *ret, size_t size)
{
        (void) x11_text_property(x, window, x->ewmh._NET_WM_NAME, ret, size);
        if (!*ret)
                (void) x11_text_property(x, window, XCB_ATOM_WM_NAME, ret, size);
        if (!*ret) /* the instance, which is the first text of it */
                (void) x11_text_property(x, window, XCB_ATOM_WM_CLASS, ret, size);
}

/* describe() - who the manager is, as far as it says; false when it says nothing at all */
static bool describe(struct x11_server *x, struct x11_screen *s, struct mark_detail *d)
{
        xcb_window_t window;
        char name[128] = "";
        pid_t pid;

        s->wm.owner = selection_owner(x, s);
        s->wm.check = check_window(x, s);
        window = s->wm.check ? s->wm.check : s->wm.owner;
        mark_detail_add(d, "by", "%s%s%s", "redirect", s->wm.check ? "+ewmh" : "",
                        s->wm.owner ? "+icccm" : "");
        if (!window)
                return false;
        name_of(x, window, name, sizeof name);
        if (*name)
                mark_detail_add(d, "wm", "%s", name);
        pid = x11_pid_of(x, window);
        if (pid)
                mark_detail_add(d, "pid", "%ld", (long) pid);
        return *name || pid;
}

static void lost(struct x11_server *x, struct x11_screen *s)
{
        if (s->wm.ready) {
                int64_t now_ns = monotonic_ns();

                x11_report(x, s, "wm.gone", now_ns, us_from_ns(now_ns - s->wm.checked_ns), NULL);
        }
        s->wm.has_screen = s->wm.ready = s->wm.named = false;
        s->wm.said_absent_ns = 0;
        s->wm.check = s->wm.owner = XCB_NONE;
}

/* has_redirect() - whether any client has it; -1 when the server is gone */
static int has_redirect(struct x11_server *x, const struct x11_screen *s)
{
        xcb_get_window_attributes_reply_t *r = xcb_get_window_attributes_reply(
                x->c, xcb_get_window_attributes(x->c, s->info->root), NULL);
        int has = r ? (r->all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT) != 0 : -1;

        free(r);
        return has;
}

void x11_wm_start_over(struct x11_server *x, struct x11_screen *s)
{
        s->wm.n_seen = 0;
        s->wm.said_absent_ns = 0;
        if (s->wm.ready)
                s->wm.has_screen = s->wm.ready = s->wm.named = false;
        x11_wm_check(x, s);
}

/* look() - who has the root, and does it answer? */
static void look(struct x11_server *x, struct x11_screen *s)
{
        int64_t now_ns, before_ns = s->wm.checked_ns;
        int has = has_redirect(x, s);

        if (has < 0)
                return;
        now_ns = monotonic_ns();
        if (!has) {
                if (s->wm.has_screen)
                        lost(x, s);
        } else if (!s->wm.has_screen) {
                s->wm.has_screen = true;
                s->wm.took_ns = now_ns;
                s->wm.took_error_us = us_from_ns(now_ns - (before_ns ? before_ns : x->since_ns));
                s->wm.n_pings = 0;
                ping(x, s);
        } else if (!s->wm.ready && now_ns - *sent_ns(&s->wm, s->wm.ping_x) >= ping_again_ns(s)) {
                ping(x, s);
        }
        s->wm.checked_ns = now_ns;
        if (s->wm.has_screen && !s->wm.ready && !s->wm.said_absent_ns &&
            now_ns - s->wm.took_ns >= SILENT_NS) {
                s->wm.said_absent_ns = now_ns;
                x11_absent(x, s, "wm.ready",
                           "a window manager has the screen, but has answered nothing for %d s",
                           (int) (SILENT_NS / NS_PER_S));
        }
}

static int64_t interval_ns(const struct x11_screen *s)
{
        if (s->wm.ready)
                return POLL_READY_NS;
        return s->wm.has_screen ? ping_again_ns(s) : POLL_BEFORE_NS;
}

void x11_wm_check(struct x11_server *x, struct x11_screen *s)
{
        int64_t before_ns = pace_cpu_ns();

        look(x, s);
        s->wm.rested_ns = pace_next_ns(monotonic_ns(), interval_ns(s), pace_cpu_ns() - before_ns);
}

static void answered(struct x11_server *x, struct x11_screen *s, int answered_x, int64_t at_ns)
{
        struct mark_detail d = MARK_DETAIL_NULL;
        int64_t error_us = error_of_answer(s, answered_x, at_ns);

        /* Was it the manager, or did the server move the window because the manager is gone? */
        if (has_redirect(x, s) != 1) {
                lost(x, s);
                return;
        }
        s->wm.ready = true;
        s->wm.named = describe(x, s, &d);
        mark_detail_add(&d, "took_us", "%lld", (long long) us_from_ns(s->wm.took_ns));
        x11_report(x, s, s->wm.n_seen++ ? "wm.replaced" : "wm.ready", at_ns, error_us, &d);
        if (s->wm.check) {
                const uint32_t events = XCB_EVENT_MASK_STRUCTURE_NOTIFY;

                xcb_change_window_attributes(x->c, s->wm.check, XCB_CW_EVENT_MASK, &events);
        }
}

/* learn_name() - a manager without a window of its own is known by its first frame */
static void learn_name(struct x11_server *x, struct x11_screen *s, xcb_window_t frame)
{
        struct mark_detail d = MARK_DETAIL_NULL;
        pid_t pid = x11_pid_of(x, frame);

        if (!pid)
                return;
        s->wm.named = true;
        mark_detail_add(&d, "pid", "%ld", (long) pid);
        x11_report(x, s, "wm.name", monotonic_ns(), 0, &d);
}

bool x11_wm_event(struct x11_server *x, struct x11_screen *s, const xcb_generic_event_t *event)
{
        int64_t now_ns = monotonic_ns();
        uint8_t type = event->response_type & 0x7f;

        if (x->has_xfixes && type == x->xfixes_first_event + XCB_XFIXES_SELECTION_NOTIFY) {
                const xcb_xfixes_selection_notify_event_t *e = (const void *) event;

                if (e->selection != s->wm.selection)
                        return false;
                if (s->wm.owner && e->owner != s->wm.owner)
                        lost(x, s);
                return true;
        }
        switch (type) {
        case XCB_CONFIGURE_NOTIFY: {
                const xcb_configure_notify_event_t *e = (const void *) event;

                if (e->window == s->wm.ping && e->event == s->wm.ping && s->wm.has_screen &&
                    !s->wm.ready)
                        answered(x, s, e->x, now_ns);
                return false;
        }
        case XCB_PROPERTY_NOTIFY: {
                const xcb_property_notify_event_t *e = (const void *) event;

                return e->window == s->info->root;
        }
        case XCB_CLIENT_MESSAGE: {
                const xcb_client_message_event_t *e = (const void *) event;

                return e->window == s->info->root && e->type == x->manager;
        }
        case XCB_DESTROY_NOTIFY: {
                const xcb_destroy_notify_event_t *e = (const void *) event;

                /* Its successor may have the screen before we look again. */
                if (s->wm.check && e->window == s->wm.check)
                        lost(x, s);
                return e->event == s->info->root;
        }
        case XCB_REPARENT_NOTIFY: {
                const xcb_reparent_notify_event_t *e = (const void *) event;

                if (e->event == s->info->root && s->wm.ready && !s->wm.named &&
                    e->parent != s->info->root)
                        learn_name(x, s, e->parent);
                return e->event == s->info->root;
        }
        case XCB_CREATE_NOTIFY:
        case XCB_MAP_NOTIFY:
        case XCB_UNMAP_NOTIFY:
                return !s->wm.has_screen;
        default:
                return false;
        }
}

int64_t x11_wm_next_ns(const struct x11_screen *s) { return s->wm.rested_ns; }
