/* record/kernel_log.c - see kernel_log.h */
#include "record/kernel_log.h"
#include <ctype.h>
#include <string.h>
#include "record/procfile.h"

#define RTC_MAX_S (INT64_C(1) << 38) /* beyond the year 9999, where such clocks end */

static int see(struct kernel_log *k, struct record *r, const char *name, int64_t at_us,
               const char *text)
{
        return record_see_at(r, name, at_us, 0, k->source, text);
}

/* is_mount_line() - the words of each file system for its first mount; a remount is not one */
static bool is_mount_line(const char *text)
{
        static const struct {
                const char *prefix, *word;
        } lines[] = {
                { "EXT", "): mounted filesystem" },
                { "XFS (", "): Ending clean mount" },
                { "XFS (", "): Ending recovery" },
                { "BTRFS info (device ", "): using free space tree" },
                { "BTRFS info (device ", "): disk space caching is enabled" },
                { "F2FS-fs (", "): Mounted with checkpoint version" },
                { "bcachefs (", "): starting version" },
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++)
                if (strncmp(text, lines[i].prefix, strlen(lines[i].prefix)) == 0 &&
                    strstr(text, lines[i].word))
                        return true;
        return false;
}

/* names_root() - is it about the device under /? Where that is unknown, the first mount counts: an
 * initrd mounts nothing else first. */
static bool names_root(const struct kernel_log *k, const char *text)
{
        const char *open = strchr(text, '('), *close = open ? strchr(open, ')') : NULL, *name;
        size_t n = strlen(k->root_device);

        if (n == 0)
                return true;
        if (!close)
                return false;
        /* "(dm-0)", and "(device dm-0)" with btrfs, newer ones with " state ..." after it */
        name = strncmp(open + 1, "device ", 7) == 0 ? open + 8 : open + 1;
        return strncmp(name, k->root_device, n) == 0 && (name[n] == ')' || name[n] == ' ');
}

static int see_init(struct kernel_log *k, struct record *r, int64_t at_us, const char *text)
{
        const char *program = text + strlen("Run ");
        size_t n = strcspn(program, " ");

        /* Without an initrd the kernel starts /sbin/init itself: that is userspace. */
        if ((n == 5 && strncmp(program, "/init", 5) == 0) ||
            (k->rdinit && strlen(k->rdinit) == n && strncmp(program, k->rdinit, n) == 0))
                return see(k, r, "initrd.start", at_us, text);
        return see(k, r, "userspace.start", at_us, text);
}

/* see_card() - "[drm] Initialized i915 1.6.0 20201103 for 0000:00:02.0 on minor 0". The frame
 * buffer that the firmware set up has a driver too, which is replaced before a display opens it. */
static int see_card(struct kernel_log *k, struct record *r, int64_t at_us, const char *text)
{
        static const char *const firmware_drivers[] = { "simpledrm", "efidrm", "vesadrm", "ofdrm" };
        const char *driver = text + strlen("[drm] Initialized ");

        for (size_t i = 0; i < ELEMENTSOF(firmware_drivers); i++) {
                size_t n = strlen(firmware_drivers[i]);

                if (strncmp(driver, firmware_drivers[i], n) == 0 && driver[n] == ' ')
                        return 0;
        }
        return see(k, r, "gpu.ready", at_us, text);
}

/* learn_rate() - "tsc: Refined TSC clocksource calibration: 2394.374 MHz", or, where the rate is
 * known without, "tsc: Detected 2445.422 MHz processor" and perhaps another for the "TSC". The
 * later line is the better one. */
static void learn_rate(struct kernel_log *k, const char *text)
{
        const char *mhz = strstr(text, " MHz"), *p = mhz;
        char digits[24];
        int64_t khz;

        while (p && p > text && (p[-1] == '.' || (p[-1] >= '0' && p[-1] <= '9')))
                p--;
        if (!p || mhz - p < 5 || mhz - p > 16 || mhz[-4] != '.')
                return;
        (void) snprintf(digits, sizeof digits, "%.*s%.3s", (int) (mhz - p - 4), p, mhz - 3);
        if (parse_int(digits, &khz) == 0 && khz > 0)
                k->counter_khz = khz;
}

/* learn_rtc() - "rtc_cmos 00:04: setting system clock to 2026-12-01T03:44:28 UTC (1796096668)" */
static void learn_rtc(struct kernel_log *k, int64_t at_us, const char *text)
{
        const char *set = strstr(text, ": setting system clock to "),
                   *p = set ? strchr(set, '(') : NULL;
        char digits[24];
        int64_t epoch_s;

        if (!p)
                return;
        (void) snprintf(digits, sizeof digits, "%.*s", (int) strcspn(p + 1, ")"), p + 1);
        if (parse_int(digits, &epoch_s) == 0 && epoch_s > 0 && epoch_s < RTC_MAX_S)
                k->rtc = (struct rtc_reading){ .at_us = at_us, .epoch_s = epoch_s };
}

int kernel_log_line(struct kernel_log *k, struct record *r, int64_t at_us, const char *text)
{
        if (strncmp(text, "Run /", 5) == 0 && strstr(text, " as init process"))
                return see_init(k, r, at_us, text);
        if (strncmp(text, "[drm] Initialized ", strlen("[drm] Initialized ")) == 0 &&
            strstr(text, " on minor "))
                return see_card(k, r, at_us, text);
        if (strncmp(text, "tsc: ", 5) == 0)
                learn_rate(k, text);
        if (strncmp(text, "rtc", 3) == 0)
                learn_rtc(k, at_us, text);
        if (k->has_root)
                return 0;
        if ((is_mount_line(text) && names_root(k, text)) ||
            strncmp(text, "VFS: Mounted root (", strlen("VFS: Mounted root (")) == 0) {
                k->has_root = true;
                return see(k, r, "root.mounted", at_us, text);
        }
        return 0;
}

int kmsg_parse(const char *line, int64_t *ret_sequence, int64_t *ret_at_us, const char **ret_text)
{
        const char *p = line, *text = strchr(line, ';');
        int64_t number[3];

        if (!text)
                return -EINVAL;
        for (size_t i = 0; i < ELEMENTSOF(number); i++) {
                char word[24];
                size_t n = strcspn(p, ",;");

                if (n == 0 || n >= sizeof word || p + n > text)
                        return -EINVAL;
                memcpy(word, p, n);
                word[n] = '\0';
                if (parse_int(word, &number[i]) < 0)
                        return -EINVAL;
                p += n + 1;
        }
        *ret_sequence = number[1];
        *ret_at_us = number[2];
        *ret_text = text + 1;
        return 0;
}
