/* witness/kernel_log.c - /dev/kmsg, read to its present end and without waiting. Needs root where
 * the system restricts the log, as Debian does. */
#include "witness/kernel_log.h"
#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "record/procfile.h"
#include "witness/witness.h"

#define RECORD_MAX_BYTES 8192 /* the kernel's CONSOLE_EXT_LOG_MAX */
#define LOG_MAX_BYTES (16 * 1024 * 1024)
#define CMDLINE_MAX_BYTES (64 * 1024)

/* find_root_device() - a file system without a device of its own (btrfs, overlay) stays unknown */
static void find_root_device(struct kernel_log *k, int root_fd)
{
        char path[64], target[256];
        const char *base;
        struct stat st;
        ssize_t n;

        if (fstatat(root_fd, ".", &st, 0) < 0)
                return;
        (void) snprintf(path, sizeof path, "sys/dev/block/%u:%u", major(st.st_dev),
                        minor(st.st_dev));
        n = readlinkat(root_fd, path, target, sizeof target - 1);
        if (n <= 0)
                return;
        target[n] = '\0';
        base = strrchr(target, '/');
        (void) snprintf(k->root_device, sizeof k->root_device, "%.60s", base ? base + 1 : target);
}

void kernel_log_open(struct kernel_log *k, int root_fd, const char *source)
{
        *k = (struct kernel_log){ .source = source };
        find_root_device(k, root_fd);
}

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

int kernel_log_line(struct kernel_log *k, struct record *r, int64_t at_us, const char *text)
{
        if (strncmp(text, "Run /", 5) == 0 && strstr(text, " as init process"))
                return see_init(k, r, at_us, text);
        if (strncmp(text, "[drm] Initialized ", strlen("[drm] Initialized ")) == 0 &&
            strstr(text, " on minor "))
                return see_card(k, r, at_us, text);
        if (strncmp(text, "tsc: ", 5) == 0)
                learn_rate(k, text);
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

static char *read_rdinit(int root_fd)
{
        CLEANUP(freep) char *cmdline = NULL;
        char *word;

        if (procfile_read(root_fd, "proc/cmdline", CMDLINE_MAX_BYTES, &cmdline, NULL) < 0)
                return NULL;
        word = strstr(cmdline, "rdinit=");
        if (!word || (word != cmdline && word[-1] != ' '))
                return NULL;
        word += strlen("rdinit=");
        return strndup(word, strcspn(word, " \n"));
}

/* read_log() - the whole log as lines. The live device gives one record a read; -EPIPE says that
 * records were overwritten under the reader, which goes on with the oldest that is left. */
static int read_log(int fd, char **ret)
{
        CLEANUP(freep) char *text = NULL;
        size_t used = 0, room = 0;

        for (;;) {
                ssize_t n;

                if (room - used < RECORD_MAX_BYTES + 1) {
                        size_t want = room ? room * 2 : 64 * 1024;
                        char *grown = want <= LOG_MAX_BYTES ? realloc(text, want) : NULL;

                        if (!grown)
                                return want > LOG_MAX_BYTES ? -EFBIG : -ENOMEM;
                        text = grown;
                        room = want;
                }
                n = read(fd, text + used, RECORD_MAX_BYTES);
                if (n < 0 && (errno == EINTR || errno == EPIPE))
                        continue;
                if (n < 0 && errno != EAGAIN)
                        return -errno;
                if (n <= 0)
                        break;
                used += (size_t) n;
        }
        text[used] = '\0';
        *ret = TAKE(text);
        return 0;
}

static int enter_log(struct kernel_log *k, struct record *r, char *log, bool *ret_is_whole)
{
        bool is_first = true;

        *ret_is_whole = false;
        for (char *line = log, *next; line && *line; line = next) {
                const char *text;
                int64_t sequence, at_us;
                int code;

                next = strchr(line, '\n');
                if (next)
                        *next++ = '\0';
                if (kmsg_parse(line, &sequence, &at_us, &text) < 0)
                        continue;
                if (is_first)
                        *ret_is_whole = sequence == 0;
                is_first = false;
                code = kernel_log_line(k, r, at_us, text);
                if (code < 0)
                        return code;
        }
        return 0;
}

static const char *const milestones[] = { "initrd.start", "root.mounted", "gpu.ready", NULL };

static int ask_kernel_log(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(freep) char *log = NULL, *rdinit = NULL;
        CLEANUP(closep) int fd = -EBADF;
        struct kernel_log k;
        bool is_whole;
        int code;

        fd = openat(ctx->root_fd, "dev/kmsg", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        code = fd < 0 ? -errno : read_log(fd, &log);
        if (code == -EPERM || code == -EACCES)
                return fault_set(fault, code, "the kernel log is for root only");
        if (code < 0)
                return fault_errno(fault, code, "/dev/kmsg");
        rdinit = read_rdinit(ctx->root_fd);
        kernel_log_open(&k, ctx->root_fd, "kernel log");
        k.rdinit = rdinit;
        code = enter_log(&k, r, log, &is_whole);
        ctx->kernel_counter_khz = k.counter_khz;
        for (size_t i = 0; code == 0 && milestones[i]; i++)
                code = record_add_absent(r, milestones[i],
                                         is_whole ? "the kernel log has no line about it"
                                                  : "the kernel log's beginning is lost");
        return code;
}

const struct witness witness_kernel_log = { "kernel log", milestones, ask_kernel_log };
