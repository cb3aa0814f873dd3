/* witness/listener.c - the kernel's list of listening sockets, and /proc's of who holds them
 *
 * sock_diag sees the sockets of its own network namespace; an X server of a container is none of
 * ours anyway.
 */
#include "witness/listener.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include "record/procfile.h"

#ifndef UDIAG_SHOW_UID /* Linux 4.20; older headers */
#define UDIAG_SHOW_UID 0x40
#define UNIX_DIAG_UID 7
#endif

#define SOCKETS_MAX 4096
#define DIAG_TIMEOUT_S 2

struct listening {
        uint32_t ino;     /* of the socket */
        uint32_t vfs_ino; /* of its file */
        uid_t uid;
        char path[sizeof((struct sockaddr_un *) NULL)->sun_path + 1];
};

struct listening_list {
        struct listening *items;
        size_t n, size;
};

static void listening_list_done(struct listening_list *l) { free(l->items); }

static int ask(int netlink_fd)
{
        struct {
                struct nlmsghdr header;
                struct unix_diag_req request;
        } message = {
                .header = { .nlmsg_len = sizeof message,
                            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                            .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
                .request = { .sdiag_family = AF_UNIX,
                             .udiag_states = 1u << TCP_LISTEN,
                             .udiag_ino = UINT32_MAX,
                             .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_VFS | UDIAG_SHOW_UID },
        };

        return send(netlink_fd, &message, sizeof message, 0) < 0 ? -errno : 0;
}

static int add_one(struct listening_list *l, const struct nlmsghdr *header)
{
        const struct unix_diag_msg *m = NLMSG_DATA(header);
        const struct nlattr *a = (const struct nlattr *) (m + 1);
        size_t left = header->nlmsg_len - NLMSG_LENGTH(sizeof *m);
        struct listening item = { .ino = m->udiag_ino, .uid = (uid_t) -1 };

        while (left >= sizeof *a && a->nla_len >= sizeof *a && a->nla_len <= left) {
                const void *data = a + 1;
                size_t n = a->nla_len - sizeof *a, step = NLA_ALIGN(a->nla_len);

                if (a->nla_type == UNIX_DIAG_NAME && n < sizeof item.path)
                        memcpy(item.path, data, n);
                else if (a->nla_type == UNIX_DIAG_VFS && n >= sizeof(struct unix_diag_vfs))
                        item.vfs_ino = ((const struct unix_diag_vfs *) data)->udiag_vfs_ino;
                else if (a->nla_type == UNIX_DIAG_UID && n >= sizeof(uint32_t))
                        memcpy(&item.uid, data, sizeof(uint32_t));
                if (step > left)
                        break;
                left -= step;
                a = (const struct nlattr *) ((const char *) a + step);
        }
        if (item.path[0] != '/' || l->n == SOCKETS_MAX)
                return 0; /* abstract names have no file that could be theirs */
        if (l->n == l->size) {
                size_t size = l->size ? l->size * 2 : 64;
                struct listening *bigger = reallocarray(l->items, size, sizeof *bigger);

                if (!bigger)
                        return -ENOMEM;
                l->items = bigger;
                l->size = size;
        }
        l->items[l->n++] = item;
        return 0;
}

/* read_answers() - one datagram's worth; 1 when the dump is over */
static int read_answers(struct listening_list *l, void *buffer, size_t n)
{
        for (struct nlmsghdr *h = buffer; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
                int r = 0;

                if (h->nlmsg_type == NLMSG_DONE)
                        return 1;
                if (h->nlmsg_type == NLMSG_ERROR)
                        return h->nlmsg_len >= NLMSG_LENGTH(sizeof(struct nlmsgerr))
                                       ? ((struct nlmsgerr *) NLMSG_DATA(h))->error
                                       : -EPROTO;
                if (h->nlmsg_type == SOCK_DIAG_BY_FAMILY &&
                    h->nlmsg_len >= NLMSG_LENGTH(sizeof(struct unix_diag_msg)))
                        r = add_one(l, h);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int list_listening(struct listening_list *ret)
{
        CLEANUP(listening_list_done) struct listening_list l = { .items = NULL };
        CLEANUP(closep) int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
        struct timeval timeout = { .tv_sec = DIAG_TIMEOUT_S };
        union {
                struct nlmsghdr header; /* for its alignment */
                char bytes[16384];
        } buffer;
        int r;

        if (fd < 0)
                return -errno;
        if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) < 0)
                return -errno;
        r = ask(fd);
        while (r == 0) {
                ssize_t n = recv(fd, &buffer, sizeof buffer, 0);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n <= 0)
                        return n < 0 ? -errno : -EPROTO;
                r = read_answers(&l, &buffer, (size_t) n);
        }
        if (r < 0)
                return r;
        *ret = l;
        l.items = NULL;
        return 0;
}

static bool is_wayland_path(const char *path)
{
        const char *base = strrchr(path, '/');

        /* Whatever a compositor calls its socket, it lies in a user's runtime folder, where no X
         * server has anything to listen on. */
        return (base && strncmp(base + 1, "wayland-", strlen("wayland-")) == 0) ||
               strncmp(path, "/run/user/", strlen("/run/user/")) == 0;
}

static const struct listening *find_ino(const struct listening_list *l, uint64_t ino)
{
        for (size_t i = 0; i < l->n; i++)
                if (l->items[i].ino == ino)
                        return &l->items[i];
        return NULL;
}

/* held_sockets() - what of the list a process holds: *ret_has the wanted one, *ret_wayland any
 * Wayland socket. Return: 0, or the negative errno of a process that is not ours to look at. */
static int held_sockets(int proc_fd, const char *pid, const struct listening_list *l,
                        uint32_t wanted_ino, bool *ret_has, bool *ret_wayland)
{
        char path[300];
        DIR *dir;
        int fd;

        *ret_has = *ret_wayland = false;
        (void) snprintf(path, sizeof path, "%s/fd", pid);
        fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        dir = fdopendir(fd);
        if (!dir) {
                (void) close(fd);
                return -ENOMEM;
        }
        for (const struct dirent *e; (e = readdir(dir));) {
                char target[64];
                ssize_t n = readlinkat(dirfd(dir), e->d_name, target, sizeof target - 1);
                const struct listening *found;
                char *end;

                if (n < 0)
                        continue;
                target[n] = '\0';
                if (strncmp(target, "socket:[", strlen("socket:[")) != 0)
                        continue;
                found = find_ino(l, strtoull(target + strlen("socket:["), &end, 10));
                if (!found)
                        continue;
                *ret_has = *ret_has || found->ino == wanted_ino;
                *ret_wayland = *ret_wayland || is_wayland_path(found->path);
        }
        (void) closedir(dir);
        return 0;
}

/* rank() - of several holders, the one that decides: Xwayland, then a compositor, then a program,
 * and PID 1 (which keeps a copy of what it hands to a service) last */
static int rank(enum listener_kind kind)
{
        switch (kind) {
        case LISTENER_XWAYLAND:
                return 4;
        case LISTENER_COMPOSITOR:
                return 3;
        case LISTENER_PROGRAM:
                return 2;
        case LISTENER_INIT:
                return 1;
        default:
                return 0;
        }
}

static void consider(int proc_fd, const char *pid, bool wayland, struct listener *best)
{
        CLEANUP(freep) char *name = NULL;
        char path[300];
        enum listener_kind kind = wayland ? LISTENER_COMPOSITOR : LISTENER_PROGRAM;

        (void) snprintf(path, sizeof path, "%s/comm", pid);
        if (procfile_read_line(proc_fd, path, &name) < 0)
                return;
        if (strcasestr(name, "xwayland"))
                kind = LISTENER_XWAYLAND;
        else if (strcmp(pid, "1") == 0)
                kind = LISTENER_INIT;
        if (rank(kind) <= rank(best->kind))
                return;
        best->kind = kind;
        best->pid = (pid_t) strtol(pid, NULL, 10);
        (void) snprintf(best->program, sizeof best->program, "%s", name);
}

static int find_holder(const struct listening_list *l, struct listener *listener)
{
        CLEANUP(closep) int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir;

        listener->kind = LISTENER_UNSEEN;
        if (proc_fd < 0)
                return -errno;
        dir = opendir("/proc");
        if (!dir)
                return -errno;
        for (const struct dirent *e; (e = readdir(dir));) {
                bool has, wayland;

                if (e->d_name[0] < '1' || e->d_name[0] > '9')
                        continue;
                if (held_sockets(proc_fd, e->d_name, l, (uint32_t) listener->socket_ino, &has,
                                 &wayland) == 0 &&
                    has)
                        consider(proc_fd, e->d_name, wayland, listener);
        }
        (void) closedir(dir);
        return 0;
}

bool listener_is_xwaylands(const struct listener *l)
{
        return l->kind == LISTENER_XWAYLAND || l->kind == LISTENER_COMPOSITOR;
}

int listener_find(const char *path, struct listener *ret, struct fault *fault)
{
        CLEANUP(listening_list_done) struct listening_list l = { .items = NULL };
        struct listener found = { .kind = LISTENER_UNSEEN };
        struct stat st;
        int r;

        if (lstat(path, &st) < 0)
                return fault_errno(fault, -errno, "%s", path);
        if (!S_ISSOCK(st.st_mode))
                return fault_set(fault, -ENOTSOCK, "%s: is no socket", path);
        r = list_listening(&l);
        if (r < 0)
                return fault_errno(fault, r, "asking the kernel who listens");
        for (size_t i = 0; i < l.n; i++)
                if (l.items[i].vfs_ino == (uint32_t) st.st_ino &&
                    strcmp(l.items[i].path, path) == 0) {
                        found.socket_ino = l.items[i].ino;
                        found.uid = l.items[i].uid == (uid_t) -1 ? st.st_uid : l.items[i].uid;
                }
        if (!found.socket_ino)
                return fault_set(fault, -ECONNREFUSED, "%s: nobody listens", path);
        if (found.socket_ino == ret->socket_ino && listener_is_xwaylands(ret))
                return 0; /* all of /proc would say the same */
        r = find_holder(&l, &found);
        if (r < 0)
                return fault_errno(fault, r, "/proc");
        *ret = found;
        return 0;
}
