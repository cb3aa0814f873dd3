/* collectors/privilege.c - the drop, and the helper that stays root. The helper takes two one-byte
 * requests, opens nothing that it is told to, and ends when the socket closes. */
#include "collectors/privilege.h"
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "collectors/residency.h"

#define DROP_CACHES_FILE "/proc/sys/vm/drop_caches"

enum request { REQUEST_DROP = 'd', REQUEST_RESIDENCY = 'r' };

struct reply {
        int error; /* 0 or a negative errno */
        uint64_t pages, resident;
};

static int drop_caches(void)
{
        CLEANUP(closep) int fd = open(DROP_CACHES_FILE, O_WRONLY | O_CLOEXEC);

        if (fd < 0)
                return -errno;
        sync(); /* dirty pages are not dropped */
        return write(fd, "3\n", 2) == 2 ? 0 : -errno;
}

static ssize_t receive_request(int socket_fd, char *ret_request, int *ret_fd)
{
        union {
                struct cmsghdr header;
                char space[CMSG_SPACE(sizeof(int))];
        } control;
        struct iovec iov = { .iov_base = ret_request, .iov_len = 1 };
        struct msghdr m = { .msg_iov = &iov,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control };
        ssize_t n;

        do
                n = recvmsg(socket_fd, &m, MSG_CMSG_CLOEXEC);
        while (n < 0 && errno == EINTR);
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); n > 0 && c; c = CMSG_NXTHDR(&m, c))
                if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
                        memcpy(ret_fd, CMSG_DATA(c), sizeof *ret_fd);
        return n;
}

static void serve(int socket_fd)
{
        char request;

        for (;;) {
                CLEANUP(closep) int fd = -EBADF;
                struct reply reply = { .error = -EINVAL };

                if (receive_request(socket_fd, &request, &fd) != 1)
                        return;
                if (request == REQUEST_DROP)
                        reply.error = drop_caches();
                else if (request == REQUEST_RESIDENCY && fd >= 0)
                        reply.error = residency_of(fd, &reply.pages, &reply.resident);
                if (send(socket_fd, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply)
                        return;
        }
}

static int start_helper(struct privilege *p, struct fault *fault)
{
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return fault_errno(fault, -errno, "no socket for the root helper");
        p->helper = fork();
        if (p->helper < 0) {
                int code = -errno;

                p->helper = 0;
                closep(&pair[0]);
                closep(&pair[1]);
                return fault_errno(fault, code, "no process for the root helper");
        }
        if (p->helper == 0) {
                closep(&pair[0]);
                /* Output of the collector must end with the collector. */
                (void) close(STDIN_FILENO);
                (void) close(STDOUT_FILENO);
                (void) prctl(PR_SET_NAME, "bootlap-root");
                serve(pair[1]);
                _exit(0);
        }
        closep(&pair[1]);
        p->socket_fd = pair[0];
        return 0;
}

static void take_on_environment(const struct passwd *user)
{
        (void) setenv("HOME", user->pw_dir, 1);
        (void) setenv("USER", user->pw_name, 1);
        (void) setenv("LOGNAME", user->pw_name, 1);
}

int privilege_drop(struct privilege *p, uid_t uid, struct fault *fault)
{
        const struct passwd *user;
        gid_t gid;
        int r;

        if (geteuid() != 0)
                return 0;
        errno = 0;
        user = getpwuid(uid);
        r = start_helper(p, fault);
        if (r < 0 || uid == 0)
                return r;
        gid = user ? user->pw_gid : (gid_t) uid;
        if (user)
                take_on_environment(user);
        if ((user ? initgroups(user->pw_name, gid) : setgroups(0, NULL)) < 0 ||
            setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
                return fault_errno(fault, -errno, "cannot become user %ld", (long) uid);
        if (setuid(0) == 0)
                return fault_set(fault, -EPERM, "root was not given up");
        /* Changing the uid hides /proc/self/io from ourselves; nothing here is secret. */
        (void) prctl(PR_SET_DUMPABLE, 1);
        return 0;
}

static int ask(const struct privilege *p, enum request request, int fd, struct reply *ret)
{
        union {
                struct cmsghdr header;
                char space[CMSG_SPACE(sizeof(int))];
        } control = { .space = { 0 } };
        char byte = (char) request;
        struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
        struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
        ssize_t n;

        if (fd >= 0) {
                m.msg_control = &control;
                m.msg_controllen = sizeof control;
                control.header.cmsg_level = SOL_SOCKET;
                control.header.cmsg_type = SCM_RIGHTS;
                control.header.cmsg_len = CMSG_LEN(sizeof fd);
                memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
        }
        if (sendmsg(p->socket_fd, &m, MSG_NOSIGNAL) < 0)
                return -errno;
        do
                n = recv(p->socket_fd, ret, sizeof *ret, 0);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return -errno;
        return n == sizeof *ret ? ret->error : -EPIPE;
}

int privilege_drop_caches(const struct privilege *p)
{
        struct reply reply;

        return p->socket_fd < 0 ? -EPERM : ask(p, REQUEST_DROP, -EBADF, &reply);
}

int privilege_residency(const struct privilege *p, int fd, uint64_t *ret_pages,
                        uint64_t *ret_resident)
{
        struct reply reply;
        int r;

        if (p->socket_fd < 0)
                return residency_of(fd, ret_pages, ret_resident);
        r = ask(p, REQUEST_RESIDENCY, fd, &reply);
        if (r < 0)
                return r;
        *ret_pages = reply.pages;
        *ret_resident = reply.resident;
        return 0;
}

void privilege_done(struct privilege *p)
{
        closep(&p->socket_fd);
        while (p->helper > 0 && waitpid(p->helper, NULL, 0) < 0 && errno == EINTR)
                ;
        *p = PRIVILEGE_NULL;
}
