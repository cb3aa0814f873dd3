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

/* find_above() - the entry of the table on which @path lies; NULL for none or no memory */
static struct libmnt_fs *find_above(struct libmnt_table *table, const char *path, int id)
{
        struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs, *best = NULL;

        if (!iter)
                return NULL;
        /* A later mount hides an earlier one of the same length. */
        while (mnt_table_next_fs(table, iter, &fs) == 0) {
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
        return best;
}

/* enter() - @fs of a table as a struct mount, which takes a reference to the table */
static void enter(struct mount *ret, struct libmnt_table *table, struct libmnt_fs *fs)
{
        dev_t devno = mnt_fs_get_devno(fs);

        mnt_ref_table(table);
        *ret = (struct mount){
                .table = table, .fs = fs, .major = major(devno), .minor = minor(devno)
        };
}

int mount_find_beside(struct mount *ret, const struct mount *mt, const char *path,
                      struct fault *fault)
{
        struct libmnt_fs *fs = find_above(mt->table, path, -1);

        if (!fs)
                return fault_set(fault, -ENOENT, "nothing is mounted at %s", path);
        enter(ret, mt->table, fs);
        return 0;
}

int mount_find(struct mount *ret, const struct machine_context *m, const char *path,
               struct fault *fault)
{
        struct libmnt_table *table = NULL;
        struct libmnt_fs *fs;
        int r = read_table(m, &table);

        if (r < 0)
                return fault_errno(fault, r, "/proc/self/mountinfo");
        fs = find_above(table, path, mount_id_of(m, path));
        if (fs)
                enter(ret, table, fs);
        else
                r = fault_set(fault, -ENOENT, "nothing is mounted at %s", path);
        mnt_unref_table(table);
        return r;
}
