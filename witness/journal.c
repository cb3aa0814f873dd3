/* witness/journal.c - the system's journal: this boot's telling entries, and how the one before
 * ended
 *
 * Ordinary users see the system's journal only as members of adm or systemd-journal; what a journal
 * without one entry of this boot means is said as that. */
#include <string.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include "record/procfile.h"
#include "record/journal_lines.h"
#include "witness/kernel_log.h"
#include "witness/witness.h"

#define FIELD_MAX_BYTES 512
#define ENTRIES_OF_END 500 /* a shutdown writes some hundred */

static void journal_closep(sd_journal **j) { sd_journal_close(*j); }

/* The fields of one entry, copied: what sd-journal hands out lives until the next call. */
struct fields {
        char identifier[FIELD_MAX_BYTES], message[FIELD_MAX_BYTES], message_id[FIELD_MAX_BYTES];
        char unit[FIELD_MAX_BYTES], user_unit[FIELD_MAX_BYTES], own_unit[FIELD_MAX_BYTES];
        char number[FIELD_MAX_BYTES];
};

static const char *get(sd_journal *j, const char *field, char ret[FIELD_MAX_BYTES])
{
        const void *data;
        size_t n, skip = strlen(field) + 1;

        if (sd_journal_get_data(j, field, &data, &n) < 0 || n < skip)
                return NULL;
        n -= skip;
        if (n >= FIELD_MAX_BYTES)
                n = FIELD_MAX_BYTES - 1;
        memcpy(ret, (const char *) data + skip, n);
        ret[n] = '\0';
        return ret;
}

static int64_t get_number(sd_journal *j, const char *field, struct fields *f)
{
        int64_t n;

        return get(j, field, f->number) && parse_int(f->number, &n) == 0 ? n : -1;
}

static void read_entry(sd_journal *j, struct fields *f, struct journal_entry *ret)
{
        uint64_t at_us = 0;
        int64_t sent_us;

        *ret = (struct journal_entry){
                .identifier = get(j, "SYSLOG_IDENTIFIER", f->identifier),
                .message = get(j, "MESSAGE", f->message),
                .message_id = get(j, "MESSAGE_ID", f->message_id),
                .unit = get(j, "UNIT", f->unit),
                .user_unit = get(j, "USER_UNIT", f->user_unit),
                .own_unit = get(j, "_SYSTEMD_UNIT", f->own_unit),
                .uid = get_number(j, "_UID", f),
        };
        (void) sd_journal_get_monotonic_usec(j, &at_us, NULL);
        sent_us = get_number(j, "_SOURCE_MONOTONIC_TIMESTAMP", f);
        ret->at_us = sent_us >= 0 ? sent_us : (int64_t) at_us;
}

/* match() - this boot's entries of the kinds that mean something; the kernel's only when its own
 * log could not be read */
static int match(sd_journal *j, const char *boot_id, bool wants_kernel)
{
        static const char *const any_of[] = {
                "MESSAGE_ID=" MESSAGE_UNIT_STARTED,
                "MESSAGE_ID=" MESSAGE_GNOME_SHELL_STARTED,
                "MESSAGE_ID=" MESSAGE_GNOME_SESSION_RUNNING,
                "SYSLOG_IDENTIFIER=systemd-cryptsetup",
                "SYSLOG_IDENTIFIER=systemd-tty-ask-password-agent",
                "_TRANSPORT=kernel",
        };
        size_t n = ELEMENTSOF(any_of) - (wants_kernel ? 0 : 1);
        char boot[64];
        int r;

        (void) snprintf(boot, sizeof boot, "_BOOT_ID=%s", boot_id);
        r = sd_journal_add_match(j, boot, 0);
        if (r >= 0)
                r = sd_journal_add_conjunction(j);
        for (size_t i = 0; r >= 0 && i < n; i++) {
                r = sd_journal_add_match(j, any_of[i], 0);
                if (r >= 0)
                        r = sd_journal_add_disjunction(j);
        }
        return r;
}

static int read_boot(sd_journal *j, struct witness_context *ctx, struct record *r, size_t *ret_n)
{
        struct journal_lines lines;
        struct kernel_log kernel;
        struct fields fields;
        int closed, code = 0;

        journal_lines_open(&lines, r);
        kernel_log_open(&kernel, ctx->root_fd, "journal, kernel");
        *ret_n = 0;
        SD_JOURNAL_FOREACH(j)
        {
                struct journal_entry e;

                ++*ret_n;
                read_entry(j, &fields, &e);
                if (e.identifier && strcmp(e.identifier, "kernel") == 0)
                        code = e.message ? kernel_log_line(&kernel, r, e.at_us, e.message) : 0;
                else
                        code = journal_lines_entry(&lines, r, &e);
                if (code < 0)
                        break;
        }
        if (ctx->kernel_counter_khz == 0)
                ctx->kernel_counter_khz = kernel.counter_khz;
        if (ctx->rtc.epoch_s == 0)
                ctx->rtc = kernel.rtc;
        closed = journal_lines_close(&lines, r);
        return code < 0 ? code : closed;
}

static int set_kind(struct record *r, enum ending ending)
{
        static const char *const kinds[] = {
                [ENDING_REBOOT] = "warm", [ENDING_POWEROFF] = "cold", [ENDING_KEXEC] = "kexec"
        };

        if (ending == ENDING_UNKNOWN || r->boot_kind)
                return 0;
        r->boot_kind = strdup(kinds[ending]);
        return r->boot_kind ? 0 : -ENOMEM;
}

/* read_boot_before() - its last entry's wall-clock time, and how it ended. The journal's order puts
 * it right before this boot's first entry. */
static int read_boot_before(sd_journal *j, sd_id128_t boot, struct witness_context *ctx,
                            struct record *r)
{
        enum ending ending = ENDING_UNKNOWN;
        sd_id128_t before = SD_ID128_NULL;
        struct fields fields;

        if (sd_journal_seek_monotonic_usec(j, boot, 0) < 0 || sd_journal_next(j) <= 0)
                return 0;
        for (size_t i = 0; i < ENTRIES_OF_END && ending == ENDING_UNKNOWN; i++) {
                struct journal_entry e;
                uint64_t us, realtime_us;
                sd_id128_t id;

                if (sd_journal_previous(j) <= 0 || sd_journal_get_monotonic_usec(j, &us, &id) < 0)
                        break;
                if (sd_id128_equal(id, boot))
                        continue;
                if (sd_id128_is_null(before)) {
                        before = id;
                        if (sd_journal_get_realtime_usec(j, &realtime_us) >= 0)
                                ctx->earlier_end_realtime_us = (int64_t) realtime_us;
                }
                if (!sd_id128_equal(id, before))
                        break;
                read_entry(j, &fields, &e);
                ending = journal_ending(&e);
        }
        return set_kind(r, ending);
}

static int ask_journal(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(journal_closep) sd_journal *j = NULL;
        char boot_id[SD_ID128_STRING_MAX];
        sd_id128_t boot;
        size_t n;
        int code;

        if (!ctx->is_live)
                return fault_set(fault, -ENOENT, "a recorded tree's journal is not read");
        code = sd_id128_get_boot(&boot);
        if (code >= 0)
                code = sd_journal_open(&j, SD_JOURNAL_LOCAL_ONLY);
        if (code >= 0)
                code = read_boot_before(j, boot, ctx, r);
        if (code >= 0)
                code = match(j, sd_id128_to_string(boot, boot_id),
                             record_absent_reason(r, "root.mounted") != NULL);
        if (code >= 0)
                code = read_boot(j, ctx, r, &n);
        if (code < 0)
                return fault_errno(fault, code, "the journal");
        if (n == 0)
                return fault_set(fault, -ENODATA,
                                 ctx->uid == 0 ? "the journal holds nothing of this boot"
                                               : "the journal holds nothing of this boot that this "
                                                 "user may read");
        return record_add_absent(
                r, "unlock.prompt",
                "the journal has no line about it, and initramfs-tools writes none");
}

static const char *const milestones[] = { "unlock.prompt", "unlock.answered", NULL };

const struct witness witness_journal = { "journal", milestones, ask_journal };
