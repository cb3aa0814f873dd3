/* daemon/probes/load.c - /proc/stat, /sys/block/DISK/stat, and our own /proc/PID/schedstat */
#include "daemon/probes/load.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "record/clock.h"
#include "record/macros.h"

#define SOURCES_NS (1 * (int64_t) NS_PER_S) /* how often new disks and processes are looked for */
#define NS_PER_MS 1000000
#define STAT_BYTES 65536
#define DEPTH_MAX 4

static ssize_t read_text(int fd, char *text, size_t size)
{
        ssize_t n = pread(fd, text, size - 1, 0);

        text[n > 0 ? n : 0] = '\0';
        return n;
}

/* read_number() - the @index-th number of a file; false when the file has gone, or holds none */
static bool read_number(int fd, unsigned index, uint64_t *ret)
{
        char text[512], *end;
        const char *p = text;

        if (read_text(fd, text, sizeof text) <= 0)
                return false;
        for (unsigned i = 0;; i++, p = end) {
                uint64_t value = strtoull(p, &end, 10);

                if (end == p)
                        return false;
                if (i == index) {
                        *ret = value;
                        return true;
                }
        }
}

static struct load_source *find_source(struct load_source *sources, size_t n, const char *name)
{
        for (size_t i = 0; i < n; i++)
                if (strcmp(sources[i].name, name) == 0)
                        return &sources[i];
        return NULL;
}

static void add_source(struct load_source *sources, size_t *n, size_t max, int dir_fd,
                       const char *path, const char *name)
{
        int fd;

        if (*n == max || strlen(name) >= LOAD_NAME_BYTES || find_source(sources, *n, name))
                return;
        fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return;
        sources[*n] = (struct load_source){ .fd = fd };
        (void) snprintf(sources[*n].name, LOAD_NAME_BYTES, "%s", name);
        (*n)++;
}

/* read_sources() - what has gone is dropped */
static void read_sources(struct load_source *sources, size_t *n, unsigned index)
{
        for (size_t i = 0; i < *n;) {
                struct load_source *s = &sources[i];
                uint64_t count;

                if (!read_number(s->fd, index, &count)) {
                        closep(&s->fd);
                        *s = sources[--*n];
                        continue;
                }
                s->has_before = s->has_count;
                s->has_count = true;
                s->before = s->count;
                s->count = count;
                i++;
        }
}

static bool begins(const char *text, const char *with)
{
        return strncmp(text, with, strlen(with)) == 0;
}

static DIR *open_folder(int dir_fd, const char *path)
{
        int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd < 0 ? NULL : fdopendir(fd);

        if (fd >= 0 && !dir)
                (void) close(fd);
        return dir;
}

/* is_leaf() - data end there: neither on other disks, which are counted, nor in memory */
static bool is_leaf(int sys_block_fd, const char *name)
{
        static const char *const no_disks[] = { ".", "loop", "zram", "ram", "dm-", "md" };
        bool has_slaves = false;
        char path[300];
        DIR *slaves;

        for (size_t i = 0; i < ELEMENTSOF(no_disks); i++)
                if (begins(name, no_disks[i]))
                        return false;
        (void) snprintf(path, sizeof path, "%s/slaves", name);
        slaves = open_folder(sys_block_fd, path);
        for (const struct dirent *e; slaves && (e = readdir(slaves));)
                has_slaves = has_slaves || e->d_name[0] != '.';
        if (slaves)
                (void) closedir(slaves);
        return !has_slaves;
}

static void find_disks(struct load_reader *r)
{
        DIR *dir = open_folder(r->sys_block_fd, ".");

        for (const struct dirent *e; dir && (e = readdir(dir));) {
                char path[300];

                (void) snprintf(path, sizeof path, "%s/stat", e->d_name);
                if (is_leaf(r->sys_block_fd, e->d_name))
                        add_source(r->disks, &r->n_disks, LOAD_DISKS_MAX, r->sys_block_fd, path,
                                   e->d_name);
        }
        if (dir)
                (void) closedir(dir);
}

/* add_process() - @pid and all that it has started */
static void add_process(struct load_reader *r, pid_t pid, int depth)
{
        char path[64], name[16], text[1024], *end;
        int fd;

        (void) snprintf(name, sizeof name, "%d", pid);
        (void) snprintf(path, sizeof path, "%d/schedstat", pid);
        add_source(r->own, &r->n_own, LOAD_OWN_MAX, r->proc_fd, path, name);
        (void) snprintf(path, sizeof path, "%d/task/%d/children", pid, pid);
        fd = openat(r->proc_fd, path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return;
        (void) read_text(fd, text, sizeof text);
        closep(&fd);
        for (const char *p = text; depth < DEPTH_MAX; p = end) {
                long child = strtol(p, &end, 10);

                if (end == p)
                        return;
                add_process(r, (pid_t) child, depth + 1);
        }
}

static void find_sources(struct load_reader *r)
{
        find_disks(r);
        add_process(r, r->parent ? r->parent : getpid(), 0);
}

int load_reader_init(struct load_reader *r, int root_fd, pid_t parent, struct fault *fault)
{
        *r = (struct load_reader){ .parent = parent, .proc_fd = -EBADF, .sys_block_fd = -EBADF };
        r->stat_fd = openat(root_fd, "proc/stat", O_RDONLY | O_CLOEXEC);
        if (r->stat_fd < 0)
                return fault_errno(fault, -errno, "/proc/stat");
        r->proc_fd = openat(root_fd, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        r->sys_block_fd = openat(root_fd, "sys/block", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return 0;
}

void load_reader_done(struct load_reader *r)
{
        for (size_t i = 0; i < r->n_disks; i++)
                closep(&r->disks[i].fd);
        for (size_t i = 0; i < r->n_own; i++)
                closep(&r->own[i].fd);
        closep(&r->proc_fd);
        closep(&r->sys_block_fd);
        closep(&r->stat_fd);
        *r = (struct load_reader){ .proc_fd = -EBADF, .sys_block_fd = -EBADF, .stat_fd = -EBADF };
}

/* read_cpus() - how long all CPUs were idle, waiting for a disk (which is the disk's business) or
 * taken away by a hypervisor; and how many there are. Busy is what is left of the time that has
 * passed: counted by ticks, as it is itself, it would miss what sleeps whenever a tick comes. */
static int read_cpus(struct load_reader *r, uint64_t *ret_idle_ms, unsigned *ret_n,
                     struct fault *fault)
{
        static const unsigned idle_columns[] = { 3, 4, 7 };
        long ticks_per_s = sysconf(_SC_CLK_TCK);
        char text[STAT_BYTES], *end;
        uint64_t ticks = 0;
        const char *p;

        if (read_text(r->stat_fd, text, sizeof text) <= 0 || !begins(text, "cpu "))
                return fault_set(fault, -EPROTO, "/proc/stat: want a line 'cpu'");
        p = text + strlen("cpu ");
        for (unsigned i = 0, k = 0; k < ELEMENTSOF(idle_columns); i++, p = end) {
                uint64_t value = strtoull(p, &end, 10);

                if (end == p)
                        return fault_set(fault, -EPROTO, "/proc/stat: the line 'cpu' is short");
                if (i == idle_columns[k]) {
                        ticks += value;
                        k++;
                }
        }
        *ret_idle_ms = ticks * 1000 / (uint64_t) ticks_per_s;
        *ret_n = 0;
        for (p = text; (p = strstr(p, "\ncpu")); p++)
                ++*ret_n;
        return *ret_n ? 0 : fault_set(fault, -EPROTO, "/proc/stat: no CPU");
}

static int percent(double part, double whole)
{
        return part <= 0 ? 0 : part >= whole ? 100 : (int) (100 * part / whole + 0.5);
}

static double own_ms(const struct load_reader *r)
{
        double sum = 0;

        for (size_t i = 0; i < r->n_own; i++)
                if (r->own[i].has_before && r->own[i].count > r->own[i].before)
                        sum += (double) (r->own[i].count - r->own[i].before) / NS_PER_MS;
        return sum;
}

static void busiest_disk(const struct load_reader *r, double passed_ms, struct load *ret)
{
        for (size_t i = 0; i < r->n_disks; i++) {
                const struct load_source *s = &r->disks[i];
                int busy = s->has_before && s->count > s->before
                                   ? percent((double) (s->count - s->before), passed_ms)
                                   : 0;

                if (busy > ret->disk_percent) {
                        ret->disk_percent = busy;
                        (void) snprintf(ret->disk, sizeof ret->disk, "%s", s->name);
                }
        }
}

int load_read(struct load_reader *r, int64_t now_ns, struct load *ret, struct fault *fault)
{
        int64_t before_ns = r->at_ns;
        uint64_t idle_before_ms = r->cpu_idle_ms;
        double passed_ms = (double) (now_ns - before_ns) / NS_PER_MS, idle_ms, all_ms;
        bool has_before = r->has_before && now_ns > before_ns;
        int code = read_cpus(r, &r->cpu_idle_ms, &r->n_cpus, fault);

        if (code < 0)
                return code;
        if (!r->has_before || now_ns - r->sources_ns >= SOURCES_NS) {
                r->sources_ns = now_ns;
                find_sources(r);
        }
        read_sources(r->disks, &r->n_disks, 9); /* io_ticks: ms with requests in flight */
        read_sources(r->own, &r->n_own, 0);     /* ns on a CPU */
        r->at_ns = now_ns;
        r->has_before = true;
        if (!has_before)
                return 0;
        /* The kernel's count of waiting for a disk can go back. */
        idle_ms = r->cpu_idle_ms > idle_before_ms ? (double) (r->cpu_idle_ms - idle_before_ms) : 0;
        all_ms = passed_ms * r->n_cpus;
        *ret = (struct load){ .start_ns = before_ns,
                              .end_ns = now_ns,
                              .cpu_percent = percent(all_ms - idle_ms - own_ms(r), all_ms) };
        busiest_disk(r, passed_ms, ret);
        return 1;
}
