/* witness/sockets.c - when display sockets were made, and whose they are
 *
 * A server makes its socket as it starts; being ready comes later, and is not claimed. An X socket
 * whose listener is a compositor is Xwayland's: it is no display's start, and it is never connected
 * to, since connecting starts Xwayland. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "record/procfile.h"
#include "witness/listener.h"
#include "witness/witness.h"

#define X_SOCKETS "tmp/.X11-unix"
#define SOCKETS_MAX 64
#define X_DISPLAY_MAX 65535

struct display_socket {
        char path[160];       /* absolute */
        char session[48];     /* ":0", "wayland-0@1000" */
        const char *relative; /* path below the context's root; into @path */
        struct listener listener;
};

struct socket_list {
        int root_fd;
        char root[96]; /* where the context's root lies; "" for "/" */
        struct display_socket socket[SOCKETS_MAX];
        size_t n;
};

/* add_socket() - one that somebody listens on; a file that a dead server left is none */
static void add_socket(struct socket_list *l, const char *folder, const char *name,
                       const char *session)
{
        struct display_socket *s = &l->socket[l->n];

        if (l->n == SOCKETS_MAX)
                return;
        (void) snprintf(s->path, sizeof s->path, "%.90s/%.25s/%.30s", l->root, folder, name);
        (void) snprintf(s->session, sizeof s->session, "%.46s", session);
        s->relative = s->path + strlen(l->root) + 1;
        s->listener = LISTENER_NULL;
        if (listener_find(s->path, &s->listener, NULL) == 0)
                l->n++;
}

/* for_names() - every entry of a folder that is there */
static void for_names(struct socket_list *l, const char *folder,
                      void (*each)(struct socket_list *l, const char *folder, const char *name))
{
        int fd = openat(l->root_fd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        if (!dir) {
                closep(&fd);
                return;
        }
        while ((d = readdir(dir)))
                if (d->d_name[0] != '.')
                        each(l, folder, d->d_name);
        (void) closedir(dir);
}

static void add_x(struct socket_list *l, const char *folder, const char *name)
{
        char session[16];
        int64_t number;

        if (name[0] != 'X' || parse_int(name + 1, &number) < 0 || number < 0 ||
            number > X_DISPLAY_MAX)
                return;
        (void) snprintf(session, sizeof session, ":%d", (int) number);
        add_socket(l, folder, name, session);
}

static void add_wayland(struct socket_list *l, const char *folder, const char *name)
{
        size_t digits = strncmp(name, "wayland-", 8) == 0 ? strspn(name + 8, "0123456789") : 0;
        char session[48];

        if (digits == 0 || digits > 6 || name[8 + digits] != '\0')
                return; /* "wayland-0.lock" */
        (void) snprintf(session, sizeof session, "%.20s@%.20s", name, strrchr(folder, '/') + 1);
        add_socket(l, folder, name, session);
}

static void add_user(struct socket_list *l, const char *folder, const char *name)
{
        char path[64];

        (void) snprintf(path, sizeof path, "%.20s/%.30s", folder, name);
        for_names(l, path, add_wayland);
}

static bool starts_with(const char *text, const char *prefix)
{
        return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* serves_display() - is this an X server's command line for ":<number>"? */
static bool serves_display(int root_fd, const struct process *p, const char *session)
{
        CLEANUP(freep) char *arguments = NULL;
        size_t n;

        if (process_arguments(root_fd, p->pid, &arguments, &n) < 0)
                return false;
        for (const char *a = arguments; a < arguments + n; a += strlen(a) + 1)
                if (strcmp(a, session) == 0)
                        return true;
        return false;
}

/* find_by_name() - whose descriptors may not be looked at, the command line still tells */
static const struct process *find_by_name(const struct witness_context *ctx, const char *session,
                                          bool *ret_is_xwayland)
{
        const struct process *server = NULL;

        *ret_is_xwayland = false;
        for (size_t i = 0; i < ctx->processes.n; i++) {
                const struct process *p = &ctx->processes.process[i];

                if (p->name[0] != 'X' || !serves_display(ctx->root_fd, p, session))
                        continue;
                if (starts_with(p->name, "Xwayland"))
                        *ret_is_xwayland = true;
                else if (!server)
                        server = p;
        }
        return server;
}

/* judge_display() - whose is it, and may it be connected to? */
static void judge_display(const struct witness_context *ctx, const struct display_socket *s,
                          struct x_display *ret)
{
        const struct listener *l = &s->listener;
        const struct process *server = NULL;

        (void) snprintf(ret->path, sizeof ret->path, "%.120s", s->path);
        ret->uid = l->uid;
        ret->pid = l->pid;
        ret->is_xwayland = listener_is_xwaylands(l);
        ret->may_connect = l->kind == LISTENER_PROGRAM;
        if (l->kind == LISTENER_UNSEEN)
                server = find_by_name(ctx, s->session, &ret->is_xwayland);
        if (server && !ret->is_xwayland) {
                ret->pid = server->pid;
                ret->may_connect = true;
        }
        if (ret->is_xwayland)
                (void) snprintf(ret->why_not, sizeof ret->why_not,
                                "the X socket %.16s is %.20s's, for Xwayland", s->session,
                                l->program[0] ? l->program : "a compositor");
        else if (l->kind == LISTENER_INIT)
                (void) snprintf(ret->why_not, sizeof ret->why_not,
                                "the X socket %.16s is PID 1's: no server was started yet",
                                s->session);
        else if (!ret->may_connect)
                (void) snprintf(ret->why_not, sizeof ret->why_not,
                                "who listens on the X socket %.16s can only be told by root",
                                s->session);
}

/* see_socket() - its birth, which cannot lie before the start of the process that listens */
static int see_socket(struct witness_context *ctx, struct record *r, const char *name,
                      const struct display_socket *socket, pid_t server)
{
        const struct process *p = process_find(&ctx->processes, server);
        struct sighting s = { .source = (char[]){ "socket birth" } };
        struct fault fault = FAULT_NULL;
        char detail[PROCESS_NAME_BYTES];

        if (p) {
                (void) snprintf(detail, sizeof detail, "%s", p->name);
                s.detail = detail;
        }
        if (birth_place(&ctx->wall, &ctx->now, ctx->root_fd, socket->relative, p ? p->forked_us : 0,
                        &s, &fault) < 0)
                return record_add_absent(r, name, "%s", fault.text);
        return record_see(r, name, socket->session, &s);
}

static int add_display(struct witness_context *ctx, const struct x_display *d)
{
        struct x_display *grown =
                reallocarray(ctx->displays.display, ctx->displays.n + 1, sizeof *grown);

        if (!grown)
                return -ENOMEM;
        ctx->displays.display = grown;
        grown[ctx->displays.n++] = *d;
        return 0;
}

static int see_x(struct witness_context *ctx, struct record *r, const struct display_socket *s)
{
        struct x_display d = { .number = (unsigned) strtoul(s->session + 1, NULL, 10) };
        int code;

        judge_display(ctx, s, &d);
        code = add_display(ctx, &d);
        if (code < 0)
                return code;
        if (d.is_xwayland)
                return record_add_absent(r, "x.socket", "%s", d.why_not);
        return see_socket(ctx, r, "x.socket", s, d.pid);
}

/* root_path() - the kernel's list names sockets by their whole paths */
static int root_path(int root_fd, char *ret, size_t ret_bytes, struct fault *fault)
{
        char link[32];
        ssize_t n;

        (void) snprintf(link, sizeof link, "/proc/self/fd/%d", root_fd);
        n = readlink(link, ret, ret_bytes);
        if (n < 0)
                return fault_errno(fault, -errno, "%s", link);
        if ((size_t) n >= ret_bytes)
                return fault_set(fault, -ENAMETOOLONG, "%s: too long", link);
        ret[n == 1 ? 0 : n] = '\0';
        return 0;
}

static int ask_sockets(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(freep) struct socket_list *l = NULL;
        int code;

        if (!ctx->is_live)
                return fault_set(fault, -ENOENT, "a recorded tree has no listening socket");
        l = calloc(1, sizeof *l);
        if (!l)
                return -ENOMEM;
        l->root_fd = ctx->root_fd;
        code = process_table_read(&ctx->processes, ctx->root_fd, fault);
        if (code == 0)
                code = root_path(ctx->root_fd, l->root, sizeof l->root, fault);
        if (code < 0)
                return code;
        for_names(l, X_SOCKETS, add_x);
        for_names(l, "run/user", add_user);
        for (size_t i = 0; code == 0 && i < l->n; i++)
                code = l->socket[i].session[0] == ':'
                               ? see_x(ctx, r, &l->socket[i])
                               : see_socket(ctx, r, "wayland.socket", &l->socket[i],
                                            l->socket[i].listener.pid);
        if (code == 0)
                code = record_add_absent(r, "x.socket", "no X server is running");
        return code < 0 ? code
                        : record_add_absent(r, "wayland.socket",
                                            ctx->uid == 0 ? "no Wayland compositor is running"
                                                          : "no Wayland compositor of this user is "
                                                            "running");
}

static const char *const milestones[] = { "x.socket", "wayland.socket", NULL };

const struct witness witness_sockets = { "sockets", milestones, ask_sockets };
