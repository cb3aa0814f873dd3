/* tests/fake-pid1.c - answers in systemd's place on a private socket, with what files say
 *
 *   fake-pid1 SOCKET DIR
 *
 * DIR/local-fs and DIR/display-manager hold ActiveState, DIR/finish FinishTimestampMonotonic,
 * DIR/active ActiveEnterTimestampMonotonic, as of each question. A file that is missing makes an
 * error, one that says "hang" no answer at all. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

struct server {
        sd_event *event;
        const char *dir;
};

static int answer(sd_bus_message *call, const char *dir, const char *file, bool is_number)
{
        sd_bus_message *reply = NULL;
        char path[256], text[64] = "";
        FILE *f;
        int r;

        (void) snprintf(path, sizeof path, "%s/%s", dir, file);
        f = fopen(path, "re");
        if (!f || !fgets(text, sizeof text, f)) {
                if (f)
                        (void) fclose(f);
                return sd_bus_reply_method_errnof(call, ENOENT, "no %s here", file);
        }
        (void) fclose(f);
        text[strcspn(text, "\n")] = '\0';
        if (strcmp(text, "hang") == 0)
                return 1;
        r = sd_bus_message_new_method_return(call, &reply);
        if (r >= 0)
                r = is_number ? sd_bus_message_append(reply, "v", "t", strtoull(text, NULL, 10))
                              : sd_bus_message_append(reply, "v", "s", text);
        if (r >= 0)
                r = sd_bus_send(NULL, reply, NULL);
        (void) sd_bus_message_unref(reply);
        return r < 0 ? r : 1;
}

static int on_call(sd_bus_message *m, void *userdata, sd_bus_error *error)
{
        struct server *s = userdata;
        const char *interface, *property, *path = sd_bus_message_get_path(m);

        (void) error;
        if (!sd_bus_message_is_method_call(m, "org.freedesktop.DBus.Properties", "Get") ||
            sd_bus_message_read(m, "ss", &interface, &property) < 0)
                return 0;
        if (strcmp(property, "FinishTimestampMonotonic") == 0)
                return answer(m, s->dir, "finish", true);
        if (strcmp(property, "ActiveEnterTimestampMonotonic") == 0)
                return answer(m, s->dir, "active", true);
        if (strcmp(property, "ActiveState") == 0)
                return answer(m, s->dir,
                              strstr(path, "local_2dfs") ? "local-fs" : "display-manager", false);
        return 0;
}

static int on_connection(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct server *s = userdata;
        sd_bus *bus = NULL; /* lives as long as the loop, like the test */
        int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

        (void) source;
        (void) revents;
        if (peer < 0 || sd_bus_new(&bus) < 0 || sd_bus_set_fd(bus, peer, peer) < 0 ||
            sd_bus_set_server(bus, 1, (sd_id128_t){ .bytes = { 1 } }) < 0 ||
            sd_bus_add_filter(bus, NULL, on_call, s) < 0 || sd_bus_start(bus) < 0 ||
            sd_bus_attach_event(bus, s->event, 0) < 0)
                return -EIO;
        return 0;
}

int main(int argc, char **argv)
{
        struct sockaddr_un at = { .sun_family = AF_UNIX };
        struct server s = { .dir = argc == 3 ? argv[2] : "" };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        if (argc != 3)
                return 2;
        (void) snprintf(at.sun_path, sizeof at.sun_path, "%s", argv[1]);
        if (fd < 0 || bind(fd, (struct sockaddr *) &at, sizeof at) < 0 || listen(fd, 16) < 0 ||
            sd_event_new(&s.event) < 0 ||
            sd_event_add_io(s.event, NULL, fd, EPOLLIN, on_connection, &s) < 0)
                return 1;
        return sd_event_loop(s.event) < 0;
}
