/* witness/x11_ask.c - see x11_ask.h. What comes out of the child is foreign text: the caller gets
 * it cut and terminated, and the record repairs its encoding. */
#include "witness/x11_ask.h"
#include <X11/Xauth.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <xcb/xcb.h>
#include "record/clock.h"
#include "record/macros.h"

#define COOKIE_FILE_MAX_BYTES (64 * 1024)
#define COOKIE_NAME "MIT-MAGIC-COOKIE-1"
#define NOBODY_GID 65534

struct from_child {
        int error;
        struct fault fault;
        struct x11_answer answer;
};

static int become(uid_t uid, struct fault *fault)
{
        const struct passwd *user;
        gid_t gid;

        if (geteuid() != 0 || uid == 0)
                return 0;
        user = getpwuid(uid);
        gid = user ? user->pw_gid : NOBODY_GID;
        if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
                return fault_errno(fault, -errno, "becoming the server's user");
        return 0;
}

static bool is_for_display(const Xauth *a, const char *number)
{
        bool any_number = a->number_length == 0;

        return a->name_length == strlen(COOKIE_NAME) &&
               memcmp(a->name, COOKIE_NAME, a->name_length) == 0 &&
               (a->family == FamilyLocal || a->family == FamilyWild) &&
               (any_number || (a->number_length == strlen(number) &&
                               memcmp(a->number, number, a->number_length) == 0));
}

/* read_cookie() - the first that fits a local connection to the display; *ret stays NULL when none
 * does, and the server is asked without */
static int read_cookie(const char *path, unsigned display, Xauth **ret, struct fault *fault)
{
        CLEANUP(fclosep) FILE *f = NULL;
        char number[16];
        struct stat st;
        Xauth *a;
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);

        if (fd < 0)
                return fault_errno(fault, -errno, "the server's cookie file");
        if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > COOKIE_FILE_MAX_BYTES) {
                (void) close(fd);
                return fault_set(fault, -EINVAL, "the server's cookie file is none");
        }
        f = fdopen(fd, "r");
        if (!f) {
                (void) close(fd);
                return -ENOMEM;
        }
        (void) snprintf(number, sizeof number, "%u", display);
        while ((a = XauReadAuth(f))) {
                if (is_for_display(a, number)) {
                        *ret = a;
                        return 0;
                }
                XauDisposeAuth(a);
        }
        return 0;
}

static int connect_socket(const struct x11_question *q, struct fault *fault)
{
        CLEANUP(closep) int fd = -EBADF;
        struct sockaddr_un address = { .sun_family = AF_UNIX };

        /* Through the folder's descriptor, as everything else is read. */
        (void) snprintf(address.sun_path, sizeof address.sun_path,
                        "/proc/self/fd/%d/tmp/.X11-unix/X%u", q->root_fd, q->display);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (const struct sockaddr *) &address, sizeof address) < 0)
                return fault_errno(fault, -errno, "display :%u", q->display);
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

static int ask_in_child(const struct x11_question *q, struct x11_answer *ret, struct fault *fault)
{
        xcb_auth_info_t info = { .namelen = 0 };
        xcb_connection_t *c;
        Xauth *cookie = NULL;
        int fd, r = become(q->uid, fault);

        if (r == 0 && q->cookies)
                r = read_cookie(q->cookies, q->display, &cookie, fault);
        if (r < 0)
                return r;
        fd = connect_socket(q, fault);
        if (fd < 0)
                return fd;
        if (cookie)
                info = (xcb_auth_info_t){ .namelen = cookie->name_length,
                                          .name = cookie->name,
                                          .datalen = cookie->data_length,
                                          .data = cookie->data };
        c = xcb_connect_to_fd(fd, cookie ? &info : NULL);
        if (xcb_connection_has_error(c) || xcb_setup_roots_length(xcb_get_setup(c)) == 0)
                r = fault_set(fault, -ECONNREFUSED, "display :%u does not let this user in",
                              q->display);
        else if ((r = ask_server(c, ret)) < 0)
                (void) fault_errno(fault, r, "display :%u", q->display);
        xcb_disconnect(c);
        if (cookie)
                XauDisposeAuth(cookie);
        return r;
}

/* wait_for_child() - all of its answer, or -ETIMEDOUT */
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
