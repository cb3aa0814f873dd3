/* machine/key.c - the key under which identifiers become hashes
 *
 * It lies beside the store and not in it, so that a store that is copied or shared comes without:
 * with the key, a serial number could be found by trying all there are. Made on first use, readable
 * by its owner alone; one that others can read or change is refused. */
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include "machine/machine.h"
#include "record/store.h"

#define KEY_FILE "bootlap-identity.key"

/* open_parent() - the folder that the store lies in, made when it is missing */
static int open_parent(const char *store_dir, char **ret_path, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        size_t n = strlen(store_dir);
        int fd, r;

        while (n > 1 && store_dir[n - 1] == '/')
                n--;
        while (n > 0 && store_dir[n - 1] != '/') /* the last part */
                n--;
        while (n > 1 && store_dir[n - 1] == '/')
                n--;
        path = n > 0 ? strndup(store_dir, n) : strdup(".");
        if (!path)
                return fault_set(fault, -ENOMEM, "no memory");
        r = store_make_folder(path);
        if (r < 0)
                return fault_errno(fault, r, "%s", path);
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return fault_errno(fault, -errno, "%s", path);
        *ret_path = TAKE(path);
        return fd;
}

static int read_key(int dir_fd, uint8_t key[MACHINE_KEY_BYTES], struct fault *fault)
{
        CLEANUP(closep)
        int fd = openat(dir_fd, KEY_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        struct stat st;

        if (fd < 0)
                return fault_errno(fault, -errno, KEY_FILE);
        if (fstat(fd, &st) < 0)
                return fault_errno(fault, -errno, KEY_FILE);
        if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077) != 0)
                return fault_set(fault, -EPERM, KEY_FILE ": is not this user's alone (mode 0600)");
        if (read(fd, key, MACHINE_KEY_BYTES) != MACHINE_KEY_BYTES)
                return fault_set(fault, -EBADMSG, KEY_FILE ": is not %d bytes", MACHINE_KEY_BYTES);
        return 0;
}

/* make_key() - whole or not there: written under another name and linked, so that of two that make
 * one at the same time both use the first */
static int make_key(int dir_fd)
{
        uint8_t key[MACHINE_KEY_BYTES];
        char temporary[64];
        int fd, r = 0;

        if (getrandom(key, sizeof key, 0) != sizeof key)
                return -EIO;
        (void) snprintf(temporary, sizeof temporary, ".new-key-%ld", (long) getpid());
        (void) unlinkat(dir_fd, temporary, 0);
        fd = openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        if (write(fd, key, sizeof key) != sizeof key || fsync(fd) < 0)
                r = errno ? -errno : -EIO;
        (void) close(fd);
        if (r == 0 && linkat(dir_fd, temporary, dir_fd, KEY_FILE, 0) < 0 && errno != EEXIST)
                r = -errno;
        (void) unlinkat(dir_fd, temporary, 0);
        explicit_bzero(key, sizeof key);
        return r;
}

int machine_load_key(struct machine_context *m, const char *store_dir, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        CLEANUP(closep) int dir_fd = open_parent(store_dir, &path, fault);
        int r;

        if (dir_fd < 0)
                return dir_fd;
        r = read_key(dir_fd, m->key, fault);
        if (r == -ENOENT) {
                r = make_key(dir_fd);
                r = r < 0 ? fault_errno(fault, r, KEY_FILE) : read_key(dir_fd, m->key, fault);
        }
        if (r < 0)
                return fault_context(fault, r, "%s", path);
        m->has_key = true;
        return 0;
}
