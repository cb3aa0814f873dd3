/* witness/device_nodes.c - when the nodes of disks and cards were made
 *
 * The kernel's devtmpfs makes a node as its device appears; its birth outlives switch-root, which
 * udev's own stamp does not always do. udev is the second source: 0.1 to 1 s later, and far off for
 * devices whose database the initrd left without. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-device.h>
#include "record/macros.h"
#include "record/procfile.h"
#include "witness/witness.h"

static void sd_device_unrefdp(sd_device **d) { (void) sd_device_unref(*d); }

/* see_udev() - the second source; nothing when udev does not know the device */
static int see_udev(struct witness_context *ctx, struct record *r, const char *name,
                    const char *session, const char *subsystem, const char *sysname)
{
        CLEANUP(sd_device_unrefdp) sd_device *d = NULL;
        struct sighting s = { .error_us = RECORD_ERROR_UNKNOWN, .source = (char[]){ "udev" } };
        uint64_t us;

        if (!ctx->is_live || sd_device_new_from_subsystem_sysname(&d, subsystem, sysname) < 0 ||
            sd_device_get_usec_initialized(d, &us) < 0 || us == 0 ||
            us > (uint64_t) ctx->now.monotonic_us)
                return 0;
        s.at_us = (int64_t) us;
        s.detail = (char *) (uintptr_t) sysname;
        return record_see(r, name, session, &s);
}

static int see_node(struct witness_context *ctx, struct record *r, const char *name,
                    const char *session, const char *path, const char *sysname)
{
        struct sighting s = { .source = (char[]){ "node birth" } };
        struct fault fault = FAULT_NULL;
        int code;

        s.detail = (char *) (uintptr_t) sysname;
        code = birth_place(&ctx->wall, &ctx->now, ctx->root_fd, path, 0, &s, &fault);
        if (code < 0)
                return record_add_absent(r, name, "%s", fault.text);
        return record_see(r, name, session, &s);
}

/* see_mapping() - one dm device, if it is dm-crypt's */
static int see_mapping(struct witness_context *ctx, struct record *r, const char *sysname,
                       bool *is_crypt)
{
        CLEANUP(freep) char *uuid = NULL, *mapping = NULL;
        char path[128];
        int code;

        (void) snprintf(path, sizeof path, "sys/block/%.40s/dm/uuid", sysname);
        if (procfile_read_line(ctx->root_fd, path, &uuid) < 0 || strncmp(uuid, "CRYPT-", 6) != 0)
                return 0;
        *is_crypt = true;
        (void) snprintf(path, sizeof path, "sys/block/%.40s/dm/name", sysname);
        if (procfile_read_line(ctx->root_fd, path, &mapping) < 0)
                mapping = strdup(sysname);
        if (!mapping)
                return -ENOMEM;
        (void) snprintf(path, sizeof path, "dev/%.40s", sysname);
        code = see_node(ctx, r, "unlock.mapped", mapping, path, sysname);
        return code < 0 ? code : see_udev(ctx, r, "unlock.mapped", mapping, "block", sysname);
}

static int see_mappings(struct witness_context *ctx, struct record *r)
{
        static const char *const unlock[] = { "unlock.mapped", "unlock.prompt", "unlock.answered" };
        bool has_crypt = false;
        int code = 0, fd = openat(ctx->root_fd, "sys/block", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        if (!dir) {
                code = record_add_absent(r, "unlock.mapped", "/sys/block: %s", strerror(errno));
                closep(&fd);
                return code;
        }
        while (code == 0 && (d = readdir(dir)))
                if (strncmp(d->d_name, "dm-", 3) == 0)
                        code = see_mapping(ctx, r, d->d_name, &has_crypt);
        (void) closedir(dir);
        for (size_t i = 0; code == 0 && !has_crypt && i < ELEMENTSOF(unlock); i++)
                code = record_add_absent(r, unlock[i], "no encrypted disk is open");
        return code;
}

/* driver_of() - what drives a card, or "" */
static void driver_of(int root_fd, const char *card, char *ret, size_t ret_bytes)
{
        char path[128], target[256];
        const char *base;
        ssize_t n;

        *ret = '\0';
        (void) snprintf(path, sizeof path, "sys/class/drm/%.40s/device/driver", card);
        n = readlinkat(root_fd, path, target, sizeof target - 1);
        if (n <= 0)
                return;
        target[n] = '\0';
        base = strrchr(target, '/');
        (void) snprintf(ret, ret_bytes, "%.60s", base ? base + 1 : target);
}

static bool is_firmware_driver(const char *driver)
{
        static const char *const names[] = {
                "simple-framebuffer", "simpledrm", "efi-framebuffer", "efidrm", "vesadrm",
                "vesa-framebuffer"
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (strcmp(driver, names[i]) == 0)
                        return true;
        return false;
}

static bool is_card(const char *name)
{
        size_t digits = strncmp(name, "card", 4) == 0 ? strspn(name + 4, "0123456789") : 0;

        return digits > 0 && digits < 8 &&
               name[4 + digits] == '\0'; /* connectors are "card0-VGA-1" */
}

/* see_cards() - the first that is no leftover of the firmware's frame buffer */
static int see_cards(struct witness_context *ctx, struct record *r)
{
        int code = 0, fd = openat(ctx->root_fd, "dev/dri", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
        const struct dirent *d;

        if (!dir) {
                code = record_add_absent(r, "gpu.ready", "no graphics card: /dev/dri: %s",
                                         strerror(errno));
                closep(&fd);
                return code;
        }
        while (code == 0 && (d = readdir(dir))) {
                char driver[64], path[64], detail[128];

                if (!is_card(d->d_name))
                        continue;
                driver_of(ctx->root_fd, d->d_name, driver, sizeof driver);
                if (is_firmware_driver(driver))
                        continue;
                (void) snprintf(path, sizeof path, "dev/dri/%.40s", d->d_name);
                (void) snprintf(detail, sizeof detail, "%.40s%s%s", d->d_name, *driver ? " " : "",
                                driver);
                code = see_node(ctx, r, "gpu.ready", NULL, path, detail);
                if (code == 0)
                        code = see_udev(ctx, r, "gpu.ready", NULL, "drm", d->d_name);
        }
        (void) closedir(dir);
        return code < 0 ? code
                        : record_add_absent(r, "gpu.ready", "only the firmware's frame buffer");
}

static int ask_device_nodes(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        int code = see_mappings(ctx, r);

        (void) fault;
        return code < 0 ? code : see_cards(ctx, r);
}

static const char *const milestones[] = { "unlock.mapped", "gpu.ready", NULL };

const struct witness witness_device_nodes = { "device nodes", milestones, ask_device_nodes };
