/* record/mark_send.c - appends a mark to the marks file, or sends it to the socket. Called from
 * initrd hooks, so it must not block on what it finds there: a FIFO, a socket nobody reads, a loop
 * of links, a full file system. */
#include "record/mark_send.h"
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

const char *mark_run_dir(void)
{
        const char *dir = getenv("BOOTLAP_RUN_DIR");

        return dir && *dir ? dir : MARK_RUN_DIR;
}

int mark_append(int dir_fd, const struct mark *m, struct fault *fault)
{
        char line[MARK_LINE_MAX_BYTES + 1];
        CLEANUP(closep) int fd = -EBADF;
        struct stat st;
        ssize_t written;
        int n;

        n = mark_format_line(m, line);
        if (n < 0)
                return fault_set(fault, n, "bad name of a mark: want 1 to %d of [A-Za-z0-9._-]",
                                 MARK_NAME_MAX_BYTES);
        fd = openat(dir_fd, MARK_FILE,
                    O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC,
                    0644);
        if (fd < 0 || fstat(fd, &st) < 0)
                return fault_errno(fault, -errno, MARK_FILE);
        if (!S_ISREG(st.st_mode))
                return fault_set(fault, -EINVAL, MARK_FILE ": not a regular file");
        if (st.st_size >= MARK_FILE_MAX_BYTES)
                return fault_set(fault, -EFBIG, MARK_FILE ": full (%d bytes)", MARK_FILE_MAX_BYTES);
        written = write(fd, line, (size_t) n);
        if (written < 0)
                return fault_errno(fault, -errno, MARK_FILE);
        if (written < n)
                return fault_errno(fault, -ENOSPC, MARK_FILE);
        return 0;
}

static int send_datagram(const char *run_dir, const struct mark *m, struct fault *fault)
{
        struct sockaddr_un to = { .sun_family = AF_UNIX };
        char line[MARK_LINE_MAX_BYTES + 1];
        CLEANUP(closep) int fd = -EBADF;
        int n;

        n = snprintf(to.sun_path, sizeof to.sun_path, "%s/" MARK_SOCKET, run_dir);
        if (n < 0 || (size_t) n >= sizeof to.sun_path)
                return fault_set(fault, -ENAMETOOLONG, "%s/" MARK_SOCKET ": too long", run_dir);
        n = mark_format_line(m, line);
        if (n < 0)
                return fault_set(fault, n, "bad name of a mark: want 1 to %d of [A-Za-z0-9._-]",
                                 MARK_NAME_MAX_BYTES);
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0 || sendto(fd, line, (size_t) n, MSG_NOSIGNAL | MSG_DONTWAIT,
                             (struct sockaddr *) &to, sizeof to) < 0)
                return fault_errno(fault, -errno, "%s", to.sun_path);
        return 0;
}

int mark_send(const char *run_dir, const struct mark *m, struct fault *fault)
{
        CLEANUP(closep) int dir_fd = -EBADF;
        int r;

        (void) mkdir(run_dir, 0755); /* in an initrd nobody has made it yet */
        dir_fd = open(run_dir, O_DIRECTORY | O_CLOEXEC);
        if (dir_fd < 0)
                return fault_errno(fault, -errno, "%s", run_dir);
        r = mark_append(dir_fd, m, fault);
        if (r == -EACCES || r == -EPERM || r == -EROFS)
                return send_datagram(run_dir, m, fault);
        return r < 0 ? fault_context(fault, r, "%s", run_dir) : 0;
}
