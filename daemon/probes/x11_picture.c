/* daemon/probes/x11_picture.c - reading windows back, in small pieces */
#include "daemon/probes/x11_picture.h"
#include <stdlib.h>
#include <string.h>
#include "daemon/probes/x11_server.h"

#define BAND_PIXELS (64 * 1024)
#define ROWS_COMPARED 8
#define EDGE_PART 4      /* a quarter of the contrast can be seen; a fade begins with less */
#define SHOWN_PERCENT 90 /* a pointer or a shadow may lie over the rest */

static int max_int(int a, int b) { return a > b ? a : b; }
static int min_int(int a, int b) { return a < b ? a : b; }

static bool is_empty(struct x11_box b) { return b.width <= 0 || b.height <= 0; }

struct x11_box x11_box_join(struct x11_box a, struct x11_box b)
{
        struct x11_box joined;

        if (is_empty(a))
                return b;
        if (is_empty(b))
                return a;
        joined.x = min_int(a.x, b.x);
        joined.y = min_int(a.y, b.y);
        joined.width = max_int(a.x + a.width, b.x + b.width) - joined.x;
        joined.height = max_int(a.y + a.height, b.y + b.height) - joined.y;
        return joined;
}

static struct x11_box intersect(struct x11_box a, struct x11_box b)
{
        struct x11_box r = { .x = max_int(a.x, b.x), .y = max_int(a.y, b.y) };

        r.width = max_int(0, min_int(a.x + a.width, b.x + b.width) - r.x);
        r.height = max_int(0, min_int(a.y + a.height, b.y + b.height) - r.y);
        return r;
}

bool x11_box_contains(struct x11_box outer, struct x11_box inner)
{
        struct x11_box both = intersect(outer, inner);

        return both.width == inner.width && both.height == inner.height;
}

/* clip() - @box as far as it lies in the window and on the screen; *ret_x, *ret_y: the window's
 * place on the root. False when the window is gone. */
static bool clip(struct x11_server *x, const struct x11_screen *s, xcb_window_t window,
                 struct x11_box *box, int *ret_x, int *ret_y)
{
        xcb_get_geometry_cookie_t geometry = xcb_get_geometry(x->c, window);
        xcb_translate_coordinates_cookie_t place =
                xcb_translate_coordinates(x->c, window, s->info->root, 0, 0);
        xcb_get_geometry_reply_t *g = xcb_get_geometry_reply(x->c, geometry, NULL);
        xcb_translate_coordinates_reply_t *t = xcb_translate_coordinates_reply(x->c, place, NULL);
        bool found = g && t;

        if (found) {
                *ret_x = t->dst_x;
                *ret_y = t->dst_y;
                *box = intersect(*box, (struct x11_box){ 0, 0, g->width, g->height });
                *box = intersect(*box,
                                 (struct x11_box){ -t->dst_x, -t->dst_y, s->info->width_in_pixels,
                                                   s->info->height_in_pixels });
        }
        free(g);
        free(t);
        return found && !is_empty(*box);
}

/* with_border() - a drawing of one colour shows by what is beside it */
static struct x11_box with_border(struct x11_box b)
{
        return (struct x11_box){ b.x - 1, b.y - 1, b.width + 2, b.height + 2 };
}

static xcb_get_image_reply_t *read_box(struct x11_server *x, xcb_drawable_t d, struct x11_box b)
{
        return xcb_get_image_reply(x->c,
                                   xcb_get_image(x->c, XCB_IMAGE_FORMAT_Z_PIXMAP, d, (int16_t) b.x,
                                                 (int16_t) b.y, (uint16_t) b.width,
                                                 (uint16_t) b.height, UINT32_MAX),
                                   NULL);
}

/* How the pixels of one depth lie in an image. */
struct layout {
        int pixel_bytes; /* 0 when they are smaller than a byte, or unknown */
        int pad_byte;    /* of a pixel, that holds nothing; -1 for none */
};

static struct layout layout_of(const struct x11_server *x, uint8_t depth)
{
        const xcb_setup_t *setup = xcb_get_setup(x->c);
        struct layout l = { .pad_byte = -1 };

        for (xcb_format_iterator_t i = xcb_setup_pixmap_formats_iterator(setup); i.rem > 0;
             xcb_format_next(&i))
                if (i.data->depth == depth)
                        l.pixel_bytes = i.data->bits_per_pixel / 8;
        if (l.pixel_bytes == 4 && depth <= 24)
                l.pad_byte = setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST ? 3 : 0;
        return l;
}

static bool same_pixel(const struct layout *l, const uint8_t *a, const uint8_t *b)
{
        for (int i = 0; i < l->pixel_bytes; i++)
                if (i != l->pad_byte && a[i] != b[i])
                        return false;
        return true;
}

/* The lines of an image, all inside what the server sent. */
struct lines {
        const uint8_t *first;
        size_t line_bytes;
        struct layout layout;
};

static bool lines_of(const struct x11_server *x, const xcb_get_image_reply_t *image,
                     struct x11_box b, struct lines *ret)
{
        size_t n_bytes = (size_t) xcb_get_image_data_length(image);

        ret->layout = layout_of(x, image->depth);
        ret->first = xcb_get_image_data(image);
        ret->line_bytes = n_bytes / (size_t) b.height;
        return ret->layout.pixel_bytes > 0 &&
               ret->line_bytes >= (size_t) b.width * (size_t) ret->layout.pixel_bytes;
}

/* band_is_plain() - every pixel is as @first_pixel, which the first band sets */
static bool band_is_plain(const struct lines *l, struct x11_box b, uint8_t *first_pixel,
                          bool *has_first)
{
        if (!*has_first)
                memcpy(first_pixel, l->first, (size_t) l->layout.pixel_bytes);
        *has_first = true;
        for (int y = 0; y < b.height; y++) {
                const uint8_t *p = l->first + (size_t) y * l->line_bytes;

                for (int i = 0; i < b.width; i++, p += l->layout.pixel_bytes)
                        if (!same_pixel(&l->layout, p, first_pixel))
                                return false;
        }
        return true;
}

enum x11_picture x11_picture(struct x11_server *x, const struct x11_screen *s, xcb_window_t window,
                             struct x11_box box)
{
        uint8_t first_pixel[8];
        bool has_first = false;
        int at_x, at_y, rows;

        box = with_border(box);
        if (!clip(x, s, window, &box, &at_x, &at_y))
                return X11_PICTURE_NONE;
        rows = max_int(1, BAND_PIXELS / box.width);
        for (int y = 0; y < box.height; y += rows) {
                struct x11_box band = { box.x, box.y + y, box.width,
                                        min_int(rows, box.height - y) };
                xcb_get_image_reply_t *image = read_box(x, window, band);
                struct lines l;
                bool is_plain;

                if (!image)
                        return X11_PICTURE_NONE;
                is_plain = !lines_of(x, image, band, &l) ||
                           band_is_plain(&l, band, first_pixel, &has_first);
                free(image);
                if (!is_plain)
                        return X11_PICTURE_DRAWN;
        }
        return X11_PICTURE_PLAIN;
}

/* What rows of a window and of the screen have in common. */
struct likeness {
        int n_pixels, n_same;        /* in colour */
        int n_edges, n_edges_kept;   /* from one pixel to the next another colour, in both */
        int n_within, n_within_kept; /* the same colour, in both */
};

/* contrast() - the largest difference of two pixels in one channel; of pixels that are not made of
 * bytes, whether there is one */
static int contrast(const struct layout *l, const uint8_t *a, const uint8_t *b)
{
        int most_of_all = 0;

        if (l->pixel_bytes < 3)
                return !same_pixel(l, a, b);
        for (int i = 0; i < l->pixel_bytes; i++)
                if (i != l->pad_byte)
                        most_of_all = max_int(most_of_all, a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
        return most_of_all;
}

static void compare_lines(const struct lines *own, const struct lines *shown, int width,
                          struct likeness *sum)
{
        int n_bytes = own->layout.pixel_bytes;

        for (int i = 0; i < width; i++) {
                const uint8_t *a = own->first + i * n_bytes, *b = shown->first + i * n_bytes;

                sum->n_pixels++;
                sum->n_same += same_pixel(&own->layout, a, b);
                if (i == 0)
                        continue;
                if (same_pixel(&own->layout, a, a - n_bytes)) {
                        sum->n_within++;
                        sum->n_within_kept += same_pixel(&own->layout, b, b - n_bytes);
                } else {
                        sum->n_edges++;
                        sum->n_edges_kept += contrast(&own->layout, b, b - n_bytes) * EDGE_PART >=
                                             contrast(&own->layout, a, a - n_bytes);
                }
        }
}

static void compare_row(struct x11_server *x, const struct x11_screen *s, xcb_window_t window,
                        struct x11_box row, int at_x, int at_y, struct likeness *sum)
{
        struct x11_box on_root = { row.x + at_x, row.y + at_y, row.width, row.height };
        xcb_get_image_reply_t *own = read_box(x, window, row);
        xcb_get_image_reply_t *shown = read_box(x, s->info->root, on_root);
        struct lines a, b;

        if (own && shown && lines_of(x, own, row, &a) && lines_of(x, shown, on_root, &b) &&
            a.layout.pixel_bytes == b.layout.pixel_bytes) {
                /* A window may have an alpha channel where the screen has nothing. */
                if (a.layout.pad_byte < 0)
                        a.layout.pad_byte = b.layout.pad_byte;
                compare_lines(&a, &b, row.width, sum);
        }
        free(own);
        free(shown);
}

static bool most(int part, int whole) { return whole > 0 && part * 100 >= whole * SHOWN_PERCENT; }

enum x11_shown x11_picture_shown(struct x11_server *x, const struct x11_screen *s,
                                 xcb_window_t window, struct x11_box box)
{
        struct likeness sum = { .n_pixels = 0 };
        int at_x, at_y;
        bool is_same;

        box = with_border(box);
        if (!clip(x, s, window, &box, &at_x, &at_y))
                return X11_SHOWN_NO;
        for (int i = 0; i < min_int(ROWS_COMPARED, box.height); i++) {
                int y = box.y + (2 * i + 1) * box.height / (2 * min_int(ROWS_COMPARED, box.height));

                compare_row(x, s, window, (struct x11_box){ box.x, y, box.width, 1 }, at_x, at_y,
                            &sum);
        }
        if (sum.n_pixels == 0)
                return X11_SHOWN_UNKNOWN;
        /* A background that is shown before the drawing on it has most of the colours already. */
        if (sum.n_edges == 0)
                is_same = most(sum.n_same, sum.n_pixels);
        else
                is_same = most(sum.n_edges_kept, sum.n_edges) &&
                          (sum.n_within == 0 || most(sum.n_within_kept, sum.n_within));
        return is_same ? X11_SHOWN_YES : X11_SHOWN_NO;
}
