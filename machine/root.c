/* machine/root.c - one way to every file, live or recorded
 *
 * A recorded tree is read with openat2(RESOLVE_IN_ROOT), so that neither "/sbin/init ->
 * /lib/systemd/systemd" nor ".." leads out of it into the machine that does the reading. */
#include "machine/root.h"
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include "record/clock.h"
#include "record/procfile.h"

#define PATH_BYTES 4096
#define LINE_MAX_BYTES (64 * 1024)

static int open_below(const struct machine_context *m, const char *path, int flags)
{
        struct open_how how = { .flags = (uint64_t) (unsigned) (flags | O_CLOEXEC),
                                .resolve = RESOLVE_IN_ROOT };
        long fd;

        if (m->is_live) {
                fd = openat(m->root_fd, path, flags | O_CLOEXEC);
        } else {
                /* EAGAIN: something was renamed while ".." was followed; the kernel asks for more.
                 */
                for (int tries = 0; tries < 8; tries++) {
                        fd = syscall(SYS_openat2, m->root_fd, path, &how, sizeof how);
                        if (fd >= 0 || errno != EAGAIN)
                                break;
                }
        }
        return fd < 0 ? -errno : (int) fd;
}

int machine_open(struct machine_context *ret, const char *sysroot, struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        CLEANUP(closep) int probe_fd = -EBADF;

        m.is_live = !sysroot;
        m.now_realtime_us = clock_us(CLOCK_REALTIME);
        m.root_fd = open(sysroot ? sysroot : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (m.root_fd < 0)
                return fault_errno(fault, -errno, "%s", sysroot ? sysroot : "/");
        probe_fd = open_below(&m, ".", O_PATH);
        if (probe_fd < 0)
                return fault_errno(fault, probe_fd, "%s: cannot be read as a root",
                                   sysroot ? sysroot : "/");
        *ret = m;
        m.root_fd = -EBADF;
        return 0;
}

void machine_close(struct machine_context *m)
{
        closep(&m->root_fd);
        *m = MACHINE_CONTEXT_NULL;
}

/* PATH_FROM() - the formatted path in a buffer; returns -ENAMETOOLONG from the caller */
#define PATH_FROM(path, format)                                                                    \
        do {                                                                                       \
                va_list ap_;                                                                       \
                int n_;                                                                            \
                va_start(ap_, format);                                                             \
                n_ = vsnprintf((path), PATH_BYTES, (format), ap_);                                 \
                va_end(ap_);                                                                       \
                if (n_ < 0 || n_ >= PATH_BYTES)                                                    \
                        return -ENAMETOOLONG;                                                      \
        } while (0)

int root_open(const struct machine_context *m, int flags, const char *format, ...)
{
        char path[PATH_BYTES];

        PATH_FROM(path, format);
        return open_below(m, path, flags);
}

static int read_below(const struct machine_context *m, const char *path, size_t max_bytes,
                      char **ret, size_t *ret_bytes)
{
        CLEANUP(closep) int fd = open_below(m, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);

        return fd < 0 ? fd : procfile_read_fd(fd, max_bytes, ret, ret_bytes);
}

int root_read(const struct machine_context *m, size_t max_bytes, char **ret, size_t *ret_bytes,
              const char *format, ...)
{
        char path[PATH_BYTES];

        PATH_FROM(path, format);
        return read_below(m, path, max_bytes, ret, ret_bytes);
}

static int line_below(const struct machine_context *m, const char *path, char **ret)
{
        CLEANUP(freep) char *text = NULL;
        char *start, *end;
        int r;

        r = read_below(m, path, LINE_MAX_BYTES, &text, NULL);
        if (r < 0)
                return r;
        start = text + strspn(text, " \t");
        end = start + strcspn(start, "\n");
        while (end > start && strchr(" \t\r", end[-1]))
                end--;
        *ret = strndup(start, (size_t) (end - start));
        return *ret ? 0 : -ENOMEM;
}

int root_line(const struct machine_context *m, char **ret, const char *format, ...)
{
        char path[PATH_BYTES];

        PATH_FROM(path, format);
        return line_below(m, path, ret);
}

int root_integer(const struct machine_context *m, int64_t *ret, const char *format, ...)
{
        CLEANUP(freep) char *line = NULL;
        char path[PATH_BYTES];
        int r;

        PATH_FROM(path, format);
        r = line_below(m, path, &line);
        return r < 0 ? r : parse_int(line, ret);
}

bool root_exists(const struct machine_context *m, const char *format, ...)
{
        CLEANUP(closep) int fd = -EBADF;
        char path[PATH_BYTES];
        va_list ap;
        int n;

        va_start(ap, format);
        n = vsnprintf(path, sizeof path, format, ap);
        va_end(ap);
        if (n < 0 || n >= PATH_BYTES)
                return false;
        fd = open_below(m, path, O_PATH);
        return fd >= 0;
}

static int link_below(const struct machine_context *m, const char *path, char **ret)
{
        CLEANUP(closep) int fd = open_below(m, path, O_PATH | O_NOFOLLOW);
        char target[PATH_BYTES];
        ssize_t n;

        if (fd < 0)
                return fd;
        n = readlinkat(fd, "", target, sizeof target - 1);
        if (n < 0)
                return errno == ENOENT ? -EINVAL : -errno; /* the kernel's word for "no link" */
        target[n] = '\0';
        *ret = strdup(target);
        return *ret ? 0 : -ENOMEM;
}

int root_link(const struct machine_context *m, char **ret, const char *format, ...)
{
        char path[PATH_BYTES];

        PATH_FROM(path, format);
        return link_below(m, path, ret);
}

int root_link_base(const struct machine_context *m, char **ret, const char *format, ...)
{
        CLEANUP(freep) char *target = NULL;
        char path[PATH_BYTES];
        const char *slash;
        int r;

        PATH_FROM(path, format);
        r = link_below(m, path, &target);
        if (r < 0)
                return r;
        slash = strrchr(target, '/');
        *ret = strdup(slash ? slash + 1 : target);
        return *ret ? 0 : -ENOMEM;
}

void root_list_freep(char ***names)
{
        for (char **n = *names; n && *n; n++)
                free(*n);
        free(*names);
        *names = NULL;
}

static int compare_names(const void *va, const void *vb)
{
        const char *const *a = va, *const *b = vb;

        return strverscmp(*a, *b); /* sda2 before sda10 */
}

int root_list(const struct machine_context *m, char ***ret, const char *format, ...)
{
        CLEANUP(root_list_freep) char **names = NULL;
        CLEANUP(closep) int fd = -EBADF;
        char path[PATH_BYTES];
        const struct dirent *d;
        size_t n = 0;
        DIR *dir;
        int r = 0;

        PATH_FROM(path, format);
        fd = open_below(m, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
        if (fd < 0)
                return fd;
        dir = fdopendir(fd);
        if (!dir)
                return -errno;
        fd = -EBADF;
        names = calloc(1, sizeof *names);
        if (!names)
                r = -ENOMEM;
        while (r == 0 && (d = readdir(dir))) {
                char **grown;

                if (d->d_name[0] == '.')
                        continue;
                grown = reallocarray(names, n + 2, sizeof *names);
                if (!grown) {
                        r = -ENOMEM;
                        break;
                }
                names = grown;
                names[n] = strdup(d->d_name);
                if (!names[n])
                        r = -ENOMEM;
                names[++n] = NULL;
        }
        (void) closedir(dir);
        if (r < 0)
                return r;
        if (n > 1)
                qsort(names, n, sizeof *names, compare_names);
        *ret = TAKE(names);
        return 0;
}
