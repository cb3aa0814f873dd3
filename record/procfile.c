/* record/procfile.c - read small kernel files whole. Their st_size lies (0 or a page), so reading
 * goes on to the end and the caller sets the limit. */
#include "record/procfile.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define FIRST_BYTES 4096
#define LINE_MAX_BYTES (64 * 1024)

int parse_int(const char *text, int64_t *ret)
{
        const char *p = text + (*text == '-');
        int64_t n = 0;

        if (*p == '\0')
                return -EINVAL;
        for (; *p; p++) {
                if (*p < '0' || *p > '9')
                        return -EINVAL;
                /* Built up on the negative side, which has room for INT64_MIN too. */
                if (__builtin_mul_overflow(n, 10, &n) || __builtin_sub_overflow(n, *p - '0', &n))
                        return -ERANGE;
        }
        if (*text != '-' && __builtin_sub_overflow(0, n, &n))
                return -ERANGE;
        *ret = n;
        return 0;
}

int procfile_read(int dir_fd, const char *path, size_t max_bytes, char **ret, size_t *ret_bytes)
{
        CLEANUP(closep) int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

        return fd < 0 ? -errno : procfile_read_fd(fd, max_bytes, ret, ret_bytes);
}

int procfile_read_fd(int fd, size_t max_bytes, char **ret, size_t *ret_bytes)
{
        struct stat st;

        if (fstat(fd, &st) < 0)
                return -errno;
        return S_ISREG(st.st_mode) ? procfile_drain(fd, max_bytes, ret, ret_bytes) : -EINVAL;
}

int procfile_drain(int fd, size_t max_bytes, char **ret, size_t *ret_bytes)
{
        CLEANUP(freep) char *buffer = NULL;
        size_t used = 0, size = 0;

        for (;;) {
                ssize_t n;

                if (used + 1 >= size) {
                        size_t want = size ? size * 2 : FIRST_BYTES;
                        char *bigger = realloc(buffer, want);

                        if (!bigger)
                                return -ENOMEM;
                        buffer = bigger;
                        size = want;
                }
                n = read(fd, buffer + used, size - used - 1);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                used += (size_t) n;
                if (used > max_bytes)
                        return -EFBIG;
        }
        buffer[used] = '\0';
        if (ret_bytes)
                *ret_bytes = used;
        *ret = TAKE(buffer);
        return 0;
}

int procfile_read_line(int dir_fd, const char *path, char **ret)
{
        char *text;
        size_t n;
        int r;

        r = procfile_read(dir_fd, path, LINE_MAX_BYTES, &text, NULL);
        if (r < 0)
                return r;
        n = strcspn(text, "\n");
        while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t' || text[n - 1] == '\r'))
                n--;
        text[n] = '\0';
        *ret = text;
        return 0;
}

int procfile_read_int(int dir_fd, const char *path, int64_t *ret)
{
        CLEANUP(freep) char *line = NULL;
        int r;

        r = procfile_read_line(dir_fd, path, &line);
        if (r < 0)
                return r;
        return parse_int(line, ret);
}
