/* machine/filesystem.c - the file system itself: type, options, fill */
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include "machine/mount.h"
#include "machine/privacy.h"
#include "machine/root.h"

static const char *const filesystem_keys[] = { "fs.type", "fs.options", "fs.used_percent" };

static void capture_fill(struct capture *c, const char *path)
{
        CLEANUP(closep) int fd = -EBADF;
        struct statvfs st;

        if (!c->m->is_live) {
                factor_absent(c, "fs.used_percent", "only the running system tells");
                return;
        }
        fd = root_open(c->m, O_PATH, "%s", path[1] ? path + 1 : ".");
        if (fd < 0 || fstatvfs(fd, &st) < 0) {
                factor_absent(c, "fs.used_percent", "%s: %s", path, strerror(errno));
                return;
        }
        if (st.f_blocks > 0) {
                factor_integer(c, "fs.size_bytes", (int64_t) (st.f_blocks * st.f_frsize));
                factor_integer(c, "fs.used_percent",
                               (int64_t) ((st.f_blocks - st.f_bfree) * 100 / st.f_blocks));
        }
        if (st.f_files > 0)
                factor_integer(c, "fs.inodes_used_percent",
                               (int64_t) ((st.f_files - st.f_ffree) * 100 / st.f_files));
}

void filesystem_capture(struct capture *c, const struct mount *mt, const char *path,
                        const char *absent)
{
        CLEANUP(freep) char *options = NULL;

        if (absent) {
                for (size_t i = 0; i < ELEMENTSOF(filesystem_keys); i++)
                        factor_absent(c, filesystem_keys[i], "%s", absent);
                return;
        }
        factor_text(c, "fs.type", mnt_fs_get_fstype(mt->fs));
        options = mnt_fs_strdup_options(mt->fs);
        if (options) {
                CLEANUP(freep) char *clean = privacy_clean_options(c->m, options);

                if (clean)
                        factor_text(c, "fs.options", clean);
                else
                        c->error = -ENOMEM;
        }
        capture_fill(c, path);
}
