/* daemon/probes/x11.c - the x11 probe: every X server of this machine, as it comes and goes
 *
 * Sockets in /tmp/.X11-unix are found by inotify; what becomes of each is served.c's, and what is
 * said to a server x11_server.c's. With a display (":0") as argument only that one is watched.
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include "daemon/probes/report.h"
#include "daemon/probes/served.h"
#include "daemon/probes/x11_server.h"
#include "record/procfile.h"

#define FOLDER "/tmp/.X11-unix"
#define DISPLAY_MAX 65535
#define DISPLAYS_MAX 64

static const char *const child_marks[] = { "x.ready", "wm.ready",        "wm.replaced",  "wm.gone",
                                           "wm.name", "desktop.windows", "login.prompt", NULL };

static const struct served_kind x11_kind = { .socket_mark = "x.socket",
                                             .ready_mark = "x.ready",
                                             .gone_mark = "x.gone",
                                             .child_marks = child_marks,
                                             .is_x = true,
                                             .serve = x11_serve };

struct x11 {
        struct probe probe;
        sd_event_source *folder_watch, *parent_watch;
        struct served *displays[DISPLAYS_MAX];
        size_t n_displays;
        struct seat *seat;
        struct desktop_conf desktop;
        long only; /* this display; -1 for all */
};

static struct served *find_display(struct x11 *x11, unsigned number)
{
        char path[64], name[16];
        struct served *d;

        for (size_t i = 0; i < x11->n_displays; i++)
                if (x11->displays[i]->display == number)
                        return x11->displays[i];
        if (x11->n_displays == DISPLAYS_MAX) {
                report_remark("more than %d displays; :%u is not watched", DISPLAYS_MAX, number);
                return NULL;
        }
        (void) snprintf(path, sizeof path, FOLDER "/X%u", number);
        (void) snprintf(name, sizeof name, ":%u", number);
        d = served_new(&x11->probe, &x11_kind, x11->seat, &x11->desktop, path, name, number);
        if (d)
                x11->displays[x11->n_displays++] = d;
        return d;
}

/* parse_display() - "0" to "65535"; -1 otherwise, as Xorg's own temporary names are */
static long parse_display(const char *text)
{
        int64_t n;

        return parse_int(text, &n) < 0 || n < 0 || n > DISPLAY_MAX ? -1 : (long) n;
}

static void consider(struct x11 *x11, const char *name, bool watched)
{
        long number = name[0] == 'X' ? parse_display(name + 1) : -1;
        struct served *d;

        if (number < 0 || (x11->only >= 0 && x11->only != number))
                return;
        d = find_display(x11, (unsigned) number);
        if (d)
                served_found(d, watched);
}

static void scan(struct x11 *x11)
{
        DIR *dir = opendir(FOLDER);

        for (const struct dirent *e; dir && (e = readdir(dir));)
                consider(x11, e->d_name, false);
        if (dir)
                (void) closedir(dir);
}

static int on_folder(sd_event_source *source, const struct inotify_event *event, void *userdata)
{
        struct x11 *x11 = userdata;

        (void) source;
        if (event->mask & IN_Q_OVERFLOW)
                scan(x11);
        else if (event->len > 0 && event->mask & (IN_CREATE | IN_MOVED_TO))
                consider(x11, event->name, true);
        return 0;
}

static int on_parent(sd_event_source *source, const struct inotify_event *event, void *userdata);

/* watch() - the folder, or while it is not there, the one it will be made in. First watch, then
 * list: what comes between is seen twice, and not missed. */
static void watch(struct x11 *x11)
{
        const uint32_t mask = IN_CREATE | IN_MOVED_TO | IN_ONLYDIR;
        sd_event *e = x11->probe.event;

        x11->folder_watch = sd_event_source_disable_unref(x11->folder_watch);
        x11->parent_watch = sd_event_source_disable_unref(x11->parent_watch);
        if (sd_event_add_inotify(e, &x11->parent_watch, "/tmp", mask, on_parent, x11) < 0)
                report_remark("/tmp cannot be watched");
        if (sd_event_add_inotify(e, &x11->folder_watch, FOLDER, mask, on_folder, x11) >= 0)
                scan(x11);
}

static int on_parent(sd_event_source *source, const struct inotify_event *event, void *userdata)
{
        (void) source;
        if (event->mask & IN_Q_OVERFLOW ||
            (event->len > 0 && strcmp(event->name, strrchr(FOLDER, '/') + 1) == 0))
                watch(userdata);
        return 0;
}

/* on_mounts() - a tmpfs over /tmp takes the folder away without any event in it */
static int on_mounts(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        char chunk[4096];

        (void) source;
        (void) revents;
        /* Reading arms the next event. */
        if (lseek(fd, 0, SEEK_SET) < 0 || read(fd, chunk, sizeof chunk) < 0)
                return -errno;
        watch(userdata);
        return 0;
}

static void on_sessions(void *userdata)
{
        struct x11 *x11 = userdata;

        for (size_t i = 0; i < x11->n_displays; i++)
                served_seat_changed(x11->displays[i]);
}

static int run(struct x11 *x11, struct fault *fault)
{
        struct fault why = FAULT_NULL;
        int mounts_fd, r = probe_init(&x11->probe, X11_SOURCE, fault);

        if (r == 0)
                r = seat_new(x11->probe.event, on_sessions, x11, &x11->seat, fault);
        if (r < 0)
                return r;
        mounts_fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
        if (mounts_fd >= 0)
                (void) sd_event_add_io(x11->probe.event, NULL, mounts_fd, EPOLLPRI, on_mounts, x11);
        /* A line that is wrong must not cost the whole desktop: the others stand. */
        if (desktop_conf_read(&x11->desktop, desktop_conf_path(), &why) < 0)
                report_remark("%s", why.text);
        watch(x11);
        r = probe_run(&x11->probe);
        for (size_t i = 0; i < x11->n_displays; i++)
                (void) served_free(x11->displays[i]);
        x11->folder_watch = sd_event_source_disable_unref(x11->folder_watch);
        x11->parent_watch = sd_event_source_disable_unref(x11->parent_watch);
        closep(&mounts_fd);
        x11->seat = seat_free(x11->seat);
        desktop_conf_done(&x11->desktop);
        probe_done(&x11->probe);
        return r;
}

int main(int argc, char **argv)
{
        struct x11 x11 = { .only = -1 };
        struct fault fault = FAULT_NULL;
        int r;

        if (argc == 2 && argv[1][0] == ':')
                x11.only = parse_display(argv[1] + 1);
        if (argc > 2 || (argc == 2 && x11.only < 0)) {
                report_remark("want no argument, or one display (:0)");
                return 2;
        }
        r = run(&x11, &fault);
        if (r < 0)
                report_remark("%s", fault.text);
        return r < 0 ? EXIT_FAILURE : r;
}
