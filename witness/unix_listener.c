/* witness/unix_listener.c - see unix_listener.h */
#include "witness/unix_listener.h"
#include <dirent.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include "record/macros.h"

#define TCP_LISTEN_STATE 10 /* sock_diag speaks of TCP's states for every family */
#define ANSWER_BYTES (32 * 1024)
#define ANSWER_S 2

static int ask(int fd)
{
        struct {
                struct nlmsghdr head;
                struct unix_diag_req request;
        } ask = {
                .head = { .nlmsg_len = sizeof ask,
                          .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                          .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
                .request = { .sdiag_family = AF_UNIX,
                             .udiag_states = 1u << TCP_LISTEN_STATE,
                             .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_VFS },
        };

        return send(fd, &ask, sizeof ask, 0) < 0 ? -errno : 0;
}

static const char *base_name(const char *path)
{
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

/* is_behind() - does this answer speak of the file @st called @base? */
static bool is_behind(const struct nlmsghdr *h, const struct stat *st, const char *base)
{
        size_t at = NLMSG_LENGTH(sizeof(struct unix_diag_msg));
        bool same_inode = false, same_name = false;

        while (at + sizeof(struct rtattr) <= h->nlmsg_len) {
                const struct rtattr *a = (const void *) ((const char *) h + at);
                size_t n = a->rta_len - RTA_LENGTH(0);

                if (a->rta_len < RTA_LENGTH(0) || a->rta_len > h->nlmsg_len - at)
                        break;
                if (a->rta_type == UNIX_DIAG_VFS && n >= sizeof(struct unix_diag_vfs)) {
                        const struct unix_diag_vfs *vfs = RTA_DATA(a);

                        same_inode = vfs->udiag_vfs_ino == (uint32_t) st->st_ino;
                } else if (a->rta_type == UNIX_DIAG_NAME) {
                        char name[128] = "";

                        memcpy(name, RTA_DATA(a), n < sizeof name ? n : sizeof name - 1);
                        same_name = strcmp(base_name(name), base) == 0;
                }
                at += RTA_ALIGN(a->rta_len);
        }
        return same_inode && same_name;
}

/* read_answer() - Return: 1 when there is more, 0 at the end, -errno */
static int read_answer(int fd, const struct stat *st, const char *base, uint32_t *ret)
{
        /* aligned as netlink wants it */
        static const size_t bytes = ANSWER_BYTES;
        CLEANUP(freep) void *buffer = malloc(bytes);
        struct nlmsghdr *h = buffer;
        ssize_t n;

        if (!buffer)
                return -ENOMEM;
        n = recv(fd, buffer, bytes, 0);
        if (n < 0)
                return errno == EINTR ? 1 : errno == EAGAIN ? -ETIMEDOUT : -errno;
        for (unsigned left = (unsigned) n; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
                const struct unix_diag_msg *m = NLMSG_DATA(h);

                if (h->nlmsg_type == NLMSG_DONE)
                        return 0;
                if (h->nlmsg_type == NLMSG_ERROR)
                        return ((const struct nlmsgerr *) NLMSG_DATA(h))->error;
                if (h->nlmsg_len >= NLMSG_LENGTH(sizeof *m) && is_behind(h, st, base))
                        *ret = m->udiag_ino;
        }
        return 1;
}

int unix_listener_find(int dir_fd, const char *path, struct unix_listener *ret, struct fault *fault)
{
        CLEANUP(closep) int fd = -EBADF;
        struct timeval deadline = { .tv_sec = ANSWER_S };
        struct stat st;
        int r;

        *ret = (struct unix_listener){ .inode = 0 };
        if (fstatat(dir_fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return fault_errno(fault, -errno, "/%s", path);
        if (!S_ISSOCK(st.st_mode))
                return fault_set(fault, -ENOTSOCK, "/%s: is no socket", path);
        fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
        if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline) < 0)
                return fault_errno(fault, -errno, "sock_diag");
        r = ask(fd);
        while (r >= 0 && (r = read_answer(fd, &st, base_name(path), &ret->inode)) > 0)
                ;
        return r < 0 ? fault_errno(fault, r, "sock_diag") : 0;
}

static struct unix_listener *find_inode(struct unix_listener *l, size_t n, uint32_t inode)
{
        for (size_t i = 0; i < n; i++)
                if (l[i].inode && l[i].inode == inode)
                        return &l[i];
        return NULL;
}

static void look_into(int root_fd, pid_t pid, struct unix_listener *l, size_t n)
{
        char path[64], target[64];
        const struct dirent *d;
        DIR *dir;
        int fd;

        (void) snprintf(path, sizeof path, "proc/%ld/fd", (long) pid);
        fd = openat(root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        dir = fd >= 0 ? fdopendir(fd) : NULL;
        if (!dir) {
                closep(&fd);
                return;
        }
        while ((d = readdir(dir))) {
                ssize_t bytes = readlinkat(fd, d->d_name, target, sizeof target - 1);
                struct unix_listener *found;

                if (bytes <= 0 || strncmp(target, "socket:[", 8) != 0)
                        continue;
                target[bytes] = '\0';
                found = find_inode(l, n, (uint32_t) strtoul(target + 8, NULL, 10));
                if (found && found->n_holders < LISTENER_HOLDERS_MAX &&
                    (found->n_holders == 0 || found->holder[found->n_holders - 1] != pid))
                        found->holder[found->n_holders++] = pid;
        }
        (void) closedir(dir);
}

void unix_listener_find_holders(int root_fd, const struct process_table *processes,
                                struct unix_listener *l, size_t n)
{
        for (size_t i = 0; n > 0 && i < processes->n; i++)
                look_into(root_fd, processes->process[i].pid, l, n);
}
