/* collectors/build_needs.c - the table of what a kernel build runs and includes. It was found by
 * building tinyconfig and defconfig in a Debian 12 that holds nothing else, and from the kernel's
 * own Documentation/process/changes.rst for the rest. */
#include "collectors/build_needs.h"
#include <stdbool.h>
#include <string.h>
#include "collectors/kernel_config.h"
#include "collectors/scratch.h"
#include "collectors/toolchain.h"

/* One thing that a build may want. Exactly one of @program and @header is given. */
struct need {
        const char *program, *header;
        const char *package; /* Debian's */
        const char *file;    /* wanted when the source has this file, NULL: by every source */
        const char *options; /* ... and the configuration one of these; NULL: to configure too */
};

static const struct need needs[] = {
        { "make", NULL, "make", NULL, NULL },
        { "gcc", NULL, "gcc", NULL, NULL },
        { "ld", NULL, "binutils", NULL, NULL },
        { NULL, "stdio.h", "libc6-dev", NULL, NULL },
        { "flex", NULL, "flex", "scripts/kconfig/lexer.l", NULL },
        { "bison", NULL, "bison", "scripts/kconfig/parser.y", NULL },
        { "bc", NULL, "bc", "kernel/time/timeconst.bc", NULL },
        { "perl", NULL, "perl", "lib/build_OID_registry", "OID_REGISTRY" },
        { "gzip", NULL, "gzip", NULL, "KERNEL_GZIP" },
        { "xz", NULL, "xz-utils", NULL, "KERNEL_XZ" },
        { "bzip2", NULL, "bzip2", NULL, "KERNEL_BZIP2" },
        { "lzma", NULL, "xz-utils", NULL, "KERNEL_LZMA" },
        { "lzop", NULL, "lzop", NULL, "KERNEL_LZO" },
        { "lz4", NULL, "lz4", NULL, "KERNEL_LZ4" },
        { "zstd", NULL, "zstd", NULL, "KERNEL_ZSTD" },
        { "cpio", NULL, "cpio", NULL, "IKHEADERS" },
        { "pahole", NULL, "dwarves", NULL, "DEBUG_INFO_BTF" },
        { "python3", NULL, "python3", "scripts/bpf_doc.py", "DEBUG_INFO_BTF" },
        { NULL, "gelf.h", "libelf-dev", "tools/objtool/elf.c",
          "OBJTOOL STACK_VALIDATION UNWINDER_ORC" },
        { NULL, "openssl/bio.h", "libssl-dev", "certs/extract-cert.c",
          "SYSTEM_TRUSTED_KEYRING MODULE_SIG" },
};

static bool is_wanted(const struct need *need, const char *tree, const char *config_text)
{
        char option[64];
        size_t n;

        if ((need->options == NULL) != (config_text == NULL) || (need->file && !tree))
                return false;
        if (need->file) {
                CLEANUP(freep) char *path = scratch_join(tree, need->file);

                if (path && access(path, F_OK) < 0)
                        return false;
        }
        for (const char *at = need->options; at && *at; at += n + strspn(at + n, " ")) {
                n = strcspn(at, " ");
                (void) snprintf(option, sizeof option, "%.*s", (int) n, at);
                if (kernel_config_has(config_text, option))
                        return true;
        }
        return need->options == NULL;
}

/* has_header() - as the compiler sees it: its folders are its own to know */
static int has_header(const char *gcc, const char *header, char *const *environment,
                      struct fault *fault)
{
        const char *const argv[] = { "gcc",  "-E", "-x",        "c",         "-include",
                                     header, "-o", "/dev/null", "/dev/null", NULL };
        int status, r = toolchain_run(gcc, argv, environment, &status, NULL, fault);

        return r < 0 ? r : status == 0;
}

static int is_there(const struct need *need, const char *path_list, char *const *environment,
                    struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        int r = toolchain_find(path_list, need->program ? need->program : "gcc", &path);

        if (r == -ENOENT)
                return need->header != NULL; /* without gcc nothing is known of headers */
        if (r < 0 || need->program)
                return r < 0 ? r : 1;
        return has_header(path, need->header, environment, fault);
}

int build_needs_missing(const char *tree, const char *config_text, const char *path_list,
                        char *const *environment, char **ret, struct fault *fault)
{
        CLEANUP(freep) char *missing = NULL;

        for (size_t i = 0; i < ELEMENTSOF(needs); i++) {
                CLEANUP(freep) char *before = NULL;
                const struct need *need = &needs[i];
                int r = is_wanted(need, tree, config_text)
                                ? is_there(need, path_list, environment, fault)
                                : 1;

                if (r < 0)
                        return r;
                if (r > 0)
                        continue;
                before = TAKE(missing);
                if (asprintf(&missing, "%s%s%s (package %s)", before ? before : "",
                             before ? ", " : "", need->program ? need->program : need->header,
                             need->package) < 0) {
                        missing = NULL;
                        return fault_set(fault, -ENOMEM, "no memory");
                }
        }
        if (!missing)
                return 0;
        *ret = TAKE(missing);
        return 1;
}
