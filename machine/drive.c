/* machine/drive.c - the drives at the bottom of a stack
 *
 * Sources in order: what udev's rules learned from the drive, what the kernel keeps of its inquiry
 * pages, the queue's own files. Never the drive itself: a question would wake one that sleeps. */
#include <string.h>
#include "machine/root.h"
#include "machine/stack.h"
#include "machine/udev.h"
#include "record/procfile.h"

#define SECTOR_BYTES 512 /* the unit of sysfs's "size", whatever the drive's own sector is */
#define PAGE_MAX_BYTES 4096

static const char *const drive_keys[] = {
        "drive.count",
        "drive.model",
        "drive.vendor",
        "drive.firmware",
        "drive.bus",
        "drive.rpm",
        "drive.size_bytes",
        "drive.scheduler",
        "drive.queue_depth",
        "drive.requests",
        "drive.write_cache",
        "drive.logical_sector_bytes",
        "drive.physical_sector_bytes",
};

/* The first part of a sysfs path that is found decides; the order matters where a bridge hides
 * another bus: a USB disk enclosure before the SCSI host that it looks like. */
static const struct bus_sign {
        const char *part, *bus;
} bus_signs[] = {
        { "/usb", "usb" },
        { "/nvme", "nvme" },
        { "/mmc_host/", "mmc" },
        { "/virtio", "virtio" },
        { "/ata", "sata" },
        { "/end_device-", "sas" },
        { "/rport-", "fc" },
        { "/session", "iscsi" },
        { "/vbd-", "xen" },
        { "/fw", "firewire" },
        { "/ide", "ide" },
        { "/virtual/block/zram", "zram" },
        { "/virtual/block/nbd", "nbd" },
        { "/virtual/block/ram", "ram" },
        { "/mtd", "mtd" },
        { "/pmem", "pmem" },
        { "/host", "scsi" },
        { "/virtual/", "virtual" },
};

static const char *bus_of(const struct stack_node *n)
{
        for (size_t i = 0; i < ELEMENTSOF(bus_signs); i++)
                if (strstr(n->devpath, bus_signs[i].part))
                        return bus_signs[i].bus;
        return NULL;
}

/* text_from_page() - an ASCII field of an inquiry page; @swapped: ATA words hold the first
 * character in their high byte */
static char *text_from_page(const char *page, size_t offset, size_t n_bytes, bool swapped)
{
        char *text = malloc(n_bytes + 1), *start;

        if (!text)
                return NULL;
        for (size_t i = 0; i < n_bytes; i++)
                text[i] = page[offset + (swapped ? i ^ 1 : i)];
        text[n_bytes] = '\0';
        for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
                text[n - 1] = '\0';
        start = text + strspn(text, " ");
        memmove(text, start, strlen(start) + 1);
        return text;
}

/* struct drive - one leaf of the stack while it is read */
struct drive {
        const struct stack_node *node;
        json_t *udev;
        const char *bus;
        char *identify; /* ATA IDENTIFY data, 512 bytes, or NULL */
};

#define ATA_PAGE_IDENTIFY 60 /* where the ATA information page holds the IDENTIFY data */
#define ATA_IDENTIFY_BYTES 512
enum ata_word { ATA_SERIAL = 10, ATA_FIRMWARE = 23, ATA_MODEL = 27, ATA_ROTATION = 217 };

static void drive_done(struct drive *d)
{
        json_decref(d->udev);
        free(d->identify);
}

static void read_identify(const struct machine_context *m, struct drive *d)
{
        CLEANUP(freep) char *page = NULL;
        size_t n = 0;

        if (root_read(m, PAGE_MAX_BYTES, &page, &n, "%s/device/vpd_pg89", d->node->dir) < 0 ||
            n < ATA_PAGE_IDENTIFY + ATA_IDENTIFY_BYTES)
                return;
        d->identify = malloc(ATA_IDENTIFY_BYTES);
        if (d->identify)
                memcpy(d->identify, page + ATA_PAGE_IDENTIFY, ATA_IDENTIFY_BYTES);
}

static unsigned ata_word(const struct drive *d, enum ata_word word)
{
        const unsigned char *p = (const unsigned char *) d->identify + 2 * word;

        return (unsigned) p[0] | (unsigned) p[1] << 8;
}

/* enter_first() - enter the first of two sources that has something; both are freed */
static void enter_first(struct capture *c, const char *key, char *first, char *second)
{
        const char *value = first && *first ? first : second;

        if (value && *value)
                factor_text(c, key, value);
        free(first);
        free(second);
}

static void capture_names(struct capture *c, const struct drive *d)
{
        const char *dir = d->node->dir;
        char *from_drive = NULL;

        if (d->identify)
                from_drive = text_from_page(d->identify, 2 * ATA_MODEL, 40, true);
        enter_first(c, "drive.model", udev_text(d->udev, "ID_MODEL_ENC"), from_drive);
        if (!factor_has(c, "drive.model"))
                factor_line(c, "drive.model", "%s/device/%s", dir,
                            strcmp(d->bus ? d->bus : "", "mmc") == 0 ? "name" : "model");

        from_drive = NULL;
        if (d->identify)
                from_drive = text_from_page(d->identify, 2 * ATA_FIRMWARE, 8, true);
        enter_first(c, "drive.firmware", udev_text(d->udev, "ID_REVISION"), from_drive);
        for (size_t i = 0; i < 3 && !factor_has(c, "drive.firmware"); i++)
                factor_line(c, "drive.firmware", "%s/device/%s", dir,
                            ((const char *const[]){ "firmware_rev", "rev", "fwrev" })[i]);
}

/* A SCSI vendor of "ATA" is the translation layer's, and virtio's is a PCI number: no makers. */
static void capture_vendor(struct capture *c, const struct drive *d)
{
        CLEANUP(freep) char *vendor = NULL;
        int r = root_line(c->m, &vendor, "%s/device/vendor", d->node->dir);

        if (r == 0 && *vendor && strcmp(vendor, "ATA") != 0 && strncmp(vendor, "0x", 2) != 0)
                factor_text(c, "drive.vendor", vendor);
        else
                factor_absent(c, "drive.vendor", "the drive names no vendor apart from its model");
}

static void capture_identity(struct capture *c, const struct drive *d)
{
        char *serial = udev_text(d->udev, "ID_SERIAL_SHORT");

        if (!serial && d->identify)
                serial = text_from_page(d->identify, 2 * ATA_SERIAL, 20, true);
        if (!serial && root_line(c->m, &serial, "%s/serial", d->node->dir) < 0)
                (void) root_line(c->m, &serial, "%s/device/serial", d->node->dir);
        if (serial && *serial)
                factor_identifier(c, "drive.serial", serial);
        else
                factor_absent(c, "drive.serial", "the drive tells none without being asked");
        free(serial);
}

/* enter_rotation() - a rate as ATA word 217 and SCSI page B1 code it */
static bool enter_rotation(struct capture *c, int64_t rate)
{
        if (rate == 1)
                factor_integer(c, "drive.rpm", 0);
        else if (rate >= 0x401 && rate <= 0xfffe)
                factor_integer(c, "drive.rpm", rate);
        else
                return false;
        return true;
}

static void capture_rotation(struct capture *c, const struct drive *d)
{
        CLEANUP(freep) char *told = udev_text(d->udev, "ID_ATA_ROTATION_RATE_RPM"), *page = NULL;
        int64_t rotational, rate;
        size_t n = 0;
        int r;

        r = root_integer(c->m, &rotational, "%s/queue/rotational", d->node->dir);
        if (r < 0) {
                CLEANUP(freep) char *path = NULL;

                if (asprintf(&path, "%s/queue/rotational", d->node->dir) >= 0)
                        factor_unread(c, "drive.rpm", r, path);
                return;
        }
        if (rotational == 0) {
                factor_integer(c, "drive.rpm", 0);
                return;
        }
        if (told && parse_int(told, &rate) == 0 && rate > 1) {
                factor_integer(c, "drive.rpm", rate);
                return;
        }
        if (d->identify && enter_rotation(c, ata_word(d, ATA_ROTATION)))
                return;
        if (root_read(c->m, PAGE_MAX_BYTES, &page, &n, "%s/device/vpd_pgb1", d->node->dir) == 0 &&
            n >= 6 && enter_rotation(c, (unsigned char) page[4] << 8 | (unsigned char) page[5]))
                return;
        /* virtio says "rotational" of anything, and so do drives that know no better. */
        factor_absent(c, "drive.rpm",
                      "the kernel takes it for rotating, and nothing tells its rate");
}

/* capture_link() - how fast drive and host have agreed to talk. A PATA port is one of libata's too,
 * and is known by having no SATA speed. */
static void capture_link(struct capture *c, struct drive *d)
{
        CLEANUP(freep) char *speed = NULL, *width = NULL;
        const char *dir = d->node->dir, *port = strstr(d->node->devpath, "/ata");
        char text[64];

        if (d->bus && strcmp(d->bus, "sata") == 0 && port) {
                int n = (int) strspn(port + 4, "0123456789");

                if (root_line(c->m, &speed,
                              "%s/device/../../../link%.*s/ata_link/link%.*s/sata_spd", dir, n,
                              port + 4, n, port + 4) < 0)
                        return;
                if (strcmp(speed, "<unknown>") == 0)
                        d->bus = "ata";
                else
                        factor_text(c, "drive.link", speed);
        } else if (d->bus && strcmp(d->bus, "nvme") == 0) {
                if (root_line(c->m, &speed, "%s/device/device/current_link_speed", dir) < 0 ||
                    root_line(c->m, &width, "%s/device/device/current_link_width", dir) < 0)
                        return;
                (void) snprintf(text, sizeof text, "%s x%s", speed, width);
                factor_text(c, "drive.link", text);
        } else if (d->bus && strcmp(d->bus, "usb") == 0) {
                if (root_line(c->m, &speed, "%s/device/../../../../speed", dir) < 0)
                        return;
                (void) snprintf(text, sizeof text, "%s Mbit/s", speed);
                factor_text(c, "drive.link", text);
        }
}

static void capture_one(struct capture *c, const struct stack *s, const struct stack_node *n)
{
        CLEANUP(drive_done) struct drive d = { .node = n, .bus = bus_of(n) };
        CLEANUP(freep) char *zoned = NULL;

        (void) s;
        d.udev = udev_properties(c->m, n->major, n->minor);
        if (!d.udev) {
                c->error = -ENOMEM;
                return;
        }
        read_identify(c->m, &d);
        capture_names(c, &d);
        capture_vendor(c, &d);
        capture_identity(c, &d);
        capture_link(c, &d);
        if (d.bus)
                factor_text(c, "drive.bus", d.bus);
        else
                factor_absent(c, "drive.bus", "no bus that is known in %s", n->devpath);
        capture_rotation(c, &d);
        factor_bracketed(c, "drive.scheduler", "%s/queue/scheduler", n->dir);
        factor_number(c, "drive.size_bytes", SECTOR_BYTES, "%s/size", n->dir);
        factor_number(c, "drive.queue_depth", 1, "%s/device/queue_depth", n->dir);
        factor_number(c, "drive.requests", 1, "%s/queue/nr_requests", n->dir);
        if (root_line(c->m, &zoned, "%s/queue/zoned", n->dir) == 0 && strcmp(zoned, "none") != 0)
                factor_text(c, "drive.zoned", zoned);
        factor_line(c, "drive.write_cache", "%s/queue/write_cache", n->dir);
        factor_number(c, "drive.logical_sector_bytes", 1, "%s/queue/logical_block_size", n->dir);
        factor_number(c, "drive.physical_sector_bytes", 1, "%s/queue/physical_block_size", n->dir);
}

void drive_capture(struct capture *c, const struct stack *s, const char *absent)
{
        size_t n_drives = absent ? 0 : stack_capture(c, s, STACK_DRIVE, capture_one);

        if (n_drives > 0)
                factor_integer(c, "drive.count", (int64_t) n_drives);
        for (size_t i = 0; i < ELEMENTSOF(drive_keys); i++)
                factor_absent(c, drive_keys[i], "%s", absent ? absent : "no drive beneath it");
}
