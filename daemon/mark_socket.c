/* daemon/mark_socket.c - see mark_socket.h */
#include "daemon/mark_socket.h"
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include "record/mark_send.h"

#define USER_PREFIX "user."

int mark_socket_open(struct mark_socket *s, const char *run_dir, struct fault *fault)
{
        struct sockaddr_un at = { .sun_family = AF_UNIX };
        CLEANUP(closep) int fd = -EBADF;
        mode_t mask;
        int n, yes = 1, r;

        n = snprintf(at.sun_path, sizeof at.sun_path, "%s/" MARK_SOCKET, run_dir);
        if (n < 0 || (size_t) n >= sizeof at.sun_path)
                return fault_set(fault, -ENAMETOOLONG, "%s/" MARK_SOCKET ": too long", run_dir);
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) < 0)
                return fault_errno(fault, -errno, "a socket");
        if (unlink(at.sun_path) < 0 && errno != ENOENT)
                return fault_errno(fault, -errno, "%s", at.sun_path);
        mask = umask(0111); /* anyone may send */
        r = bind(fd, (struct sockaddr *) &at, sizeof at) < 0 ? -errno : 0;
        (void) umask(mask);
        if (r < 0)
                return fault_errno(fault, r, "%s", at.sun_path);
        *s = (struct mark_socket){ .fd = TAKE_FD(fd) };
        return 0;
}

void mark_socket_done(struct mark_socket *s) { closep(&s->fd); }

static int replace(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

static int replace(char **text, const char *format, ...)
{
        char *new = NULL;
        va_list ap;
        int n;

        va_start(ap, format);
        n = vasprintf(&new, format, ap);
        va_end(ap);
        if (n < 0)
                return -ENOMEM;
        free(*text);
        *text = new;
        return 0;
}

int mark_socket_own(struct mark *m, uid_t uid, uint64_t now_ns)
{
        bool has_prefix = strncmp(m->name, USER_PREFIX, strlen(USER_PREFIX)) == 0;

        if (!has_prefix && replace(&m->name, USER_PREFIX "%s", m->name) < 0)
                return -ENOMEM;
        if (!mark_name_is_valid(m->name))
                return -EINVAL;
        if (m->monotonic_ns > now_ns)
                m->monotonic_ns = now_ns;
        return replace(&m->source, "user %u", (unsigned) uid);
}

static const struct ucred *sender(struct msghdr *h)
{
        for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c))
                if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS)
                        return (const struct ucred *) CMSG_DATA(c);
        return NULL;
}

int mark_socket_receive(struct mark_socket *s, uint64_t now_ns, struct mark *ret)
{
        union {
                struct cmsghdr header;
                char space[CMSG_SPACE(sizeof(struct ucred))];
        } control;
        char line[MARK_LINE_MAX_BYTES + 2];
        struct iovec data = { .iov_base = line, .iov_len = sizeof line - 1 };
        struct msghdr h = { .msg_iov = &data,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control };
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        const struct ucred *who;
        ssize_t n = recvmsg(s->fd, &h, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        int r;

        if (n < 0)
                return -errno;
        line[n] = '\0';
        who = sender(&h);
        r = !who || strlen(line) != (size_t) n ? -EINVAL : mark_parse_line(line, &m, NULL);
        if (r == 0 && who->uid != 0) {
                if (s->n_from_users++ >= MARK_SOCKET_USERS_MAX)
                        r = -ENOSPC;
                else
                        r = mark_socket_own(&m, who->uid, now_ns);
        }
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                s->n_dropped++;
                return 0;
        }
        *ret = m;
        m = MARK_NULL;
        return 1;
}
