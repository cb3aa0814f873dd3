/* collectors/toolchain.c - finding, doubting and naming the build's programs */
#include "collectors/toolchain.h"
#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/interrupt.h"
#include "record/json.h"
#include "record/supervise.h"

#define SCRIPT_MAX_BYTES 4096
#define ANSWER_MAX_BYTES 65536

static const char *const wrappers[] = { "ccache", "distcc", "sccache", "icecc",
                                        "icerun", "fbuild", "gomacc",  "cachecc1" };
static const char *const compilers[] = { "gcc", "cc", "g++", "as", "ld" };

int toolchain_find(const char *path_list, const char *name, char **ret)
{
        for (const char *at = path_list; *at;) {
                CLEANUP(freep) char *path = NULL;
                size_t n = strcspn(at, ":");
                struct stat st;

                /* A folder relative to here would be another one inside the build. */
                if (*at == '/') {
                        if (asprintf(&path, "%.*s/%s", (int) n, at, name) < 0) {
                                path = NULL;
                                return -ENOMEM;
                        }
                        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
                            access(path, X_OK) == 0) {
                                *ret = TAKE(path);
                                return 0;
                        }
                }
                at += n + (at[n] == ':');
        }
        return -ENOENT;
}

const char *toolchain_wrapper_in(const char *text)
{
        for (size_t i = 0; i < ELEMENTSOF(wrappers); i++) {
                size_t n = strlen(wrappers[i]);

                for (const char *at = text; (at = strstr(at, wrappers[i])); at += n)
                        /* A word of its own: "ccache gcc", "/usr/bin/ccache", not "myccached". */
                        if ((at == text || !isalnum((unsigned char) at[-1])) &&
                            !isalnum((unsigned char) at[n]))
                                return wrappers[i];
        }
        return NULL;
}

/* wrapper_of_script() - a few lines of shell around a compiler are a common way to hide one */
static const char *wrapper_of_script(const char *path, char buffer[static SCRIPT_MAX_BYTES + 1])
{
        CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        ssize_t n = fd < 0 ? -1 : read(fd, buffer, SCRIPT_MAX_BYTES);

        if (n < 2 || buffer[0] != '#' || buffer[1] != '!')
                return NULL;
        buffer[n] = '\0';
        return toolchain_wrapper_in(buffer);
}

/* wrapper_of_file() - a hard link or a bind mount has no name to go by, but it is the same file */
static const char *wrapper_of_file(const char *path_list, const char *path)
{
        struct stat st, other;

        if (stat(path, &st) < 0)
                return NULL;
        for (size_t i = 0; i < ELEMENTSOF(wrappers); i++) {
                CLEANUP(freep) char *wrapper = NULL;

                if (toolchain_find(path_list, wrappers[i], &wrapper) == 0 &&
                    stat(wrapper, &other) == 0 && st.st_dev == other.st_dev &&
                    st.st_ino == other.st_ino)
                        return wrappers[i];
        }
        return NULL;
}

static const char *wrapper_of(const char *path_list, const char *path)
{
        char buffer[SCRIPT_MAX_BYTES + 1];
        CLEANUP(freep) char *real = realpath(path, NULL);
        const char *name = real ? strrchr(real, '/') : NULL, *found;

        found = name ? toolchain_wrapper_in(name + 1) : NULL;
        if (!found)
                found = wrapper_of_file(path_list, path);
        return found ? found : wrapper_of_script(path, buffer);
}

int toolchain_find_wrapper(const char *path_list, char **ret)
{
        for (size_t i = 0; i < ELEMENTSOF(compilers); i++) {
                CLEANUP(freep) char *path = NULL;
                const char *wrapper;
                int r = toolchain_find(path_list, compilers[i], &path);

                if (r == -ENOENT)
                        continue;
                if (r < 0)
                        return r;
                wrapper = wrapper_of(path_list, path);
                if (!wrapper)
                        continue;
                if (asprintf(ret, "%s is %s", path, wrapper) < 0)
                        return -ENOMEM;
                return 1;
        }
        return 0;
}

void toolchain_environment_free(char **environment)
{
        for (size_t i = 0; environment && environment[i]; i++)
                free(environment[i]);
        free(environment);
}

void toolchain_environment_freep(char ***environment) { toolchain_environment_free(*environment); }

/* Built from nothing: what is not in here cannot leak in. TMPDIR, because the compiler's temporary
 * files belong on the file system under test, and have to go with the rest. */
char **toolchain_environment(const char *path_list, const char *folder)
{
        static const char *const names[] = { "PATH", "HOME", "TMPDIR", "LC_ALL", "SHELL" };
        const char *const values[] = { path_list, folder, folder, "C", "/bin/sh" };
        CLEANUP(toolchain_environment_freep)
        char **environment = calloc(ELEMENTSOF(names) + 1, sizeof *environment);

        for (size_t i = 0; environment && i < ELEMENTSOF(names); i++)
                if (asprintf(&environment[i], "%s=%s", names[i], values[i]) < 0) {
                        environment[i] = NULL;
                        return NULL;
                }
        return TAKE(environment);
}

/* Patterns end in "*" when they are the beginning of a name. */
static bool changes_a_build(const char *name, size_t n)
{
        static const char *const names[] = {
                "ARCH",
                "SUBARCH",
                "CROSS_COMPILE",
                "CC",
                "CXX",
                "HOSTCC",
                "HOSTCXX",
                "LD",
                "HOSTLD",
                "AS",
                "AR",
                "NM",
                "OBJCOPY",
                "OBJDUMP",
                "STRIP",
                "READELF",
                "PAHOLE",
                "RUSTC",
                "LLVM*",
                "CFLAGS*",
                "CPPFLAGS",
                "LDFLAGS*",
                "AFLAGS*",
                "KCFLAGS",
                "KCPPFLAGS",
                "KAFLAGS",
                "KRUSTFLAGS",
                "HOSTCFLAGS",
                "HOSTLDFLAGS",
                "USERCFLAGS",
                "USERLDFLAGS",
                "LOCALVERSION",
                "MAKE*",
                "MFLAGS",
                "GNUMAKEFLAGS",
                "KBUILD_*",
                "KCONFIG_*",
                "SRCARCH",
                "SRCTREE",
                "srctree",
                "objtree",
                "O",
                "V",
                "W",
                "C",
                "M",
                "CF",
                "CHECK",
                "EXTRAVERSION",
                "SOURCE_DATE_EPOCH",
                "CPATH",
                "C_INCLUDE_PATH",
                "LIBRARY_PATH",
                "COMPILER_PATH",
                "GCC_*",
                "DEPENDENCIES_OUTPUT",
                "SUNPRO_DEPENDENCIES",
                "LD_PRELOAD",
                "LD_LIBRARY_PATH",
                "CCACHE_*",
                "DISTCC_*",
                "SCCACHE_*",
                "TMPDIR",
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                size_t n_name = strlen(names[i]);
                bool is_prefix = names[i][n_name - 1] == '*';

                if (is_prefix ? n >= n_name - 1 && strncmp(name, names[i], n_name - 1) == 0
                              : n == n_name && strncmp(name, names[i], n) == 0)
                        return true;
        }
        return false;
}

static int compare_texts(const void *a, const void *b)
{
        return strcmp(json_string_value(*(json_t *const *) a),
                      json_string_value(*(json_t *const *) b));
}

json_t *toolchain_ignored(char *const *environment)
{
        CLEANUP(json_decrefp) json_t *names = json_array();
        json_t *found[256];
        size_t n_found = 0;

        if (!names)
                return NULL;
        for (size_t i = 0; environment[i] && n_found < ELEMENTSOF(found); i++) {
                size_t n = strcspn(environment[i], "=");

                if (changes_a_build(environment[i], n)) {
                        CLEANUP(freep) char *name = strndup(environment[i], n);

                        found[n_found] = json_text(name);
                        n_found += found[n_found] != NULL;
                }
        }
        qsort(found, n_found, sizeof found[0], compare_texts);
        for (size_t i = 0; i < n_found; i++)
                (void) json_array_append_new(names, found[i]);
        return TAKE(names);
}

int toolchain_run(const char *program, const char *const *argv, char *const *environment,
                  int *ret_status, char **ret_line, struct fault *fault)
{
        CLEANUP(supervised_done) struct supervised s = SUPERVISED_NULL;
        /* argv is char * for history's sake; nobody writes to it */
        const struct supervise_job job = { .path = program,
                                           .argv = (char *const *) (uintptr_t) argv,
                                           .environment = environment,
                                           .bare_environment = true,
                                           .folder = "/",
                                           .max_output_bytes = ANSWER_MAX_BYTES };
        int r = supervise(&job, &s, fault);

        if (r < 0)
                return r;
        if (s.end == SUPERVISE_INTERRUPTED) {
                interrupt_repeat(s.status);
                return fault_set(fault, -EINTR, "interrupted");
        }
        if (ret_line) {
                *ret_line = strndup(s.output, strcspn(s.output, "\n"));
                if (!*ret_line)
                        return fault_set(fault, -ENOMEM, "no memory");
        }
        *ret_status = s.end == SUPERVISE_EXITED ? s.status : 128 + s.status;
        return 0;
}

int toolchain_version(const char *program, char *const *environment, char **ret,
                      struct fault *fault)
{
        const char *const argv[] = { program, "--version", NULL };
        CLEANUP(freep) char *line = NULL;
        int status, r = toolchain_run(program, argv, environment, &status, &line, fault);

        if (r < 0)
                return r;
        if (status != 0 || !*line)
                return fault_set(fault, -EIO, "%s --version: status %d and %s", program, status,
                                 *line ? line : "no answer");
        *ret = TAKE(line);
        return 0;
}
