/* collectors/kernel_config.c - have make write the configuration, and read it back */
#include "collectors/kernel_config.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "collectors/scratch.h"
#include "record/procfile.h"

#define CONFIG_MAX_BYTES (4 * 1024 * 1024)
#define BYTES_PER_MIB (1024 * 1024ULL)

void kernel_config_done(struct kernel_config *c)
{
        free(c->text);
        *c = (struct kernel_config){ .text = NULL };
}

bool kernel_config_is_target(const char *name)
{
        return strcmp(name, "tinyconfig") == 0 || strcmp(name, "defconfig") == 0;
}

bool kernel_config_has(const char *config_text, const char *option)
{
        size_t n = strlen(option);

        for (const char *at = config_text; (at = strstr(at, option)); at += n)
                if (at - config_text >= 7 && strncmp(at - 7, "CONFIG_", 7) == 0 &&
                    (at - config_text == 7 || at[-8] == '\n') && at[n] == '=' &&
                    (at[n + 1] == 'y' || at[n + 1] == 'm'))
                        return true;
        return false;
}

uint64_t kernel_config_guess_bytes(const char *config_text)
{
        uint64_t n = 0;

        for (const char *at = config_text; (at = strchr(at, '=')); at++)
                n += (at[1] == 'y' || at[1] == 'm') && at[2] == '\n';
        /* Linux 6.1: tinyconfig 299 options, 40 MiB; x86_64 defconfig 1496 options, more than 240
         * MiB. Debugging information multiplies that. */
        return n * BYTES_PER_MIB / 8 * (kernel_config_has(config_text, "DEBUG_INFO") ? 8 : 1);
}

static int write_file(const char *path, const char *text, size_t n, struct fault *fault)
{
        CLEANUP(fclosep) FILE *f = fopen(path, "wxe");

        if (!f || fwrite(text, 1, n, f) != n || fflush(f))
                return fault_errno(fault, errno ? -errno : -EIO, "%s", path);
        return 0;
}

static int copy_file(const char *from, const char *to, struct fault *fault)
{
        CLEANUP(freep) char *text = NULL;
        size_t n = 0;
        int r = procfile_read(AT_FDCWD, from, CONFIG_MAX_BYTES, &text, &n);

        if (r < 0)
                return fault_errno(fault, r, "%s", from);
        if (!strstr(text, "CONFIG_"))
                return fault_set(fault, -EINVAL,
                                 "%s is not a kernel configuration: no CONFIG_ line", from);
        return write_file(to, text, n, fault);
}

int kernel_config_make(struct kernel_config *c, struct kernel_make *m, const char *name,
                       struct fault *fault)
{
        CLEANUP(freep) char *path = scratch_join(m->objects, ".config"), *text = NULL;
        bool is_target = kernel_config_is_target(name);
        size_t n = 0;
        int r = 0;

        if (!path)
                return fault_set(fault, -ENOMEM, "no memory");
        if (!is_target)
                r = copy_file(name, path, fault);
        if (r == 0)
                r = kernel_make_run(m, 0, is_target ? name : "olddefconfig", fault);
        if (r < 0)
                return r;
        if (m->status != 0)
                return kernel_make_explain(m, is_target ? name : "olddefconfig", fault);
        r = procfile_read(AT_FDCWD, path, CONFIG_MAX_BYTES, &text, &n);
        if (r < 0)
                return fault_errno(fault, r, "make %s left no configuration: %s", name, path);
        kernel_config_done(c);
        digest_hex(text, n, c->sha256);
        c->text = TAKE(text);
        return 0;
}
