/* collectors/coldcache.c - walk, drop, check
 *
 * The files to be checked are opened before the drop: opening them afterwards would warm the
 * folders again. Those few dozen inodes stay in memory; nothing else does.
 */
#include "collectors/coldcache.h"
#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/interrupt.h"
#include "record/json.h"
#include "record/record.h"

#define CHECKED_FILES 64
#define COLD_SHARE 0.01 /* of the checked pages may be resident: readers of other files exist */
#define WARM_SHARE 0.99
#define READ_SHARE                                                                                 \
        0.5 /* of what was needed must have come from the drive; compression halves it             \
             */

struct walk {
        int fds[CHECKED_FILES]; /* a uniform sample of the regular files seen so far */
        size_t n_fds;
        uint64_t n_seen;
        uint64_t random;
        bool advise;
        struct progress *progress;
};

/* Knuth's MMIX generator: which files are checked need not be unpredictable, only spread. */
static uint64_t below(struct walk *w, uint64_t limit)
{
        w->random = w->random * 6364136223846793005u + 1442695040888963407u;
        return (w->random >> 33) % limit;
}

static int open_regular(const char *path)
{
        CLEANUP(closep) int fd = -EBADF;
        struct stat st;

        /* Looked at before it is opened: opening a device may do something. */
        if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
                return -EINVAL;
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
        if (fd < 0)
                return -errno;
        return TAKE_FD(fd);
}

/* visit() - reservoir sampling: every file ends among the checked ones with the same chance */
static void visit(struct walk *w, const char *path)
{
        CLEANUP(closep) int fd = -EBADF;
        uint64_t slot;

        w->n_seen++;
        slot = w->n_fds < CHECKED_FILES ? w->n_fds : below(w, w->n_seen);
        if (!w->advise && slot >= CHECKED_FILES)
                return;
        fd = open_regular(path);
        if (fd < 0)
                return;
        if (w->advise)
                (void) posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        if (slot >= CHECKED_FILES)
                return;
        if (slot < w->n_fds)
                closep(&w->fds[slot]);
        else
                w->n_fds++;
        w->fds[slot] = TAKE_FD(fd);
}

static int walk_tree(struct walk *w, const char *path)
{
        CLEANUP(freep) char *copy = strdup(path);
        char *roots[] = { copy, NULL };
        FTS *tree;
        const FTSENT *e;
        int r = 0;

        if (!copy)
                return -ENOMEM;
        tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR | FTS_XDEV | FTS_NOSTAT,
                        NULL);
        if (!tree)
                return -errno;
        while (r == 0 && (e = fts_read(tree))) {
                if (interrupt_is_pending())
                        r = -EINTR;
                if (e->fts_info == FTS_F || e->fts_info == FTS_NSOK)
                        visit(w, e->fts_path);
                progress_step(w->progress, w->n_seen);
        }
        (void) fts_close(tree);
        return r;
}

static void walk_forget(struct walk *w)
{
        for (size_t i = 0; i < w->n_fds; i++)
                closep(&w->fds[i]);
        w->n_fds = 0;
        w->n_seen = 0;
}

static int walk_all(struct walk *w, const char *const *paths, size_t n_paths)
{
        int r = 0;

        walk_forget(w);
        progress_start(w->progress, w->advise ? "dropping file contents" : "looking for files", 0);
        for (size_t i = 0; r == 0 && i < n_paths; i++)
                r = walk_tree(w, paths[i]);
        progress_end(w->progress);
        return r;
}

static void check(const struct privilege *privilege, const struct walk *w, struct coldcache *c)
{
        for (size_t i = 0; i < w->n_fds; i++) {
                uint64_t pages, resident;

                if (privilege_residency(privilege, w->fds[i], &pages, &resident) < 0) {
                        c->n_unchecked++;
                        continue;
                }
                c->n_checked++;
                c->pages += pages;
                c->resident_pages += resident < pages ? resident : pages;
        }
}

int coldcache_prepare(const struct privilege *privilege, const char *const *paths, size_t n_paths,
                      bool drop, struct progress *progress, struct coldcache *ret)
{
        struct walk w = { .random = 1, .progress = progress };
        struct coldcache c = { .dropped = CACHE_NOT_DROPPED };
        int r = walk_all(&w, paths, n_paths);

        if (r == 0 && drop) {
                c.drop_error = privilege_drop_caches(privilege);
                if (c.drop_error == 0) {
                        c.dropped = CACHE_ALL_DROPPED;
                } else {
                        sync(); /* the advice is ignored for pages not yet written */
                        w.advise = true;
                        r = walk_all(&w, paths, n_paths);
                        c.dropped = CACHE_DATA_DROPPED;
                }
        }
        if (r == 0)
                check(privilege, &w, &c);
        walk_forget(&w);
        if (r == 0)
                *ret = c;
        return r;
}

static bool read_enough(uint64_t read_bytes, uint64_t needed_bytes)
{
        return (double) read_bytes >= READ_SHARE * (double) needed_bytes;
}

enum cache_state coldcache_judge(const struct coldcache *c, const struct usage *used,
                                 uint64_t needed_bytes)
{
        double share;

        if (c->pages == 0)
                return CACHE_UNKNOWN;
        share = (double) c->resident_pages / (double) c->pages;
        if (share >= WARM_SHARE)
                return CACHE_WARM;
        if (c->dropped == CACHE_NOT_DROPPED || share > COLD_SHARE)
                return CACHE_UNKNOWN;
        /* An empty page cache above a full one (a loop device's file, bcache) is not cold. */
        if ((used->has_io && !read_enough(used->storage_read_bytes, needed_bytes)) ||
            (used->has_device && !read_enough(used->device.read_bytes, needed_bytes)))
                return CACHE_UNKNOWN;
        return c->dropped == CACHE_ALL_DROPPED ? CACHE_COLD : CACHE_COLD_DATA_ONLY;
}

const char *cache_state_word(enum cache_state state)
{
        static const char *const words[] = {
                [CACHE_UNKNOWN] = "unknown",
                [CACHE_WARM] = "warm",
                [CACHE_COLD_DATA_ONLY] = "cold-data-only",
                [CACHE_COLD] = "cold",
        };

        return words[state];
}

json_t *coldcache_to_json(const struct coldcache *c, uint64_t needed_bytes)
{
        static const char *const dropped[] = {
                [CACHE_NOT_DROPPED] = "nothing",
                [CACHE_DATA_DROPPED] = "file contents",
                [CACHE_ALL_DROPPED] = "everything",
        };
        CLEANUP(json_decrefp) json_t *j = json_object();

        if (!j || record_set_string(j, "dropped", dropped[c->dropped]) < 0 ||
            (c->drop_error < 0 &&
             record_set_string(j, "drop_everything_error", strerror(-c->drop_error)) < 0) ||
            record_set_integer(j, "checked_files", (int64_t) c->n_checked) < 0 ||
            record_set_integer(j, "unchecked_files", (int64_t) c->n_unchecked) < 0 ||
            record_set_integer(j, "checked_pages", (int64_t) c->pages) < 0 ||
            record_set_integer(j, "resident_pages", (int64_t) c->resident_pages) < 0 ||
            (needed_bytes > 0 && record_set_integer(j, "needed_bytes", (int64_t) needed_bytes) < 0))
                return NULL;
        return TAKE(j);
}
