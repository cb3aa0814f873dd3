/* collectors/corpus.c - put the messages of a corpus on a disk
 *
 * Fresh: one file after the other in its final folder, as a restored backup lies. Aged: as years of
 * use lay it out. Several deliveries at a time arrive in tmp/ in pieces, each piece given its
 * blocks at once, and are renamed to new/ and later to cur/; between them other mail comes and is
 * deleted again, so that later messages fill the holes. Names, contents and times are the same in
 * both. */
#include "collectors/corpus.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include "collectors/corpus_message.h"
#include "collectors/interrupt.h"
#include "collectors/random.h"
#include "record/json.h"
#include "record/record.h"

#define MEAN_BYTES 17500       /* of a message on disk; see corpus_message.c */
#define SPACE_CHECK_COUNT 1000 /* below that the mean says little */
#define DELIVERIES 6           /* under way at a time when aged */
#define PIECE_MIN_BYTES 4096
#define PIECE_MAX_BYTES 16384
#define PASSING_PER_MILLE 120 /* messages that come and go, for each that stays */
#define PASSING_KEPT 300      /* of them, before the first is deleted */
#define DELIVERIES_PER_COMMIT 2500
#define PASSING_SEED 0x70617373696e6721u

struct layout {
        const struct corpus_plan *plan;
        struct progress *progress;
        struct corpus_totals totals;
        int root_fd, new_fd, cur_fd, tmp_fd;
        struct random_stream order; /* which delivery goes on, what is deleted: never contents */
        char (*passing)[160];       /* names in new/ that will be deleted */
        uint32_t n_passing;
        uint32_t n_delivered;
};

/* One message on its way to the disk. */
struct delivery {
        struct corpus_message message;
        uint32_t index;
        int fd; /* -EBADF: nothing under way */
        size_t written;
        bool passing;
};

static void layout_done(struct layout *l)
{
        closep(&l->root_fd);
        closep(&l->new_fd);
        closep(&l->cur_fd);
        closep(&l->tmp_fd);
        free(l->passing);
}

static void delivery_done(struct delivery *d)
{
        closep(&d->fd);
        corpus_message_done(&d->message);
}

static int write_all(int fd, const char *data, size_t n_bytes)
{
        while (n_bytes > 0) {
                ssize_t n = write(fd, data, n_bytes);

                if (n < 0 && errno == EINTR && !interrupt_is_pending())
                        continue;
                if (n < 0)
                        return -errno;
                data += n;
                n_bytes -= (size_t) n;
        }
        return 0;
}

static void final_name(const struct corpus_message *m, char ret[176])
{
        (void) snprintf(ret, 176, "%s%s%s", m->file_name, m->is_new ? "" : ":2,", m->flags);
}

/* settle_file() - its time, then closed; only closing tells of a write error on some file systems
 */
static int settle_file(int *fd, int64_t date_s)
{
        const struct timespec times[2] = { { .tv_sec = (time_t) date_s },
                                           { .tv_sec = (time_t) date_s } };
        int r = futimens(*fd, times) < 0 ? -errno : 0;

        if (close(TAKE_FD(*fd)) < 0 && r == 0)
                r = -errno;
        return r;
}

static void count_message(struct layout *l, const struct corpus_message *m)
{
        if (m->is_new)
                l->totals.n_new++;
        else
                l->totals.n_cur++;
        l->totals.bytes += m->content.used;
}

static int make_fresh(struct layout *l)
{
        CLEANUP(delivery_done)
        struct delivery d = { .message = CORPUS_MESSAGE_NULL, .fd = -EBADF };
        char name[176];
        int r = 0;

        for (uint32_t i = 0; r == 0 && i < l->plan->count; i++) {
                if (interrupt_is_pending())
                        return -EINTR;
                r = corpus_message_make(&d.message, l->plan->seed, i);
                if (r < 0)
                        return r;
                final_name(&d.message, name);
                d.fd = openat(d.message.is_new ? l->new_fd : l->cur_fd, name,
                              O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
                if (d.fd < 0)
                        return -errno;
                r = write_all(d.fd, d.message.content.data, d.message.content.used);
                if (r == 0)
                        r = settle_file(&d.fd, d.message.date_s);
                count_message(l, &d.message);
                progress_step(l->progress, i + 1);
        }
        return r;
}

static int start_delivery(struct layout *l, struct delivery *d, uint32_t index, bool passing)
{
        int r = corpus_message_make(&d->message,
                                    passing ? l->plan->seed ^ PASSING_SEED : l->plan->seed, index);

        if (r < 0)
                return r;
        d->index = index;
        d->passing = passing;
        d->written = 0;
        d->fd = openat(l->tmp_fd, d->message.file_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                       0644);
        return d->fd < 0 ? -errno : 0;
}

/* delete_one() - of the mail that came only to go, any */
static int delete_one(struct layout *l)
{
        uint32_t i = random_below(&l->order, l->n_passing);

        if (unlinkat(l->new_fd, l->passing[i], 0) < 0)
                return -errno;
        memcpy(l->passing[i], l->passing[--l->n_passing], sizeof l->passing[i]);
        return 0;
}

static int end_delivery(struct layout *l, struct delivery *d)
{
        const struct corpus_message *m = &d->message;
        char name[176];
        int r = settle_file(&d->fd, m->date_s);

        if (r == 0 && renameat(l->tmp_fd, m->file_name, l->new_fd, m->file_name) < 0)
                r = -errno;
        if (r < 0)
                return r;
        if (d->passing) {
                (void) snprintf(l->passing[l->n_passing++], sizeof *l->passing, "%s", m->file_name);
                return l->n_passing > PASSING_KEPT ? delete_one(l) : 0;
        }
        count_message(l, m);
        final_name(m, name);
        /* Deleted blocks can be given again once the deletion has reached the journal. */
        if (++l->n_delivered % DELIVERIES_PER_COMMIT == 0 && syncfs(l->root_fd) < 0)
                return -errno;
        if (!m->is_new && renameat(l->new_fd, m->file_name, l->cur_fd, name) < 0)
                return -errno;
        return 0;
}

/* claim_blocks() - a piece gets its blocks now; written only, all pieces would get them in one run
 * when they reach the disk */
static int claim_blocks(const struct delivery *d, size_t n_bytes)
{
        int r = fallocate(d->fd, 0, (off_t) d->written, (off_t) n_bytes) < 0 ? -errno : 0;

        /* Without the call the layout is less aged, no more. */
        return r == -EOPNOTSUPP || r == -ENOSYS ? 0 : r;
}

/* write_piece() - Return: 1 when the message is complete, 0 when more is to come */
static int write_piece(struct layout *l, struct delivery *d)
{
        size_t left = d->message.content.used - d->written;
        size_t n = random_between(&l->order, PIECE_MIN_BYTES, PIECE_MAX_BYTES);
        int r;

        n = n < left ? n : left;
        r = claim_blocks(d, n);
        if (r == 0)
                r = write_all(d->fd, d->message.content.data + d->written, n);
        if (r < 0)
                return r;
        d->written += n;
        return n == left;
}

static int step_aged(struct layout *l, struct delivery *d, uint32_t *next, uint32_t *next_passing,
                     uint32_t *n_done)
{
        int r;

        if (d->fd < 0) {
                if (random_chance(&l->order, PASSING_PER_MILLE))
                        return start_delivery(l, d, (*next_passing)++, true);
                return *next < l->plan->count ? start_delivery(l, d, (*next)++, false) : 0;
        }
        r = write_piece(l, d);
        if (r == 1) {
                *n_done += !d->passing;
                r = end_delivery(l, d);
        }
        return r;
}

static int make_aged(struct layout *l)
{
        struct delivery d[DELIVERIES];
        uint32_t next = 0, next_passing = 0, n_done = 0;
        int r = 0;

        for (size_t i = 0; i < DELIVERIES; i++)
                d[i] = (struct delivery){ .message = CORPUS_MESSAGE_NULL, .fd = -EBADF };
        random_seed(&l->order, l->plan->seed, UINT64_MAX); /* no message has that number */
        l->passing = calloc(PASSING_KEPT + 1, sizeof *l->passing);
        if (!l->passing)
                r = -ENOMEM;
        while (r == 0 && n_done < l->plan->count) {
                r = interrupt_is_pending() ? -EINTR
                                           : step_aged(l, &d[random_below(&l->order, DELIVERIES)],
                                                       &next, &next_passing, &n_done);
                progress_step(l->progress, n_done);
        }
        /* What only passes and is still under way never arrived. */
        for (size_t i = 0; i < DELIVERIES; i++) {
                if (r == 0 && d[i].fd >= 0 && unlinkat(l->tmp_fd, d[i].message.file_name, 0) < 0)
                        r = -errno;
                delivery_done(&d[i]);
        }
        while (r == 0 && l->n_passing > 0)
                r = delete_one(l);
        return r;
}

/* remove_folder() - a folder of ours with plain files in it */
static void remove_folder(int root_fd, const char *name)
{
        int fd = openat(root_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        while (dir && (d = readdir(dir)))
                if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
                        (void) unlinkat(fd, d->d_name, 0);
        if (dir)
                (void) closedir(dir);
        else
                closep(&fd);
        (void) unlinkat(root_fd, name, AT_REMOVEDIR);
}

static const char *const folders[] = { "new", "cur", "tmp" };

static void remove_all(const struct layout *l, const char *path, bool root_is_ours)
{
        progress_start(l->progress, "removing what was made", 0);
        (void) unlinkat(l->root_fd, CORPUS_MARKER, 0);
        for (size_t i = 0; i < ELEMENTSOF(folders); i++)
                remove_folder(l->root_fd, folders[i]);
        if (root_is_ours)
                (void) rmdir(path);
        progress_end(l->progress);
}

static int is_empty(int fd, struct fault *fault, const char *path)
{
        int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
        const struct dirent *d;
        int r = 0;

        if (!dir)
                return fault_errno(fault, -errno, "%s", path);
        while (r == 0 && (d = readdir(dir)))
                if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
                        r = -ENOTEMPTY;
        (void) closedir(dir);
        if (r < 0)
                return fault_set(fault, r,
                                 "%s: is not empty; a corpus is made in a folder of its own", path);
        return 0;
}

static int check_space(const struct corpus_plan *plan, int fd, const char *path,
                       struct fault *fault)
{
        uint64_t needed = (uint64_t) plan->count * MEAN_BYTES, free_bytes;
        struct statvfs fs;

        if (plan->count < SPACE_CHECK_COUNT || fstatvfs(fd, &fs) < 0)
                return 0;
        free_bytes = (uint64_t) fs.f_bavail * fs.f_frsize;
        if (free_bytes < needed)
                return fault_set(fault, -ENOSPC,
                                 "%s: needs about %llu MB, of which %llu MB are free", path,
                                 (unsigned long long) (needed / 1000000),
                                 (unsigned long long) (free_bytes / 1000000));
        if (fs.f_files > 0 && fs.f_favail < plan->count)
                return fault_set(fault, -ENOSPC, "%s: needs %u files, of which %llu are free", path,
                                 plan->count, (unsigned long long) fs.f_favail);
        return 0;
}

static int open_folders(struct layout *l)
{
        int *fds[] = { &l->new_fd, &l->cur_fd, &l->tmp_fd };

        for (size_t i = 0; i < ELEMENTSOF(folders); i++) {
                if (mkdirat(l->root_fd, folders[i], 0755) < 0)
                        return -errno;
                *fds[i] = openat(l->root_fd, folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
                if (*fds[i] < 0)
                        return -errno;
        }
        return 0;
}

static int write_marker(const struct layout *l)
{
        CLEANUP(json_decrefp) json_t *j = json_object();
        CLEANUP(freep) char *text = NULL;
        CLEANUP(closep) int fd = -EBADF;
        int r;

        if (!j || record_set_integer(j, "law", CORPUS_LAW) < 0 ||
            record_set_integer(j, "seed", (int64_t) l->plan->seed) < 0 ||
            record_set_integer(j, "count", l->plan->count) < 0 ||
            record_set_boolean(j, "aged", l->plan->aged) < 0)
                return -ENOMEM;
        text = json_dumps(j, JSON_INDENT(1));
        if (!text)
                return -ENOMEM;
        fd = openat(l->root_fd, CORPUS_MARKER, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd < 0)
                return -errno;
        r = write_all(fd, text, strlen(text));
        if (r == 0)
                r = write_all(fd, "\n", 1);
        return r;
}

static int fill(struct layout *l)
{
        int r = open_folders(l);

        progress_start(l->progress, l->plan->aged ? "delivering and deleting" : "writing messages",
                       l->plan->count);
        if (r == 0)
                r = l->plan->aged ? make_aged(l) : make_fresh(l);
        progress_end(l->progress);
        progress_start(l->progress, "waiting for the disk", 0);
        if (r == 0 &&
            syncfs(l->root_fd) < 0) /* before the marker, which promises that all is there */
                r = -errno;
        if (r == 0)
                r = write_marker(l);
        if (r == 0 && syncfs(l->root_fd) < 0)
                r = -errno;
        progress_end(l->progress);
        return r;
}

int corpus_make(const struct corpus_plan *plan, const char *path, struct progress *progress,
                struct corpus_totals *ret, struct fault *fault)
{
        CLEANUP(layout_done)
        struct layout l = { .plan = plan,
                            .progress = progress,
                            .root_fd = -EBADF,
                            .new_fd = -EBADF,
                            .cur_fd = -EBADF,
                            .tmp_fd = -EBADF };
        bool root_is_ours = mkdir(path, 0755) == 0;
        int r;

        if (!root_is_ours && errno != EEXIST)
                return fault_errno(fault, -errno, "%s", path);
        l.root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (l.root_fd < 0)
                return fault_errno(fault, -errno, "%s", path);
        r = root_is_ours ? 0 : is_empty(l.root_fd, fault, path);
        if (r == 0)
                r = check_space(plan, l.root_fd, path, fault);
        if (r < 0) {
                if (root_is_ours)
                        (void) rmdir(path);
                return r;
        }
        r = fill(&l);
        if (r < 0 && interrupt_is_pending())
                r = -EINTR;
        if (r < 0) {
                remove_all(&l, path, root_is_ours);
                return fault_errno(fault, r, "%s: removed again", path);
        }
        *ret = l.totals;
        return 0;
}

int corpus_identify(const char *path, json_t **ret, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        CLEANUP(freep) char *marker = NULL;
        int r;

        if (asprintf(&marker, "%s/%s", path, CORPUS_MARKER) < 0) {
                marker = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        if (access(marker, F_OK) < 0 && errno == ENOENT)
                return fault_set(fault, -ENOENT, "%s: is no finished corpus", path);
        r = json_read_file(marker, &j, fault);
        if (r < 0)
                return r;
        if (!json_is_integer(json_object_get(j, "law")) ||
            !json_is_integer(json_object_get(j, "seed")) ||
            !json_is_integer(json_object_get(j, "count")) ||
            !json_is_boolean(json_object_get(j, "aged")))
                return fault_set(fault, -EINVAL, "%s: is no corpus's marker", marker);
        *ret = TAKE(j);
        return 0;
}

bool corpus_is(const json_t *j, const struct corpus_plan *plan)
{
        return json_integer_value(json_object_get(j, "law")) == CORPUS_LAW &&
               (uint64_t) json_integer_value(json_object_get(j, "seed")) == plan->seed &&
               json_integer_value(json_object_get(j, "count")) == plan->count &&
               json_is_true(json_object_get(j, "aged")) == plan->aged;
}
