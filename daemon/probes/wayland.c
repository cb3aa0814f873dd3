/* daemon/probes/wayland.c - the wayland probe: every compositor of this machine, as it comes and
 * goes
 *
 * Sockets "wayland-*" in each user's folder below /run/user are found by inotify, and nothing below
 * those folders is looked at; what becomes of each socket is served.c's, and what is said to a
 * compositor wayland_server.c's. With a folder as argument only that one is watched.
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include "daemon/probes/report.h"
#include "daemon/probes/served.h"
#include "daemon/probes/wayland_server.h"
#include "record/procfile.h"

#define RUN "/run"
#define USERS "/run/user"
#define SOCKET_PREFIX "wayland-"
#define LOCK_SUFFIX ".lock"
#define NAME_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
#define NAME_MAX_BYTES 32
#define FOLDERS_MAX 64
#define SOCKETS_MAX 16 /* of one user, who must not use up the others' */

static const char *const child_marks[] = { "wayland.ready", "wm.ready", "desktop.windows",
                                           "login.prompt", NULL };

static const struct served_kind wayland_kind = { .socket_mark = "wayland.socket",
                                                 .ready_mark = "wayland.ready",
                                                 .gone_mark = "wayland.gone",
                                                 .child_marks = child_marks,
                                                 .is_x = false,
                                                 .serve = wayland_serve };

struct wayland;

struct folder {
        struct wayland *wayland;
        char path[256];
        long uid;
        sd_event_source *watch;
        struct served *sockets[SOCKETS_MAX];
        size_t n_sockets;
};

struct wayland {
        struct probe probe;
        sd_event_source *run_watch, *users_watch;
        struct folder *folders[FOLDERS_MAX];
        size_t n_folders;
        struct seat *seat;
        struct desktop_conf desktop;
        const char *only; /* this folder; NULL for all users' */
};

/* is_socket_name() - what compositors call theirs. It goes into a session's name, and anyone may
 * make files there. */
static bool is_socket_name(const char *name)
{
        size_t n = strlen(name), n_lock = strlen(LOCK_SUFFIX);

        return strncmp(name, SOCKET_PREFIX, strlen(SOCKET_PREFIX)) == 0 && n < NAME_MAX_BYTES &&
               strspn(name, NAME_CHARS) == n &&
               !(n > n_lock && strcmp(name + n - n_lock, LOCK_SUFFIX) == 0);
}

static struct served *find_socket(struct folder *f, const char *path, const char *name)
{
        struct wayland *w = f->wayland;
        char session[48];
        struct served *s;

        for (size_t i = 0; i < f->n_sockets; i++)
                if (strcmp(f->sockets[i]->path, path) == 0)
                        return f->sockets[i];
        if (f->n_sockets == SOCKETS_MAX)
                return NULL;
        (void) snprintf(session, sizeof session, "%s@%ld", name, f->uid);
        s = served_new(&w->probe, &wayland_kind, w->seat, &w->desktop, path, session, 0);
        if (s)
                f->sockets[f->n_sockets++] = s;
        return s;
}

static void consider(struct folder *f, const char *name, bool watched)
{
        struct served *s;
        char path[sizeof s->path];

        if (!is_socket_name(name) ||
            snprintf(path, sizeof path, "%s/%s", f->path, name) >= (int) sizeof path)
                return;
        s = find_socket(f, path, name);
        if (s)
                served_found(s, watched);
}

static void scan(struct folder *f)
{
        DIR *dir = opendir(f->path);

        for (const struct dirent *e; dir && (e = readdir(dir));)
                consider(f, e->d_name, false);
        if (dir)
                (void) closedir(dir);
}

static int on_folder(sd_event_source *source, const struct inotify_event *event, void *userdata)
{
        struct folder *f = userdata;

        (void) source;
        if (event->mask & IN_Q_OVERFLOW)
                scan(f);
        else if (event->len > 0)
                consider(f, event->name, true);
        return 0;
}

/* watch_folder() - first watch, then list: what comes between is seen twice, and not missed */
static void watch_folder(struct folder *f)
{
        f->watch = sd_event_source_disable_unref(f->watch);
        if (sd_event_add_inotify(f->wayland->probe.event, &f->watch, f->path,
                                 IN_CREATE | IN_MOVED_TO | IN_ONLYDIR, on_folder, f) >= 0)
                scan(f);
}

static void add_folder(struct wayland *w, const char *path, long uid)
{
        struct folder *f = NULL;

        for (size_t i = 0; i < w->n_folders; i++)
                if (w->folders[i]->uid == uid)
                        f = w->folders[i];
        if (!f) {
                if (w->n_folders == FOLDERS_MAX || !(f = calloc(1, sizeof *f)))
                        return;
                f->wayland = w;
                f->uid = uid;
                (void) snprintf(f->path, sizeof f->path, "%s", path);
                w->folders[w->n_folders++] = f;
        }
        watch_folder(f);
}

static void consider_user(struct wayland *w, const char *name)
{
        char path[64];
        int64_t uid;

        if (parse_int(name, &uid) < 0 || uid < 0 || uid > UINT32_MAX)
                return;
        (void) snprintf(path, sizeof path, USERS "/%lld", (long long) uid);
        add_folder(w, path, (long) uid);
}

static int on_users(sd_event_source *source, const struct inotify_event *event, void *userdata);
static int on_run(sd_event_source *source, const struct inotify_event *event, void *userdata);

static void watch_users(struct wayland *w)
{
        const uint32_t mask = IN_CREATE | IN_MOVED_TO | IN_ONLYDIR;
        DIR *dir;

        w->run_watch = sd_event_source_disable_unref(w->run_watch);
        w->users_watch = sd_event_source_disable_unref(w->users_watch);
        if (sd_event_add_inotify(w->probe.event, &w->run_watch, RUN, mask, on_run, w) < 0)
                report_remark(RUN " cannot be watched");
        if (sd_event_add_inotify(w->probe.event, &w->users_watch, USERS, mask, on_users, w) < 0)
                return;
        dir = opendir(USERS);
        for (const struct dirent *e; dir && (e = readdir(dir));)
                consider_user(w, e->d_name);
        if (dir)
                (void) closedir(dir);
}

static void watch(struct wayland *w)
{
        struct stat st;

        if (!w->only)
                watch_users(w);
        else if (stat(w->only, &st) == 0)
                add_folder(w, w->only, (long) st.st_uid);
}

static int on_users(sd_event_source *source, const struct inotify_event *event, void *userdata)
{
        (void) source;
        if (event->mask & IN_Q_OVERFLOW)
                watch(userdata);
        else if (event->len > 0)
                consider_user(userdata, event->name);
        return 0;
}

static int on_run(sd_event_source *source, const struct inotify_event *event, void *userdata)
{
        (void) source;
        if (event->mask & IN_Q_OVERFLOW ||
            (event->len > 0 && strcmp(event->name, strrchr(USERS, '/') + 1) == 0))
                watch(userdata);
        return 0;
}

/* on_mounts() - a user's folder is made first, and then has a tmpfs mounted over it, which makes no
 * event in it */
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
        struct wayland *w = userdata;

        for (size_t i = 0; i < w->n_folders; i++)
                for (size_t k = 0; k < w->folders[i]->n_sockets; k++)
                        served_seat_changed(w->folders[i]->sockets[k]);
}

static void free_folders(struct wayland *w)
{
        for (size_t i = 0; i < w->n_folders; i++) {
                struct folder *f = w->folders[i];

                for (size_t k = 0; k < f->n_sockets; k++)
                        (void) served_free(f->sockets[k]);
                (void) sd_event_source_disable_unref(f->watch);
                free(f);
        }
        w->n_folders = 0;
}

static int run(struct wayland *w, struct fault *fault)
{
        struct fault why = FAULT_NULL;
        int mounts_fd, r = probe_init(&w->probe, WAYLAND_SOURCE, fault);

        if (r == 0)
                r = seat_new(w->probe.event, on_sessions, w, &w->seat, fault);
        if (r < 0)
                return r;
        mounts_fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
        if (mounts_fd >= 0)
                (void) sd_event_add_io(w->probe.event, NULL, mounts_fd, EPOLLPRI, on_mounts, w);
        /* A line that is wrong is said by the x11 probe: the others stand. */
        (void) desktop_conf_read(&w->desktop, desktop_conf_path(), &why);
        watch(w);
        r = probe_run(&w->probe);
        free_folders(w);
        w->run_watch = sd_event_source_disable_unref(w->run_watch);
        w->users_watch = sd_event_source_disable_unref(w->users_watch);
        closep(&mounts_fd);
        w->seat = seat_free(w->seat);
        desktop_conf_done(&w->desktop);
        probe_done(&w->probe);
        return r;
}

int main(int argc, char **argv)
{
        struct wayland w = { .only = argc == 2 ? argv[1] : NULL };
        struct fault fault = FAULT_NULL;
        int r;

        if (argc > 2 || (w.only && w.only[0] != '/')) {
                report_remark("want no argument, or one folder (/run/user/1000)");
                return 2;
        }
        r = run(&w, &fault);
        if (r < 0)
                report_remark("%s", fault.text);
        return r < 0 ? EXIT_FAILURE : r;
}
