/* analyze/import/journal_fields.h - the fields of one journal entry that say something about a boot
 */
#pragma once
#include "record/journal_lines.h"

enum journal_field {
        FIELD_IDENTIFIER,
        FIELD_MESSAGE,
        FIELD_MESSAGE_ID,
        FIELD_UNIT,
        FIELD_USER_UNIT,
        FIELD_OWN_UNIT,
        FIELD_BOOT_ID,
        FIELD_TRANSPORT,
        N_FIELDS
};

#define JOURNAL_FIELD_MAX_BYTES 512

struct journal_fields {
        char value[N_FIELDS][JOURNAL_FIELD_MAX_BYTES]; /* cut; "" not there */
        int64_t monotonic_us, source_us, realtime_us;  /* -1 not there */
        int64_t uid;                                   /* -1 not there */
        int64_t kernel_us, initrd_us, userspace_us;    /* of systemd\'s own account; -1 not there */
        unsigned n_set;                                /* fields of any kind so far */
};

void journal_fields_clear(struct journal_fields *f);

/** journal_fields_set() - @key as the journal spells it; fields that say nothing are only counted
 */
void journal_fields_set(struct journal_fields *f, const char *key, const char *value);

/**
 * journal_fields_short() - what "[5.123456] host WHO[PID]: MESSAGE" tells
 *
 * PID 1's words name the unit that it started, or describe one that is known by its description.
 */
void journal_fields_short(struct journal_fields *f, int64_t at_us, const char *who, const char *pid,
                          const char *message);

/** journal_fields_entry() - as an entry, whose texts stay @f's; false without a monotonic time */
bool journal_fields_entry(const struct journal_fields *f, struct journal_entry *ret);
