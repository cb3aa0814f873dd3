/* record/kernel_options.c - see kernel_options.h. The name is the content's hash, so a file that is
 * there never has to change, and one that was damaged is found when it is read. */
#include "record/kernel_options.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include "record/digest.h"
#include "record/json.h"
#include "record/store.h"

#define FOLDER "kernel-configs"
#define TEXT_MAX_BYTES (16 * 1024 * 1024)
#define STEP_BYTES (256 * 1024)

static bool is_sha256(const char *text)
{
        return strlen(text) == DIGEST_HEX_BYTES - 1 &&
               strspn(text, "0123456789abcdef") == DIGEST_HEX_BYTES - 1;
}

static int path_of(const char *store_dir, const char *sha256, char **ret_folder, char **ret_path)
{
        if (!is_sha256(sha256))
                return -EINVAL;
        if (asprintf(ret_folder, "%s/" FOLDER, store_dir) < 0)
                return -ENOMEM;
        if (asprintf(ret_path, "%s/%s.gz", *ret_folder, sha256) < 0) {
                free(TAKE(*ret_folder));
                return -ENOMEM;
        }
        return 0;
}

/* write_packed() - to a copy of @fd, which gzclose() closes. zlib tells of a failed write only that
 * it failed; why is in errno, as write() has left it. */
static int write_packed(int fd, const char *text, size_t n_bytes)
{
        int own_fd = dup(fd);
        gzFile z = own_fd < 0 ? NULL : gzdopen(own_fd, "wb9");
        int r = 0;

        if (!z) {
                closep(&own_fd);
                return -ENOMEM;
        }
        errno = 0;
        if (n_bytes > 0 && gzwrite(z, text, (unsigned) n_bytes) != (int) n_bytes)
                r = errno ? -errno : -EIO;
        if (gzclose(z) != Z_OK && r == 0)
                r = errno ? -errno : -EIO;
        if (r == 0 && fsync(fd) < 0)
                r = -errno;
        return r;
}

int kernel_options_keep(const char *store_dir, const char *sha256, const char *text, size_t n_bytes,
                        struct fault *fault)
{
        CLEANUP(freep) char *folder = NULL, *path = NULL, *temporary = NULL;
        CLEANUP(closep) int fd = -EBADF;
        int r;

        if (n_bytes > TEXT_MAX_BYTES)
                return fault_set(fault, -EFBIG, "a kernel config of %zu bytes", n_bytes);
        r = path_of(store_dir, sha256, &folder, &path);
        if (r < 0)
                return fault_errno(fault, r, "the kernel config's hash");
        if (access(path, F_OK) == 0)
                return 0;
        r = store_make_folder(folder);
        if (r < 0)
                return fault_errno(fault, r, "%s", folder);
        if (asprintf(&temporary, "%s/.new-%ld", folder, (long) getpid()) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        (void) unlink(temporary);
        fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd < 0)
                return fault_errno(fault, -errno, "%s", temporary);
        r = write_packed(fd, text, n_bytes);
        if (r == 0 && rename(temporary, path) < 0)
                r = -errno;
        if (r < 0) {
                (void) unlink(temporary);
                return fault_errno(fault, r, "%s", path);
        }
        return 0;
}

static int read_packed(const char *path, char **ret, size_t *ret_bytes, struct fault *fault)
{
        CLEANUP(freep) char *text = NULL;
        size_t used = 0;
        gzFile z;
        int n, r = 0;

        errno = 0;
        z = gzopen(path, "rbe");
        if (!z)
                return fault_errno(fault, errno ? -errno : -ENOMEM, "%s", path);
        do {
                char *grown = realloc(text, used + STEP_BYTES + 1);

                if (!grown || used > TEXT_MAX_BYTES) {
                        r = grown ? -EFBIG : -ENOMEM;
                        text = grown ? grown : text;
                        break;
                }
                text = grown;
                n = gzread(z, text + used, STEP_BYTES);
                if (n > 0)
                        used += (size_t) n;
        } while (n > 0);
        if (r == 0 && n < 0)
                r = -EBADMSG;
        (void) gzclose(z);
        if (r < 0)
                return fault_errno(fault, r, "%s", path);
        text[used] = '\0';
        *ret = TAKE(text);
        *ret_bytes = used;
        return 0;
}

/* add_option() - "CONFIG_HZ=250" or "# CONFIG_X is not set"; anything else is a remark */
static int add_option(json_t *options, char *line)
{
        static const char unset[] = " is not set", remark[] = "# CONFIG_";
        char *equals, *end;

        if (strncmp(line, "CONFIG_", strlen("CONFIG_")) == 0) {
                equals = strchr(line, '=');
                if (!equals)
                        return 0;
                *equals = '\0';
                return json_put(options, line, json_text(equals + 1));
        }
        if (strncmp(line, remark, strlen(remark)) != 0)
                return 0;
        end = strstr(line, unset);
        if (!end || end[strlen(unset)] != '\0')
                return 0;
        *end = '\0';
        return json_put(options, line + 2, json_string("n"));
}

int kernel_options_parse(const char *text, json_t **ret)
{
        CLEANUP(json_decrefp) json_t *options = json_object();
        CLEANUP(freep) char *copy = strdup(text);
        int r = copy && options ? 0 : -ENOMEM;

        for (char *rest = copy, *line; r == 0 && (line = strsep(&rest, "\n"));)
                r = add_option(options, line);
        if (r == 0)
                *ret = TAKE(options);
        return r;
}

int kernel_options_load(const char *store_dir, const char *sha256, json_t **ret,
                        struct fault *fault)
{
        CLEANUP(freep) char *folder = NULL, *path = NULL, *text = NULL;
        char hex[DIGEST_HEX_BYTES];
        size_t n = 0;
        int r = path_of(store_dir, sha256, &folder, &path);

        if (r < 0)
                return fault_errno(fault, r, "the kernel config's hash");
        r = read_packed(path, &text, &n, fault);
        if (r < 0)
                return r;
        digest_hex(text, n, hex);
        if (strcmp(hex, sha256) != 0)
                return fault_set(fault, -EBADMSG, "%s: damaged: not the config of that hash", path);
        r = kernel_options_parse(text, ret);
        return r < 0 ? fault_set(fault, r, "no memory") : 0;
}
