/* record/journal_lines.h - what single journal entries say about a boot, apart from the reading
 *
 * The encrypted disk's question and answer are told by systemd's password agent and
 * systemd-cryptsetup (an initrd with systemd in it, dracut's say); initramfs-tools leaves no trace.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/questions.h"
#include "record/record.h"

/* Message ids of systemd's catalog and of GNOME, as the journal spells them. */
#define MESSAGE_UNIT_STARTED "39f53479d3a045ac8e11786248231fbf"
#define MESSAGE_SESSION_STARTED "8d45620c1a4348dbb17410da57c60c66"
#define MESSAGE_GNOME_SHELL_STARTED "f3ea493c22934e26811cd62abe8e203a" /* not by GDM's greeter */
#define MESSAGE_GNOME_SESSION_RUNNING "0ce153587afa4095832d233c17a88001"

/* One entry; a field that it lacks is NULL. */
struct journal_entry {
        int64_t at_us; /* CLOCK_MONOTONIC, when it was sent if that is known */
        const char *identifier, *message, *message_id;
        const char *unit;      /* the unit that PID 1 speaks of (UNIT=) */
        const char *user_unit; /* the same of a user's manager (USER_UNIT=) */
        const char *own_unit;  /* the unit that the sender runs in */
        int64_t uid;           /* the sender's user; -1 unknown */
};

struct journal_unlock {
        int64_t prompt_us, answered_us; /* the first and the last; -1 not seen */
        struct questions questions;     /* each try is a wait of its own */
        char name[128];                 /* of the mapping; "" unknown */
        char message[160];              /* the line that told the prompt */
};

struct journal_lines {
        struct journal_unlock unlock;
        bool has_desktop, has_greeter;
        bool waits_are_known; /* marks have told how long the disks waited for a person */
};

/** journal_lines_open() - for the entries of the boot that @r is about */
void journal_lines_open(struct journal_lines *j, const struct record *r);

/** journal_lines_entry() - enter what one entry says, in the journal's order; 0, -ENOMEM */
int journal_lines_entry(struct journal_lines *j, struct record *r, const struct journal_entry *e);

/** journal_lines_close() - enter what the last entries left open (an answer never mapped); frees */
int journal_lines_close(struct journal_lines *j, struct record *r);

enum ending { ENDING_UNKNOWN, ENDING_REBOOT, ENDING_POWEROFF, ENDING_KEXEC };

/** journal_ending() - does this entry of an earlier boot tell how that boot ended? */
enum ending journal_ending(const struct journal_entry *e);
