/* machine/mount.c - from a path to block devices
 *
 * The mount table is the kernel's own (mountinfo), read by libmount from a stream so that a
 * recorded table works the same. libmount's other sources (udev, blkid, /etc/fstab) are not asked:
 * they speak of the running system, and blkid would read the device. */
#include "machine/mount.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "machine/root.h"

void mount_done(struct mount *mt)
{
        mnt_unref_table(mt->table);
        *mt = MOUNT_NULL;
}

static int read_table(const struct machine_context *m, struct libmnt_table **ret)
{
        static const char name[] = "/proc/self/mountinfo";
        CLEANUP(fclosep) FILE *f = NULL;
        struct libmnt_table *table;
        int fd, r;

        fd = root_open(m, O_RDONLY, "%s", name + 1);
        if (fd < 0)
                return fd;
        f = fdopen(fd, "r");
        if (!f) {
                r = -errno;
                closep(&fd);
                return r;
        }
        table = mnt_new_table();
        if (!table)
                return -ENOMEM;
        r = mnt_table_parse_stream(table, f, name);
        if (r < 0) {
                mnt_unref_table(table);
                return r;
        }
        *ret = table;
        return 0;
}

static bool lies_below(const char *path, const char *target)
{
        size_t n = strlen(target);

        if (strcmp(target, "/") == 0)
                return true;
        return strncmp(path, target, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* mount_id_of() - the kernel's own answer for a path of the running system; -1 when it gives none
 */
static int mount_id_of(const struct machine_context *m, const char *path)
{
        CLEANUP(closep) int fd = -EBADF;
        struct statx stx;

        if (!m->is_live)
                return -1;
        fd = root_open(m, O_PATH, "%s", path[1] ? path + 1 : ".");
        if (fd < 0 || statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) < 0 ||
            !(stx.stx_mask & STATX_MNT_ID))
                return -1;
        return (int) stx.stx_mnt_id;
}

int mount_find(struct mount *ret, const struct machine_context *m, const char *path,
               struct fault *fault)
{
        CLEANUP(mount_done) struct mount mt = MOUNT_NULL;
        struct libmnt_iter *iter;
        struct libmnt_fs *fs, *best = NULL;
        int id = mount_id_of(m, path), r;
        dev_t devno;

        r = read_table(m, &mt.table);
        if (r < 0)
                return fault_errno(fault, r, "/proc/self/mountinfo");
        iter = mnt_new_iter(MNT_ITER_FORWARD);
        if (!iter)
                return fault_set(fault, -ENOMEM, "no memory");
        /* A later mount hides an earlier one of the same length. */
        while (mnt_table_next_fs(mt.table, iter, &fs) == 0) {
                const char *target = mnt_fs_get_target(fs);

                if (id >= 0 && mnt_fs_get_id(fs) == id) {
                        best = fs;
                        break;
                }
                if (target && lies_below(path, target) &&
                    (!best || strlen(target) >= strlen(mnt_fs_get_target(best))))
                        best = fs;
        }
        mnt_free_iter(iter);
        if (!best)
                return fault_set(fault, -ENOENT, "nothing is mounted at %s", path);
        devno = mnt_fs_get_devno(best);
        mt.fs = best;
        mt.major = major(devno);
        mt.minor = minor(devno);
        *ret = mt;
        mt = MOUNT_NULL;
        return 0;
}

/* device_by_name() - "/dev/mapper/x", "/dev/sda2" as the mount table spells the source. Recorded
 * trees have no /dev, so names are looked up in sysfs. */
static int device_by_name(const struct machine_context *m, const char *source, unsigned *ret_major,
                          unsigned *ret_minor)
{
        static const char mapper[] = "/dev/mapper/";
        CLEANUP(root_list_freep) char **blocks = NULL;
        CLEANUP(freep) char *devno = NULL;

        if (strncmp(source, "/dev/", 5) != 0)
                return -ENODEV;
        if (m->is_live) {
                struct stat st;

                if (stat(source, &st) < 0)
                        return -errno;
                *ret_major = major(st.st_rdev);
                *ret_minor = minor(st.st_rdev);
                return S_ISBLK(st.st_mode) ? 0 : -ENODEV;
        }
        if (strncmp(source, mapper, strlen(mapper)) != 0) {
                if (root_line(m, &devno, "sys/class/block/%s/dev", source + 5) < 0)
                        return -ENOENT;
        } else if (root_list(m, &blocks, "sys/class/block") == 0) {
                for (char **block = blocks; *block && !devno; block++) {
                        CLEANUP(freep) char *name = NULL;

                        if (root_line(m, &name, "sys/class/block/%s/dm/name", *block) == 0 &&
                            strcmp(name, source + strlen(mapper)) == 0)
                                (void) root_line(m, &devno, "sys/class/block/%s/dev", *block);
                }
        }
        if (!devno || sscanf(devno, "%u:%u", ret_major, ret_minor) != 2)
                return -ENOENT;
        return 0;
}

int mount_stack(struct stack *s, const struct machine_context *m, const struct mount *mt,
                struct fault *fault)
{
        const char *type = mnt_fs_get_fstype(mt->fs), *source = mnt_fs_get_source(mt->fs);
        unsigned dev_major = mt->major, dev_minor = mt->minor;
        int r;

        if (mnt_fs_is_netfs(mt->fs))
                return fault_set(fault, -ENODEV, "%s is a network file system", type);
        /* Major 0 is an anonymous device: btrfs, or nothing that stands on a drive. */
        if (dev_major == 0) {
                r = source ? device_by_name(m, source, &dev_major, &dev_minor) : -ENODEV;
                if (r < 0)
                        return fault_set(fault, -ENODEV, "%s shows no drive beneath it", type);
        }
        return stack_add(s, m, dev_major, dev_minor, fault);
}
