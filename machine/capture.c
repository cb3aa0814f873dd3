/* machine/capture.c - all topics in order, and the stack beneath a path */
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "machine/machine.h"
#include "machine/mount.h"
#include "machine/topics.h"

/* find_device() - whether a path names a block device itself (the disk collector's) */
static bool find_device(const struct machine_context *m, const char *path, struct stat *st)
{
        return m->is_live && stat(path, st) == 0 && S_ISBLK(st->st_mode);
}

/* capture_layers() - what lies beneath the file system; @absent: why nothing is known of that */
static void capture_layers(struct capture *c, const struct stack *s, const char *absent)
{
        drive_capture(c, s, absent);
        volume_capture(c, s, absent);
        crypt_capture(c, s, absent);
}

static void capture_device(struct capture *c, const char *path, const struct stat *st)
{
        CLEANUP(mount_done) struct mount none = MOUNT_NULL;
        CLEANUP(stack_done) struct stack s = STACK_NULL;
        struct fault fault = FAULT_NULL;
        int r;

        (void) fault_set(&fault, -ENODEV, "%s is a device", path);
        filesystem_capture(c, &none, &s, fault.text);
        r = stack_add(&s, c->m, major(st->st_rdev), minor(st->st_rdev), &fault);
        capture_layers(c, &s, r < 0 ? fault.text : NULL);
}

static void capture_path(struct capture *c, const char *path)
{
        CLEANUP(mount_done) struct mount mt = MOUNT_NULL;
        CLEANUP(stack_done) struct stack s = STACK_NULL;
        struct fault fault = FAULT_NULL;
        struct stat st;
        int found, r;

        if (find_device(c->m, path, &st)) {
                capture_device(c, path, &st);
                return;
        }
        found = r = mount_find(&mt, c->m, path, &fault);
        if (found == 0)
                r = mount_stack(&s, c->m, &mt, &fault);
        filesystem_capture(c, &mt, &s, found < 0 ? fault.text : NULL);
        capture_layers(c, &s, r < 0 ? fault.text : NULL);
}

int machine_capture(const struct machine_context *m, struct record *r, struct fault *fault)
{
        static void (*const topics[])(struct capture *) = {
                kernel_capture, mitigations_capture, cpu_capture,     temperature_capture,
                memory_capture, gpu_capture,         desktop_capture, firmware_capture,
                power_capture,  os_capture,          init_capture,    virt_capture,
                loader_capture, boot_kind_capture,
        };
        struct capture c = { .m = m, .r = r, .prefix = "" };

        capture_path(&c, "/");
        for (size_t i = 0; i < ELEMENTSOF(topics); i++)
                topics[i](&c);
        return c.error < 0 ? fault_errno(fault, c.error, "the machine's factors") : 0;
}

int machine_capture_path(const struct machine_context *m, struct record *r, const char *name,
                         const char *path, struct fault *fault)
{
        CLEANUP(freep) char *prefix = NULL, *real = NULL;
        struct capture c = { .m = m, .r = r };

        if (m->is_live) {
                real = realpath(path, NULL);
                path = real ? real : path; /* what is not there is told by the mount above it */
        }
        if (asprintf(&prefix, "path.%s.", name) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        c.prefix = prefix;
        factor_forget(&c);
        capture_path(&c, path);
        return c.error < 0 ? fault_errno(fault, c.error, "the factors of %s", path) : 0;
}
