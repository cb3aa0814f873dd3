/* tests/unit/test-mark-send.c - marks handed over by file and by socket */
#include "tests/test.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "record/mark_send.h"

struct run_dir {
        char path[64];
        int socket_fd; /* bound to path/socket */
};

static int make_run_dir(void **state)
{
        static struct run_dir run;
        struct sockaddr_un at = { .sun_family = AF_UNIX };

        (void) snprintf(run.path, sizeof run.path, "/tmp/bootlap-test.XXXXXX");
        if (!mkdtemp(run.path) || chmod(run.path, 0755) < 0)
                return -1;
        (void) snprintf(at.sun_path, sizeof at.sun_path, "%s/" MARK_SOCKET, run.path);
        run.socket_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (run.socket_fd < 0 || bind(run.socket_fd, (struct sockaddr *) &at, sizeof at) < 0)
                return -1;
        *state = &run;
        return chmod(at.sun_path, 0666);
}

static int remove_run_dir(void **state)
{
        struct run_dir *run = *state;
        char path[128];

        (void) close(run->socket_fd);
        (void) snprintf(path, sizeof path, "%s/" MARK_SOCKET, run->path);
        (void) unlink(path);
        (void) snprintf(path, sizeof path, "%s/" MARK_FILE, run->path);
        (void) unlink(path);
        return rmdir(run->path);
}

static void lines_are_appended(void **state)
{
        struct run_dir *run = *state;
        char name[] = "a.b", path[128], text[64] = "";
        struct mark m = { .name = name, .monotonic_ns = 7 };
        CLEANUP(fclosep) FILE *f = NULL;

        assert_int_equal(mark_send(run->path, &m, NULL), 0);
        m.monotonic_ns = 8;
        assert_int_equal(mark_send(run->path, &m, NULL), 0);
        (void) snprintf(path, sizeof path, "%s/" MARK_FILE, run->path);
        f = fopen(path, "re");
        assert_non_null(f);
        assert_int_equal(fread(text, 1, sizeof text - 1, f), 2 * strlen("a.b\t7\t\t\n"));
        assert_string_equal(text, "a.b\t7\t\t\na.b\t8\t\t\n");
}

static void a_bad_name_writes_nothing(void **state)
{
        struct run_dir *run = *state;
        char name[] = "a b";
        struct mark m = { .name = name };
        struct fault fault = FAULT_NULL;
        char path[128];

        assert_int_equal(mark_send(run->path, &m, &fault), -EINVAL);
        assert_true(fault.text[0]);
        (void) snprintf(path, sizeof path, "%s/" MARK_FILE, run->path);
        assert_int_equal(access(path, F_OK), -1);
}

/* Who may not write the file sends to the socket; tried as another user, in a process of its own.
 */
static void others_use_the_socket(void **state)
{
        struct run_dir *run = *state;
        char name[] = "backup-done", line[MARK_LINE_MAX_BYTES + 1] = "";
        struct mark m = { .name = name, .monotonic_ns = 9 };
        int status = 0;
        pid_t child;

        if (geteuid() != 0)
                return (void) puts("# not root: there is no other user to try as");
        child = fork();
        assert_true(child >= 0);
        if (child == 0)
                _exit(setgid(65534) < 0 || setuid(65534) < 0 || mark_send(run->path, &m, NULL) < 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_true(recv(run->socket_fd, line, sizeof line - 1, 0) > 0);
        assert_string_equal(line, "backup-done\t9\t\t\n");
}

static void a_full_socket_does_not_block(void **state)
{
        struct run_dir *run = *state;
        char name[] = "unlock.prompt";
        struct mark m = { .name = name, .monotonic_ns = 7 };
        struct fault fault = FAULT_NULL;
        int status = 0;
        pid_t child;

        if (geteuid() != 0)
                return (void) puts("# not root: there is no other user to try as");
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
                int r = 0;

                (void) alarm(60); /* ends the test, should it block */
                if (setgid(65534) < 0 || setuid(65534) < 0)
                        _exit(1);
                for (unsigned i = 0; r == 0 && i < 100000; i++)
                        r = mark_send(run->path, &m, &fault);
                _exit(r == -EAGAIN && fault.text[0] ? 0 : 2);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_run_dir, remove_run_dir)
                TEST(lines_are_appended),
                TEST(a_bad_name_writes_nothing),
                TEST(others_use_the_socket),
                TEST(a_full_socket_does_not_block),
        };

        return cmocka_run_group_tests_name("mark_send", tests, NULL, NULL);
}
