/* daemon/probes/proc_events.c - netlink to the proc connector, and its filter */
#include "daemon/probes/proc_events.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include "daemon/probes/lateness.h"
#include "record/macros.h"

#define ANSWER_MS 2000
#define WHAT_OFFSET                                                                                \
        ((uint32_t) (NLMSG_HDRLEN + offsetof(struct cn_msg, data) +                                \
                     offsetof(struct proc_event, what)))

/* attach_filter() - execs, and the answer to our own message (PROC_EVENT_NONE). The filter sees
 * numbers as on the wire, while the kernel writes them in its own order. */
static int attach_filter(int fd)
{
        struct sock_filter code[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, WHAT_OFFSET),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(PROC_EVENT_EXEC), 1, 0),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(PROC_EVENT_NONE), 0, 1),
                BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
                BPF_STMT(BPF_RET | BPF_K, 0),
        };
        const struct sock_fprog program = { ELEMENTSOF(code), code };

        return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) < 0 ? -errno
                                                                                          : 0;
}

static int subscribe(int fd)
{
        char bytes[NLMSG_HDRLEN + sizeof(struct cn_msg) + sizeof(enum proc_cn_mcast_op)]
                __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
        const enum proc_cn_mcast_op op = PROC_CN_MCAST_LISTEN;
        const struct nlmsghdr header = { .nlmsg_len = sizeof bytes,
                                         .nlmsg_type = NLMSG_DONE,
                                         .nlmsg_pid = (uint32_t) getpid() };
        const struct cn_msg message = { .id = { CN_IDX_PROC, CN_VAL_PROC }, .len = sizeof op };

        memcpy(bytes, &header, sizeof header);
        memcpy(bytes + NLMSG_HDRLEN, &message, sizeof message);
        memcpy(bytes + NLMSG_HDRLEN + sizeof message, &op, sizeof op);
        return send(fd, bytes, sizeof bytes, 0) < 0 ? -errno : 0;
}

/* await_answer() - a kernel without proc connector takes the message and says nothing */
static int await_answer(int fd)
{
        struct pollfd p = { .fd = fd, .events = POLLIN };
        int n;

        do
                n = poll(&p, 1, ANSWER_MS);
        while (n < 0 && errno == EINTR);
        return n < 0 ? -errno : n == 0 ? -EOPNOTSUPP : 0;
}

int proc_events_open(struct proc_events *e, int queue_bytes, struct fault *fault)
{
        const struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC };
        CLEANUP(closep)
        int fd = socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
        int r = fd < 0 ? -errno : 0;

        if (r == 0 && bind(fd, (const struct sockaddr *) &address, sizeof address) < 0)
                r = -errno;
        if (r == 0)
                r = attach_filter(fd);
        /* Beyond the system's limit only with CAP_NET_ADMIN, which is needed here anyway. */
        if (r == 0 &&
            setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &queue_bytes, sizeof queue_bytes) < 0)
                r = -errno;
        if (r == 0)
                r = subscribe(fd);
        if (r == 0)
                r = await_answer(fd);
        if (r < 0)
                return fault_errno(fault, r, "the kernel's proc connector");
        *e = (struct proc_events){ .fd = TAKE_FD(fd), .last_ns = monotonic_ns() };
        return 0;
}

void proc_events_close(struct proc_events *e)
{
        closep(&e->fd);
        e->fd = -EBADF;
}

/* take() - one datagram; anyone may send to a netlink socket, so the sender is looked at */
static void take(struct proc_events *e, const char *bytes, size_t n_bytes,
                 void (*on_exec)(void *userdata, const struct proc_exec *exec), void *userdata)
{
        const size_t needed = NLMSG_HDRLEN + offsetof(struct cn_msg, data) +
                              offsetof(struct proc_event, event_data.exec) +
                              sizeof(struct exec_proc_event);
        struct proc_event event = { .what = PROC_EVENT_NONE };

        if (n_bytes < needed)
                return;
        memcpy(&event, bytes + NLMSG_HDRLEN + offsetof(struct cn_msg, data),
               needed - NLMSG_HDRLEN - offsetof(struct cn_msg, data));
        if (event.what != PROC_EVENT_EXEC)
                return;
        e->last_ns = (int64_t) event.timestamp_ns;
        on_exec(userdata, &(struct proc_exec){ .pid = event.event_data.exec.process_tgid,
                                               .at_ns = (int64_t) event.timestamp_ns });
}

int proc_events_read(struct proc_events *e,
                     void (*on_exec)(void *userdata, const struct proc_exec *exec), void *userdata)
{
        char bytes[1024] __attribute__((aligned(NLMSG_ALIGNTO)));
        struct sockaddr_nl from = { .nl_family = AF_UNSPEC };
        socklen_t from_bytes = sizeof from;
        ssize_t n = recvfrom(e->fd, bytes, sizeof bytes, 0, (struct sockaddr *) &from, &from_bytes);

        if (n < 0)
                return errno == EAGAIN || errno == EINTR ? 0 : -errno;
        if (from.nl_pid == 0)
                take(e, bytes, (size_t) n, on_exec, userdata);
        return 1;
}
