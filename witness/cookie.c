/* witness/cookie.c - MIT-MAGIC-COOKIE-1 out of a server's or a person's Xauthority file */
#include "witness/cookie.h"
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <X11/Xauth.h>
#include "record/procfile.h"
#include "witness/rights.h"

#define COOKIE_NAME "MIT-MAGIC-COOKIE-1"
#define COOKIE_DEADLINE_S 5
#define COMMAND_LINE_MAX_BYTES (64 * 1024)

static int read_bounded(const char *path, char **ret, size_t *ret_bytes)
{
        CLEANUP(closep)
        int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
        CLEANUP(freep) char *text = NULL;
        size_t used = 0;
        struct stat st;

        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EINVAL;
        if (st.st_size > COOKIE_FILE_MAX_BYTES)
                return -EFBIG;
        text = malloc(COOKIE_FILE_MAX_BYTES + 1);
        if (!text)
                return -ENOMEM;
        while (used <= COOKIE_FILE_MAX_BYTES) {
                ssize_t n = read(fd, text + used, COOKIE_FILE_MAX_BYTES + 1 - used);

                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                used += (size_t) n;
        }
        if (used > COOKIE_FILE_MAX_BYTES)
                return -EFBIG;
        *ret = TAKE(text);
        *ret_bytes = used;
        return 0;
}

/* The host's name is not compared: a cookie file of a server holds its own entries only, and in a
 * person's file the name may be the one that the machine had before it was renamed. */
static bool fits(const Xauth *a, unsigned display)
{
        char number[16];
        int n = snprintf(number, sizeof number, "%u", display);

        if (a->name_length != strlen(COOKIE_NAME) ||
            memcmp(a->name, COOKIE_NAME, a->name_length) != 0)
                return false;
        if (a->family != FamilyLocal && a->family != FamilyWild)
                return false;
        return a->number_length == 0 ||
               (a->number_length == n && memcmp(a->number, number, (size_t) n) == 0);
}

int cookie_read(const char *path, unsigned display, struct cookie *ret, struct fault *fault)
{
        CLEANUP(freep) char *text = NULL;
        CLEANUP(fclosep) FILE *f = NULL;
        struct cookie found = COOKIE_NULL;
        size_t n_bytes = 0;
        Xauth *a;
        int r;

        r = read_bounded(path, &text, &n_bytes);
        if (r == -EINVAL)
                return fault_set(fault, r, "%s: is no regular file", path);
        if (r == -EFBIG)
                return fault_set(fault, r, "%s: larger than %d bytes", path, COOKIE_FILE_MAX_BYTES);
        if (r < 0)
                return fault_errno(fault, r, "%s", path);
        if (n_bytes > 0)
                f = fmemopen(text, n_bytes, "r");
        if (n_bytes > 0 && !f)
                return fault_errno(fault, -ENOMEM, "%s", path);
        while (f && !found.n_bytes && (a = XauReadAuth(f))) {
                if (fits(a, display) && a->data_length > 0 && a->data_length <= sizeof found.data) {
                        (void) snprintf(found.name, sizeof found.name, "%s", COOKIE_NAME);
                        memcpy(found.data, a->data, a->data_length);
                        found.n_bytes = a->data_length;
                }
                XauDisposeAuth(a);
        }
        if (!found.n_bytes)
                return fault_set(fault, -ENOENT, "%s: no cookie for display :%u", path, display);
        *ret = found;
        return 0;
}

int cookie_path_of_server(pid_t pid, char **ret, struct fault *fault)
{
        CLEANUP(freep) char *line = NULL;
        char path[64];
        size_t n_bytes = 0;
        int r;

        (void) snprintf(path, sizeof path, "/proc/%ld/cmdline", (long) pid);
        r = procfile_read(AT_FDCWD, path, COMMAND_LINE_MAX_BYTES, &line, &n_bytes);
        if (r < 0)
                return fault_errno(fault, r, "%s", path);
        for (const char *p = line; p < line + n_bytes; p += strlen(p) + 1) {
                const char *value = p + strlen(p) + 1;

                if (strcmp(p, "-auth") != 0 || value >= line + n_bytes)
                        continue;
                if (*value != '/')
                        return fault_set(fault, -EINVAL, "-auth %s: is no absolute path", value);
                *ret = strdup(value);
                return *ret ? 0 : fault_errno(fault, -ENOMEM, "%s", path);
        }
        return fault_set(fault, -ENOENT, "server %ld has no -auth", (long) pid);
}

char *cookie_path_for(pid_t pid)
{
        char *path = NULL;
        const char *own = getenv("XAUTHORITY"), *home = getenv("HOME");

        if (pid && cookie_path_of_server(pid, &path, NULL) == 0) {
                if (geteuid() == 0 || access(path, R_OK) == 0)
                        return path;
                free(path);
        }
        if (geteuid() == 0)
                return NULL;
        if (own && *own)
                return strdup(own);
        return home && asprintf(&path, "%s/.Xauthority", home) >= 0 ? path : NULL;
}

int cookie_take(const char *path, unsigned display, uid_t server_uid, struct cookie *ret,
                struct fault *why_none, struct fault *fault)
{
        bool is_root = geteuid() == 0, is_roots = is_root && server_uid == 0;
        int r = 0;

        *ret = COOKIE_NULL;
        if (!is_roots)
                r = rights_switch(is_root ? server_uid : geteuid(), RIGHTS_NOBODY, fault);
        if (r < 0)
                return r;
        if (path) {
                (void) alarm(COOKIE_DEADLINE_S);
                (void) cookie_read(path, display, ret, why_none);
                (void) alarm(0);
        }
        return is_roots ? rights_switch(RIGHTS_NOBODY, RIGHTS_NOBODY, fault) : 0;
}
