/* collectors/unpack.c - libarchive does the reading and the safe writing; here are the limits */
#include "collectors/unpack.h"
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/interrupt.h"
#include "collectors/scratch.h"

#define READ_BYTES (256 * 1024)
#define UNPACKED_MAX_BYTES (16LL * 1024 * 1024 * 1024) /* ten times what Linux 6.1 is */
#define BYTES_PER_FILE (16 * 1024)                     /* Linux 6.1: 83,700 in 1.3 GiB */
#define EXTRACT_FLAGS                                                                              \
        (ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_SECURE_NODOTDOT |                                  \
         ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NOABSOLUTEPATHS)

struct unpacking {
        const char *tarball, *folder;
        int tarball_fd;
        int64_t tarball_bytes, written_bytes;
        struct archive *in, *out;
        struct progress *progress;
        struct fault *fault;
};

static void unpacking_done(struct unpacking *u)
{
        (void) archive_read_free(u->in);
        (void) archive_write_free(u->out);
        closep(&u->tarball_fd);
}

/* Our errno: libarchive's own numbers for damage are above or below those of the system. */
static int code_of(struct archive *a)
{
        int n = archive_errno(a);

        return n == ENOSPC || n == EDQUOT ? -ENOSPC : n == ENOMEM ? -ENOMEM : -EINVAL;
}

static int refuse(const struct unpacking *u, const char *member, const char *why, int code)
{
        if (code == -ENOSPC)
                return fault_set(u->fault, code, "%s is full: %s does not fit", u->folder,
                                 u->tarball);
        if (!member)
                return fault_set(u->fault, code, "%s: %s", u->tarball, why);
        return fault_set(u->fault, code, "%s: member '%.100s': %s", u->tarball, member, why);
}

static int refuse_archive(const struct unpacking *u, const char *member, struct archive *a)
{
        const char *why = archive_error_string(a);

        return refuse(u, member, why ? why : "damaged", code_of(a));
}

/* libarchive checks where a member goes; where a hard link comes from is checked here. */
static int check_hard_link(const struct unpacking *u, const char *member, const char *target)
{
        if (target[0] == '/' || strcmp(target, "..") == 0 || strncmp(target, "../", 3) == 0 ||
            strstr(target, "/../") ||
            (strlen(target) >= 3 && strcmp(target + strlen(target) - 3, "/..") == 0))
                return refuse(u, member, "a hard link to outside of the archive", -EINVAL);
        return 0;
}

static int check_member(const struct unpacking *u, struct archive_entry *entry)
{
        const char *member = archive_entry_pathname(entry), *target;

        if (!member)
                return refuse(u, NULL, "a member without a name", -EINVAL);
        target = archive_entry_hardlink(entry);
        if (target)
                return check_hard_link(u, member, target);
        switch (archive_entry_filetype(entry)) {
        case AE_IFREG:
        case AE_IFDIR:
        case AE_IFLNK:
                return 0;
        default:
                return refuse(u, member, "neither a file nor a folder nor a link", -EINVAL);
        }
}

static int copy_data(struct unpacking *u, const char *member)
{
        const void *block;
        size_t n;
        la_int64_t offset;

        for (;;) {
                int r = archive_read_data_block(u->in, &block, &n, &offset);

                if (r == ARCHIVE_EOF)
                        return 0;
                if (r < ARCHIVE_WARN)
                        return refuse_archive(u, member, u->in);
                if (interrupt_is_pending())
                        return fault_set(u->fault, -EINTR, "interrupted");
                u->written_bytes += (int64_t) n;
                if (u->written_bytes > UNPACKED_MAX_BYTES)
                        return refuse(u, member, "more than 16 GiB is no kernel source", -EINVAL);
                if (archive_write_data_block(u->out, block, n, offset) < ARCHIVE_WARN)
                        return refuse_archive(u, member, u->out);
        }
}

static int copy_member(struct unpacking *u, struct archive_entry *entry)
{
        CLEANUP(freep) char *member = NULL;
        int r = check_member(u, entry);

        if (r < 0)
                return r;
        member = strdup(archive_entry_pathname(entry));
        if (!member)
                return fault_set(u->fault, -ENOMEM, "no memory");
        /* The entry's time and mode matter; its owner is nobody here. A warning is about those. */
        if (archive_write_header(u->out, entry) < ARCHIVE_WARN)
                return refuse_archive(u, member, u->out);
        if (archive_entry_size(entry) > 0) {
                r = copy_data(u, member);
                if (r < 0)
                        return r;
        }
        return archive_write_finish_entry(u->out) < ARCHIVE_WARN ? refuse_archive(u, member, u->out)
                                                                 : 0;
}

/* Linux 6.1's tarball grows elevenfold from xz, on disk. */
static uint64_t guess_bytes(struct unpacking *u)
{
        unsigned growth;

        switch (archive_filter_code(u->in, 0)) {
        case ARCHIVE_FILTER_NONE:
                growth = 1;
                break;
        case ARCHIVE_FILTER_GZIP:
                growth = 7;
                break;
        case ARCHIVE_FILTER_XZ:
        case ARCHIVE_FILTER_LZMA:
                growth = 11;
                break;
        default:
                growth = 9;
        }
        return (uint64_t) u->tarball_bytes * growth;
}

static int check_space(struct unpacking *u)
{
        uint64_t bytes = guess_bytes(u);

        return scratch_need_space(u->folder, bytes, bytes / BYTES_PER_FILE, "the unpacked source",
                                  u->fault);
}

static int copy_all(struct unpacking *u)
{
        struct archive_entry *entry;
        bool is_first = true;

        for (;;) {
                int r = archive_read_next_header(u->in, &entry);

                if (r == ARCHIVE_EOF)
                        return is_first ? refuse(u, NULL, "an empty archive", -EINVAL) : 0;
                if (r < ARCHIVE_WARN)
                        return refuse_archive(u, NULL, u->in);
                r = is_first ? check_space(u) : 0;
                is_first = false;
                if (r == 0)
                        r = copy_member(u, entry);
                if (r < 0)
                        return r;
                progress_step(u->progress, (uint64_t) archive_filter_bytes(u->in, -1));
        }
}

static int open_both(struct unpacking *u)
{
        struct stat st;

        u->tarball_fd = open(u->tarball, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (u->tarball_fd < 0 || fstat(u->tarball_fd, &st) < 0)
                return fault_errno(u->fault, -errno, "%s", u->tarball);
        u->tarball_bytes = st.st_size;
        u->in = archive_read_new();
        u->out = archive_write_disk_new();
        if (!u->in || !u->out)
                return fault_set(u->fault, -ENOMEM, "no memory");
        (void) archive_read_support_format_tar(u->in);
        (void) archive_read_support_filter_all(u->in);
        (void) archive_write_disk_set_options(u->out, EXTRACT_FLAGS);
        if (archive_read_open_fd(u->in, u->tarball_fd, READ_BYTES) < ARCHIVE_WARN)
                return refuse_archive(u, NULL, u->in);
        return 0;
}

int unpack_tarball(const char *tarball, const char *folder, struct progress *progress,
                   struct fault *fault)
{
        CLEANUP(unpacking_done)
        struct unpacking u = { .tarball = tarball,
                               .folder = folder,
                               .tarball_fd = -EBADF,
                               .progress = progress,
                               .fault = fault };
        CLEANUP(closep) int here_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        int r = open_both(&u);

        if (r < 0)
                return r;
        /* Members' paths are relative, and libarchive refuses others. */
        if (chdir(folder) < 0)
                return fault_errno(fault, -errno, "%s", folder);
        progress_start_counting(progress, "unpacking", (uint64_t) u.tarball_bytes, " bytes");
        r = copy_all(&u);
        /* Folders get their times last of all. */
        if (r == 0 && archive_write_close(u.out) < ARCHIVE_WARN)
                r = refuse_archive(&u, NULL, u.out);
        progress_end(progress);
        if (here_fd < 0 || fchdir(here_fd) < 0)
                (void) chdir("/"); /* where we were is closed to us; nothing depends on it */
        return r;
}
