/* machine/firmware.c - the machine's own firmware, and the board that it came with */
#include <string.h>
#include "machine/efivar.h"
#include "machine/root.h"
#include "machine/topics.h"

#define GLOBAL "8be4df61-93ca-11d2-aa0d-00e098032b8c"

static void capture_dmi(struct capture *c)
{
        static const struct {
                const char *key, *file;
        } files[] = { { "firmware.vendor", "bios_vendor" }, { "firmware.version", "bios_version" },
                      { "firmware.date", "bios_date" },     { "hardware.vendor", "sys_vendor" },
                      { "hardware.model", "product_name" }, { "hardware.board", "board_name" } };

        for (size_t i = 0; i < ELEMENTSOF(files); i++)
                factor_line(c, files[i].key, "sys/class/dmi/id/%s", files[i].file);
}

/* Machines without DMI say in the device tree what they are; the text ends with a NUL. */
static bool capture_device_tree(struct capture *c)
{
        CLEANUP(freep) char *model = NULL;

        if (root_line(c->m, &model, "sys/firmware/devicetree/base/model") < 0 || !*model)
                return false;
        factor_text(c, "hardware.model", model);
        return true;
}

static void capture_secure_boot(struct capture *c)
{
        CLEANUP(freep) char *value = NULL;
        size_t n = 0;
        int r = efivar_read(c->m, "SecureBoot-" GLOBAL, &value, &n);

        if (r == 0 && n == 1)
                factor_boolean(c, "firmware.secure_boot", *value == 1);
        else
                factor_absent(c, "firmware.secure_boot", "the variable SecureBoot: %s",
                              r < 0 ? strerror(-r) : "not one byte");
}

void firmware_capture(struct capture *c)
{
        bool has_tree = capture_device_tree(c), has_dmi = root_exists(c->m, "sys/class/dmi/id");

        if (has_dmi || !has_tree)
                capture_dmi(c);
        if (root_exists(c->m, "sys/firmware/efi")) {
                factor_text(c, "firmware.mode", "uefi");
                capture_secure_boot(c);
        } else if (has_tree) {
                factor_text(c, "firmware.mode", "devicetree");
        } else if (has_dmi) {
                factor_text(c, "firmware.mode", "bios");
                factor_boolean(c, "firmware.secure_boot", false);
        } else {
                factor_absent(c, "firmware.mode", "neither EFI, DMI nor a device tree in /sys");
        }
}
