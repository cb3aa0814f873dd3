/* daemon/probes/watched.c - see watched.h */
#include "daemon/probes/watched.h"
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>
#include "record/macros.h"

#define FILES_MAX 4096 /* that are kept in mind; more are told again when all is listed again */
#define USERS "/run/user/"
#define WATCH_EVENTS                                                                               \
        (IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)

struct file {
        unsigned pattern;
        char *path;
        bool is_here; /* seen in the present listing */
};

struct watched {
        const char *const *patterns;
        unsigned n_patterns;
        const struct watched_handler *handler;
        struct file files[FILES_MAX];
        size_t n_files;
};

static void look_into(struct watched *w, const char *folder, enum file_how how);

int watched_check(const char *pattern, struct fault *fault)
{
        unsigned n_parts = 0;

        if (pattern[0] != '/' || strlen(pattern) >= PATH_MAX)
                return fault_set(fault, -EINVAL, "want an absolute path, not '%.200s'", pattern);
        for (const char *p = pattern; *p; n_parts++) {
                size_t n = strcspn(++p, "/");

                if (n == 0 || strncmp(p, ".", n) == 0 || strncmp(p, "..", n) == 0)
                        return fault_set(fault, -EINVAL,
                                         "'%.200s' has a part that is empty, \".\" or \"..\"",
                                         pattern);
                p += n;
        }
        if (strncmp(pattern, USERS, strlen(USERS)) == 0 && n_parts > 4)
                return fault_set(fault, -EINVAL,
                                 "'%.200s' leads below a user's own folder in " USERS, pattern);
        return 0;
}

static unsigned n_parts_of(const char *path)
{
        unsigned n = 0;

        for (; *path; path++)
                n += path[0] == '/' && path[1];
        return n;
}

/* fits() - @path as far as it goes; *ret_whole: as far as the pattern does too */
static bool fits(const char *pattern, const char *path, bool *ret_whole)
{
        char start[PATH_MAX];
        const char *end = pattern;

        for (unsigned i = n_parts_of(path); i > 0; i--) {
                if (*end != '/')
                        return false; /* the path is longer */
                end += 1 + strcspn(end + 1, "/");
        }
        (void) snprintf(start, sizeof start, "%.*s", (int) (end - pattern), pattern);
        *ret_whole = *end == '\0';
        return fnmatch(start, path, FNM_PATHNAME | FNM_PERIOD) == 0;
}

static struct file *find_file(struct watched *w, unsigned pattern, const char *path)
{
        for (size_t i = 0; i < w->n_files; i++)
                if (w->files[i].pattern == pattern && strcmp(w->files[i].path, path) == 0)
                        return &w->files[i];
        return NULL;
}

static void drop_file(struct watched *w, struct file *f)
{
        w->handler->on_gone(w->handler->userdata, f->pattern, f->path);
        free(f->path);
        *f = w->files[--w->n_files];
}

static void add_file(struct watched *w, unsigned pattern, const char *path, enum file_how how)
{
        struct file *f = find_file(w, pattern, path);
        char *copy;

        if (f) {
                f->is_here = true;
                return;
        }
        copy = w->n_files < FILES_MAX ? strdup(path) : NULL;
        if (copy)
                w->files[w->n_files++] = (struct file){ pattern, copy, true };
        w->handler->on_file(w->handler->userdata, pattern, path, how);
}

/* consider() - something that is there; a folder on the way to a pattern's end is looked into */
static void consider(struct watched *w, const char *path, enum file_how how)
{
        bool is_on_the_way = false, is_whole;
        struct stat st;

        for (unsigned i = 0; i < w->n_patterns; i++)
                if (fits(w->patterns[i], path, &is_whole)) {
                        if (is_whole)
                                add_file(w, i, path, how);
                        else
                                is_on_the_way = true;
                }
        /* Links are not followed: a folder is where it is. */
        if (is_on_the_way && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
                look_into(w, path, how == FILE_WAS_THERE ? FILE_WAS_THERE : FILE_LISTED);
}

/* look_into() - first watch, then list: what comes in between is seen twice, and not missed */
static void look_into(struct watched *w, const char *folder, enum file_how how)
{
        char path[PATH_MAX];
        DIR *dir;

        if (inotifytools_wd_from_filename(folder) < 0)
                (void) inotifytools_watch_file(folder, WATCH_EVENTS);
        dir = opendir(folder);
        for (const struct dirent *e; dir && (e = readdir(dir));)
                if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
                    snprintf(path, sizeof path, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
                             e->d_name) < (int) sizeof path)
                        consider(w, path, how);
        if (dir)
                (void) closedir(dir);
}

/* look_at_all() - begin anew: at the start, when the kernel's queue overflowed, and when a watched
 * folder has gone, whose watch the library would keep for ever. Folders above a pattern's first
 * wildcard are watched only where the next part is not there yet. */
static int look_at_all(struct watched *w, enum file_how how, struct fault *fault)
{
        inotifytools_cleanup();
        if (!inotifytools_initialize())
                return fault_errno(fault, -inotifytools_error(), "inotify");
        for (size_t i = 0; i < w->n_files; i++)
                w->files[i].is_here = false;
        for (unsigned i = 0; i < w->n_patterns; i++) {
                char nearest[PATH_MAX] = "/", path[PATH_MAX];
                const char *end = w->patterns[i];
                struct stat st;

                while (*end) {
                        end += 1 + strcspn(end + 1, "/");
                        (void) snprintf(path, sizeof path, "%.*s", (int) (end - w->patterns[i]),
                                        w->patterns[i]);
                        if (!*end || lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
                                break;
                        (void) snprintf(nearest, sizeof nearest, "%s", path);
                }
                look_into(w, nearest, how);
        }
        for (size_t i = 0; i < w->n_files;)
                if (w->files[i].is_here)
                        i++;
                else
                        drop_file(w, &w->files[i]);
        return 0;
}

static void gone(struct watched *w, const char *path)
{
        for (size_t i = 0; i < w->n_files;)
                if (strcmp(w->files[i].path, path) == 0)
                        drop_file(w, &w->files[i]);
                else
                        i++;
}

/* path_of() - what an event is about, without the library's slash at a folder's end */
static bool path_of(const struct inotify_event *e, char *ret, size_t size)
{
        const char *folder = inotifytools_filename_from_wd(e->wd);
        size_t n = folder ? strlen(folder) : 0;

        while (n > 0 && folder[n - 1] == '/')
                n--;
        return folder && e->len > 0 &&
               snprintf(ret, size, "%.*s/%s", (int) n, folder, e->name) < (int) size;
}

/* handle() - 1 when all has to be looked at again */
static int handle(struct watched *w, const struct inotify_event *e)
{
        char path[PATH_MAX];

        if (e->mask & (IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT))
                return 1;
        if (e->mask & IN_IGNORED || !path_of(e, path, sizeof path))
                return 0;
        if (e->mask & (IN_DELETE | IN_MOVED_FROM))
                gone(w, path);
        else
                consider(w, path, e->mask & IN_MOVED_TO ? FILE_MOVED : FILE_MADE);
        return 0;
}

int watched_run(const char *const *patterns, unsigned n_patterns,
                const struct watched_handler *handler, struct fault *fault)
{
        struct watched *w = calloc(1, sizeof *w);
        int r;

        if (!w)
                return fault_set(fault, -ENOMEM, "no memory");
        *w = (struct watched){ .patterns = patterns, .n_patterns = n_patterns, .handler = handler };
        r = look_at_all(w, FILE_WAS_THERE, fault);
        while (r == 0) {
                const struct inotify_event *e;

                if (handler->on_sleep)
                        handler->on_sleep(handler->userdata);
                e = inotifytools_next_event(-1);
                if (handler->on_wake)
                        handler->on_wake(handler->userdata);
                if (!e) {
                        r = fault_errno(fault, -inotifytools_error(), "inotify");
                        break;
                }
                if (handle(w, e) > 0)
                        r = look_at_all(w, FILE_LISTED, fault);
        }
        for (size_t i = 0; i < w->n_files; i++)
                free(w->files[i].path);
        free(w);
        return r;
}
