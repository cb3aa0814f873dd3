/* witness/x11_setup.c - the parts of a setup reply, added up */
#include "witness/x11_setup.h"
#include <string.h>
#include <xcb/xcb.h>

/* What is left to be read, or nothing once something did not fit. */
struct rest {
        const unsigned char *p;
        size_t n_bytes;
        bool is_short;
};

static const void *take(struct rest *r, size_t n_bytes)
{
        const void *p = r->p;

        if (r->is_short || n_bytes > r->n_bytes) {
                r->is_short = true;
                return NULL;
        }
        r->p += n_bytes;
        r->n_bytes -= n_bytes;
        return p;
}

static void take_screen(struct rest *r)
{
        const xcb_screen_t *screen = take(r, sizeof *screen);

        for (unsigned i = 0; screen && i < screen->allowed_depths_len; i++) {
                const xcb_depth_t *depth = take(r, sizeof *depth);

                if (!depth)
                        return;
                (void) take(r, depth->visuals_len * sizeof(xcb_visualtype_t));
        }
}

bool x11_setup_is_sane(const void *setup, size_t n_bytes)
{
        struct rest r = { .p = setup, .n_bytes = n_bytes };
        const xcb_setup_t *s = take(&r, sizeof *s);

        if (!s || s->protocol_major_version != 11 || s->roots_len == 0 ||
            s->resource_id_mask == 0 || s->resource_id_base & s->resource_id_mask)
                return false;
        (void) take(&r, (s->vendor_len + 3u) & ~3u);
        (void) take(&r, s->pixmap_formats_len * sizeof(xcb_format_t));
        for (unsigned i = 0; i < s->roots_len; i++)
                take_screen(&r);
        return !r.is_short;
}
