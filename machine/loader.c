/* machine/loader.c - what loaded the kernel, and what it loaded along with it */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include "machine/efivar.h"
#include "machine/root.h"
#include "machine/topics.h"
#include "record/procfile.h"

#define LOADER_VENDOR "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
#define FILE_MAX_BYTES (256 * 1024)

/* The boot protocol's numbers of loaders (the kernel's Documentation/arch/x86/boot.rst); the number
 * of kexec's is how a kexec shows. */
static const char *loader_by_type(int64_t type)
{
        static const char *const loaders[] = {
                [0] = "lilo",   [1] = "loadlin", [3] = "syslinux", [4] = "etherboot",
                [5] = "elilo",  [7] = "grub",    [8] = "u-boot",   [9] = "xen",
                [10] = "gujin", [11] = "qemu",   [13] = "kexec"
        };
        int64_t id = type >> 4; /* the low digit is the loader's version */

        return id >= 0 && id < (int64_t) ELEMENTSOF(loaders) ? loaders[id] : NULL;
}

static void capture_loader(struct capture *c)
{
        CLEANUP(freep) char *info = NULL, *cmdline = NULL;
        int64_t type = -1;

        if (efivar_read_text(c->m, "LoaderInfo-" LOADER_VENDOR, &info) == 0 && *info) {
                factor_text(c, "loader", info);
                return;
        }
        if (root_integer(c->m, &type, "proc/sys/kernel/bootloader_type") == 0 &&
            loader_by_type(type)) {
                factor_text(c, "loader", loader_by_type(type));
                return;
        }
        /* GRUB that starts the kernel's EFI stub leaves only what it puts on the command line. */
        if (root_line(c->m, &cmdline, "proc/cmdline") == 0 &&
            strncmp(cmdline, "BOOT_IMAGE=", strlen("BOOT_IMAGE=")) == 0)
                factor_text(c, "loader", "grub");
        else
                factor_absent(c, "loader",
                              "it has left no name: no LoaderInfo variable, and type %lld",
                              (long long) type);
}

/* A menu's timeout is waited for at every boot; as it is configured, whoever reads the file. */
static void capture_timeout(struct capture *c)
{
        CLEANUP(freep) char *text = NULL, *efi = NULL;
        int64_t seconds;

        if (efivar_read_text(c->m, "LoaderConfigTimeout-" LOADER_VENDOR, &efi) == 0 &&
            parse_int(efi, &seconds) == 0) {
                factor_integer(c, "loader.timeout_s", seconds);
                return;
        }
        if (root_read(c->m, FILE_MAX_BYTES, &text, NULL, "etc/default/grub") == 0)
                for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
                        if (sscanf(line, "GRUB_TIMEOUT=%" SCNd64, &seconds) == 1 ||
                            sscanf(line, "GRUB_TIMEOUT=\"%" SCNd64, &seconds) == 1)
                                factor_integer(c, "loader.timeout_s", seconds);
        factor_absent(c, "loader.timeout_s",
                      "neither systemd-boot's variable nor /etc/default/grub tells");
}

static void enter_settings(struct capture *c, const char *path)
{
        CLEANUP(freep) char *text = NULL;
        char value[32];

        if (root_read(c->m, FILE_MAX_BYTES, &text, NULL, "%s", path) < 0)
                return;
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
                if (sscanf(line, "MODULES=%31[a-z]", value) == 1)
                        factor_text(c, "initrd.modules", value);
                else if (sscanf(line, "COMPRESS=%31[a-z0-9]", value) == 1)
                        factor_text(c, "initrd.compression", value);
        }
}

static bool enter_size(struct capture *c, const char *format, const char *release)
{
        CLEANUP(closep) int fd = -EBADF;
        CLEANUP(freep) char *path = NULL;
        const char *mark = strchr(format, '%');
        struct stat st;

        if (asprintf(&path, "%.*s%s%s", (int) (mark - format), format, release, mark + 2) < 0)
                return false;
        fd = root_open(c->m, O_PATH, "%s", path);
        if (fd < 0 || fstat(fd, &st) < 0)
                return false;
        factor_integer(c, "initrd.size_bytes", st.st_size);
        return true;
}

/* Its size is read and unpacked at every boot, and says whether all drivers are in it or few. */
static void capture_initrd(struct capture *c)
{
        static const char *const places[] = { "boot/initrd.img-%s", "boot/initramfs-%s.img",
                                              "boot/initrd-%s" };
        static const struct {
                const char *path, *word;
        } makers[] = { { "etc/initramfs-tools/initramfs.conf", "initramfs-tools" },
                       { "usr/lib/dracut/dracut-functions.sh", "dracut" },
                       { "etc/mkinitcpio.conf", "mkinitcpio" } };
        CLEANUP(freep) char *release = NULL;

        for (size_t i = 0; i < ELEMENTSOF(makers) && !factor_has(c, "initrd.maker"); i++)
                if (root_exists(c->m, "%s", makers[i].path))
                        factor_text(c, "initrd.maker", makers[i].word);
        factor_absent(c, "initrd.maker", "no initramfs-tools, dracut or mkinitcpio is installed");
        if (root_line(c->m, &release, "proc/sys/kernel/osrelease") == 0)
                for (size_t i = 0; i < ELEMENTSOF(places); i++)
                        if (enter_size(c, places[i], release))
                                return;
        factor_absent(c, "initrd.size_bytes", "no initrd of the running kernel in /boot");
}

/* capture_initrd_settings() - initramfs-tools' own: all drivers or those of this machine, and how
 * the image is packed. The folder's files come after the main one and win. */
static void capture_initrd_settings(struct capture *c)
{
        CLEANUP(root_list_freep) char **names = NULL;
        const char *folder = "etc/initramfs-tools/conf.d";

        enter_settings(c, "etc/initramfs-tools/initramfs.conf");
        (void) root_list(c->m, &names, "%s", folder);
        for (char **name = names; name && *name; name++) {
                CLEANUP(freep) char *path = NULL;

                if (asprintf(&path, "%s/%s", folder, *name) >= 0)
                        enter_settings(c, path);
        }
}

void loader_capture(struct capture *c)
{
        capture_loader(c);
        capture_timeout(c);
        capture_initrd(c);
        capture_initrd_settings(c);
}
