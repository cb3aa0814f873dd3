/* tests/helper/impostor.c - listens on a display server's socket without being one
 *
 *   impostor silent|garbage|failed|closes|endless|unheld [PATH]
 *   impostor compositor WAYLAND-PATH
 *
 * Without PATH, takes the first free X display from :2000 on and prints its number. "failed"
 * refuses as a server would, with control characters in its reason; "endless" announces the largest
 * setup there is and sends bytes for ever; "unheld" leaves the socket to no process, as one that
 * ends does for a moment.
 */
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "record/macros.h"

#define FOLDER "/tmp/.X11-unix"

static char path[sizeof((struct sockaddr_un *) NULL)->sun_path];
static int display = -1; /* for those who gave no PATH */

static void remove_and_end(int signal_number)
{
        (void) signal_number;
        (void) unlink(path);
        _exit(EXIT_SUCCESS);
}

static int listen_somewhere(void)
{
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        (void) mkdir(FOLDER, 01777);
        (void) chmod(FOLDER, 01777);
        for (int number = 2000; fd >= 0 && number < 2100; number++) {
                (void) snprintf(path, sizeof path, FOLDER "/X%d", number);
                memcpy(address.sun_path, path, sizeof path);
                if (bind(fd, (struct sockaddr *) &address, sizeof address) == 0 &&
                    chmod(path, 0777) == 0 && listen(fd, 5) == 0) {
                        display = number;
                        return fd;
                }
        }
        return -1;
}

static void answer(int fd, const char *how)
{
        static const unsigned char refusal[] = "\0\13\13\0\0\0\3\0go \033[2Jaway";
        static const unsigned char vast[] = { 1, 0, 11, 0, 0, 0, 0xff, 0xff };
        char bytes[4096];

        (void) read(fd, bytes, sizeof bytes);
        memset(bytes, 0xa5, sizeof bytes);
        if (strcmp(how, "garbage") == 0)
                (void) write(fd, bytes, sizeof bytes);
        else if (strcmp(how, "failed") == 0)
                (void) write(fd, refusal, 20);
        else if (strcmp(how, "endless") == 0)
                for (ssize_t n = write(fd, vast, sizeof vast); n > 0;)
                        n = write(fd, bytes, sizeof bytes);
        if (strcmp(how, "silent") != 0)
                (void) close(fd);
}

static int listen_at(const char *where)
{
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        (void) snprintf(path, sizeof path, "%s", where);
        memcpy(address.sun_path, path, sizeof path);
        return fd >= 0 && bind(fd, (struct sockaddr *) &address, sizeof address) == 0 &&
                               listen(fd, 5) == 0
                       ? fd
                       : -1;
}

/* leave_to_nobody() - on its way to nobody who would take it */
static int leave_to_nobody(int fd)
{
        union {
                struct cmsghdr header; /* for its alignment */
                char bytes[CMSG_SPACE(sizeof fd)];
        } control = { .bytes = "" };
        struct iovec one = { .iov_base = (char[]){ "" }, .iov_len = 1 };
        struct msghdr m = { .msg_iov = &one,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes };
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        int pair[2];

        *c = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
                               .cmsg_type = SCM_RIGHTS,
                               .cmsg_len = CMSG_LEN(sizeof fd) };
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0 ||
            sendmsg(pair[0], &m, 0) < 0)
                return -1;
        return close(fd);
}

int main(int argc, char **argv)
{
        bool is_compositor = argc > 2 && strcmp(argv[1], "compositor") == 0;
        int fd = argc > 2 && !is_compositor ? listen_at(argv[2]) : listen_somewhere();

        if (argc < 2 || fd < 0)
                return EXIT_FAILURE;
        (void) signal(SIGTERM, remove_and_end);
        (void) signal(SIGPIPE, SIG_IGN);
        if (strcmp(argv[1], "unheld") == 0 && leave_to_nobody(fd) < 0)
                return EXIT_FAILURE;
        if (display >= 0) {
                (void) printf("%d\n", display);
                (void) fflush(stdout);
        }
        if (is_compositor && (usleep(500000) < 0 || listen_at(argv[2]) < 0))
                return EXIT_FAILURE;
        for (;;) {
                int client_fd = accept(fd, NULL, NULL);

                if (client_fd >= 0 && is_compositor && puts("asked") >= 0)
                        (void) fflush(stdout);
                if (client_fd >= 0)
                        answer(client_fd, argv[1]);
                else
                        (void) sleep(1); /* nothing is ours to accept any more */
        }
}
