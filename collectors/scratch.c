/* collectors/scratch.c - work folders. Names are bootlap-PURPOSE.XXXXXX, which is how an abandoned
 * one is known; only a user's own are touched. */
#include "collectors/scratch.h"
#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define SUFFIX "XXXXXX" /* mkdtemp()'s; what precedes it ends in a point */
#define TRIES 8
#define BYTES_PER_MIB (1024 * 1024)

static int remove_entry(const FTSENT *e)
{
        switch (e->fts_info) {
        case FTS_D: /* on the way down; FTS_DP comes when it is empty */
                return 0;
        case FTS_DP:
                return rmdir(e->fts_accpath) < 0 && errno != ENOENT ? -errno : 0;
        case FTS_DNR:
        case FTS_ERR:
        case FTS_NS:
                return e->fts_errno == ENOENT ? 0 : -e->fts_errno;
        default:
                return unlink(e->fts_accpath) < 0 && errno != ENOENT ? -errno : 0;
        }
}

int scratch_remove(const char *path, struct fault *fault)
{
        CLEANUP(freep) char *copy = strdup(path);
        char *roots[] = { copy, NULL };
        const FTSENT *e;
        FTS *tree;
        int r = 0;

        if (!copy)
                return fault_set(fault, -ENOMEM, "no memory");
        tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV | FTS_NOSTAT, NULL);
        if (!tree)
                return fault_errno(fault, -errno, "cannot remove %s", path);
        while ((e = fts_read(tree))) {
                int one = remove_entry(e);

                if (one < 0 && r == 0) /* the rest goes nevertheless */
                        r = fault_errno(fault, one, "cannot remove %s", e->fts_path);
        }
        (void) fts_close(tree);
        return r;
}

/* open_locked() - the folder when nobody else is at work in it; -EWOULDBLOCK when somebody is */
static int open_locked(const char *path)
{
        CLEANUP(closep) int fd = -EBADF;
        struct stat st, now;

        fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &st) < 0)
                return -errno;
        /* It may have been swept up between the two calls. */
        if (lstat(path, &now) < 0)
                return -errno;
        if (st.st_uid != geteuid() || st.st_ino != now.st_ino || st.st_dev != now.st_dev)
                return -ESTALE;
        return TAKE_FD(fd);
}

static void sweep(const char *parent, const char *prefix, struct progress *progress)
{
        struct dirent *e;
        DIR *dir = opendir(parent);

        if (!dir)
                return;
        while ((e = readdir(dir))) {
                CLEANUP(freep) char *path = scratch_join(parent, e->d_name);
                CLEANUP(closep) int lock_fd = -EBADF;

                if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 ||
                    strlen(e->d_name) != strlen(prefix) + strlen(SUFFIX))
                        continue;
                lock_fd = path ? open_locked(path) : -ENOMEM;
                if (lock_fd < 0)
                        continue;
                progress_start(progress, "removing what a killed run has left", 0);
                (void) scratch_remove(path, NULL); /* in the way of nothing but space */
                progress_end(progress);
        }
        (void) closedir(dir);
}

int scratch_make(struct scratch *s, const char *parent, const char *purpose,
                 struct progress *progress, struct fault *fault)
{
        CLEANUP(freep) char *prefix = NULL;
        int r = -EAGAIN;

        if (asprintf(&prefix, "bootlap-%s.", purpose) < 0) {
                prefix = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        sweep(parent, prefix, progress);
        for (unsigned i = 0; i < TRIES && r < 0; i++) {
                CLEANUP(freep) char *path = NULL;

                if (asprintf(&path, "%s/%s%s", parent, prefix, SUFFIX) < 0) {
                        path = NULL;
                        return fault_set(fault, -ENOMEM, "no memory");
                }
                if (!mkdtemp(path))
                        return fault_errno(fault, -errno, "cannot make a folder in %s", parent);
                r = open_locked(path);
                if (r >= 0) {
                        s->lock_fd = r;
                        s->path = TAKE(path);
                }
        }
        return r < 0 ? fault_errno(fault, r, "cannot make a folder in %s", parent) : 0;
}

char *scratch_join(const char *folder, const char *name)
{
        char *path = NULL;

        return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static void release(struct scratch *s)
{
        closep(&s->lock_fd);
        free(s->path);
        *s = SCRATCH_NULL;
}

int scratch_keep(struct scratch *s, const char *as, struct fault *fault)
{
        if (rename(s->path, as) < 0)
                return fault_errno(fault, -errno, "cannot rename %s to %s", s->path, as);
        release(s);
        return 0;
}

void scratch_done(struct scratch *s)
{
        struct fault fault = FAULT_NULL;

        if (s->path && scratch_remove(s->path, &fault) < 0)
                (void) fprintf(stderr, "bootlap: %s\n", fault.text);
        release(s);
}

int scratch_need_space(const char *path, uint64_t bytes, uint64_t files, const char *what,
                       struct fault *fault)
{
        struct statvfs fs;
        uint64_t free_bytes;

        if (statvfs(path, &fs) < 0)
                return fault_errno(fault, -errno, "%s", path);
        free_bytes = (uint64_t) fs.f_bavail * fs.f_frsize;
        if (free_bytes < bytes)
                return fault_set(fault, -ENOSPC,
                                 "%s: %" PRIu64 " MiB free, and %s takes about %" PRIu64 " MiB",
                                 path, free_bytes / BYTES_PER_MIB, what,
                                 (bytes + BYTES_PER_MIB - 1) / BYTES_PER_MIB);
        /* btrfs and others make inodes as they go, and say 0. */
        if (fs.f_files > 0 && fs.f_favail < files)
                return fault_set(fault, -ENOSPC,
                                 "%s: room for %" PRIu64 " files, and %s has about %" PRIu64, path,
                                 (uint64_t) fs.f_favail, what, files);
        return 0;
}
