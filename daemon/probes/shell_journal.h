/* daemon/probes/shell_journal.h - GNOME Shell's word in the journal that it has started */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include <systemd/sd-event.h>
#include "record/fault.h"

struct shell_journal;

/**
 * shell_journal_new() - follow what the shell of @uid writes in this boot
 * @folder: of journal files; NULL for this machine's
 * @on_started: once, with journald's own stamp (CLOCK_MONOTONIC)
 *
 * Return: 0; a negative errno when the journal cannot be read, with the reason.
 */
int shell_journal_new(sd_event *event, const char *folder, uid_t uid,
                      void (*on_started)(void *userdata, int64_t at_us), void *userdata,
                      struct shell_journal **ret, struct fault *fault);
struct shell_journal *shell_journal_free(struct shell_journal *j);
