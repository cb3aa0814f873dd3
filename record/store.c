/* record/store.c - durable files, one a record. Nothing is locked: a write renames a whole file
 * over its name, and a reader sees the old one or the new one. */
#include "record/store.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "record/digest.h"
#include "record/json.h"

#define CHECKSUM_PREFIX "sha256:"
#define TEMPORARY_PREFIX ".new-"
#define RECORD_SUFFIX ".json"
#define LEFTOVER_AGE_S 3600

int store_default_dir(char **ret, struct fault *fault)
{
        const char *given = getenv("BOOTLAP_STORE");
        const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
        int n;

        if (given && *given)
                n = asprintf(ret, "%s", given);
        else if (geteuid() == 0)
                n = asprintf(ret, "/var/lib/bootlap/records");
        else if (state && *state == '/')
                n = asprintf(ret, "%s/bootlap", state);
        else if (home && *home)
                n = asprintf(ret, "%s/.local/state/bootlap", home);
        else
                return fault_set(fault, -ENOENT,
                                 "no folder for records: set BOOTLAP_STORE, or HOME");
        return n < 0 ? fault_set(fault, -ENOMEM, "no memory") : 0;
}

/* checksum_of() - over the canonical form of everything but the checksum itself */
static int checksum_of(const json_t *j, char ret[sizeof CHECKSUM_PREFIX + DIGEST_HEX_BYTES])
{
        CLEANUP(json_decrefp) json_t *content = json_copy((json_t *) (uintptr_t) j);
        CLEANUP(freep) char *text = NULL;

        if (!content)
                return -ENOMEM;
        (void) json_object_del(content, "checksum");
        text = json_dumps(content, JSON_SORT_KEYS | JSON_COMPACT);
        if (!text)
                return -ENOMEM;
        memcpy(ret, CHECKSUM_PREFIX, strlen(CHECKSUM_PREFIX));
        digest_hex(text, strlen(text), ret + strlen(CHECKSUM_PREFIX));
        return 0;
}

static bool name_is_safe(const char *name)
{
        return name && *name && *name != '.' && !strchr(name, '/');
}

/* Every missing folder of @path, each made known to its parent's disk */
int store_make_folder(const char *path)
{
        CLEANUP(freep) char *copy = strdup(path);

        if (!copy)
                return -ENOMEM;
        for (char *slash = copy + 1;; slash++) {
                bool last = *slash == '\0';

                if (*slash != '/' && !last)
                        continue;
                *slash = '\0';
                if (mkdir(copy, 0755) == 0) {
                        CLEANUP(freep) char *parent = strdup(copy);
                        CLEANUP(closep) int fd = -EBADF;
                        char *cut = parent ? strrchr(parent, '/') : NULL;

                        if (cut)
                                cut[cut == parent ? 1 : 0] = '\0';
                        fd = open(cut ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
                        if (fd >= 0)
                                (void) fsync(fd);
                } else if (errno != EEXIST) {
                        return -errno;
                }
                if (last)
                        return 0;
                *slash = '/';
        }
}

static int write_all(int fd, const char *data, size_t n_bytes)
{
        while (n_bytes > 0) {
                ssize_t n = write(fd, data, n_bytes);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                data += n;
                n_bytes -= (size_t) n;
        }
        return 0;
}

/* write_durably() - @text as @name in the folder, whole or not at all */
static int write_durably(int dir_fd, const char *name, const char *text)
{
        CLEANUP(closep) int fd = -EBADF;
        char temporary[64];
        int r;

        (void) snprintf(temporary, sizeof temporary, TEMPORARY_PREFIX "%ld", (long) getpid());
        /* Left over from a process of the same number that was killed: it is ours to replace. */
        (void) unlinkat(dir_fd, temporary, 0);
        fd = openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (fd < 0)
                return -errno;
        r = write_all(fd, text, strlen(text));
        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        if (r == 0 && renameat(dir_fd, temporary, dir_fd, name) < 0)
                r = -errno;
        if (r < 0)
                (void) unlinkat(dir_fd, temporary, 0);
        else if (fsync(dir_fd) < 0)
                r = -errno;
        return r;
}

int store_write_text(const char *dir, const char *name, const char *text)
{
        CLEANUP(closep) int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        return dir_fd < 0 ? -errno : write_durably(dir_fd, name, text);
}

/* file_name_of() - "<UTC time>-<id>.json"; what has no wall-clock time is "undated" */
static int file_name_of(const struct record *r, char **ret)
{
        time_t seconds = (time_t) (r->start.realtime_us / US_PER_S);
        char when[32] = "undated";
        struct tm tm;

        if (r->start.realtime_us > 0 && gmtime_r(&seconds, &tm))
                (void) strftime(when, sizeof when, "%Y%m%dT%H%M%SZ", &tm);
        return asprintf(ret, "%s-%s" RECORD_SUFFIX, when, r->id) < 0 ? -ENOMEM : 0;
}

static bool is_record_name(const char *name)
{
        size_t n = strlen(name);

        return name[0] != '.' && n > strlen(RECORD_SUFFIX) &&
               strcmp(name + n - strlen(RECORD_SUFFIX), RECORD_SUFFIX) == 0;
}

/* is_leftover() - a temporary file whose writer was killed. Judged by age, since the writer may
 * have lived in another PID namespace: no write takes an hour. */
static bool is_leftover(int dir_fd, const char *name)
{
        struct stat st;

        return strncmp(name, TEMPORARY_PREFIX, strlen(TEMPORARY_PREFIX)) == 0 &&
               fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
               st.st_mtime < time(NULL) - LEFTOVER_AGE_S;
}

/* is_of_id() - a file of that id, whatever the time at its head */
static bool is_of_id(const char *name, const char *id)
{
        const char *dash = strchr(name, '-');
        size_t id_bytes = strlen(id);

        return is_record_name(name) && dash && strncmp(dash + 1, id, id_bytes) == 0 &&
               strcmp(dash + 1 + id_bytes, RECORD_SUFFIX) == 0;
}

/* is_earlier() - of the same id under another time: a record written again after more was measured
 */
static bool is_earlier(const char *name, const char *id, const char *keep)
{
        return is_of_id(name, id) && strcmp(name, keep) != 0;
}

/* sweep() - called once the new file is safe */
static void sweep(int dir_fd, const char *id, const char *keep)
{
        int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        if (!dir) {
                closep(&fd);
                return;
        }
        while ((d = readdir(dir)))
                if (is_earlier(d->d_name, id, keep) || is_leftover(dir_fd, d->d_name))
                        (void) unlinkat(dir_fd, d->d_name, 0);
        (void) closedir(dir);
}

int store_find(const char *dir, const char *machine, const char *id, char **ret_path,
               struct fault *fault)
{
        CLEANUP(freep) char *folder = NULL;
        const struct dirent *d;
        DIR *handle;
        int code = -ENOENT;

        if (asprintf(&folder, "%s/%s", dir, machine) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        handle = opendir(folder);
        if (!handle)
                return fault_errno(fault, -errno, "%s", folder);
        while (code == -ENOENT && (d = readdir(handle)))
                if (is_of_id(d->d_name, id))
                        code = asprintf(ret_path, "%s/%s", folder, d->d_name) < 0 ? -ENOMEM : 0;
        (void) closedir(handle);
        return code < 0 ? fault_errno(fault, code, "%s: the record of %s", folder, id) : 0;
}

int store_to_json(const struct record *r, json_t **ret, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = record_to_json(r);
        char checksum[sizeof CHECKSUM_PREFIX + DIGEST_HEX_BYTES];

        if (!j || checksum_of(j, checksum) < 0 ||
            json_put(j, "checksum", json_string(checksum)) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        *ret = TAKE(j);
        return 0;
}

int store_write(const char *dir, const struct record *r, char **ret_path, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        CLEANUP(freep) char *folder = NULL, *name = NULL, *path = NULL, *text = NULL;
        CLEANUP(closep) int dir_fd = -EBADF;
        struct record *before = NULL;
        int code;

        if (!name_is_safe(r->id) || !name_is_safe(r->machine))
                return fault_set(fault, -EINVAL, "a record without a usable id and machine");
        if (asprintf(&folder, "%s/%s", dir, r->machine) < 0 || file_name_of(r, &name) < 0 ||
            asprintf(&path, "%s/%s", folder, name) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        code = store_to_json(r, &j, fault);
        if (code < 0)
                return code;
        text = json_dumps(j, JSON_INDENT(1));
        if (!text)
                return fault_set(fault, -ENOMEM, "no memory");

        code = store_make_folder(folder);
        if (code < 0)
                return fault_errno(fault, code, "%s", folder);
        dir_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir_fd < 0)
                return fault_errno(fault, -errno, "%s", folder);
        code = store_read(path, &before, NULL, fault);
        (void) record_free(before);
        if (code == -EPROTONOSUPPORT)
                return fault_context(fault, code, "not rewritten");
        code = write_durably(dir_fd, name, text);
        if (code < 0)
                return fault_errno(fault, code, "%s", path);
        sweep(dir_fd, r->id, name);
        if (fault)
                *fault = FAULT_NULL;
        if (ret_path)
                *ret_path = TAKE(path);
        return 0;
}

int store_read(const char *path, struct record **ret, json_t **ret_json, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        char checksum[sizeof CHECKSUM_PREFIX + DIGEST_HEX_BYTES];
        const char *stated;
        int code;

        code = json_read_file(path, &j, fault);
        if (code < 0)
                return code;
        code = record_from_json(j, ret, fault);
        if (code < 0 && code != -EPROTONOSUPPORT)
                return fault_context(fault, code, "%s", path);
        stated = json_string_value(json_object_get(j, "checksum"));
        if (code == 0 && stated &&
            (checksum_of(j, checksum) < 0 || strcmp(stated, checksum) != 0)) {
                *ret = record_free(*ret);
                return fault_set(fault, -EBADMSG, "%s: damaged: the checksum does not fit", path);
        }
        if (code == 0 && !stated) {
                *ret = record_free(*ret);
                return fault_set(fault, -EBADMSG, "%s: carries no checksum", path);
        }
        if (code < 0)
                (void) fault_context(fault, code, "%s", path);
        if (ret_json)
                *ret_json = TAKE(j);
        return code;
}

void store_list_done(struct store_list *l)
{
        for (size_t i = 0; i < l->n_entries; i++) {
                free(l->entries[i].path);
                (void) record_free(l->entries[i].record);
        }
        free(l->entries);
        *l = STORE_LIST_NULL;
}

static int list_file(struct store_list *l, const char *path)
{
        struct store_entry *grown = reallocarray(l->entries, l->n_entries + 1, sizeof *grown), *e;

        if (!grown)
                return -ENOMEM;
        l->entries = grown;
        e = &grown[l->n_entries];
        *e = (struct store_entry){ .path = strdup(path) };
        if (!e->path)
                return -ENOMEM;
        l->n_entries++;
        e->error = store_read(path, &e->record, NULL, &e->fault);
        return 0;
}

/* list_folder() - the files of @path, and with @depth > 0 those of its folders */
static int list_folder(struct store_list *l, const char *path, int depth, struct fault *fault)
{
        DIR *dir = opendir(path);
        const struct dirent *d;
        int r = 0;

        if (!dir)
                return errno == ENOENT ? 0 : fault_errno(fault, -errno, "%s", path);
        while (r == 0 && (d = readdir(dir))) {
                CLEANUP(freep) char *child = NULL;
                struct stat st;

                if (d->d_name[0] == '.')
                        continue;
                if (asprintf(&child, "%s/%s", path, d->d_name) < 0) {
                        r = fault_set(fault, -ENOMEM, "no memory");
                        break;
                }
                if (stat(child, &st) < 0)
                        continue; /* gone since */
                if (S_ISDIR(st.st_mode) && depth > 0)
                        r = list_folder(l, child, depth - 1, fault);
                else if (S_ISREG(st.st_mode) && is_record_name(d->d_name))
                        r = list_file(l, child);
        }
        (void) closedir(dir);
        return r;
}

static int compare_entries(const void *va, const void *vb)
{
        const struct store_entry *a = va, *b = vb;

        return strcmp(a->path, b->path);
}

int store_list(const char *dir, struct store_list *ret, struct fault *fault)
{
        CLEANUP(store_list_done) struct store_list l = STORE_LIST_NULL;
        int r = list_folder(&l, dir, 1, fault);

        if (r < 0)
                return r;
        if (l.n_entries > 1)
                qsort(l.entries, l.n_entries, sizeof *l.entries, compare_entries);
        *ret = l;
        l = STORE_LIST_NULL;
        return 0;
}
