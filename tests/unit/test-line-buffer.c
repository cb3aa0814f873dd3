/* tests/unit/test-line-buffer.c - lines from a writer that is not trusted */
#include "tests/test.h"
#include <fcntl.h>
#include <string.h>
#include "daemon/line_buffer.h"

struct seen {
        char text[8][64];
        size_t n, longest;
};

static void on_line(void *userdata, char *line)
{
        struct seen *s = userdata;

        if (strlen(line) > s->longest)
                s->longest = strlen(line);
        if (s->n < ELEMENTSOF(s->text))
                (void) snprintf(s->text[s->n], sizeof s->text[0], "%s", line);
        s->n++;
}

struct pipe_ends {
        int read_fd, write_fd;
};

static struct pipe_ends open_pipe(void)
{
        int fds[2];

        assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
        return (struct pipe_ends){ fds[0], fds[1] };
}

static void send_text(int fd, const char *text, size_t n)
{
        assert_int_equal(write(fd, text, n), n);
}

static void lines_come_whole_and_clean(void **state)
{
        struct pipe_ends p = open_pipe();
        struct line_buffer b = { .used = 0 };
        struct seen seen = { .n = 0 };

        (void) state;
        send_text(p.write_fd, "one\nt\two\n\033[2J\0x\nhal", 19);
        assert_int_equal(line_buffer_read(&b, p.read_fd, on_line, &seen), 1);
        assert_int_equal(seen.n, 3);
        assert_string_equal(seen.text[1], "t\two");
        assert_string_equal(seen.text[2], " [2J x"); /* no escape reaches a terminal or a log */
        assert_int_equal(line_buffer_read(&b, p.read_fd, on_line, &seen), -EAGAIN);
        send_text(p.write_fd, "f\n", 2);
        (void) close(p.write_fd);
        assert_int_equal(line_buffer_read(&b, p.read_fd, on_line, &seen), 1);
        assert_string_equal(seen.text[3], "half");
        assert_int_equal(line_buffer_read(&b, p.read_fd, on_line, &seen), 0);
        (void) close(p.read_fd);
}

static void a_line_without_end_takes_no_room(void **state)
{
        struct pipe_ends p = open_pipe();
        struct line_buffer b = { .used = 0 };
        struct seen seen = { .n = 0 };
        char flood[4096];

        (void) state;
        memset(flood, 'x', sizeof flood);
        for (int i = 0; i < 100; i++) {
                send_text(p.write_fd, flood, sizeof flood);
                assert_int_equal(line_buffer_read(&b, p.read_fd, on_line, &seen), 1);
        }
        send_text(p.write_fd, "\nafter\n", 7);
        assert_int_equal(line_buffer_read(&b, p.read_fd, on_line, &seen), 1);
        assert_int_equal(seen.n, 1);
        assert_string_equal(seen.text[0], "after");
        assert_int_equal(b.n_too_long, 1);
        memset(flood, 'y', MARK_LINE_MAX_BYTES);
        flood[MARK_LINE_MAX_BYTES] = '\n';
        send_text(p.write_fd, flood, MARK_LINE_MAX_BYTES + 1);
        assert_int_equal(line_buffer_read(&b, p.read_fd, on_line, &seen), 1);
        assert_int_equal(seen.longest, MARK_LINE_MAX_BYTES);
        (void) close(p.read_fd);
        (void) close(p.write_fd);
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(lines_come_whole_and_clean),
                cmocka_unit_test(a_line_without_end_takes_no_room),
        };

        return cmocka_run_group_tests_name("line_buffer", tests, NULL, NULL);
}
