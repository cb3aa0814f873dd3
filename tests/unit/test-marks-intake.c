/* tests/unit/test-marks-intake.c - marks as they reach bootlapd: the growing file, and the socket
 */
#include "tests/test.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include "daemon/mark_socket.h"
#include "daemon/marks_file.h"
#include "record/mark_send.h"

struct scratch {
        char path[64], file[80];
        int dir_fd;
        char seen[512]; /* names, a blank behind each */
};

static int set_up(void **state)
{
        static struct scratch s;

        s = (struct scratch){ .path = "/tmp/bootlap-test.XXXXXX" };
        if (!mkdtemp(s.path))
                return -1;
        (void) snprintf(s.file, sizeof s.file, "%s/" MARK_FILE, s.path);
        s.dir_fd = open(s.path, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
        *state = &s;
        return s.dir_fd < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
        struct scratch *s = *state;

        (void) unlinkat(s->dir_fd, MARK_SOCKET, 0);
        (void) unlinkat(s->dir_fd, MARK_FILE, 0);
        (void) close(s->dir_fd);
        return rmdir(s->path);
}

static int take(void *userdata, const struct mark *m)
{
        struct scratch *s = userdata;
        size_t n = strlen(s->seen);

        (void) snprintf(s->seen + n, sizeof s->seen - n, "%s ", m->name);
        return 0;
}

static void append(const struct scratch *s, const char *text, size_t n_bytes)
{
        int fd = open(s->file, O_WRONLY | O_APPEND | O_CLOEXEC);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, text, n_bytes), n_bytes);
        (void) close(fd);
}

static void read_and_expect(struct scratch *s, struct marks_file *f, const char *want)
{
        s->seen[0] = '\0';
        assert_int_equal(marks_file_read(f, take, s), 0);
        assert_string_equal(s->seen, want);
}

static void a_file_that_grows(void **state)
{
        struct scratch *s = *state;
        CLEANUP(marks_file_done) struct marks_file f = MARKS_FILE_NULL;

        assert_int_equal(marks_file_open(&f, s->dir_fd, NULL), 0);
        read_and_expect(s, &f, "");
        append(s, "a\t1\nb\t2\tsrc\n", 12);
        read_and_expect(s, &f, "a b ");
        append(s, "c\t", 2); /* not whole yet */
        read_and_expect(s, &f, "");
        append(s, "3\n", 2);
        read_and_expect(s, &f, "c ");
        assert_int_equal(f.n_bad, 0);
}

/* What has come since must be left to whoever reads on from there. */
static void as_far_as_another_has_read(void **state)
{
        struct scratch *s = *state;
        CLEANUP(marks_file_done) struct marks_file f = MARKS_FILE_NULL, again = MARKS_FILE_NULL;

        assert_int_equal(marks_file_open(&f, s->dir_fd, NULL), 0);
        assert_int_equal(marks_file_open(&again, s->dir_fd, NULL), 0);
        append(s, "a\t1\nb\t2\n", 8);
        read_and_expect(s, &f, "a b ");
        append(s, "c\t3\nd\t4\n", 8);
        again.end = f.offset;
        read_and_expect(s, &again, "a b ");
        read_and_expect(s, &again, "");
        read_and_expect(s, &f, "c d ");
        again.end = f.offset;
        read_and_expect(s, &again, "c d ");
}

static void bad_lines_are_counted(void **state)
{
        struct scratch *s = *state;
        CLEANUP(marks_file_done) struct marks_file f = MARKS_FILE_NULL;
        char huge[20000];

        assert_int_equal(marks_file_open(&f, s->dir_fd, NULL), 0);
        append(s, "no mark\n\n\xff\xfe\t1\nz\0z\t1\n", 20);
        append(s, "a\t1\n", 4);
        read_and_expect(s, &f, "a ");
        assert_int_equal(f.n_bad, 4);
        memset(huge, 'x', sizeof huge);
        huge[sizeof huge - 1] = '\n';
        append(s, huge, sizeof huge);
        append(s, "b\t1\n", 4);
        read_and_expect(s, &f, "b ");
        assert_true(f.n_bad > 4);
}

static void no_regular_file(void **state)
{
        struct scratch *s = *state;
        struct marks_file f = MARKS_FILE_NULL;
        struct fault fault = FAULT_NULL;

        assert_int_equal(mkfifo(s->file, 0600), 0);
        assert_int_equal(marks_file_open(&f, s->dir_fd, &fault), -EINVAL);
        assert_string_equal(fault.text, "marks: not a regular file");
        assert_int_equal(unlink(s->file), 0);
        assert_int_equal(symlink("/etc/passwd", s->file), 0);
        assert_int_equal(marks_file_open(&f, s->dir_fd, &fault), -ELOOP);
}

static void send_text(const struct scratch *s, const char *text, size_t n_bytes)
{
        struct sockaddr_un to = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        (void) snprintf(to.sun_path, sizeof to.sun_path, "%s/" MARK_SOCKET, s->path);
        assert_true(fd >= 0);
        assert_int_equal(sendto(fd, text, n_bytes, 0, (struct sockaddr *) &to, sizeof to), n_bytes);
        (void) close(fd);
}

static void a_socket_for_everyone(void **state)
{
        struct scratch *s = *state;
        CLEANUP(mark_socket_done)
        struct mark_socket sock = MARK_SOCKET_NULL, next = MARK_SOCKET_NULL;
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        struct stat st;

        assert_int_equal(mark_socket_open(&sock, s->path, NULL), 0);
        assert_int_equal(fstatat(s->dir_fd, MARK_SOCKET, &st, 0), 0);
        assert_int_equal(st.st_mode & 0777, 0666);
        assert_int_equal(mark_socket_receive(&sock, 100, &m), -EAGAIN);
        send_text(s, "backup\t7\tcron\tnight\n", 20);
        assert_int_equal(mark_socket_receive(&sock, 100, &m), 1);
        assert_int_equal(m.monotonic_ns, 7);
        assert_string_equal(m.name, geteuid() == 0 ? "backup" : "user.backup");
        send_text(s, "no mark at all", 14);
        mark_done(&m);
        assert_int_equal(mark_socket_receive(&sock, 100, &m), 0);
        send_text(s, "", 0);
        assert_int_equal(mark_socket_receive(&sock, 100, &m), 0);
        send_text(s, "a\t1\0b", 5);
        assert_int_equal(mark_socket_receive(&sock, 100, &m), 0);
        assert_int_equal(sock.n_dropped, 3);
        assert_int_equal(mark_socket_open(&next, s->path, NULL), 0); /* a successor takes over */
        send_text(s, "b\t7\n", 4);
        assert_int_equal(mark_socket_receive(&next, 100, &m), 1);
}

static const struct own_case {
        const char *name;
        uint64_t at_ns;
        int want;
        const char *want_name;
        uint64_t want_ns;
} own_cases[] = {
        { "login.answered", 5, 0, "user.login.answered", 5 },
        { "user.lunch", 5, 0, "user.lunch", 5 },
        { "later", 101, 0, "user.later", 100 },
        { "name-of-fifty-eight-bytes-which-fits-behind-the-prefix-ok0", 5, 0,
          "user.name-of-fifty-eight-bytes-which-fits-behind-the-prefix-ok0", 5 },
        { "name-of-fifty-nine-bytes-which-is-one-too-many-for-a-prefix", 5, -EINVAL, NULL, 0 },
};

static void who_is_not_root(void **state)
{
        (void) state;
        for (size_t i = 0; i < ELEMENTSOF(own_cases); i++) {
                const struct own_case *c = &own_cases[i];
                CLEANUP(mark_done)
                struct mark m = { .name = strdup(c->name),
                                  .monotonic_ns = c->at_ns,
                                  .source = strdup("systemd"),
                                  .detail = strdup("") };

                assert_int_equal(mark_socket_own(&m, 1000, 100), c->want);
                if (c->want < 0)
                        continue;
                assert_string_equal(m.name, c->want_name);
                assert_int_equal(m.monotonic_ns, c->want_ns);
                assert_string_equal(m.source, "user 1000");
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
                TEST(a_file_that_grows),     TEST(as_far_as_another_has_read),
                TEST(bad_lines_are_counted), TEST(no_regular_file),
                TEST(a_socket_for_everyone), TEST(who_is_not_root),
        };

        return cmocka_run_group_tests_name("marks intake", tests, NULL, NULL);
}
