/* daemon/probes/x11_windows.c - following windows from their creation to their first drawing */
#include "daemon/probes/x11_windows.h"
#include <string.h>
#include <xcb/xcb_icccm.h>
#include "daemon/probes/pace.h"
#include "daemon/probes/tally.h"
#include "daemon/probes/x11_composite.h"
#include "daemon/probes/x11_server.h"
#include "daemon/probes/x11_match.h"
#include "daemon/probes/x11_time.h"
#include "record/clock.h"

#define NS_PER_MS ((int64_t) 1000000)
#define LATE_NS (100 * NS_PER_MS) /* how often one that cannot be seen yet is looked at */
#define SHOWN_NS (20 * NS_PER_MS) /* how often a compositor is looked at */
#define HIDDEN_NS (20 * (int64_t) NS_PER_S)
#define ABSENT_NS (10 * (int64_t) NS_PER_S)
#define DEPTH_MAX 4

#define OWN_EVENTS (XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE)
#define INFERIOR_EVENTS (XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY)

static void select_events(struct x11_server *x, xcb_window_t id, uint32_t events)
{
        xcb_change_window_attributes(x->c, id, XCB_CW_EVENT_MASK, &events);
}

static struct x11_window *find(struct x11_windows *w, xcb_window_t id)
{
        for (size_t i = 0; i < w->n; i++)
                if (w->windows[i].id == id)
                        return &w->windows[i];
        return NULL;
}

static struct x11_window *find_damage(struct x11_windows *w, xcb_damage_damage_t damage)
{
        for (size_t i = 0; i < w->n; i++)
                if (w->windows[i].damage == damage)
                        return &w->windows[i];
        return NULL;
}

/* find_top() - the window that @id is, or is an inferior of */
static struct x11_window *find_top(struct x11_windows *w, xcb_window_t id)
{
        for (size_t i = 0; i < w->n_inferiors; i++)
                if (w->inferiors[i].id == id)
                        return find(w, w->inferiors[i].top);
        return find(w, id);
}

static xcb_query_tree_reply_t *children_of(struct x11_server *x, xcb_window_t id)
{
        return xcb_query_tree_reply(x->c, xcb_query_tree(x->c, id), NULL);
}

/* add_inferior() - what is exposed in a window's own windows is background there too. First select,
 * then list, so that none is missed. */
static void add_inferior(struct x11_server *x, struct x11_windows *w, xcb_window_t top,
                         xcb_window_t id, int depth)
{
        xcb_query_tree_reply_t *tree;

        if (w->n_inferiors == X11_INFERIORS_MAX || depth == DEPTH_MAX)
                return;
        for (size_t i = 0; i < w->n_inferiors; i++)
                if (w->inferiors[i].id == id)
                        return;
        w->inferiors[w->n_inferiors++] = (struct x11_inferior){ .id = id, .top = top };
        select_events(x, id, INFERIOR_EVENTS);
        tree = children_of(x, id);
        for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++)
                add_inferior(x, w, top, xcb_query_tree_children(tree)[i], depth + 1);
        free(tree);
}

static void drop_inferiors(struct x11_windows *w, xcb_window_t id, bool is_top)
{
        for (size_t i = 0; i < w->n_inferiors;)
                if ((is_top ? w->inferiors[i].top : w->inferiors[i].id) == id)
                        w->inferiors[i] = w->inferiors[--w->n_inferiors];
                else
                        i++;
}

/* is_mapped() - by the server's word, after all that was asked before; -1 when it is gone, or is no
 * window to be seen */
static int is_mapped(struct x11_server *x, xcb_window_t id, uint32_t *ret_sequence)
{
        xcb_get_window_attributes_cookie_t cookie = xcb_get_window_attributes(x->c, id);
        xcb_get_window_attributes_reply_t *r = xcb_get_window_attributes_reply(x->c, cookie, NULL);
        int mapped = r && r->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT
                             ? r->map_state != XCB_MAP_STATE_UNMAPPED
                             : -1;

        *ret_sequence = cookie.sequence;
        free(r);
        return mapped;
}

/* watch_drawing() - from here on each drawing is told. If the window is not mapped after that was
 * set up, nothing can have been missed. */
static void watch_drawing(struct x11_server *x, struct x11_windows *w, struct x11_window *window)
{
        xcb_query_tree_reply_t *tree;
        int mapped;

        select_events(x, window->id, OWN_EVENTS | INFERIOR_EVENTS);
        window->damage = xcb_generate_id(x->c);
        xcb_damage_create(x->c, window->damage, window->id, XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
        tree = children_of(x, window->id);
        for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++)
                add_inferior(x, w, window->id, xcb_query_tree_children(tree)[i], 0);
        free(tree);
        mapped = is_mapped(x, window->id, &window->since_sequence);
        window->is_mapped = mapped == 1;
        if (mapped == 1 && window->seen == X11_SEEN_DRAWN)
                window->seen = X11_SEEN_LATE;
}

static void forget_drawing(struct x11_server *x, struct x11_windows *w, struct x11_window *window)
{
        if (window->damage)
                xcb_damage_destroy(x->c, window->damage);
        window->damage = XCB_NONE;
        drop_inferiors(w, window->id, true);
}

static void match(struct x11_server *x, struct x11_screen *s, struct x11_window *window)
{
        window->wanted = x11_match(x, window->id, s->windows.mode);
        if (window->wanted >= 0 && !window->damage)
                watch_drawing(x, &s->windows, window);
}

/* track() - @seen: DRAWN for one that was just created */
static void track(struct x11_server *x, struct x11_screen *s, xcb_window_t id, enum x11_seen seen)
{
        struct x11_windows *w = &s->windows;
        int64_t now_ns = monotonic_ns();
        struct x11_window *window;

        if (w->n == X11_WINDOWS_MAX || find(w, id))
                return;
        window = &w->windows[w->n++];
        *window = (struct x11_window){
                .id = id,
                .wanted = -1,
                .seen = seen,
                .tracked_ns = now_ns,
        };
        select_events(x, id,
                      OWN_EVENTS); /* before the properties are read: what changes later is told */
        match(x, s, window);
}

static void untrack(struct x11_server *x, struct x11_windows *w, struct x11_window *window)
{
        (void) x; /* the server destroys the damage with its window */
        drop_inferiors(w, window->id, true);
        *window = w->windows[--w->n];
}

/* track_tree() - clients' windows that are there already, in frames of a manager or without */
static void track_tree(struct x11_server *x, struct x11_screen *s, xcb_window_t id, int depth)
{
        xcb_query_tree_reply_t *tree = children_of(x, id);

        for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++) {
                xcb_window_t child = xcb_query_tree_children(tree)[i];

                if (child == s->wm.ping)
                        continue;
                if (x11_match_is_client(x, child))
                        track(x, s, child, X11_SEEN_ALREADY);
                else if (depth + 1 < DEPTH_MAX)
                        track_tree(x, s, child, depth + 1);
        }
        free(tree);
}

static bool is_override(struct x11_server *x, xcb_window_t id)
{
        xcb_get_window_attributes_reply_t *r =
                xcb_get_window_attributes_reply(x->c, xcb_get_window_attributes(x->c, id), NULL);
        bool is = !r || r->override_redirect;

        free(r);
        return is;
}

/* track_unmanaged() - what on_create() would have tracked: a window that is there already may not
 * be a manager's yet, and nobody tells later that it became one */
static void track_unmanaged(struct x11_server *x, struct x11_screen *s)
{
        xcb_query_tree_reply_t *tree = children_of(x, s->info->root);

        for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++) {
                xcb_window_t child = xcb_query_tree_children(tree)[i];

                if (child != s->wm.ping &&
                    (s->windows.mode == X11_WINDOWS_GREETER || !is_override(x, child)))
                        track(x, s, child, X11_SEEN_ALREADY);
        }
        free(tree);
}

static void stop(struct x11_server *x, struct x11_screen *s)
{
        struct x11_windows *w = &s->windows;

        for (size_t i = 0; i < w->n_inferiors; i++)
                select_events(x, w->inferiors[i].id, 0);
        for (size_t i = 0; i < w->n; i++) {
                forget_drawing(x, w, &w->windows[i]);
                select_events(x, w->windows[i].id, 0);
        }
        w->n = w->n_inferiors = 0;
}

void x11_windows_start(struct x11_server *x, struct x11_screen *s, enum x11_windows_mode mode,
                       bool existing)
{
        struct x11_windows *w = &s->windows;

        stop(x, s);
        *w = (struct x11_windows){ .mode = x->has_damage ? mode : X11_WINDOWS_OFF,
                                   .started_ns = monotonic_ns() };
        if (w->mode != X11_WINDOWS_OFF && existing) {
                track_tree(x, s, s->info->root, 0);
                track_unmanaged(x, s);
        }
}

/* damaged() - the server stamps damage itself, on a clock that stands for no busy machine */
static void damaged(struct x11_window *window, struct x11_box box, xcb_timestamp_t server_ms)
{
        x11_time_place(server_ms, window->tracked_ns, monotonic_ns(), &window->damaged_ns,
                       &window->damaged_error_us);
        if (window->n_damaged < X11_DAMAGED_MAX)
                window->damaged[window->n_damaged++] = box;
        else
                window->damaged[0] = x11_box_join(window->damaged[0], box);
}

/* exposed() - what was damaged inside @box was the server's background */
static void exposed(struct x11_window *window, const struct x11_box *box)
{
        if (!box || x11_box_contains(*box, window->drawn))
                window->is_exposed = true;
        for (size_t i = 0; i < window->n_damaged;)
                if (!box || x11_box_contains(*box, window->damaged[i]))
                        window->damaged[i] = window->damaged[--window->n_damaged];
                else
                        i++;
}

static void unmapped(struct x11_window *window)
{
        window->is_mapped = window->is_drawn = window->is_read = false;
        window->n_damaged = 0;
}

static void on_create(struct x11_server *x, struct x11_screen *s,
                      const xcb_create_notify_event_t *e)
{
        struct x11_window *top = find_top(&s->windows, e->parent);

        if (e->parent == s->info->root && e->window != s->wm.ping &&
            (!e->override_redirect || s->windows.mode == X11_WINDOWS_GREETER))
                track(x, s, e->window, X11_SEEN_DRAWN);
        else if (top && top->damage)
                add_inferior(x, &s->windows, top->id, e->window, 0);
}

static void on_expose(struct x11_windows *w, const xcb_expose_event_t *e)
{
        const struct x11_box box = { e->x, e->y, e->width, e->height };
        struct x11_window *window = find_top(w, e->window);

        if (window)
                exposed(window, window->id == e->window ? &box : NULL);
}

static void on_damage(struct x11_windows *w, const xcb_damage_notify_event_t *e, uint32_t sequence)
{
        struct x11_window *window = find_damage(w, e->damage);

        /* A Damage object on a mapped window starts out with all of it damaged. */
        if (window && !window->is_drawn &&
            (window->seen == X11_SEEN_DRAWN || sequence > window->since_sequence))
                damaged(window,
                        (struct x11_box){ e->area.x, e->area.y, e->area.width, e->area.height },
                        e->timestamp);
}

static void on_destroy(struct x11_server *x, struct x11_windows *w, xcb_window_t id)
{
        struct x11_window *window = find(w, id);

        if (window)
                untrack(x, w, window);
        else
                drop_inferiors(w, id, false);
}

void x11_windows_event(struct x11_server *x, struct x11_screen *s, const xcb_generic_event_t *event)
{
        struct x11_windows *w = &s->windows;
        uint8_t type = event->response_type & 0x7f;
        struct x11_window *window;

        if (w->mode == X11_WINDOWS_OFF || w->is_done)
                return;
        if (type == x->damage_first_event + XCB_DAMAGE_NOTIFY) {
                on_damage(w, (const void *) event, event->full_sequence);
                return;
        }
        switch (type) {
        case XCB_CREATE_NOTIFY:
                on_create(x, s, (const void *) event);
                break;
        case XCB_DESTROY_NOTIFY:
                on_destroy(x, w, ((const xcb_destroy_notify_event_t *) event)->window);
                break;
        case XCB_MAP_NOTIFY:
                window = find(w, ((const xcb_map_notify_event_t *) event)->window);
                if (window)
                        window->is_mapped = true;
                break;
        case XCB_UNMAP_NOTIFY:
                window = find(w, ((const xcb_unmap_notify_event_t *) event)->window);
                if (window)
                        unmapped(window);
                break;
        case XCB_PROPERTY_NOTIFY:
                window = find(w, ((const xcb_property_notify_event_t *) event)->window);
                if (window &&
                    x11_match_is_about(x, ((const xcb_property_notify_event_t *) event)->atom))
                        match(x, s, window);
                break;
        case XCB_EXPOSE:
                on_expose(w, (const void *) event);
                break;
        default:
                break;
        }
}

/* drawn() - it is; since @at_ns at the latest */
static void drawn(struct x11_window *window, int64_t at_ns, int64_t error_us)
{
        window->is_drawn = true;
        window->is_read = false;
        window->drawn_ns = at_ns;
        window->drawn_error_us = error_us;
        window->n_damaged = 0;
}

/* unknown_us() - how long before @at_ns a window may have been drawn that was mapped when we came
 */
static int64_t unknown_us(const struct x11_server *x, const struct x11_window *window,
                          int64_t at_ns)
{
        switch (window->seen) {
        case X11_SEEN_LATE:
                return us_from_ns(at_ns - window->tracked_ns);
        case X11_SEEN_ALREADY:
                return us_from_ns(at_ns - x->since_ns);
        default:
                return 0;
        }
}

/* judge_late() - one whose first drawings may have been missed: by its colours alone; true when it
 * has them, and is to be looked for on the screen. Once it was seen with nothing in it, its story
 * is known from there. */
static bool judge_late(struct x11_server *x, struct x11_screen *s, struct x11_window *window)
{
        const struct x11_box all = { 0, 0, UINT16_MAX, UINT16_MAX };
        int64_t now_ns = monotonic_ns(), before_ns = pace_cpu_ns();
        enum x11_picture picture;

        if (window->seen == X11_SEEN_DRAWN || now_ns < window->late_ns)
                return false;
        picture = x11_picture(x, s, window->id, all);
        window->late_ns = pace_next_ns(now_ns, LATE_NS, pace_cpu_ns() - before_ns);
        if (picture == X11_PICTURE_PLAIN)
                window->seen = X11_SEEN_DRAWN;
        if (picture != X11_PICTURE_DRAWN)
                return false;
        window->damaged_ns = now_ns;
        window->damaged_error_us = 0;
        window->drawn = all;
        window->is_read = true;
        return true;
}

/* judge_shown() - drawn into; but under a compositor not on the screen before that has had its
 * turn. Not every one says that it is one (Enlightenment does not), so the screen is looked at in
 * any case, and the window is there when it was found, not when we began to look: a screenshot in
 * between may not show it. What lies behind another window, or is turned or scaled, is never found.
 */
static void judge_shown(struct x11_server *x, struct x11_screen *s, struct x11_window *window)
{
        int64_t at_ns = window->damaged_ns, asked_ns = monotonic_ns(), now_ns;
        enum x11_shown shown = x11_picture_shown(x, s, window->id, window->drawn);
        bool is_first_look = !window->is_awaited;

        now_ns = monotonic_ns();
        window->is_awaited = true;
        if (is_first_look)
                window->unseen_ns = at_ns;
        if (is_first_look && shown != X11_SHOWN_NO && !x11_is_composited(x, s, window->id))
                drawn(window, at_ns, window->damaged_error_us + unknown_us(x, window, at_ns));
        else if (shown == X11_SHOWN_YES)
                drawn(window, now_ns,
                      us_from_ns(now_ns - window->unseen_ns) + unknown_us(x, window, now_ns));
        else if (now_ns - at_ns > HIDDEN_NS)
                drawn(window, now_ns, us_from_ns(now_ns - at_ns) + unknown_us(x, window, now_ns));
        else
                window->unseen_ns = asked_ns;
}

/* judge() - one step; true when what came meanwhile has to be looked at before the next */
static bool judge(struct x11_server *x, struct x11_screen *s, struct x11_window *window)
{
        struct x11_box box = { .width = 0 };

        if (window->is_read && !window->is_exposed) {
                if (!window->is_awaited || s->windows.looked_ns >= s->windows.shown_next_ns)
                        judge_shown(x, s, window);
                return false;
        }
        window->is_read = window->is_exposed = window->is_awaited = false;
        if (window->n_damaged == 0)
                return judge_late(x, s, window);
        for (size_t i = 0; i < window->n_damaged; i++)
                box = x11_box_join(box, window->damaged[i]);
        /* More may come while we read; it is judged in the next round. */
        window->n_damaged = 0;
        if (x11_picture(x, s, window->id, box) != X11_PICTURE_DRAWN)
                return false;
        window->drawn = box;
        window->is_read = true;
        return true;
}

static const char *milestone_of(const struct x11_windows *w)
{
        return w->mode == X11_WINDOWS_GREETER ? "login.prompt" : "desktop.windows";
}

static void say_done(struct x11_server *x, struct x11_screen *s, const struct tally *tally,
                     const struct x11_window *last)
{
        static const char *const words[] = { [X11_SEEN_DRAWN] = "damage",
                                             [X11_SEEN_LATE] = "colours-late",
                                             [X11_SEEN_ALREADY] = "colours-already" };
        struct mark_detail d = MARK_DETAIL_NULL;
        enum x11_seen seen = X11_SEEN_DRAWN;

        /* As weak as the weakest of them. */
        for (size_t i = 0; i < s->windows.n; i++)
                if (tally->windows[i].line >= 0 && tally->windows[i].is_drawn &&
                    s->windows.windows[i].seen > seen)
                        seen = s->windows.windows[i].seen;
        mark_detail_add(&d, "windows", "%u", tally_count(tally));
        mark_detail_add(&d, "by", "%s", words[seen]);
        x11_match_describe(x, last->id, &d);
        x11_report(x, s, milestone_of(&s->windows), last->drawn_ns, last->drawn_error_us, &d);
}

static void say_absent(struct x11_server *x, struct x11_screen *s, const struct tally *tally)
{
        struct x11_windows *w = &s->windows;
        char reason[sizeof w->reason];

        tally_lack(tally, reason, sizeof reason);
        w->said_absent_ns = monotonic_ns();
        if (strcmp(reason, w->reason) == 0)
                return;
        (void) snprintf(w->reason, sizeof w->reason, "%s", reason);
        x11_absent(x, s, milestone_of(w), "%s", reason);
}

/* conclude() - all there? */
static void conclude(struct x11_server *x, struct x11_screen *s)
{
        struct x11_windows *w = &s->windows;
        struct tally_window windows[X11_WINDOWS_MAX];
        const struct tally tally = { .wanted = w->mode == X11_WINDOWS_DESKTOP ? x->desktop : NULL,
                                     .windows = windows,
                                     .n_windows = w->n };
        size_t last;

        for (size_t i = 0; i < w->n; i++)
                windows[i] = (struct tally_window){ .line = w->windows[i].wanted,
                                                    .is_mapped = w->windows[i].is_mapped,
                                                    .is_drawn = w->windows[i].is_drawn,
                                                    .drawn_ns = w->windows[i].drawn_ns };
        if (tally_is_complete(&tally, &last)) {
                say_done(x, s, &tally, &w->windows[last]);
                stop(x, s);
                w->is_done = true;
        } else if (w->looked_ns - (w->said_absent_ns ? w->said_absent_ns : w->started_ns) >=
                   ABSENT_NS) {
                say_absent(x, s, &tally);
        }
}

bool x11_windows_check(struct x11_server *x, struct x11_screen *s)
{
        struct x11_windows *w = &s->windows;
        int64_t before_ns = pace_cpu_ns();
        bool again = false;

        if (w->mode == X11_WINDOWS_OFF || w->is_done)
                return false;
        w->looked_ns = monotonic_ns();
        for (size_t i = 0; i < w->n; i++)
                if (w->windows[i].damage && w->windows[i].is_mapped && !w->windows[i].is_drawn)
                        again = judge(x, s, &w->windows[i]) || again;
        if (w->looked_ns >= w->shown_next_ns)
                w->shown_next_ns =
                        pace_next_ns(monotonic_ns(), SHOWN_NS, pace_cpu_ns() - before_ns);
        if (!again)
                conclude(x, s);
        return again;
}

int64_t x11_windows_next_ns(const struct x11_screen *s)
{
        const struct x11_windows *w = &s->windows;
        int64_t next_ns = (w->said_absent_ns ? w->said_absent_ns : w->started_ns) + ABSENT_NS;

        if (w->mode == X11_WINDOWS_OFF || w->is_done)
                return INT64_MAX;
        for (size_t i = 0; i < w->n; i++) {
                const struct x11_window *window = &w->windows[i];
                int64_t at_ns = INT64_MAX;

                if (!window->damage || !window->is_mapped || window->is_drawn)
                        continue;
                if (window->is_read)
                        at_ns = w->shown_next_ns;
                else if (window->seen != X11_SEEN_DRAWN)
                        at_ns = window->late_ns;
                next_ns = at_ns < next_ns ? at_ns : next_ns;
        }
        return next_ns;
}
