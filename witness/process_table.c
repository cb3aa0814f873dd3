/* witness/process_table.c - one pass over /proc. Processes come and go meanwhile: one that is gone
 * when its turn comes is passed over. */
#include "witness/process_table.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "record/clock.h"
#include "record/macros.h"
#include "record/procfile.h"

#define STAT_MAX_BYTES (16 * 1024)
#define ARGUMENTS_MAX_BYTES (256 * 1024)
#define STAT_FIELD_PARENT 2 /* counted from the name, which is field 0 here and 2 in proc(5) */
#define STAT_FIELD_START 20

/* field() - the @n-th blank-separated word after @p as a number */
static int field(const char *p, unsigned n, int64_t *ret)
{
        char word[32];
        size_t bytes;

        for (unsigned i = 0; i < n; i++) {
                p += strspn(p, " ");
                p += strcspn(p, " \n");
        }
        p += strspn(p, " ");
        bytes = strcspn(p, " \n");
        if (bytes == 0 || bytes >= sizeof word)
                return -EINVAL;
        memcpy(word, p, bytes);
        word[bytes] = '\0';
        return parse_int(word, ret);
}

int process_parse_stat(const char *stat, long ticks_per_s, struct process *ret)
{
        const char *open = strchr(stat, '('), *close = strrchr(stat, ')');
        struct process p = { .pid = 0 };
        int64_t pid, parent, ticks, ticks_us;
        size_t n;

        if (!open || !close || close < open || ticks_per_s <= 0)
                return -EINVAL;
        if (field(stat, 0, &pid) < 0 || field(close + 1, STAT_FIELD_PARENT - 1, &parent) < 0 ||
            field(close + 1, STAT_FIELD_START - 1, &ticks) < 0 || pid <= 0 || pid > INT32_MAX ||
            parent < 0 || parent > INT32_MAX || ticks < 0 ||
            __builtin_mul_overflow(ticks, US_PER_S, &ticks_us))
                return -EINVAL;
        n = (size_t) (close - open - 1);
        if (n >= sizeof p.name)
                n = sizeof p.name - 1;
        memcpy(p.name, open + 1, n);
        p.pid = (pid_t) pid;
        p.parent = (pid_t) parent;
        p.forked_us = ticks_us / ticks_per_s;
        *ret = p;
        return 0;
}

static int read_one(int proc_fd, const char *pid, struct process *ret)
{
        CLEANUP(freep) char *text = NULL;
        char path[64];
        struct stat st;
        int r;

        (void) snprintf(path, sizeof path, "%.20s/stat", pid);
        r = procfile_read(proc_fd, path, STAT_MAX_BYTES, &text, NULL);
        if (r < 0)
                return r;
        r = process_parse_stat(text, sysconf(_SC_CLK_TCK), ret);
        if (r < 0)
                return r;
        if (fstatat(proc_fd, pid, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        ret->uid = st.st_uid; /* the folder of a process belongs to its effective user */
        return 0;
}

static int compare_processes(const void *va, const void *vb)
{
        const struct process *a = va, *b = vb;

        return (a->pid > b->pid) - (a->pid < b->pid);
}

int process_table_read(struct process_table *t, int root_fd, struct fault *fault)
{
        CLEANUP(closep) int proc_fd = -EBADF;
        const struct dirent *d;
        size_t room = 0;
        DIR *dir;
        int fd;

        if (t->is_read)
                return 0;
        proc_fd = openat(root_fd, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (proc_fd < 0)
                return fault_errno(fault, -errno, "/proc");
        fd = openat(proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        dir = fd >= 0 ? fdopendir(fd) : NULL;
        if (!dir) {
                closep(&fd);
                return fault_errno(fault, -errno, "/proc");
        }
        while ((d = readdir(dir))) {
                struct process p;

                if (d->d_name[0] < '1' || d->d_name[0] > '9' ||
                    read_one(proc_fd, d->d_name, &p) < 0)
                        continue;
                if (t->n == room) {
                        struct process *grown;

                        room = room ? room * 2 : 256;
                        grown = reallocarray(t->process, room, sizeof *grown);
                        if (!grown) {
                                (void) closedir(dir);
                                return fault_set(fault, -ENOMEM, "no memory");
                        }
                        t->process = grown;
                }
                t->process[t->n++] = p;
        }
        (void) closedir(dir);
        if (t->n == 0)
                return fault_set(fault, -ENOENT, "/proc shows no process: it is not mounted");
        qsort(t->process, t->n, sizeof *t->process, compare_processes);
        t->is_read = true;
        return 0;
}

void process_table_done(struct process_table *t)
{
        free(t->process);
        *t = (struct process_table){ .process = NULL };
}

const struct process *process_find(const struct process_table *t, pid_t pid)
{
        const struct process key = { .pid = pid };

        return t->n ? bsearch(&key, t->process, t->n, sizeof key, compare_processes) : NULL;
}

int process_arguments(int root_fd, pid_t pid, char **ret, size_t *ret_bytes)
{
        char path[64];

        (void) snprintf(path, sizeof path, "proc/%ld/cmdline", (long) pid);
        return procfile_read(root_fd, path, ARGUMENTS_MAX_BYTES, ret, ret_bytes);
}
