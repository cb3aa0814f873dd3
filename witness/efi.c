/* witness/efi.c - what systemd-boot (or another loader of that interface) left in EFI variables
 *
 * Its stamps count from the counter's reset, so they are placed with the counter's own figure:
 * value
 * - (counter / hz - raw). What remains between the loader's end and the kernel's start is the
 * handover: the EFI stub, the initrd's loading and the decompression.
 *
 * The loader finds the counter's rate by a firmware delay of a millisecond, so its figures may be
 * off by a part of their size that nobody knows: their error is unknown. */
#include "witness/efi.h"
#include <inttypes.h>
#include <string.h>
#include "record/procfile.h"
#include "record/utf8.h"
#include "witness/plausible.h"
#include "witness/witness.h"

#define EFI_VARIABLES "sys/firmware/efi/efivars"
#define LOADER_VENDOR "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
#define VARIABLE_MAX_BYTES (64 * 1024)
#define ATTRIBUTE_BYTES 4

int efi_decode_text(const void *data, size_t n_bytes, char **ret)
{
        const uint8_t *p = data;
        size_t n_units, used = 0;
        char *text;

        if (n_bytes < ATTRIBUTE_BYTES || (n_bytes - ATTRIBUTE_BYTES) % 2 != 0)
                return -EINVAL;
        p += ATTRIBUTE_BYTES;
        n_units = (n_bytes - ATTRIBUTE_BYTES) / 2;
        text = malloc(n_units * UTF8_MAX_BYTES + 1);
        if (!text)
                return -ENOMEM;
        for (size_t i = 0; i < n_units; i++) {
                uint32_t c = (uint32_t) (p[2 * i] | p[2 * i + 1] << 8), low = 0;

                if (c == 0)
                        break;
                if (c >= 0xd800 && c < 0xdc00 && i + 1 < n_units)
                        low = (uint32_t) (p[2 * i + 2] | p[2 * i + 3] << 8);
                if (low >= 0xdc00 && low < 0xe000) {
                        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                        i++;
                }
                used += utf8_put(c, text + used); /* half a pair is no character */
        }
        text[used] = '\0';
        *ret = text;
        return 0;
}

int efi_read_text(int root_fd, const char *name, char **ret)
{
        CLEANUP(freep) char *data = NULL;
        char path[256];
        size_t n_bytes;
        int r;

        (void) snprintf(path, sizeof path, EFI_VARIABLES "/%s-" LOADER_VENDOR, name);
        r = procfile_read(root_fd, path, VARIABLE_MAX_BYTES, &data, &n_bytes);
        return r < 0 ? r : efi_decode_text(data, n_bytes, ret);
}

static int read_us(int root_fd, const char *name, int64_t *ret)
{
        CLEANUP(freep) char *text = NULL;
        int64_t us;
        int r = efi_read_text(root_fd, name, &text);

        if (r == 0)
                r = parse_int(text, &us);
        if (r == 0 && us <= 0)
                r = -ENODATA; /* the loader ran without a counter that it trusted */
        if (r < 0)
                return r;
        *ret = us;
        return 0;
}

int efi_judge(const struct efi_times *t, const struct pre_kernel *p, char *reason,
              size_t reason_bytes)
{
        if (p->implausible[0])
                (void) snprintf(reason, reason_bytes, "counted from the counter's reset, but %s",
                                p->implausible);
        else if (t->init_us > t->exec_us ||
                 (t->menu_us && (t->menu_us < t->init_us || t->menu_us > t->exec_us)))
                (void) snprintf(reason, reason_bytes,
                                "the loader's start, menu and end are out of order");
        else if (t->exec_us > p->elapsed_us + p->error_us + t->exec_us / 50)
                (void) snprintf(reason, reason_bytes,
                                "ends %.3f s after the kernel's start: left over from another boot",
                                s_from_us(t->exec_us - p->elapsed_us));
        else if (p->elapsed_us - t->exec_us > PLAUSIBLE_FIRMWARE_US_MAX)
                (void) snprintf(
                        reason, reason_bytes,
                        "ends %.0f s before the kernel's start: left over from before a kexec",
                        s_from_us(p->elapsed_us - t->exec_us));
        else
                return 0;
        return -ERANGE;
}

/* enter_answer() - the menu was answered by the loader's end at the latest. One that waited out its
 * timeout was answered by that, unless somebody stopped the count. */
static int enter_answer(struct record *r, const struct efi_times *t, int64_t base_us,
                        struct sighting *s)
{
        int64_t waited_us = t->exec_us - t->menu_us, answered_us = t->exec_us;
        char detail[64];
        int code;

        s->error_us = waited_us;
        if (t->timeout_s > 0 && waited_us >= t->timeout_s * US_PER_S) {
                answered_us = t->menu_us + t->timeout_s * US_PER_S;
                s->error_us = answered_us - t->menu_us;
                (void) snprintf(detail, sizeof detail, "timeout of %" PRIi64 " s", t->timeout_s);
                s->detail = detail;
        }
        s->at_us = answered_us - base_us;
        code = record_see(r, "menu.answered", NULL, s);
        s->detail = NULL;
        if (code == 0 && !s->implausible)
                code = record_add_wait(r, "menu", NULL, t->menu_us - base_us, s->at_us, 0);
        return code;
}

int efi_enter(struct record *r, const struct efi_times *t, const struct pre_kernel *p)
{
        char reason[256];
        struct sighting s = { .error_us = RECORD_ERROR_UNKNOWN, .source = (char[]){ "efi" } };
        int64_t base_us = p->elapsed_us;
        int code;

        if (efi_judge(t, p, reason, sizeof reason) < 0)
                s.implausible = reason;
        s.at_us = t->init_us - base_us;
        code = record_see(r, "loader.start", NULL, &s);
        s.at_us = t->exec_us - base_us;
        if (code == 0)
                code = record_see(r, "loader.end", NULL, &s);
        if (code < 0 || t->menu_us == 0)
                return code;
        s.at_us = t->menu_us - base_us;
        code = record_see(r, "menu.prompt", NULL, &s);
        return code == 0 ? enter_answer(r, t, base_us, &s) : code;
}

/* read_timeout_s() - for this boot only, else the configured one; 0 also for "menu-force" and its
 * like. As a factor it is the machine's to tell. */
static int64_t read_timeout_s(int root_fd)
{
        CLEANUP(freep) char *text = NULL;
        int64_t seconds;

        if (efi_read_text(root_fd, "LoaderConfigTimeoutOneShot", &text) < 0 &&
            efi_read_text(root_fd, "LoaderConfigTimeout", &text) < 0)
                return 0;
        return parse_int(text, &seconds) == 0 && seconds > 0 ? seconds : 0;
}

static int ask_efi(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        struct efi_times t = { .init_us = 0 };
        int code;

        if (faccessat(ctx->root_fd, "sys/firmware/efi", F_OK, 0) < 0)
                return fault_set(fault, -ENOENT, "the machine was not started by EFI firmware");
        if (read_us(ctx->root_fd, "LoaderTimeInitUSec", &t.init_us) < 0 ||
            read_us(ctx->root_fd, "LoaderTimeExecUSec", &t.exec_us) < 0)
                return fault_set(
                        fault, -ENODATA,
                        "the boot loader left no LoaderTimeInitUSec and LoaderTimeExecUSec");
        (void) read_us(ctx->root_fd, "LoaderTimeMenuUSec", &t.menu_us);
        t.timeout_s = read_timeout_s(ctx->root_fd);
        if (!ctx->pre_kernel.is_known)
                return fault_set(
                        fault, -ENODATA,
                        "the loader's stamps count from the counter's reset, and no counter "
                        "could be read");
        code = efi_enter(r, &t, &ctx->pre_kernel);
        if (code == 0 && t.menu_us == 0) {
                code = record_add_absent(r, "menu.prompt", "the loader showed no menu");
                if (code == 0)
                        code = record_add_absent(r, "menu.answered", "the loader showed no menu");
        }
        return code;
}

static const char *const milestones[] = { "loader.start", "loader.end", "menu.prompt",
                                          "menu.answered", NULL };

const struct witness witness_efi = { "efi", milestones, ask_efi };
