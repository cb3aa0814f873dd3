/* collectors/kernel_source.c - from what the user named to a tree that can be built out of place */
#include "collectors/kernel_source.h"
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/unpack.h"
#include "record/digest.h"
#include "record/procfile.h"

#define TARBALL_PREFIX "linux-source-"
#define MAKEFILE_MAX_BYTES (1024 * 1024)
#define CACHE_KEY_DIGITS 16

void kernel_source_done(struct kernel_source *s)
{
        free(s->origin);
        free(s->tree);
        free(s->version);
        free(s->unpacked);
        *s = (struct kernel_source){ .origin = NULL };
}

int kernel_source_newest(const char *folder, char **ret)
{
        CLEANUP(freep) char *newest = NULL;
        struct dirent *e;
        DIR *dir = opendir(folder);
        int r = 0;

        while (dir && r == 0 && (e = readdir(dir))) {
                if (strncmp(e->d_name, TARBALL_PREFIX, strlen(TARBALL_PREFIX)) != 0 ||
                    !strstr(e->d_name, ".tar") || (newest && strverscmp(e->d_name, newest) <= 0))
                        continue;
                free(newest);
                newest = strdup(e->d_name);
                r = newest ? 0 : -ENOMEM;
        }
        if (dir)
                (void) closedir(dir);
        if (r < 0)
                return r;
        if (!newest)
                return -ENOENT;
        *ret = scratch_join(folder, newest);
        return *ret ? 0 : -ENOMEM;
}

/* assigned() - the value in a line "NAME = value", or NULL; *ret_bytes without trailing blanks */
static const char *assigned(const char *text, const char *name, size_t *ret_bytes)
{
        size_t n = strlen(name);

        for (const char *line = text; line;
             line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
                const char *value;

                if (strncmp(line, name, n) != 0)
                        continue;
                value = line + n + strspn(line + n, " \t");
                if (*value != '=')
                        continue;
                value++;
                value += strspn(value, " \t");
                *ret_bytes = strcspn(value, " \t\r\n");
                return value;
        }
        return NULL;
}

int kernel_source_version(const char *makefile, char **ret)
{
        static const char *const names[] = { "VERSION", "PATCHLEVEL", "SUBLEVEL", "EXTRAVERSION" };
        const char *part[ELEMENTSOF(names)];
        size_t n[ELEMENTSOF(names)] = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                part[i] = assigned(makefile, names[i], &n[i]);
                if (i < 2 && (!part[i] || n[i] == 0 || strspn(part[i], "0123456789") < n[i]))
                        return -EINVAL;
                if (!part[i] || n[i] > 64)
                        n[i] = 0;
        }
        return asprintf(ret, "%.*s.%.*s%s%.*s%.*s", (int) n[0], part[0], (int) n[1], part[1],
                        n[2] ? "." : "", (int) n[2], n[2] ? part[2] : "", (int) n[3],
                        n[3] ? part[3] : "") < 0
                       ? -ENOMEM
                       : 0;
}

static bool has(const char *tree, const char *name)
{
        CLEANUP(freep) char *path = scratch_join(tree, name);

        return path && access(path, F_OK) == 0;
}

/* The test of the kernel's own Makefile, made before the time is spent to get there. */
static int check_clean(const char *tree, struct fault *fault)
{
        CLEANUP(freep) char *pattern = scratch_join(tree, "arch/*/include/generated");
        const char *found = has(tree, ".config")          ? ".config"
                            : has(tree, "include/config") ? "include/config"
                                                          : NULL;
        glob_t generated = { .gl_pathc = 0 };

        if (!pattern)
                return fault_set(fault, -ENOMEM, "no memory");
        if (!found && glob(pattern, GLOB_NOSORT, NULL, &generated) == 0)
                found = generated.gl_pathv[0] + strlen(tree) + 1;
        if (found)
                (void) fault_set(
                        fault, -EINVAL,
                        "%s holds an earlier build (%.100s): a build out of the tree wants "
                        "it clean, so run 'make mrproper' there",
                        tree, found);
        globfree(&generated);
        return found ? -EINVAL : 0;
}

static int check_tree(struct kernel_source *s, struct fault *fault)
{
        CLEANUP(freep) char *makefile = NULL, *path = scratch_join(s->tree, "Makefile");
        int r;

        if (!path)
                return fault_set(fault, -ENOMEM, "no memory");
        r = procfile_read(AT_FDCWD, path, MAKEFILE_MAX_BYTES, &makefile, NULL);
        if (r == -EACCES)
                return fault_errno(fault, r, "%s", path);
        if (r == 0)
                r = kernel_source_version(makefile, &s->version);
        if (r == -ENOMEM)
                return fault_set(fault, r, "no memory");
        if (r < 0 || !has(s->tree, "Kbuild") || !has(s->tree, "arch") || !has(s->tree, "scripts"))
                return fault_set(fault, -EINVAL, "%s is not a Linux kernel tree (%s)", s->origin,
                                 r < 0 ? "its Makefile names no VERSION and PATCHLEVEL"
                                       : "it lacks Kbuild, arch or scripts");
        /* make puts paths into rules: a blank or a colon in one breaks them. */
        if (strpbrk(s->tree, " :\t"))
                return fault_set(fault, -EINVAL,
                                 "%s: make cannot build where a path has blanks or colons",
                                 s->tree);
        return check_clean(s->tree, fault);
}

/* tree_within() - the tarball's own folder: what was unpacked is one folder, or the tree itself */
static int tree_within(const char *folder, char **ret)
{
        CLEANUP(freep) char *only = NULL;
        struct dirent *e;
        size_t n = 0;
        DIR *dir = opendir(folder);

        if (!dir)
                return -errno;
        while ((e = readdir(dir))) {
                if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
                        continue;
                if (n++ == 0)
                        only = strdup(e->d_name);
        }
        (void) closedir(dir);
        *ret = n == 1 && only ? scratch_join(folder, only) : strdup(folder);
        return *ret ? 0 : -ENOMEM;
}

/* cached_name() - the folder of @tarball in @cache: another tarball, size or time is another one */
static int cached_name(const char *cache, const char *tarball, const struct stat *st, char **ret)
{
        CLEANUP(freep) char *identity = NULL;
        char hex[DIGEST_HEX_BYTES];

        if (asprintf(&identity, "%s\n%jd\n%jd.%09ld", tarball, (intmax_t) st->st_size,
                     (intmax_t) st->st_mtim.tv_sec, st->st_mtim.tv_nsec) < 0) {
                identity = NULL;
                return -ENOMEM;
        }
        digest_hex(identity, strlen(identity), hex);
        return asprintf(ret, "%s/linux-%.*s", cache, CACHE_KEY_DIGITS, hex) < 0 ? -ENOMEM : 0;
}

/* unpack_into() - beside its final name first: a folder under the final name is whole */
static int unpack_into(const char *tarball, const char *folder, const char *cache,
                       struct progress *progress, struct fault *fault)
{
        CLEANUP(scratch_done) struct scratch half = SCRATCH_NULL;
        int r = scratch_make(&half, cache, "unpack", progress, fault);

        if (r == 0)
                r = unpack_tarball(tarball, half.path, progress, fault);
        return r == 0 ? scratch_keep(&half, folder, fault) : r;
}

static int open_tarball(struct kernel_source *s, const struct stat *st,
                        const struct scratch *scratch, const char *cache, struct progress *progress,
                        struct fault *fault)
{
        CLEANUP(freep) char *folder = NULL;
        int r = 0;

        if (cache)
                r = cached_name(cache, s->origin, st, &folder);
        else if (!(folder = scratch_join(scratch->path, "source")))
                r = -ENOMEM;
        if (r < 0)
                return fault_set(fault, r, "no memory");
        if (!cache && mkdir(folder, 0700) < 0)
                return fault_errno(fault, -errno, "%s", folder);
        if (!cache || access(folder, F_OK) < 0) {
                s->is_fresh = true;
                r = cache ? unpack_into(s->origin, folder, cache, progress, fault)
                          : unpack_tarball(s->origin, folder, progress, fault);
        }
        if (r < 0)
                return r;
        r = tree_within(folder, &s->tree);
        s->unpacked = TAKE(folder);
        return r < 0 ? fault_errno(fault, r, "%s", s->unpacked) : 0;
}

int kernel_source_open(struct kernel_source *s, const char *from, const struct scratch *scratch,
                       const char *cache, struct progress *progress, struct fault *fault)
{
        struct stat st;
        int r;

        s->origin = realpath(from, NULL);
        if (!s->origin || stat(s->origin, &st) < 0)
                return fault_errno(fault, -errno, "%s", from);
        if (S_ISDIR(st.st_mode)) {
                s->tree = strdup(s->origin);
                r = s->tree ? 0 : fault_set(fault, -ENOMEM, "no memory");
        } else if (S_ISREG(st.st_mode)) {
                r = open_tarball(s, &st, scratch, cache, progress, fault);
        } else {
                r = fault_set(fault, -EINVAL, "%s is neither a folder nor a tarball", from);
        }
        if (r == 0)
                r = check_tree(s, fault);
        if (r < 0 && s->is_fresh && s->unpacked && cache)
                (void) scratch_remove(s->unpacked, NULL); /* not worth finding again */
        return r;
}
