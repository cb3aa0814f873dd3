/* machine/capture.c - all topics in order, and the stack beneath a path */
#include <string.h>
#include "machine/machine.h"
#include "machine/mount.h"
#include "machine/topics.h"

static void capture_path(struct capture *c, const char *path)
{
        CLEANUP(mount_done) struct mount mt = MOUNT_NULL;
        CLEANUP(stack_done) struct stack s = STACK_NULL;
        struct fault fault = FAULT_NULL;
        int found = mount_find(&mt, c->m, path, &fault), r = found;

        if (found == 0)
                r = mount_stack(&s, c->m, &mt, &fault);
        filesystem_capture(c, &mt, &s, found < 0 ? fault.text : NULL);
        drive_capture(c, &s, r < 0 ? fault.text : NULL);
        volume_capture(c, &s, r < 0 ? fault.text : NULL);
        crypt_capture(c, &s, r < 0 ? fault.text : NULL);
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
        CLEANUP(freep) char *prefix = NULL;
        struct capture c = { .m = m, .r = r };

        if (asprintf(&prefix, "path.%s.", name) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        c.prefix = prefix;
        capture_path(&c, path);
        return c.error < 0 ? fault_errno(fault, c.error, "the factors of %s", path) : 0;
}
