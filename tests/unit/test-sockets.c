/* Who listens, told for real sockets of this very process */
#include "tests/test.h"
#include <string.h>
#include <time.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "tests/tree.h"
#include "witness/witness.h"

static int listen_at(const struct tree *t, const char *path, bool listening)
{
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        tree_mkdirs(t->fd, path);
        (void) snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", t->path, path);
        assert_true(fd >= 0);
        assert_int_equal(bind(fd, (const struct sockaddr *) &address, sizeof address), 0);
        if (listening)
                assert_int_equal(listen(fd, 4), 0);
        return fd;
}

/* see_proc() - the tree gets this machine's /proc, through which the owners are found */
static void see_proc(const struct tree *t)
{
        assert_int_equal(symlinkat("/proc", t->fd, "proc"), 0);
}

/* ask() - as a process of that name, since the name is what tells a server from a compositor */
static struct record *ask(struct witness_context *ctx, const struct tree *t, const char *name)
{
        struct record *r = record_new();

        assert_int_equal(prctl(PR_SET_NAME, name), 0);
        *ctx = (struct witness_context){ .root_fd = t->fd,
                                         .is_live = true,
                                         .uid = geteuid(),
                                         .now = clock_tuple_now(),
                                         .wall = { .is_checked = true } };
        assert_int_equal(witness_sockets.ask(ctx, r, NULL), 0);
        return r;
}

static void an_x_server(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        int64_t before_us = birth_clock_us();
        CLEANUP(closep) int fd = listen_at(&t, "tmp/.X11-unix/X7", true);
        CLEANUP(record_freep) struct record *r = NULL;
        CLEANUP(witness_context_done) struct witness_context ctx;
        const struct milestone *m;

        (void) state;
        (void) fd;
        see_proc(&t);
        r = ask(&ctx, &t, "Xorg");
        m = record_find(r, "x.socket");
        assert_non_null(m);
        assert_string_equal(m->session, ":7");
        assert_string_equal(m->best.detail, "Xorg");
        assert_true(m->best.at_us >= before_us);
        assert_true(m->best.at_us - m->best.error_us <= clock_us(CLOCK_BOOTTIME));
        assert_int_equal(ctx.displays.n, 1);
        assert_int_equal(ctx.displays.display[0].number, 7);
        assert_int_equal(ctx.displays.display[0].pid, getpid());
        assert_true(ctx.displays.display[0].may_connect);
}

static void a_compositors_x_socket(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        CLEANUP(closep) int fd = listen_at(&t, "tmp/.X11-unix/X0", true);
        CLEANUP(closep) int wayland = listen_at(&t, "run/user/1000/wayland-0", true);
        CLEANUP(record_freep) struct record *r = NULL;
        CLEANUP(witness_context_done) struct witness_context ctx;

        (void) state;
        (void) wayland;
        see_proc(&t);
        assert_int_equal(tree_put(t.fd, "run/user/1000/wayland-0.lock", ""), 0);
        r = ask(&ctx, &t, "gnome-shell");
        assert_null(record_find(r, "x.socket"));
        assert_non_null(strstr(record_absent_reason(r, "x.socket"), "for Xwayland"));
        assert_false(ctx.displays.display[0].may_connect);
        assert_non_null(record_find(r, "wayland.socket"));
        assert_string_equal(record_find(r, "wayland.socket")->session, "wayland-0@1000");
        assert_string_equal(record_find(r, "wayland.socket")->best.detail, "gnome-shell");
        /* and nobody connected to it */
        assert_int_equal(witness_x11.ask(&ctx, r, NULL), 0);
        assert_int_equal(accept(fd, NULL, NULL), -1);
}

static void a_socket_that_a_dead_server_left(void **state)
{
        CLEANUP(tree_remove) struct tree t = tree_make();
        int fd = listen_at(&t, "tmp/.X11-unix/X3", true);
        CLEANUP(record_freep) struct record *r = NULL;
        CLEANUP(witness_context_done) struct witness_context ctx;

        (void) state;
        (void) close(fd);
        see_proc(&t);
        r = ask(&ctx, &t, "Xorg");
        assert_int_equal(r->n_milestones, 0);
        assert_string_equal(record_absent_reason(r, "x.socket"), "no X server is running");
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(an_x_server),
                cmocka_unit_test(a_compositors_x_socket),
                cmocka_unit_test(a_socket_that_a_dead_server_left),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
