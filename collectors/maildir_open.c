/* collectors/maildir_open.c - the workload itself. The calls for a message are those of mutt 2.2:
 * stat, open, two more looks at the file, reads of a block until the header block has ended, an
 * lseek a field (ftello), close. */
#include "collectors/maildir_open.h"
#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "collectors/interrupt.h"
#include "record/clock.h"

/* What a client keeps of a message. */
struct message {
        char *path;          /* "cur/NAME" */
        char flags[16];      /* behind ":2," */
        uint64_t size_bytes; /* of the body */
        struct mail_header header;
};

/* One folder (new/ or cur/) whose messages several workers open. */
struct folder {
        const struct maildir_plan *plan;
        char path[PATH_MAX];
        struct maildir_list list;
        struct message *
                *messages; /* list.n of them, NULL where there is none; kept for the index */
        atomic_size_t next;
};

struct worker {
        struct folder *folder;
        struct mail_reader reader;
        struct maildir_counts counts;
        int error;
        bool shows_progress; /* one of them */
        pthread_t thread;
};

static void message_free(struct message *m)
{
        if (!m)
                return;
        free(m->path);
        mail_header_done(&m->header);
        free(m);
}

static struct message *message_new(const char *folder, const char *name)
{
        struct message *m = calloc(1, sizeof *m);
        const char *flags = strstr(name, ":2,"), *slash = strrchr(folder, '/');

        if (!m || asprintf(&m->path, "%s/%s", slash ? slash + 1 : folder, name) < 0) {
                free(m);
                return NULL;
        }
        if (flags)
                (void) snprintf(m->flags, sizeof m->flags, "%s", flags + 3);
        return m;
}

static void folder_done(struct folder *f)
{
        for (size_t i = 0; f->messages && i < f->list.n; i++)
                message_free(f->messages[i]);
        free(f->messages);
        maildir_list_done(&f->list);
}

int maildir_check(const char *path, struct fault *fault)
{
        static const char *const folders[] = { "new", "cur" };
        struct stat st;

        if (stat(path, &st) < 0)
                return fault_errno(fault, -errno, "%s", path);
        if (!S_ISDIR(st.st_mode))
                return fault_set(fault, -ENOTDIR, "%s: is no folder", path);
        for (size_t i = 0; i < ELEMENTSOF(folders); i++) {
                char folder[PATH_MAX];

                if (snprintf(folder, sizeof folder, "%s/%s", path, folders[i]) >= PATH_MAX)
                        return fault_errno(fault, -ENAMETOOLONG, "%s", path);
                if (stat(folder, &st) < 0 && errno != ENOENT)
                        return fault_errno(fault, -errno, "%s", folder);
                if (stat(folder, &st) < 0 || !S_ISDIR(st.st_mode))
                        return fault_set(fault, -ENOTDIR, "%s: is no maildir: it has no %s/", path,
                                         folders[i]);
                if (access(folder, R_OK | X_OK) < 0)
                        return fault_errno(fault, -errno, "%s", folder);
        }
        return 0;
}

/* flaw_add() - one more; a name is foreign text, and must stay within its line */
static void flaw_add(struct maildir_flaw *flaw, const char *entry, mode_t mode, int error)
{
        if (flaw->n++ > 0)
                return;
        (void) snprintf(flaw->entry, sizeof flaw->entry, "%s", entry);
        for (char *p = flaw->entry; *p; p++)
                if (iscntrl((unsigned char) *p))
                        *p = '?';
        flaw->mode = mode;
        flaw->error = error;
}

static void flaw_join(struct maildir_flaw *to, const struct maildir_flaw *from)
{
        uint64_t n = to->n + from->n;

        if (to->n == 0)
                *to = *from;
        to->n = n;
}

static void count_failure(struct maildir_counts *c, const char *entry, int error)
{
        flaw_add(error == -ENOENT ? &c->gone : &c->unreadable, entry, 0, error);
}

/* open_file() - Return: a descriptor of a regular file; -EISDIR for a folder; -EINVAL for what may
 * block or do something when it is opened; another negative errno. */
static int open_file(const char *path, struct stat *st)
{
        CLEANUP(closep) int fd = -EBADF;

        if (lstat(path, st) < 0)
                return -errno;
        /* A link that leads nowhere is not "gone": it was never there. */
        if (S_ISLNK(st->st_mode) && stat(path, st) < 0)
                return errno == ENOENT ? -ELOOP : -errno;
        if (!S_ISREG(st->st_mode))
                return S_ISDIR(st->st_mode) ? -EISDIR : -EINVAL;
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0)
                return -errno;
        if (fstat(fd, st) < 0)
                return -errno;
        if (!S_ISREG(st->st_mode)) /* put there since */
                return S_ISDIR(st->st_mode) ? -EISDIR : -EINVAL;
        return TAKE_FD(fd);
}

static uint64_t blocks_read(const struct mail_header *h, const struct stat *st)
{
        uint64_t block = st->st_blksize > 0 ? (uint64_t) st->st_blksize : 4096;
        uint64_t n = (h->n_bytes + block - 1) / block * block;

        return n < (uint64_t) st->st_size ? n : (uint64_t) st->st_size;
}

/* open_message() - Return: 0 whatever was wrong with it; -ENOMEM. */
static int open_message(struct worker *w, const char *path, struct message *m)
{
        CLEANUP(fclosep) FILE *f = NULL;
        struct stat st;
        int fd = open_file(path, &st), r;

        if (fd == -EISDIR || fd == -EINVAL) {
                flaw_add(&w->counts.odd, m->path, st.st_mode, fd);
                w->counts.messages += fd == -EISDIR;
                return 0;
        }
        if (fd < 0) {
                count_failure(&w->counts, m->path, fd);
                return 0;
        }
        f = fdopen(fd, "r");
        if (!f) {
                closep(&fd);
                return -ENOMEM;
        }
        r = mail_header_read(&w->reader, f, &m->header);
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                count_failure(&w->counts, m->path, r);
                return 0;
        }
        w->counts.messages++;
        w->counts.empty += st.st_size == 0;
        w->counts.endless += !m->header.has_end && st.st_size > 0;
        w->counts.header_bytes += m->header.n_bytes;
        w->counts.bytes_read += blocks_read(&m->header, &st);
        if ((uint64_t) st.st_size > m->header.n_bytes)
                m->size_bytes = (uint64_t) st.st_size - m->header.n_bytes;
        return 0;
}

static int open_entry(struct worker *w, size_t i)
{
        struct folder *f = w->folder;
        const char *name = f->list.entries[i].name;
        uint64_t before = w->counts.messages;
        struct message *m = message_new(f->path, name);
        char path[PATH_MAX];
        int r = 0;

        if (!m)
                return -ENOMEM;
        if (snprintf(path, sizeof path, "%s/%s", f->path, name) < PATH_MAX)
                r = open_message(w, path, m);
        else
                count_failure(&w->counts, m->path, -ENAMETOOLONG);
        if (w->counts.messages > before)
                f->messages[i] = m;
        else
                message_free(m);
        return r;
}

static void *work(void *argument)
{
        struct worker *w = argument;
        struct folder *f = w->folder;

        while (w->error == 0) {
                size_t i = atomic_fetch_add_explicit(&f->next, 1, memory_order_relaxed);

                if (i >= f->list.n)
                        break;
                w->error = interrupt_is_pending() ? -EINTR : open_entry(w, i);
                if (w->shows_progress)
                        progress_step(f->plan->progress, i);
        }
        return NULL;
}

static void add_counts(struct maildir_counts *to, const struct maildir_counts *from)
{
        to->messages += from->messages;
        to->bytes_read += from->bytes_read;
        to->header_bytes += from->header_bytes;
        flaw_join(&to->gone, &from->gone);
        flaw_join(&to->unreadable, &from->unreadable);
        flaw_join(&to->odd, &from->odd);
        to->empty += from->empty;
        to->endless += from->endless;
        to->unplaced += from->unplaced;
}

/* run_workers() - the last of them is this thread: with one job there is no other */
static int run_workers(struct folder *f, struct worker *workers, unsigned n)
{
        unsigned n_started = 0;
        int r = 0;

        while (r == 0 && n_started + 1 < n) {
                r = -pthread_create(&workers[n_started].thread, NULL, work, &workers[n_started]);
                n_started += r == 0;
        }
        if (r == 0) {
                workers[n - 1].shows_progress = true;
                (void) work(&workers[n - 1]);
                r = workers[n - 1].error;
        } else {
                atomic_store(&f->next, f->list.n); /* those that run shall stop */
        }
        for (unsigned i = 0; i < n_started; i++) {
                (void) pthread_join(workers[i].thread, NULL);
                if (r == 0)
                        r = workers[i].error;
        }
        return r;
}

static int open_all(struct folder *f, struct maildir_opened *o)
{
        unsigned n = f->plan->jobs;
        CLEANUP(freep) struct worker *workers = calloc(n, sizeof *workers);
        int r = 0;

        f->messages = calloc(f->list.n + 1, sizeof *f->messages);
        if (!workers || !f->messages)
                return -ENOMEM;
        for (unsigned i = 0; i < n; i++) {
                workers[i].folder = f;
                r = mail_reader_init(&workers[i].reader, f->plan->client);
                if (r < 0) {
                        n = i;
                        break;
                }
        }
        progress_start(f->plan->progress, "opening messages", f->list.n);
        if (r == 0)
                r = run_workers(f, workers, n);
        progress_end(f->plan->progress);
        for (unsigned i = 0; i < n; i++) {
                add_counts(&o->counts, &workers[i].counts);
                mail_reader_done(&workers[i].reader);
        }
        return r;
}

static int open_folder(const struct maildir_plan *plan, const char *name, struct folder *f,
                       struct maildir_opened *o, struct fault *fault)
{
        int64_t start_us = clock_us(CLOCK_MONOTONIC), listed_us;
        int r;

        f->plan = plan;
        if (snprintf(f->path, sizeof f->path, "%s/%s", plan->path, name) >= PATH_MAX)
                return fault_errno(fault, -ENAMETOOLONG, "%s", plan->path);
        r = maildir_list_folder(f->path, &f->list, fault);
        if (r < 0)
                return r;
        maildir_list_order(&f->list, f->path, plan->order);
        o->counts.unplaced += f->list.n_unplaced;
        listed_us = clock_us(CLOCK_MONOTONIC);
        r = open_all(f, o);
        o->list_us += listed_us - start_us;
        o->open_us += clock_us(CLOCK_MONOTONIC) - listed_us;
        return r < 0 ? fault_errno(fault, r, "%s", f->path) : 0;
}

static int compare_dates(const void *va, const void *vb)
{
        const struct message *const *a = va, *const *b = vb;
        int64_t at = (*a)->header.sent_s, bt = (*b)->header.sent_s;

        return (at > bt) - (at < bt);
}

/* sort_index() - what a client shows first: by date */
static int sort_index(const struct folder *folders, size_t n_folders)
{
        CLEANUP(freep) const struct message **index = NULL;
        size_t n = 0;

        for (size_t i = 0; i < n_folders; i++)
                n += folders[i].list.n;
        index = calloc(n + 1, sizeof *index);
        if (!index)
                return -ENOMEM;
        n = 0;
        for (size_t i = 0; i < n_folders; i++)
                for (size_t k = 0; k < folders[i].list.n; k++)
                        if (folders[i].messages[k])
                                index[n++] = folders[i].messages[k];
        qsort(index, n, sizeof *index, compare_dates);
        return 0;
}

int maildir_open(const struct maildir_plan *plan, struct maildir_opened *ret, struct fault *fault)
{
        static const char *const names[] = { "new", "cur" }; /* the clients' order */
        CLEANUP(freep) struct folder *folders = calloc(ELEMENTSOF(names), sizeof *folders);
        struct maildir_opened o = { .list_us = 0 };
        int r = folders ? 0 : fault_set(fault, -ENOMEM, "no memory");

        for (size_t i = 0; r == 0 && i < ELEMENTSOF(names); i++)
                r = open_folder(plan, names[i], &folders[i], &o, fault);
        if (r == 0 && sort_index(folders, ELEMENTSOF(names)) < 0)
                r = fault_set(fault, -ENOMEM, "no memory");
        for (size_t i = 0; folders && i < ELEMENTSOF(names); i++)
                folder_done(&folders[i]);
        if (r == 0)
                *ret = o;
        return r;
}
