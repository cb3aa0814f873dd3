/* analyze/import/systemd_startup.h - "Startup finished in ...", wherever it stands, and systemd's
 * targets */
#pragma once
#include "analyze/import/import.h"

enum systemd_phase { FIRMWARE, LOADER, KERNEL, INITRD, USERSPACE, N_PHASES };

struct systemd_startup {
        struct timespan phase[N_PHASES], total;
        char raw[N_PHASES + 1][64]; /* the total's last */
        bool has[N_PHASES], has_total;
};

/** systemd_startup_read() - "3.2s (firmware) + ... = 19.7s"; false when it begins with no span */
bool systemd_startup_read(const char *text, struct systemd_startup *ret);

/**
 * systemd_startup_enter() - the phases as a sample and as milestones of the open record
 *
 * The record counts from kernel.start, or from userspace.start when there is no kernel phase (a
 * container, a user manager). Return: whether *ret_userspace_us, where userspace begins, is known.
 */
bool systemd_startup_enter(struct import *in, const struct systemd_startup *s, size_t i,
                           int64_t *ret_userspace_us);

/** systemd_target_is_milestone() - one of the targets that are milestones of a boot */
bool systemd_target_is_milestone(const char *target);
