/* machine/filesystem.c - the file system itself: type, options, age and fill
 *
 * The mount table and sysfs tell most. Nothing opens the device: a superblock would have to be read
 * from the drive. So the age is the birth of the root folder, and the file system's own identity
 * what udev's blkid saw when the device appeared. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include "machine/mount.h"
#include "machine/privacy.h"
#include "machine/root.h"
#include "machine/udev.h"
#include "record/clock.h"

#define DAY_US ((int64_t) 86400 * US_PER_S)

static const char *const live_keys[] = { "fs.size_bytes", "fs.block_bytes", "fs.used_percent",
                                         "fs.inodes_used_percent", "fs.age_days" };

static void capture_fill(struct capture *c, int fd)
{
        struct statvfs st;

        if (fstatvfs(fd, &st) < 0)
                return;
        factor_integer(c, "fs.block_bytes", (int64_t) st.f_bsize);
        if (st.f_blocks > 0) {
                factor_integer(c, "fs.size_bytes", (int64_t) (st.f_blocks * st.f_frsize));
                factor_integer(c, "fs.used_percent",
                               (int64_t) ((st.f_blocks - st.f_bfree) * 100 / st.f_blocks));
        }
        if (st.f_files > 0)
                factor_integer(c, "fs.inodes_used_percent",
                               (int64_t) ((st.f_files - st.f_ffree) * 100 / st.f_files));
        else
                factor_absent(c, "fs.inodes_used_percent", "the file system has no inode table");
}

/* capture_age() - mkfs writes the root folder, so its birth is the file system's (an image that was
 * copied keeps the original's; a btrfs subvolume has its own) */
static void capture_age(struct capture *c, int fd)
{
        struct statx stx;
        int64_t born_us;

        if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &stx) < 0 || !(stx.stx_mask & STATX_BTIME) ||
            stx.stx_btime.tv_sec <= 0) {
                factor_absent(c, "fs.age_days", "the root folder carries no time of birth");
                return;
        }
        born_us = stx.stx_btime.tv_sec * US_PER_S;
        if (born_us > c->m->now_realtime_us)
                factor_absent(c, "fs.age_days", "made in the future, says the root folder");
        else
                factor_integer(c, "fs.age_days", (c->m->now_realtime_us - born_us) / DAY_US);
}

static void capture_live(struct capture *c, const char *target)
{
        CLEANUP(closep) int fd = -EBADF;
        const char *why = "only the running system tells";

        if (c->m->is_live) {
                fd = root_open(c->m, O_PATH, "%s", target[1] ? target + 1 : ".");
                if (fd >= 0) {
                        capture_fill(c, fd);
                        capture_age(c, fd);
                }
                why = fd < 0 ? strerror(-fd) : "the file system does not tell";
        }
        for (size_t i = 0; i < ELEMENTSOF(live_keys); i++)
                factor_absent(c, live_keys[i], "%s", why);
}

/* capture_kept() - what ext4 and f2fs count over their life, shown in sysfs under the device's name
 */
static void capture_kept(struct capture *c, const struct stack *s, const char *type)
{
        const char *name = s->n_nodes > 0 ? stack_node_name(&s->nodes[0]) : NULL;
        int64_t kib, errors;

        if (!name)
                return;
        if (root_integer(c->m, &kib, "sys/fs/%s/%s/lifetime_write_kbytes", type, name) == 0)
                factor_integer(c, "fs.written_bytes", kib * 1024);
        if (root_integer(c->m, &errors, "sys/fs/%s/%s/errors_count", type, name) == 0)
                factor_integer(c, "fs.errors", errors);
}

/* capture_btrfs() - how data is spread over the devices; conversion leaves two profiles for a while
 */
static void capture_btrfs(struct capture *c, const struct mount *mt)
{
        static const char *const profiles[] = { "single", "dup",     "raid0",   "raid1", "raid10",
                                                "raid5",  "raid1c3", "raid1c4", "raid6" };
        CLEANUP(freep) char *folder = mount_btrfs_folder(c->m, mt);
        char found[128] = "";
        size_t used = 0;

        for (size_t i = 0; folder && i < ELEMENTSOF(profiles); i++)
                if (root_exists(c->m, "%s/allocation/data/%s", folder, profiles[i]))
                        used += (size_t) snprintf(found + used, sizeof found - used, "%s%s",
                                                  used ? " + " : "", profiles[i]);
        if (used > 0)
                factor_text(c, "fs.profile", found);
        else
                factor_absent(c, "fs.profile", "btrfs shows no allocation in sysfs");
}

static void capture_identity(struct capture *c, const struct stack *s)
{
        CLEANUP(json_decrefp) json_t *udev = NULL;
        CLEANUP(freep) char *uuid = NULL;

        if (s->n_nodes == 0)
                return;
        udev = udev_properties(c->m, s->nodes[0].major, s->nodes[0].minor);
        uuid = udev_text(udev, "ID_FS_UUID");
        if (uuid)
                factor_identifier(c, "fs.uuid", uuid);
        else
                factor_absent(c, "fs.uuid", "udev knows none of the device");
}

static void capture_options(struct capture *c, const struct mount *mt)
{
        CLEANUP(freep) char *options = mnt_fs_strdup_options(mt->fs), *clean = NULL;

        if (options)
                clean = privacy_clean_options(c->m, options);
        if (clean)
                factor_text(c, "fs.options", clean);
        else
                c->error = -ENOMEM;
}

void filesystem_capture(struct capture *c, const struct mount *mt, const struct stack *s,
                        const char *absent)
{
        const char *type, *target;

        if (absent) {
                factor_absent(c, "fs.type", "%s", absent);
                factor_absent(c, "fs.options", "%s", absent);
                for (size_t i = 0; i < ELEMENTSOF(live_keys); i++)
                        factor_absent(c, live_keys[i], "%s", absent);
                return;
        }
        type = mnt_fs_get_fstype(mt->fs);
        target = mnt_fs_get_target(mt->fs);
        factor_text(c, "fs.type", type);
        capture_options(c, mt);
        capture_live(c, target);
        capture_kept(c, s, type);
        capture_identity(c, s);
        if (strcmp(type, "btrfs") == 0)
                capture_btrfs(c, mt);
        factor_number(c, "fs.read_ahead_bytes", 1024, "sys/class/bdi/%u:%u/read_ahead_kb",
                      mt->major, mt->minor);
}
