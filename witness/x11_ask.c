/* witness/x11_ask.c - see x11_ask.h. What comes out of the child is foreign text: the caller gets
 * it cut and terminated, and the record repairs its encoding. */
#include "witness/x11_ask.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <xcb/xcb.h>
#include "record/clock.h"
#include "record/hush.h"
#include "record/macros.h"
#include "witness/cookie.h"
#include "witness/rights.h"
#include "witness/x11_setup.h"

struct from_child {
        int error;
        struct fault fault;
        struct x11_answer answer;
};

static int connect_socket(const char *path, struct fault *fault)
{
        CLEANUP(closep) int fd = -EBADF;
        struct sockaddr_un address = { .sun_family = AF_UNIX };

        (void) snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (const struct sockaddr *) &address, sizeof address) < 0)
                return fault_errno(fault, -errno, "%s", path);
        return TAKE_FD(fd);
}

static xcb_atom_t atom(xcb_connection_t *c, const char *name)
{
        CLEANUP(freep)
        xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
                c, xcb_intern_atom(c, 1, (uint16_t) strlen(name), name), NULL);

        return reply ? reply->atom : XCB_ATOM_NONE;
}

static xcb_window_t window_property(xcb_connection_t *c, xcb_window_t w, xcb_atom_t name)
{
        CLEANUP(freep)
        xcb_get_property_reply_t *reply = xcb_get_property_reply(
                c, xcb_get_property(c, 0, w, name, XCB_ATOM_WINDOW, 0, 1), NULL);

        if (!reply || reply->type != XCB_ATOM_WINDOW || reply->format != 32 ||
            xcb_get_property_value_length(reply) < 4)
                return XCB_WINDOW_NONE;
        return *(const xcb_window_t *) xcb_get_property_value(reply);
}

static void text_property(xcb_connection_t *c, xcb_window_t w, const char *name, char *ret)
{
        CLEANUP(freep)
        xcb_get_property_reply_t *reply = xcb_get_property_reply(
                c,
                xcb_get_property(c, 0, w, atom(c, name), XCB_GET_PROPERTY_TYPE_ANY, 0,
                                 X11_TEXT_BYTES / 4),
                NULL);
        int n = reply && reply->format == 8 ? xcb_get_property_value_length(reply) : 0;

        (void) snprintf(ret, X11_TEXT_BYTES, "%.*s", n > 0 ? n : 0,
                        n > 0 ? (const char *) xcb_get_property_value(reply) : "");
}

/* by_check() - EWMH: the root names a window, and that window names itself */
static bool by_check(xcb_connection_t *c, xcb_window_t root, struct x11_answer *ret)
{
        xcb_atom_t check = atom(c, "_NET_SUPPORTING_WM_CHECK");
        xcb_window_t w = check ? window_property(c, root, check) : XCB_WINDOW_NONE;

        if (w == XCB_WINDOW_NONE || window_property(c, w, check) != w)
                return false;
        text_property(c, w, "_NET_WM_NAME", ret->wm_name);
        return true;
}

static bool by_selection(xcb_connection_t *c, int screen)
{
        CLEANUP(freep) xcb_get_selection_owner_reply_t *reply = NULL;
        char name[16];
        xcb_atom_t a;

        (void) snprintf(name, sizeof name, "WM_S%d", screen);
        a = atom(c, name);
        if (a == XCB_ATOM_NONE)
                return false;
        reply = xcb_get_selection_owner_reply(c, xcb_get_selection_owner(c, a), NULL);
        return reply && reply->owner != XCB_WINDOW_NONE;
}

static bool by_redirect(xcb_connection_t *c, xcb_window_t root)
{
        CLEANUP(freep)
        xcb_get_window_attributes_reply_t *reply =
                xcb_get_window_attributes_reply(c, xcb_get_window_attributes(c, root), NULL);

        return reply && (reply->all_event_masks & XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT);
}

static int ask_server(xcb_connection_t *c, struct x11_answer *ret)
{
        xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root;
        const char *by = by_check(c, root, ret) ? "_NET_SUPPORTING_WM_CHECK"
                         : by_selection(c, 0)   ? "WM_S0"
                         : by_redirect(c, root) ? "SubstructureRedirect"
                                                : "";

        (void) snprintf(ret->wm_by, sizeof ret->wm_by, "%s", by);
        return xcb_connection_has_error(c) ? -EPIPE : 0;
}

/* without_path() - the file may lie in somebody's home, whose name is not for the record */
static const char *without_path(const struct fault *f, const char *path)
{
        size_t n = path ? strlen(path) : 0;

        return n && strncmp(f->text, path, n) == 0 && f->text[n] == ':' ? f->text + n + 2 : f->text;
}

static int ask_in_child(const struct x11_question *q, struct x11_answer *ret, struct fault *fault)
{
        struct fault no_cookie = FAULT_NULL;
        struct cookie cookie;
        xcb_auth_info_t info = { .name = cookie.name, .data = (char *) cookie.data };
        xcb_connection_t *c;
        int fd, r = cookie_take(q->cookies, q->display, q->uid, &cookie, &no_cookie, fault);

        if (r < 0)
                return r;
        fd = connect_socket(q->path, fault);
        r = fd < 0 ? fd : rights_confine(fault);
        if (r < 0)
                return r;
        info.namelen = (int) strlen(cookie.name);
        info.datalen = (int) cookie.n_bytes;
        c = xcb_connect_to_fd(fd, cookie.n_bytes ? &info : NULL);
        if (xcb_connection_has_error(c))
                r = fault_set(fault, -ECONNREFUSED, "display :%u does not let this user in%s%s",
                              q->display, no_cookie.text[0] ? "; its cookie file: " : "",
                              without_path(&no_cookie, q->cookies));
        else if (!x11_setup_is_sane(xcb_get_setup(c), 8 + 4 * (size_t) xcb_get_setup(c)->length))
                r = fault_set(fault, -EPROTO, "display :%u: its answer makes no sense", q->display);
        else if ((r = ask_server(c, ret)) < 0)
                (void) fault_errno(fault, r, "display :%u", q->display);
        xcb_disconnect(c);
        return r;
}

/* read_from_child() - all of its answer, or -ETIMEDOUT */
static int read_from_child(int fd, int64_t timeout_us, struct from_child *ret)
{
        int64_t deadline_us = clock_us(CLOCK_MONOTONIC) + timeout_us;
        char *to = (char *) ret;
        size_t missing = sizeof *ret;

        while (missing > 0) {
                struct pollfd p = { .fd = fd, .events = POLLIN };
                int64_t left_us = deadline_us - clock_us(CLOCK_MONOTONIC);
                ssize_t n;

                if (left_us <= 0)
                        return -ETIMEDOUT;
                if (poll(&p, 1, (int) (left_us / 1000) + 1) < 0 && errno != EINTR)
                        return -errno;
                if (p.revents == 0)
                        continue;
                n = read(fd, to, missing);
                if (n < 0 && errno != EINTR)
                        return -errno;
                if (n == 0)
                        return -EPIPE;
                if (n > 0) {
                        to += n;
                        missing -= (size_t) n;
                }
        }
        return 0;
}

int x11_ask(const struct x11_question *q, struct x11_answer *ret, struct fault *fault)
{
        CLEANUP(closep) int read_fd = -EBADF, write_fd = -EBADF;
        struct from_child said = { .error = 0 };
        int ends[2], r;
        pid_t child;

        if (pipe2(ends, O_CLOEXEC) < 0)
                return fault_errno(fault, -errno, "pipe");
        read_fd = ends[0];
        write_fd = ends[1];
        child = fork();
        if (child < 0)
                return fault_errno(fault, -errno, "fork");
        if (child == 0) {
                (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
                (void) hush_stderr();
                said.error = ask_in_child(q, &said.answer, &said.fault);
                /* At most PIPE_BUF, and so whole or not at all. */
                _exit(write(write_fd, &said, sizeof said) == sizeof said ? 0 : 1);
        }
        closep(&write_fd);
        write_fd = -EBADF;
        r = read_from_child(read_fd, q->timeout_us, &said);
        (void) kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
                ;
        if (r == -ETIMEDOUT)
                return fault_set(fault, r, "display :%u did not answer within %.0f s", q->display,
                                 s_from_us(q->timeout_us));
        if (r < 0)
                return fault_errno(fault, r, "asking display :%u", q->display);
        said.fault.text[sizeof said.fault.text - 1] = '\0';
        said.answer.wm_name[X11_TEXT_BYTES - 1] = said.answer.wm_by[X11_TEXT_BYTES - 1] = '\0';
        if (said.error < 0)
                return fault_set(fault, said.error, "%s", said.fault.text);
        *ret = said.answer;
        return 0;
}
