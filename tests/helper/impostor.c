/* tests/helper/impostor.c - listens on a display server's socket without being one
 *
 *   impostor silent|garbage|failed|closes|endless [PATH]
 *
 * Without PATH, takes the first free X display from :2000 on and prints its number. "failed"
 * refuses as a server would, with control characters in its reason; "endless" announces the largest
 * setup there is and sends bytes for ever.
 */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include "record/macros.h"

#define FOLDER "/tmp/.X11-unix"

static char path[sizeof((struct sockaddr_un *) NULL)->sun_path];

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
                        (void) printf("%d\n", number);
                        (void) fflush(stdout);
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

int main(int argc, char **argv)
{
        int fd = argc > 2 ? listen_at(argv[2]) : listen_somewhere();

        if (argc < 2 || fd < 0)
                return EXIT_FAILURE;
        (void) signal(SIGTERM, remove_and_end);
        (void) signal(SIGPIPE, SIG_IGN);
        for (;;) {
                int client_fd = accept(fd, NULL, NULL);

                if (client_fd >= 0)
                        answer(client_fd, argv[1]);
        }
}
