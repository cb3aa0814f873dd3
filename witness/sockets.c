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
#include "witness/unix_listener.h"
#include "witness/witness.h"

#define X_SOCKETS "tmp/.X11-unix"
#define SOCKETS_MAX 64
#define X_DISPLAY_MAX 65535

struct socket_list {
        char path[SOCKETS_MAX][128];
        char session[SOCKETS_MAX][48]; /* ":0", "wayland-0@1000" */
        struct unix_listener listener[SOCKETS_MAX];
        size_t n;
};

static void add_socket(struct socket_list *l, int root_fd, const char *folder, const char *name,
                       const char *session)
{
        struct stat st;

        if (l->n == SOCKETS_MAX)
                return;
        (void) snprintf(l->path[l->n], sizeof l->path[0], "%.60s/%.40s", folder, name);
        (void) snprintf(l->session[l->n], sizeof l->session[0], "%.46s", session);
        if (fstatat(root_fd, l->path[l->n], &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISSOCK(st.st_mode) &&
            unix_listener_find(root_fd, l->path[l->n], &l->listener[l->n], NULL) == 0 &&
            l->listener[l->n].inode != 0)
                l->n++;
}

/* for_names() - every entry of a folder that is there */
static void for_names(int root_fd, const char *folder,
                      void (*each)(struct socket_list *l, int root_fd, const char *folder,
                                   const char *name),
                      struct socket_list *l)
{
        int fd = openat(root_fd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        if (!dir) {
                closep(&fd);
                return;
        }
        while ((d = readdir(dir)))
                if (d->d_name[0] != '.')
                        each(l, root_fd, folder, d->d_name);
        (void) closedir(dir);
}

static void add_x(struct socket_list *l, int root_fd, const char *folder, const char *name)
{
        char session[16];
        int64_t number;

        if (name[0] != 'X' || parse_int(name + 1, &number) < 0 || number < 0 ||
            number > X_DISPLAY_MAX)
                return;
        (void) snprintf(session, sizeof session, ":%d", (int) number);
        add_socket(l, root_fd, folder, name, session);
}

static void add_wayland(struct socket_list *l, int root_fd, const char *folder, const char *name)
{
        size_t digits = strncmp(name, "wayland-", 8) == 0 ? strspn(name + 8, "0123456789") : 0;
        char session[48];

        if (digits == 0 || digits > 6 || name[8 + digits] != '\0')
                return; /* "wayland-0.lock" */
        (void) snprintf(session, sizeof session, "%.20s@%.20s", name, strrchr(folder, '/') + 1);
        add_socket(l, root_fd, folder, name, session);
}

static void add_user(struct socket_list *l, int root_fd, const char *folder, const char *name)
{
        char path[64];

        (void) snprintf(path, sizeof path, "%.20s/%.30s", folder, name);
        for_names(root_fd, path, add_wayland, l);
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
static void judge_display(const struct witness_context *ctx, const struct unix_listener *l,
                          const char *session, struct x_display *ret)
{
        const struct process *server = NULL, *other = NULL;
        bool is_xwayland = false;

        for (size_t i = 0; i < l->n_holders; i++) {
                const struct process *p = process_find(&ctx->processes, l->holder[i]);

                if (!p)
                        continue;
                if (starts_with(p->name, "Xwayland"))
                        is_xwayland = true;
                else if (p->name[0] == 'X' && !server)
                        server = p;
                else
                        other = p;
        }
        if (l->n_holders == 0)
                server = find_by_name(ctx, session, &is_xwayland);
        if (is_xwayland || (other && !server)) {
                (void) snprintf(ret->why_not, sizeof ret->why_not,
                                "the X socket %.16s is %.20s's, for Xwayland", session,
                                other ? other->name : "a compositor");
                ret->is_xwayland = true;
        } else if (!server) {
                (void) snprintf(ret->why_not, sizeof ret->why_not,
                                "who listens on the X socket %.16s can only be told by root",
                                session);
        } else {
                ret->pid = server->pid;
                ret->uid = server->uid;
                ret->may_connect = true;
        }
}

static int64_t earliest_us(const struct witness_context *ctx, const struct unix_listener *l,
                           pid_t server)
{
        const struct process *p = process_find(&ctx->processes, server         ? server
                                                                : l->n_holders ? l->holder[0]
                                                                               : 0);

        return p ? p->forked_us : 0;
}

static int see_socket(struct witness_context *ctx, struct record *r, const char *name,
                      const struct socket_list *l, size_t i, pid_t server)
{
        struct sighting s = { .source = (char[]){ "socket birth" } };
        struct fault fault = FAULT_NULL;
        const struct process *p;
        char detail[PROCESS_NAME_BYTES];

        p = process_find(&ctx->processes, server                     ? server
                                          : l->listener[i].n_holders ? l->listener[i].holder[0]
                                                                     : 0);
        if (p) {
                (void) snprintf(detail, sizeof detail, "%s", p->name);
                s.detail = detail;
        }
        if (birth_place(&ctx->wall, &ctx->now, ctx->root_fd, l->path[i],
                        earliest_us(ctx, &l->listener[i], server), &s, &fault) < 0)
                return record_add_absent(r, name, "%s", fault.text);
        return record_see(r, name, l->session[i], &s);
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

static int see_x(struct witness_context *ctx, struct record *r, const struct socket_list *l,
                 size_t i)
{
        struct x_display d = { .number = (unsigned) strtoul(l->session[i] + 1, NULL, 10) };
        int code;

        judge_display(ctx, &l->listener[i], l->session[i], &d);
        code = add_display(ctx, &d);
        if (code < 0)
                return code;
        if (d.is_xwayland)
                return record_add_absent(r, "x.socket", "%s", d.why_not);
        return see_socket(ctx, r, "x.socket", l, i, d.pid);
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
        code = process_table_read(&ctx->processes, ctx->root_fd, fault);
        if (code < 0)
                return code;
        for_names(ctx->root_fd, X_SOCKETS, add_x, l);
        for_names(ctx->root_fd, "run/user", add_user, l);
        unix_listener_find_holders(ctx->root_fd, &ctx->processes, l->listener, l->n);
        for (size_t i = 0; code == 0 && i < l->n; i++)
                code = l->session[i][0] == ':' ? see_x(ctx, r, l, i)
                                               : see_socket(ctx, r, "wayland.socket", l, i, 0);
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
