/* machine/mount.h - the mount that a path lies on, and the devices behind it */
#pragma once
#include <libmount/libmount.h>
#include "machine/stack.h"

struct mount {
        struct libmnt_table *table;
        struct libmnt_fs *fs;  /* within @table */
        unsigned major, minor; /* of the file system, as stat() shows it */
};
#define MOUNT_NULL ((struct mount){ .table = NULL })

void mount_done(struct mount *mt);

/**
 * mount_find() - what is mounted at or above @path
 * @path: absolute, below the root that is read
 * Return: 0; -ENOENT; another negative errno
 */
int mount_find(struct mount *ret, const struct machine_context *m, const char *path,
               struct fault *fault);

/** mount_find_beside() - the same for another path, in the table that @mt came from */
int mount_find_beside(struct mount *ret, const struct mount *mt, const char *path,
                      struct fault *fault);

/** mount_stack() - the devices of a mounted file system; -ENODEV with a reason when it has none */
int mount_stack(struct stack *s, const struct machine_context *m, const struct mount *mt,
                struct fault *fault);

/** mount_btrfs_folder() - "sys/fs/btrfs/<fsid>" of a mounted btrfs; NULL when it is not known */
char *mount_btrfs_folder(const struct machine_context *m, const struct mount *mt);

/**
 * filesystem_capture() - what the mount and its file system say
 * @s: the devices beneath, none when there are none
 * @absent: why the mount is not known; NULL when it is
 */
void filesystem_capture(struct capture *c, const struct mount *mt, const struct stack *s,
                        const char *absent);
