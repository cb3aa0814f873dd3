/* tests/helper/xwindow.c - a client whose every step is known
 *
 *   xwindow CLASS BACKGROUND DRAW [COUNT]
 *
 * Maps COUNT windows (1) of WM_CLASS CLASS. BACKGROUND is "plain" or "pattern" (a pixmap of two
 * colours, which the server paints by itself). DRAW is "expose" (at each Expose, as clients do),
 * "signal" (at SIGUSR1), or "blank" (at each Expose all of it in one colour, and at SIGUSR1).
 * Prints, with CLOCK_MONOTONIC in ns, "state NS" when WM_STATE appears on the first window,
 * "exposed NS", and "drawn NS" when the server has carried out the drawing of all.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <sys/signalfd.h>
#include <xcb/xcb.h>
#include "record/macros.h"

#define WINDOWS_MAX 16
#define WIDTH 200
#define HEIGHT 120
#define COLOUR 0xc020e0 /* what xshot looks for */

static xcb_connection_t *c;
static const xcb_screen_t *screen;
static xcb_window_t windows[WINDOWS_MAX];
static unsigned n_windows = 1;
static bool is_exposed[WINDOWS_MAX], has_state, has_drawn, is_blank;
static xcb_gcontext_t gc;

static void say(const char *what)
{
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        (void) printf("%s %lld\n", what, (long long) t.tv_sec * 1000000000 + t.tv_nsec);
        (void) fflush(stdout);
}

static void sync_server(void) { free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL)); }

static xcb_atom_t atom(const char *name)
{
        xcb_intern_atom_reply_t *r = xcb_intern_atom_reply(
                c, xcb_intern_atom(c, 0, (uint16_t) strlen(name), name), NULL);
        xcb_atom_t a = r ? r->atom : XCB_ATOM_NONE;

        free(r);
        return a;
}

static xcb_pixmap_t pattern(void)
{
        const xcb_rectangle_t half = { 0, 0, 4, 8 }, other = { 4, 0, 4, 8 };
        xcb_pixmap_t p = xcb_generate_id(c);

        xcb_create_pixmap(c, screen->root_depth, p, screen->root, 8, 8);
        xcb_change_gc(c, gc, XCB_GC_FOREGROUND, &screen->black_pixel);
        xcb_poly_fill_rectangle(c, p, gc, 1, &half);
        xcb_change_gc(c, gc, XCB_GC_FOREGROUND, &screen->white_pixel);
        xcb_poly_fill_rectangle(c, p, gc, 1, &other);
        return p;
}

static void make_window(unsigned i, const char *class, bool has_pattern)
{
        char both[128];
        int n = snprintf(both, sizeof both, "%s%c%s", class, '\0', class) + 1;
        uint32_t values[] = { has_pattern ? pattern() : screen->white_pixel,
                              XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_PROPERTY_CHANGE };

        windows[i] = xcb_generate_id(c);
        xcb_create_window(
                c, XCB_COPY_FROM_PARENT, windows[i], screen->root, (int16_t) (i * (WIDTH + 10)), 0,
                WIDTH, HEIGHT, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                (has_pattern ? XCB_CW_BACK_PIXMAP : XCB_CW_BACK_PIXEL) | XCB_CW_EVENT_MASK, values);
        xcb_change_property(c, XCB_PROP_MODE_REPLACE, windows[i], XCB_ATOM_WM_CLASS,
                            XCB_ATOM_STRING, 8, (uint32_t) n, both);
        xcb_map_window(c, windows[i]);
}

/* draw() - a frame, well inside the window */
static void draw(unsigned i)
{
        const xcb_rectangle_t frame = { 20, 20, WIDTH - 40, HEIGHT - 40 };

        const uint32_t colour = screen->root_depth == 24 ? COLOUR : screen->black_pixel;

        xcb_change_gc(c, gc, XCB_GC_FOREGROUND, is_blank ? &screen->white_pixel : &colour);
        xcb_poly_rectangle(c, windows[i], gc, 1, &frame);
}

static void draw_blank(unsigned i)
{
        const xcb_rectangle_t all = { 0, 0, WIDTH, HEIGHT };

        xcb_change_gc(c, gc, XCB_GC_FOREGROUND, &screen->black_pixel);
        xcb_poly_fill_rectangle(c, windows[i], gc, 1, &all);
        sync_server();
        say("blank");
}

static void on_event(const xcb_generic_event_t *event, bool draws)
{
        uint8_t type = event->response_type & 0x7f;

        if (type == XCB_PROPERTY_NOTIFY) {
                const xcb_property_notify_event_t *e = (const void *) event;

                if (e->window == windows[0] && !has_state && e->atom == atom("WM_STATE")) {
                        has_state = true;
                        say("state");
                }
        } else if (type == XCB_EXPOSE) {
                const xcb_expose_event_t *e = (const void *) event;
                bool all = true;

                for (unsigned i = 0; i < n_windows; i++) {
                        if (windows[i] == e->window) {
                                if (!is_exposed[i] && i == 0)
                                        say("exposed");
                                is_exposed[i] = true;
                                if (is_blank)
                                        draw_blank(i);
                                if (draws)
                                        draw(i);
                        }
                        all = all && is_exposed[i];
                }
                if (draws && all && !has_drawn) {
                        has_drawn = true;
                        sync_server();
                        say("drawn");
                }
        }
}

static void on_signal(int fd)
{
        struct signalfd_siginfo info;

        (void) read(fd, &info, sizeof info);
        for (unsigned i = 0; i < n_windows; i++)
                draw(i);
        sync_server();
        say("drawn");
}

static int signal_fd(void)
{
        sigset_t set;

        (void) sigemptyset(&set);
        (void) sigaddset(&set, SIGUSR1);
        (void) sigprocmask(SIG_BLOCK, &set, NULL);
        return signalfd(-1, &set, SFD_CLOEXEC);
}

int main(int argc, char **argv)
{
        struct pollfd fds[2] = { { .events = POLLIN }, { .events = POLLIN } };
        bool draws;

        c = xcb_connect(NULL, NULL);
        if (argc < 4 || xcb_connection_has_error(c))
                return EXIT_FAILURE;
        draws = strcmp(argv[3], "expose") == 0;
        is_blank = strcmp(argv[3], "blank") == 0;
        if (argc > 4)
                n_windows = (unsigned) strtoul(argv[4], NULL, 10);
        if (n_windows < 1 || n_windows > WINDOWS_MAX)
                return EXIT_FAILURE;
        screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
        gc = xcb_generate_id(c);
        xcb_create_gc(c, gc, screen->root, 0, NULL);
        for (unsigned i = 0; i < n_windows; i++)
                make_window(i, argv[1], strcmp(argv[2], "pattern") == 0);
        sync_server();
        say("asked");
        fds[0].fd = xcb_get_file_descriptor(c);
        fds[1].fd = signal_fd();
        while (!xcb_connection_has_error(c)) {
                xcb_generic_event_t *event;

                while ((event = xcb_poll_for_event(c))) {
                        on_event(event, draws);
                        free(event);
                }
                (void) xcb_flush(c);
                (void) poll(fds, 2, -1);
                if (fds[1].revents)
                        on_signal(fds[1].fd);
        }
        return EXIT_SUCCESS;
}
