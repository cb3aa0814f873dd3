/* tests/helper/wlwindow.c - a Wayland client whose every step is known
 *
 *   wlwindow APP_ID TITLE
 *
 * Waits until the compositor at WAYLAND_DISPLAY can be connected to, and shows one window. Prints,
 * with CLOCK_MONOTONIC in ns, "connected NS", "configured NS" when the compositor has told the
 * window its first size, "drawn NS" when the picture was handed over, and "frame NS" when the
 * compositor says that it was on the screen. Stays until it is ended.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client.h>
#include "record/macros.h"
#include "xdg-shell-client.h"

#define WIDTH 200
#define HEIGHT 120
#define POLL_US 1000

struct window {
        struct wl_compositor *compositor;
        struct wl_shm *shm;
        struct xdg_wm_base *shell;
        struct wl_surface *surface;
        bool has_drawn;
};

static void say(const char *what)
{
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        (void) printf("%s %lld\n", what, (long long) t.tv_sec * 1000000000 + t.tv_nsec);
        (void) fflush(stdout);
}

static struct wl_buffer *picture(const struct window *w)
{
        const size_t n_bytes = (size_t) WIDTH * HEIGHT * sizeof(uint32_t);
        CLEANUP(closep) int fd = memfd_create("picture", MFD_CLOEXEC);
        struct wl_shm_pool *pool;
        struct wl_buffer *buffer;
        uint32_t *pixels;

        if (fd < 0 || ftruncate(fd, (off_t) n_bytes) < 0)
                return NULL;
        pixels = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (pixels == MAP_FAILED)
                return NULL;
        for (int i = 0; i < WIDTH * HEIGHT; i++)
                pixels[i] = i % WIDTH < WIDTH / 2 ? 0xffff0000 : 0xff00ff00;
        (void) munmap(pixels, n_bytes);
        pool = wl_shm_create_pool(w->shm, fd, (int32_t) n_bytes);
        buffer = wl_shm_pool_create_buffer(pool, 0, WIDTH, HEIGHT, WIDTH * (int) sizeof(uint32_t),
                                           WL_SHM_FORMAT_XRGB8888);
        wl_shm_pool_destroy(pool);
        return buffer;
}

static void on_frame(void *data, struct wl_callback *callback, uint32_t time_ms)
{
        (void) data;
        (void) time_ms;
        wl_callback_destroy(callback);
        say("frame");
}

static void on_configure(void *data, struct xdg_surface *surface, uint32_t serial)
{
        static const struct wl_callback_listener frame = { on_frame };
        struct window *w = data;

        xdg_surface_ack_configure(surface, serial);
        if (w->has_drawn)
                return;
        w->has_drawn = true;
        say("configured");
        wl_surface_attach(w->surface, picture(w), 0, 0);
        wl_surface_damage(w->surface, 0, 0, WIDTH, HEIGHT);
        (void) wl_callback_add_listener(wl_surface_frame(w->surface), &frame, w);
        wl_surface_commit(w->surface);
        say("drawn");
}

static void on_ping(void *data, struct xdg_wm_base *shell, uint32_t serial)
{
        (void) data;
        xdg_wm_base_pong(shell, serial);
}

static void on_size(void *data, struct xdg_toplevel *top, int32_t width, int32_t height,
                    struct wl_array *states)
{
        (void) data;
        (void) top;
        (void) width;
        (void) height;
        (void) states;
}

static void on_close(void *data, struct xdg_toplevel *top)
{
        (void) data;
        (void) top;
        exit(EXIT_SUCCESS);
}

static void on_global(void *data, struct wl_registry *registry, uint32_t name,
                      const char *interface, uint32_t version)
{
        static const struct xdg_wm_base_listener ping = { on_ping };
        struct window *w = data;

        (void) version;
        if (strcmp(interface, "wl_compositor") == 0)
                w->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
        else if (strcmp(interface, "wl_shm") == 0)
                w->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
        else if (strcmp(interface, "xdg_wm_base") == 0) {
                w->shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
                (void) xdg_wm_base_add_listener(w->shell, &ping, w);
        }
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
        (void) data;
        (void) registry;
        (void) name;
}

int main(int argc, char **argv)
{
        static const struct wl_registry_listener registry = { on_global, on_global_remove };
        static const struct xdg_surface_listener surface = { on_configure };
        static const struct xdg_toplevel_listener top = { .configure = on_size, .close = on_close };
        struct window w = { .compositor = NULL };
        struct wl_display *display;
        struct xdg_surface *xdg_surface;
        struct xdg_toplevel *toplevel;

        if (argc != 3)
                return 2;
        while (!(display = wl_display_connect(NULL)))
                (void) usleep(POLL_US);
        say("connected");
        (void) wl_registry_add_listener(wl_display_get_registry(display), &registry, &w);
        if (wl_display_roundtrip(display) < 0 || !w.compositor || !w.shm || !w.shell)
                return EXIT_FAILURE;
        w.surface = wl_compositor_create_surface(w.compositor);
        xdg_surface = xdg_wm_base_get_xdg_surface(w.shell, w.surface);
        (void) xdg_surface_add_listener(xdg_surface, &surface, &w);
        toplevel = xdg_surface_get_toplevel(xdg_surface);
        (void) xdg_toplevel_add_listener(toplevel, &top, NULL);
        xdg_toplevel_set_app_id(toplevel, argv[1]);
        xdg_toplevel_set_title(toplevel, argv[2]);
        wl_surface_commit(w.surface);
        while (wl_display_dispatch(display) >= 0)
                ;
        return EXIT_SUCCESS;
}
