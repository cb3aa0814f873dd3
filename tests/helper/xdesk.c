/* tests/helper/xdesk.c - what a desktop can do to an X server, done on purpose
 *
 *   xdesk stale-check       root names a check window that is gone
 *   xdesk wrong-type        root's check property is a CARDINAL
 *   xdesk huge              root's check property is 16 MiB of WINDOWs, and its name 16 MiB of text
 *   xdesk one-way           root names a window that names another
 *   xdesk manage [stopped]  a bare window manager: takes the screen; "stopped" stops itself then
 *
 * Prints "ready" when it is done; the first three stay connected, so that the server keeps what
 * they did.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include "record/macros.h"

#define HUGE_BYTES (16u * 1024 * 1024)
#define CHUNK_BYTES (128u * 1024)

static xcb_connection_t *c;
static xcb_window_t root;

static void say(const char *word)
{
        free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL)); /* all is carried out */
        (void) puts(word);
        (void) fflush(stdout);
}

static xcb_atom_t atom(const char *name)
{
        xcb_intern_atom_reply_t *r = xcb_intern_atom_reply(
                c, xcb_intern_atom(c, 0, (uint16_t) strlen(name), name), NULL);
        xcb_atom_t a = r ? r->atom : XCB_ATOM_NONE;

        free(r);
        return a;
}

static xcb_window_t child(void)
{
        xcb_window_t w = xcb_generate_id(c);

        xcb_create_window(c, 0, w, root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                          XCB_COPY_FROM_PARENT, 0, NULL);
        return w;
}

static void name_check(xcb_window_t on, xcb_window_t value)
{
        xcb_change_property(c, XCB_PROP_MODE_REPLACE, on, atom("_NET_SUPPORTING_WM_CHECK"),
                            XCB_ATOM_WINDOW, 32, 1, &value);
}

static void stale_check(void)
{
        xcb_window_t w = child();

        name_check(w, w);
        name_check(root, w);
        xcb_destroy_window(c, w);
}

static void one_way(void)
{
        xcb_window_t w = child();

        name_check(w, child());
        name_check(root, w);
}

static void wrong_type(void)
{
        uint32_t value = child();

        xcb_change_property(c, XCB_PROP_MODE_REPLACE, root, atom("_NET_SUPPORTING_WM_CHECK"),
                            XCB_ATOM_CARDINAL, 32, 1, &value);
}

static void huge(void)
{
        static uint32_t chunk[CHUNK_BYTES / 4];
        xcb_window_t w = child();

        for (size_t i = 0; i < ELEMENTSOF(chunk); i++)
                chunk[i] = w;
        for (uint32_t n = 0; n < HUGE_BYTES; n += CHUNK_BYTES) {
                xcb_change_property(c, XCB_PROP_MODE_APPEND, root, atom("_NET_SUPPORTING_WM_CHECK"),
                                    XCB_ATOM_WINDOW, 32, ELEMENTSOF(chunk), chunk);
                xcb_change_property(c, XCB_PROP_MODE_APPEND, w, atom("_NET_WM_NAME"),
                                    atom("UTF8_STRING"), 8, sizeof chunk, chunk);
        }
        name_check(w, w);
}

/* manage() - carries out what clients ask for, and no more */
static void manage(int stopped)
{
        uint32_t mask = XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT;
        xcb_generic_event_t *event;

        xcb_change_window_attributes(c, root, XCB_CW_EVENT_MASK, &mask);
        say("ready");
        if (stopped)
                (void) raise(SIGSTOP);
        while ((event = xcb_wait_for_event(c))) {
                uint8_t type = event->response_type & 0x7f;

                if (type == XCB_CONFIGURE_REQUEST) {
                        xcb_configure_request_event_t *e = (void *) event;
                        uint32_t x = (uint32_t) (int32_t) e->x;

                        xcb_configure_window(c, e->window, XCB_CONFIG_WINDOW_X, &x);
                } else if (type == XCB_MAP_REQUEST) {
                        xcb_map_window(c, ((xcb_map_request_event_t *) event)->window);
                }
                (void) xcb_flush(c);
                free(event);
        }
}

int main(int argc, char **argv)
{
        static const struct {
                const char *name;
                void (*run)(void);
        } verbs[] = { { "stale-check", stale_check },
                      { "wrong-type", wrong_type },
                      { "huge", huge },
                      { "one-way", one_way } };

        c = xcb_connect(NULL, NULL);
        if (argc < 2 || xcb_connection_has_error(c))
                return EXIT_FAILURE;
        root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root;
        if (strcmp(argv[1], "manage") == 0)
                manage(argc > 2 && strcmp(argv[2], "stopped") == 0);
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                if (strcmp(argv[1], verbs[i].name) == 0) {
                        verbs[i].run();
                        say("ready");
                        (void) pause();
                }
        return EXIT_FAILURE;
}
