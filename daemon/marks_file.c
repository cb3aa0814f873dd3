/* daemon/marks_file.c - see marks_file.h */
#include "daemon/marks_file.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "record/mark_send.h"

#define CHUNK_BYTES 8192

int marks_file_open(struct marks_file *f, int dir_fd, struct fault *fault)
{
        CLEANUP(closep)
        int fd = openat(dir_fd, MARK_FILE, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                        0644);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return fault_errno(fault, -errno, MARK_FILE);
        if (!S_ISREG(st.st_mode))
                return fault_set(fault, -EINVAL, MARK_FILE ": not a regular file");
        *f = (struct marks_file){ .fd = TAKE_FD(fd) };
        return 0;
}

void marks_file_done(struct marks_file *f) { closep(&f->fd); }

static int hand_over(struct marks_file *f, const char *line, size_t n_bytes,
                     int (*on_mark)(void *userdata, const struct mark *m), void *userdata)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        char text[MARK_LINE_MAX_BYTES + 1];
        int r;

        if (n_bytes >= sizeof text || memchr(line, '\0', n_bytes)) {
                f->n_bad++;
                return 0;
        }
        memcpy(text, line, n_bytes);
        text[n_bytes] = '\0';
        r = mark_parse_line(text, &m, NULL);
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                f->n_bad++;
                return 0;
        }
        return on_mark(userdata, &m);
}

/* A line that does not end within a chunk is no mark: skip what is there of it. */
static int read_chunk(struct marks_file *f, int (*on_mark)(void *userdata, const struct mark *m),
                      void *userdata)
{
        char chunk[CHUNK_BYTES];
        size_t size = sizeof chunk;
        ssize_t n;
        size_t used = 0;

        if (f->end > 0 && f->end - f->offset < (off_t) size)
                size = (size_t) (f->end - f->offset);
        n = pread(f->fd, chunk, size, f->offset);
        if (n < 0)
                return -errno;
        for (const char *end; (end = memchr(chunk + used, '\n', (size_t) n - used));) {
                size_t line_bytes = (size_t) (end - chunk) - used;
                int r = hand_over(f, chunk + used, line_bytes, on_mark, userdata);

                used += line_bytes + 1;
                f->offset += (off_t) line_bytes + 1;
                if (r < 0)
                        return r;
        }
        if (used == 0 && n == CHUNK_BYTES) {
                f->n_bad++;
                f->offset += n;
                used = (size_t) n;
        }
        return used > 0;
}

int marks_file_read(struct marks_file *f, int (*on_mark)(void *userdata, const struct mark *m),
                    void *userdata)
{
        int r;

        while ((r = read_chunk(f, on_mark, userdata)) > 0)
                ;
        return r;
}
