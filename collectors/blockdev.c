/* collectors/blockdev.c - from a path to its drives, by /sys/dev/block and mountinfo */
#include "collectors/blockdev.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "record/procfile.h"

#define SECTOR_BYTES 512 /* the unit of the kernel's stat files, whatever the drive's own is */
#define SYS_DEV_BLOCK "/sys/dev/block"
#define MAX_DEPTH 16
#define MOUNTINFO_MAX_BYTES (4u << 20)

static int add_leaf(struct blockdev_set *set, unsigned major, unsigned minor, const char *name)
{
        struct blockdev *b;

        for (size_t i = 0; i < set->n_leaves; i++)
                if (set->leaves[i].major == major && set->leaves[i].minor == minor)
                        return 0;
        if (set->n_leaves == BLOCKDEV_MAX_LEAVES)
                return -E2BIG;
        b = &set->leaves[set->n_leaves++];
        *b = (struct blockdev){ .major = major, .minor = minor };
        (void) snprintf(b->name, sizeof b->name, "%.*s", (int) sizeof b->name - 1, name);
        return 0;
}

static int descend(struct blockdev_set *set, unsigned major, unsigned minor, int depth);

/* descend_slaves() - Return: how many devices this one is made of, or a negative errno */
static int descend_slaves(struct blockdev_set *set, const char *sys, int depth)
{
        CLEANUP(freep) char *path = NULL;
        const struct dirent *d;
        int n = 0, r = 0;
        DIR *dir;

        if (asprintf(&path, "%s/slaves", sys) < 0)
                return -ENOMEM;
        dir = opendir(path);
        if (!dir)
                return errno == ENOENT ? 0 : -errno;
        while (r == 0 && (d = readdir(dir))) {
                CLEANUP(freep) char *node = NULL, *line = NULL;
                unsigned major, minor;

                if (d->d_name[0] == '.')
                        continue;
                if (asprintf(&node, "%s/%s/dev", path, d->d_name) < 0)
                        r = -ENOMEM;
                else if (procfile_read_line(AT_FDCWD, node, &line) < 0 ||
                         sscanf(line, "%u:%u", &major, &minor) != 2)
                        r = -EIO;
                else
                        r = descend(set, major, minor, depth + 1);
                n++;
        }
        (void) closedir(dir);
        return r < 0 ? r : n;
}

/* descend_loop() - Return: 1 when this is a loop device whose file's drives were found, else 0 */
static int descend_loop(struct blockdev_set *set, const char *sys, int depth)
{
        CLEANUP(freep) char *path = NULL, *file = NULL;
        struct stat st;

        if (asprintf(&path, "%s/loop/backing_file", sys) < 0)
                return -ENOMEM;
        if (procfile_read_line(AT_FDCWD, path, &file) < 0 || stat(file, &st) < 0 ||
            major(st.st_dev) == 0)
                return 0;
        return descend(set, major(st.st_dev), minor(st.st_dev), depth + 1) == 0;
}

static int descend(struct blockdev_set *set, unsigned major, unsigned minor, int depth)
{
        char sys[BLOCKDEV_PATH_BYTES], real[512], *name;
        ssize_t n_bytes;
        int n;

        if (depth > MAX_DEPTH)
                return -ELOOP;
        if (snprintf(sys, sizeof sys, "%s/%u:%u", set->sys, major, minor) >= (int) sizeof sys)
                return -ENAMETOOLONG;
        n_bytes = readlink(sys, real, sizeof real - 1);
        if (n_bytes < 0)
                return -errno;
        real[n_bytes] = '\0';
        name = strrchr(real, '/');
        n = descend_slaves(set, sys, depth);
        if (n == 0)
                n = descend_loop(set, sys, depth);
        if (n != 0)
                return n < 0 ? n : 0;
        return add_leaf(set, major, minor, name ? name + 1 : real);
}

/* mount_source() - the source of mount @id, as "/dev/..."; the last but one field of the second
 * half of its mountinfo line */
static int mount_source(uint64_t id, char **ret)
{
        CLEANUP(freep) char *text = NULL;
        char *rest = NULL;
        int r = procfile_read(AT_FDCWD, "/proc/self/mountinfo", MOUNTINFO_MAX_BYTES, &text, NULL);

        if (r < 0)
                return r;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                char *half = strstr(line, " - "), source[256];

                if (strtoull(line, NULL, 10) != id || !half ||
                    sscanf(half, " - %*s %255s", source) != 1)
                        continue;
                *ret = strdup(source);
                return *ret ? 0 : -ENOMEM;
        }
        return -ENOENT;
}

/* device_of_mount() - for file systems with several or virtual devices (btrfs), whose files carry
 * a device number that no block device has */
static int device_of_mount(const char *path, dev_t *ret, char **ret_source)
{
        struct statx sx;
        struct stat st;
        int r;

        if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT, STATX_MNT_ID, &sx) < 0)
                return -errno;
        if (!(sx.stx_mask & STATX_MNT_ID))
                return -EOPNOTSUPP;
        r = mount_source(sx.stx_mnt_id, ret_source);
        if (r < 0)
                return r;
        if (stat(*ret_source, &st) < 0 || !S_ISBLK(st.st_mode))
                return -ENODEV;
        *ret = st.st_rdev;
        return 0;
}

int blockdev_leaves(const char *sys, unsigned major, unsigned minor, struct blockdev_set *ret)
{
        struct blockdev_set set = { .sys = sys };
        int r = descend(&set, major, minor, 0);

        if (r == 0)
                *ret = set;
        return r;
}

int blockdev_beneath(const char *path, struct blockdev_set *ret)
{
        CLEANUP(freep) char *source = NULL;
        struct stat st;
        dev_t device;
        int r = 0;

        *ret = (struct blockdev_set){ .sys = SYS_DEV_BLOCK };
        if (stat(path, &st) < 0)
                return -errno;
        device = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
        if (major(device) == 0)
                r = device_of_mount(path, &device, &source);
        if (r == 0)
                r = blockdev_leaves(SYS_DEV_BLOCK, major(device), minor(device), ret);
        if (r < 0 && source)
                (void) snprintf(ret->reason, sizeof ret->reason,
                                "no block device beneath it (%.64s)", source);
        else if (r < 0)
                (void) snprintf(ret->reason, sizeof ret->reason, "device %u:%u: %s", major(device),
                                minor(device), strerror(-r));
        return 0;
}

bool blockdev_count(const struct blockdev_set *set, struct blockdev_counters *ret)
{
        *ret = (struct blockdev_counters){ 0 };
        for (size_t i = 0; i < set->n_leaves; i++) {
                CLEANUP(freep) char *line = NULL;
                uint64_t reads, read_sectors, writes, write_sectors, busy_ms;
                char path[BLOCKDEV_PATH_BYTES];

                if (snprintf(path, sizeof path, "%s/%u:%u/stat", set->sys, set->leaves[i].major,
                             set->leaves[i].minor) >= (int) sizeof path)
                        return false;
                /* Documentation/block/stat.rst: reads merged sectors ms, writes the same, in
                 * flight, ms busy. */
                if (procfile_read_line(AT_FDCWD, path, &line) < 0 ||
                    sscanf(line,
                           "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64
                           " %*u %*u %" SCNu64,
                           &reads, &read_sectors, &writes, &write_sectors, &busy_ms) != 5)
                        return false;
                ret->reads += reads;
                ret->read_bytes += read_sectors * SECTOR_BYTES;
                ret->writes += writes;
                ret->write_bytes += write_sectors * SECTOR_BYTES;
                ret->busy_ms += busy_ms;
        }
        return set->n_leaves > 0;
}
