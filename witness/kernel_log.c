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
        ctx->rtc = k.rtc;
        for (size_t i = 0; code == 0 && milestones[i]; i++)
                code = record_add_absent(r, milestones[i],
                                         is_whole ? "the kernel log has no line about it"
                                                  : "the kernel log's beginning is lost");
        return code;
}

const struct witness witness_kernel_log = { "kernel log", milestones, ask_kernel_log };
