/* witness/fpdt.c - the firmware's own performance table, where kernel and firmware provide it
 *
 * Its figures count in nanoseconds from the processor's reset. They are placed with the counter
 * when that is plausible (then the end of boot services lies some time before the kernel's start),
 * else as distances back from that end, with an unknown error. Firmware fills this table
 * carelessly: some count in ticks, some from a counter that no reboot resets. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "record/procfile.h"
#include "witness/plausible.h"
#include "witness/witness.h"

#define FPDT_BOOT "sys/firmware/acpi/fpdt/boot/"

enum stamp { FIRMWARE_START, LOADER_LAUNCH, EXIT_END, STAMPS };

static const char *const stamp_files[STAMPS] = {
        [FIRMWARE_START] = FPDT_BOOT "firmware_start_ns",
        [LOADER_LAUNCH] = FPDT_BOOT "bootloader_launch_ns",
        [EXIT_END] = FPDT_BOOT "exitbootservice_end_ns",
};

static int judge(const int64_t us[STAMPS], const struct pre_kernel *p, char *reason,
                 size_t reason_bytes)
{
        if (us[FIRMWARE_START] < 0 || us[LOADER_LAUNCH] < us[FIRMWARE_START] ||
            us[EXIT_END] < us[LOADER_LAUNCH])
                (void) snprintf(reason, reason_bytes, "the table's stamps are out of order");
        else if (us[EXIT_END] > PLAUSIBLE_FIRMWARE_US_MAX)
                (void) snprintf(
                        reason, reason_bytes,
                        "%.0f s to the kernel are no firmware's: counted in ticks, or from an "
                        "earlier start of the machine",
                        s_from_us(us[EXIT_END]));
        else if (p->is_known && !p->implausible[0] && us[EXIT_END] > p->elapsed_us + US_PER_S)
                (void) snprintf(
                        reason, reason_bytes,
                        "the CPU's counter saw only %.3f s before the kernel, the table %.3f",
                        s_from_us(p->elapsed_us), s_from_us(us[EXIT_END]));
        else
                return 0;
        return -ERANGE;
}

static int ask_fpdt(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        struct sighting s = { .error_us = RECORD_ERROR_UNKNOWN, .source = (char[]){ "fpdt" } };
        bool has_counter = ctx->pre_kernel.is_known && !ctx->pre_kernel.implausible[0];
        int64_t us[STAMPS], base_us;
        char reason[192];
        int code;

        for (size_t i = 0; i < STAMPS; i++) {
                int64_t ns;

                code = procfile_read_int(ctx->root_fd, stamp_files[i], &ns);
                if (code < 0)
                        return fault_errno(fault, code, "/%s", stamp_files[i]);
                us[i] = us_from_ns(ns);
        }
        if (us[EXIT_END] == 0)
                return fault_set(fault, -ENODATA, "the firmware's table is empty");
        if (judge(us, &ctx->pre_kernel, reason, sizeof reason) < 0)
                s.implausible = reason;
        base_us = has_counter && !s.implausible ? ctx->pre_kernel.elapsed_us : us[EXIT_END];
        /* The table's zero is the reset; firmware_start is when the first code ran. */
        s.at_us = -base_us;
        code = record_see(r, "power.on", NULL, &s);
        s.at_us = us[LOADER_LAUNCH] - base_us;
        if (code == 0)
                code = record_see(r, "loader.start", NULL, &s);
        s.at_us = us[EXIT_END] - base_us;
        if (code == 0)
                code = record_see(r, "loader.end", NULL, &s);
        return code;
}

static const char *const milestones[] = { "power.on", "loader.start", "loader.end", NULL };

const struct witness witness_fpdt = { "fpdt", milestones, ask_fpdt };
