/* machine/beneath.c - the block devices behind a mounted file system
 *
 * Mostly one, which the mount table names by number. The exceptions each know it another way: btrfs
 * lists its devices in sysfs, ZFS marks its members for udev, an overlay stands on the file systems
 * of its layers, and a loop device on the one that its file lies in. */
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "machine/mount.h"
#include "machine/root.h"
#include "machine/udev.h"

#define DEPTH_MAX 8 /* an overlay on a loop on a file on ... */

static int add_beneath(struct stack *s, const struct machine_context *m, const struct mount *mt,
                       int depth, struct fault *fault);

static int devno_of(const struct machine_context *m, const char *path, unsigned *major,
                    unsigned *minor)
{
        CLEANUP(freep) char *devno = NULL;
        int r = root_line(m, &devno, "%s/dev", path);

        if (r < 0)
                return r;
        return stack_parse_devno(devno, major, minor) ? 0 : -EINVAL;
}

/* mapping_by_name() - "/dev/mapper/NAME" in a recorded tree, which has no /dev to look it up in */
static int mapping_by_name(const struct machine_context *m, const char *name, unsigned *ret_major,
                           unsigned *ret_minor)
{
        CLEANUP(root_list_freep) char **blocks = NULL;
        int r = root_list(m, &blocks, "sys/class/block");

        if (r < 0)
                return r;
        for (char **block = blocks; *block; block++) {
                CLEANUP(freep) char *mapped = NULL, *path = NULL;

                if (root_line(m, &mapped, "sys/class/block/%s/dm/name", *block) < 0 ||
                    strcmp(mapped, name) != 0)
                        continue;
                if (asprintf(&path, "sys/class/block/%s", *block) < 0)
                        return -ENOMEM;
                return devno_of(m, path, ret_major, ret_minor);
        }
        return -ENOENT;
}

/* device_by_name() - a device as the mount table spells it: "/dev/sda2", "/dev/mapper/x" */
static int device_by_name(const struct machine_context *m, const char *source, unsigned *ret_major,
                          unsigned *ret_minor)
{
        static const char mapper[] = "/dev/mapper/";
        CLEANUP(freep) char *path = NULL;
        struct stat st;

        if (strncmp(source, "/dev/", 5) != 0)
                return -ENODEV;
        if (m->is_live) {
                if (stat(source, &st) < 0)
                        return -errno;
                *ret_major = major(st.st_rdev);
                *ret_minor = minor(st.st_rdev);
                return S_ISBLK(st.st_mode) ? 0 : -ENODEV;
        }
        if (strncmp(source, mapper, strlen(mapper)) == 0)
                return mapping_by_name(m, source + strlen(mapper), ret_major, ret_minor);
        if (asprintf(&path, "sys/class/block/%s", source + 5) < 0)
                return -ENOMEM;
        return devno_of(m, path, ret_major, ret_minor);
}

/* add_sources() - bcachefs lists its devices with colons; everything else names one */
static int add_sources(struct stack *s, const struct machine_context *m, const char *type,
                       const char *source, struct fault *fault)
{
        CLEANUP(freep) char *copy = strdup(source);
        int r = copy ? 0 : fault_set(fault, -ENOMEM, "no memory");

        for (char *rest = copy, *one; r == 0 && (one = strsep(&rest, ":"));) {
                unsigned major, minor;

                if (device_by_name(m, one, &major, &minor) < 0)
                        return fault_set(fault, -ENODEV, "%s shows no drive beneath it", type);
                r = stack_add(s, m, major, minor, fault);
        }
        return r;
}

/* btrfs_folder() - "sys/fs/btrfs/<fsid>" of the file system that has a device of that number */
static int btrfs_folder(const struct machine_context *m, unsigned major, unsigned minor, char **ret,
                        char ***ret_devices)
{
        CLEANUP(root_list_freep) char **ids = NULL;
        int r = root_list(m, &ids, "sys/fs/btrfs");

        if (r < 0)
                return r;
        for (char **id = ids; *id; id++) {
                CLEANUP(root_list_freep) char **devices = NULL;

                if (root_list(m, &devices, "sys/fs/btrfs/%s/devices", *id) < 0)
                        continue;
                for (char **device = devices; *device; device++) {
                        CLEANUP(freep) char *path = NULL;
                        unsigned found_major, found_minor;

                        if (asprintf(&path, "sys/fs/btrfs/%s/devices/%s", *id, *device) < 0)
                                return -ENOMEM;
                        if (devno_of(m, path, &found_major, &found_minor) < 0 ||
                            found_major != major || found_minor != minor)
                                continue;
                        if (asprintf(ret, "sys/fs/btrfs/%s", *id) < 0)
                                return -ENOMEM;
                        *ret_devices = TAKE(devices);
                        return 0;
                }
        }
        return -ENOENT;
}

char *mount_btrfs_folder(const struct machine_context *m, const struct mount *mt)
{
        CLEANUP(root_list_freep) char **devices = NULL;
        const char *source = mnt_fs_get_source(mt->fs);
        unsigned major, minor;
        char *folder = NULL;

        if (source && device_by_name(m, source, &major, &minor) == 0)
                (void) btrfs_folder(m, major, minor, &folder, &devices);
        return folder;
}

static int add_btrfs(struct stack *s, const struct machine_context *m, const char *source,
                     struct fault *fault)
{
        CLEANUP(root_list_freep) char **devices = NULL;
        CLEANUP(freep) char *folder = NULL;
        unsigned major, minor;
        int r = device_by_name(m, source, &major, &minor);

        if (r < 0)
                return fault_errno(fault, r, "btrfs: the device that is mounted");
        if (btrfs_folder(m, major, minor, &folder, &devices) < 0)
                return stack_add(s, m, major, minor,
                                 fault); /* an old kernel: one device at least */
        for (char **device = devices; r == 0 && *device; device++) {
                CLEANUP(freep) char *path = NULL;

                if (asprintf(&path, "%s/devices/%s", folder, *device) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                r = devno_of(m, path, &major, &minor);
                r = r < 0 ? fault_errno(fault, r, "/%s", path)
                          : stack_add(s, m, major, minor, fault);
        }
        return r;
}

/* add_zfs() - the pool's members, by the marks that udev's blkid found on them. The kernel module
 * lists them nowhere that can be read without its own tools. */
static int add_zfs(struct stack *s, const struct machine_context *m, const char *source,
                   struct fault *fault)
{
        CLEANUP(root_list_freep) char **blocks = NULL;
        size_t pool_bytes = strcspn(source, "/");
        int r = root_list(m, &blocks, "sys/class/block");

        if (r < 0)
                return fault_errno(fault, r, "/sys/class/block");
        for (char **block = blocks; r == 0 && *block; block++) {
                CLEANUP(json_decrefp) json_t *udev = NULL;
                CLEANUP(freep) char *path = NULL;
                const char *type, *label;
                unsigned major, minor;

                if (asprintf(&path, "sys/class/block/%s", *block) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                if (devno_of(m, path, &major, &minor) < 0)
                        continue;
                udev = udev_properties(m, major, minor);
                type = json_string_value(json_object_get(udev, "ID_FS_TYPE"));
                label = json_string_value(json_object_get(udev, "ID_FS_LABEL"));
                /* A whole disk carries its partition's label too, and would be walked twice. */
                if (type && label && strcmp(type, "zfs_member") == 0 &&
                    strlen(label) == pool_bytes && strncmp(label, source, pool_bytes) == 0)
                        r = stack_add(s, m, major, minor, fault);
        }
        if (r == 0 && s->n_nodes == 0)
                return fault_set(fault, -ENODEV, "zfs: udev knows no member of the pool");
        return r;
}

/* add_layer() - what an overlay's layer lies on. A container's layers are paths of another mount
 * namespace: here they seem to lie on the overlay itself. */
static int add_layer(struct stack *s, const struct machine_context *m, const struct mount *mt,
                     const char *path, int depth, struct fault *fault)
{
        CLEANUP(mount_done) struct mount layer = MOUNT_NULL;
        int r = *path == '/' ? mount_find_beside(&layer, mt, path, fault) : -ENOENT;

        if (r < 0 || mnt_fs_get_id(layer.fs) == mnt_fs_get_id(mt->fs))
                return fault_set(fault, -ENODEV,
                                 "an overlay whose layers lie outside of this mount namespace");
        return add_beneath(s, m, &layer, depth + 1, fault);
}

/* add_overlay() - the writable layer's devices, else those of the first layer that has some */
static int add_overlay(struct stack *s, const struct machine_context *m, const struct mount *mt,
                       int depth, struct fault *fault)
{
        static const char *const names[] = { "upperdir", "lowerdir" };
        int r = fault_set(fault, -ENODEV, "an overlay that names no layers");

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                CLEANUP(freep) char *paths = NULL;
                char *value;
                size_t n;

                if (mnt_fs_get_option(mt->fs, names[i], &value, &n) != 0 || !value)
                        continue;
                paths = strndup(value, n);
                if (!paths)
                        return fault_set(fault, -ENOMEM, "no memory");
                for (char *rest = paths, *path; (path = strsep(&rest, ":"));) {
                        r = add_layer(s, m, mt, path, depth, fault);
                        if (r == 0)
                                return 0;
                }
        }
        return r;
}

/* add_loops() - a loop device stands on the file system that its file lies in */
static int add_loops(struct stack *s, const struct machine_context *m, const struct mount *mt,
                     int depth, struct fault *fault)
{
        for (size_t i = 0; i < s->n_nodes; i++) {
                CLEANUP(mount_done) struct mount host = MOUNT_NULL;
                CLEANUP(freep) char *file = NULL;
                int r;

                if (s->nodes[i].kind != STACK_LOOP || s->nodes[i].is_walked)
                        continue;
                s->nodes[i].is_walked = true;
                if (root_line(m, &file, "%s/loop/backing_file", s->nodes[i].dir) < 0)
                        continue;
                r = mount_find_beside(&host, mt, file, fault);
                if (r == 0)
                        r = add_beneath(s, m, &host, depth + 1, fault);
                if (r < 0)
                        return fault_context(fault, r, "a loop device");
        }
        return 0;
}

static int add_beneath(struct stack *s, const struct machine_context *m, const struct mount *mt,
                       int depth, struct fault *fault)
{
        const char *type = mnt_fs_get_fstype(mt->fs), *source = mnt_fs_get_source(mt->fs);
        int r;

        if (depth > DEPTH_MAX)
                return fault_set(fault, -ELOOP, "more than %d file systems upon another",
                                 DEPTH_MAX);
        if (mnt_fs_is_netfs(mt->fs))
                return fault_set(fault, -ENODEV, "%s is a network file system", type);
        if (strcmp(type, "overlay") == 0)
                r = add_overlay(s, m, mt, depth, fault);
        else if (mt->major != 0)
                r = stack_add(s, m, mt->major, mt->minor, fault);
        else if (!source)
                r = fault_set(fault, -ENODEV, "%s shows no drive beneath it", type);
        else if (strcmp(type, "btrfs") == 0)
                r = add_btrfs(s, m, source, fault);
        else if (strcmp(type, "zfs") == 0)
                r = add_zfs(s, m, source, fault);
        else
                r = add_sources(s, m, type, source, fault);
        return r < 0 ? r : add_loops(s, m, mt, depth, fault);
}

int mount_stack(struct stack *s, const struct machine_context *m, const struct mount *mt,
                struct fault *fault)
{
        return add_beneath(s, m, mt, 0, fault);
}
