/* collectors/window_task.c - two windows at the same place, on Xlib
 *
 * Xlib's own answer to a lost connection is exit(): it is told not to, and the task fails instead.
 */
#include "collectors/window_task.h"
#include <X11/Xlib.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include "collectors/interrupt.h"
#include "record/clock.h"
#include "record/hush.h"

#define WIDTH 400
#define HEIGHT 300
#define LINES 20
#define LINE_HEIGHT 14
#define WAIT_US (10 * (int64_t) US_PER_S) /* under heavy loads it takes long; without end never */

struct window_task {
        Display *display;
        Window below, cover;
        GC gc;
        bool maps;    /* the lower window comes anew, instead of being uncovered */
        bool is_lost; /* the connection */
};

static void lose(Display *display, void *userdata)
{
        struct window_task *t = userdata;

        (void) display;
        t->is_lost = true;
}

static int say_nothing(Display *display)
{
        (void) display;
        return 0;
}

/* An error of our own windows' requests: there is nobody to tell, and it shows as a window that is
 * never drawn. */
static int ignore(Display *display, XErrorEvent *error)
{
        (void) display;
        (void) error;
        return 0;
}

void window_task_freep(struct window_task **t)
{
        if (!*t)
                return;
        if ((*t)->gc)
                (void) XFreeGC((*t)->display, (*t)->gc);
        if ((*t)->display)
                (void) XCloseDisplay((*t)->display);
        free(*t);
        *t = NULL;
}

const char *window_task_how(const struct window_task *t) { return t->maps ? "map" : "uncover"; }

/* await() - an event of @type for @window. Return: 0, -ETIME, -EINTR, -EIO */
static int await(struct window_task *t, Window window, int type, int64_t wait_us)
{
        int64_t end_us = clock_us(CLOCK_MONOTONIC) + wait_us;

        for (;;) {
                struct pollfd fd = { .events = POLLIN };
                int64_t left_us;
                XEvent event;

                if (interrupt_is_pending())
                        return -EINTR;
                while (!t->is_lost && XPending(t->display) > 0) {
                        (void) XNextEvent(t->display, &event);
                        if (!t->is_lost && event.type == type && event.xany.window == window &&
                            (type != Expose || event.xexpose.count == 0))
                                return 0;
                }
                if (t->is_lost)
                        return -EIO;
                left_us = end_us - clock_us(CLOCK_MONOTONIC);
                if (left_us <= 0)
                        return -ETIME;
                fd.fd = ConnectionNumber(t->display);
                (void) poll(&fd, 1, (int) (left_us / 1000) + 1);
        }
}

static void forget_events(struct window_task *t)
{
        XEvent event;

        (void) XSync(t->display, False);
        while (!t->is_lost && XPending(t->display) > 0)
                (void) XNextEvent(t->display, &event);
}

static void draw(struct window_task *t)
{
        static const char text[] = "The quick brown fox jumps over the lazy dog.";

        (void) XClearWindow(t->display, t->below);
        for (int i = 0; i < LINES; i++) {
                (void) XDrawString(t->display, t->below, t->gc, 10, LINE_HEIGHT * (i + 1), text,
                                   (int) strlen(text));
                (void) XDrawLine(t->display, t->below, t->gc, 0, LINE_HEIGHT * (i + 1), WIDTH,
                                 LINE_HEIGHT * (i + 1));
        }
        (void) XSync(t->display, False); /* its answer comes when all of it is done */
}

static int show(struct window_task *t, Window window, int64_t wait_us)
{
        (void) XMapRaised(t->display, window);
        return await(t, window, Expose, wait_us);
}

/* prepare() - as it is before: the lower one covered, or away */
static int prepare(struct window_task *t)
{
        int r;

        if (t->maps) {
                (void) XUnmapWindow(t->display, t->below);
                r = await(t, t->below, UnmapNotify, WAIT_US);
        } else {
                r = show(t, t->cover, WAIT_US);
        }
        if (r == 0)
                forget_events(t);
        return t->is_lost ? -EIO : r;
}

static int run(struct window_task *t, int64_t wait_us, double *ret_ms)
{
        int64_t start_us;
        int r = prepare(t);

        if (r < 0)
                return r;
        start_us = clock_us(CLOCK_MONOTONIC);
        if (t->maps)
                (void) XMapRaised(t->display, t->below);
        else
                (void) XUnmapWindow(t->display, t->cover);
        r = await(t, t->below, Expose, wait_us);
        if (r < 0)
                return r;
        draw(t);
        *ret_ms = (double) (clock_us(CLOCK_MONOTONIC) - start_us) / 1000;
        return t->is_lost ? -EIO : 0;
}

static int words(struct fault *fault, int r)
{
        if (r == -ETIME)
                return fault_set(fault, r,
                                 "the X server does not say that a window is to be drawn");
        if (r == -EIO)
                return fault_set(fault, r, "the X server is gone");
        return fault_errno(fault, r, "a window");
}

int window_task_run(struct window_task *t, double *ret_ms, struct fault *fault)
{
        int r = run(t, WAIT_US, ret_ms);

        return r < 0 ? words(fault, r) : 0;
}

static void make_windows(struct window_task *t)
{
        int screen = DefaultScreen(t->display);
        XSetWindowAttributes attributes = { .override_redirect = True,
                                            .background_pixel = WhitePixel(t->display, screen),
                                            .event_mask = ExposureMask | StructureNotifyMask };
        Window *windows[] = { &t->below, &t->cover };

        for (size_t i = 0; i < ELEMENTSOF(windows); i++)
                *windows[i] =
                        XCreateWindow(t->display, DefaultRootWindow(t->display), 0, 0, WIDTH,
                                      HEIGHT, 0, CopyFromParent, InputOutput, CopyFromParent,
                                      CWOverrideRedirect | CWBackPixel | CWEventMask, &attributes);
        t->gc = XCreateGC(t->display, t->below, 0, NULL);
        (void) XSetForeground(t->display, t->gc, BlackPixel(t->display, screen));
}

int window_task_open(struct window_task **ret, struct fault *fault)
{
        CLEANUP(window_task_freep) struct window_task *t = calloc(1, sizeof *t);
        const char *name = getenv("DISPLAY");
        double ms;
        int hushed, r;

        if (!t)
                return fault_set(fault, -ENOMEM, "no memory");
        if (!name || !*name)
                return fault_set(fault, -ENODEV, "there is no display");
        hushed = hush_stderr();
        t->display = XOpenDisplay(NULL);
        hush_end(hushed);
        if (!t->display)
                return fault_set(fault, -ENODEV, "display %.64s does not let us in", name);
        (void) XSetErrorHandler(ignore);
        (void) XSetIOErrorHandler(say_nothing);
        XSetIOErrorExitHandler(t->display, lose, t);
        make_windows(t);
        r = show(t, t->below, WAIT_US);
        if (r == 0)
                r = run(t, US_PER_S, &ms);
        if (r == -ETIME) {
                (void) XUnmapWindow(t->display, t->cover);
                t->maps = true;
                r = run(t, WAIT_US, &ms);
        }
        if (r < 0)
                return words(fault, r);
        *ret = TAKE(t);
        return 0;
}
