/* daemon/probes/journal_message.h - a message in the journal that somebody's program writes once */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include <systemd/sd-event.h>
#include "record/fault.h"

struct journal_message;

/**
 * journal_message_new() - wait for what a program of @uid writes in this boot
 * @folder: of journal files; NULL for this machine's
 * @message_id: of the message, as the journal spells it
 * @on_message: once, with journald's own stamp (CLOCK_MONOTONIC)
 *
 * Return: 0; a negative errno when the journal cannot be read, with the reason.
 */
int journal_message_new(sd_event *event, const char *folder, const char *message_id, uid_t uid,
                        void (*on_message)(void *userdata, int64_t at_us), void *userdata,
                        struct journal_message **ret, struct fault *fault);
struct journal_message *journal_message_free(struct journal_message *j);
