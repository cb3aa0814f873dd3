/* witness/witness.h - who can be asked about a boot, and how
 *
 * A witness is one file that knows one place where the machine remembers its boot: systemd, the
 * CPU's counter, the loader's EFI variables, the kernel log, device nodes, Xorg's log, ... It puts
 * what that place knows into a record. Nothing here has to have run during the boot: 'bootlap
 * measure' asks all of them later, and bootlapd asks them for what it could not see itself.
 *
 * Witnesses read below a folder's descriptor and take the time from the context, so the tests ask
 * the same code about recorded trees. A witness that fails is no failure of the measurement: what
 * it could have seen is absent, with its reason.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "record/clock.h"
#include "record/kernel_log.h"
#include "record/record.h"
#include "witness/counter_reading.h"
#include "witness/process_table.h"
#include "witness/wall_clock.h"

/* No single answer is waited for longer: the machine may be in trouble, and is being measured. */
#define WITNESS_TIMEOUT_US (2 * US_PER_S)

struct witness_context {
        int root_fd;            /* "/", or a recorded tree */
        bool is_live;           /* root_fd is this machine's own root: its bus, journal, counter and
                                   displays may be asked, which no recorded tree can hold */
        uid_t uid;              /* effective user */
        struct clock_tuple now; /* when the asking began */
        const char *display;    /* $DISPLAY, or NULL; the caller's */

        /* What one witness found out and later ones build on, in the table's order. */
        bool is_container;               /* systemd says so: the kernel's boot is the host's */
        int64_t earlier_end_realtime_us; /* the journal's last word of the boot before; 0 unknown */
        int64_t kernel_counter_khz;      /* the counter's rate as the kernel logged it; 0 unknown */
        struct rtc_reading rtc;          /* as the kernel logged it */
        struct counter_reading counter;  /* taken at the beginning, so that time passes after it */
        uint64_t systemd_firmware_us;    /* systemd's, back from the loader's end; 0 unknown */
        uint64_t systemd_loader_us;
        struct pre_kernel pre_kernel; /* the counter's: from its reset to the kernel's start */
        struct wall_clock wall;       /* can wall-clock stamps of this boot be placed? */
        struct process_table processes;
        struct x_display_list displays; /* the sockets': X servers that may be connected to */
};

/**
 * witness_context_init() - ask about the machine as it is below @root_fd
 * @root_fd: kept open by the caller as long as the context
 * @is_live: see the member
 */
void witness_context_init(struct witness_context *ctx, int root_fd, bool is_live);
void witness_context_done(struct witness_context *ctx);

/**
 * struct witness - one place to ask
 * @name: for faults
 * @milestones: what it could see, NULL-terminated: absent with the reason when @ask fails
 * @ask: Return: 0, also when there was nothing to see (then it says which milestones are absent and
 *       why, through record_add_absent()); a negative errno with the reason in @fault.
 */
struct witness {
        const char *name;
        const char *const *milestones;
        int (*ask)(struct witness_context *ctx, struct record *r, struct fault *fault);
};

extern const struct witness witness_systemd, witness_systemd_loader, witness_counter, witness_grub,
        witness_efi, witness_fpdt, witness_kernel_log, witness_device_nodes, witness_journal,
        witness_logind, witness_sockets, witness_xorg_log, witness_processes, witness_x11,
        witness_marks;

/**
 * witness_ask_all() - let every witness speak, in the table's order
 *
 * Afterwards every milestone that bootlap knows is either in @r or absent with a reason.
 * Return: 0; -ENOMEM.
 */
int witness_ask_all(struct witness_context *ctx, struct record *r);
