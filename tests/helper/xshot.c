/* tests/helper/xshot.c - one screenshot after the other, until xwindow's drawing is seen in one
 *
 * Prints "ready NS" after the first, and then "unseen NS" and "seen NS": when the last one without
 * it was asked for, and when the first one with it was there. CLOCK_MONOTONIC.
 */
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <xcb/xcb.h>
#include "record/macros.h"

#define PURPLE_LEAST 40 /* a quarter of xwindow's contrast */

static int64_t now_ns(void)
{
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* is_purple() - xwindow's colour, also while it fades in */
static bool is_purple(uint32_t pixel)
{
        int red = pixel >> 16 & 0xff, green = pixel >> 8 & 0xff, blue = pixel & 0xff;

        return red - green >= PURPLE_LEAST && blue - green >= PURPLE_LEAST;
}

static bool is_seen(xcb_connection_t *c, const xcb_screen_t *s)
{
        xcb_get_image_reply_t *image = xcb_get_image_reply(
                c,
                xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, s->root, 0, 0, s->width_in_pixels,
                              s->height_in_pixels, UINT32_MAX),
                NULL);
        const uint32_t *pixels = image ? (const void *) xcb_get_image_data(image) : NULL;
        int n = image ? xcb_get_image_data_length(image) / 4 : 0;
        bool seen = false;

        for (int i = 0; i < n && !seen; i++)
                seen = is_purple(pixels[i]);
        free(image);
        return seen;
}

int main(void)
{
        xcb_connection_t *c = xcb_connect(NULL, NULL);
        const xcb_screen_t *s;
        int64_t asked_ns = 0, unseen_ns = 0;

        if (xcb_connection_has_error(c))
                return EXIT_FAILURE;
        s = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
        for (int64_t n = 0; !xcb_connection_has_error(c); n++) {
                asked_ns = now_ns();
                if (is_seen(c, s)) {
                        (void) printf("unseen %lld\nseen %lld\n", (long long) unseen_ns,
                                      (long long) now_ns());
                        return EXIT_SUCCESS;
                }
                unseen_ns = asked_ns;
                if (n == 0) {
                        (void) printf("ready %lld\n", (long long) now_ns());
                        (void) fflush(stdout);
                }
        }
        return EXIT_FAILURE;
}
