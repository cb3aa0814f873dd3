/* daemon/probes/journal_message.c - see journal_message.h. Whose a line is, journald itself knows
 * (_UID); nothing of its text is looked at. */
#include "daemon/probes/journal_message.h"
#include <stdbool.h>
#include <stdlib.h>
#include <systemd/sd-journal.h>
#include "record/macros.h"

struct journal_message {
        sd_journal *journal;
        sd_event_source *source;
        void (*on_message)(void *userdata, int64_t at_us);
        void *userdata;
        bool is_done;
};

/* look() - the first line that fits, if it has come */
static int look(struct journal_message *j)
{
        sd_id128_t boot;
        uint64_t at_us;
        int r = sd_journal_next(j->journal);

        if (r <= 0 || j->is_done)
                return r;
        r = sd_journal_get_monotonic_usec(j->journal, &at_us, &boot);
        if (r < 0 || at_us > INT64_MAX)
                return r < 0 ? r : -ERANGE;
        j->is_done = true;
        j->on_message(j->userdata, (int64_t) at_us);
        return 1;
}

static int on_journal(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct journal_message *j = userdata;

        (void) fd;
        (void) revents;
        if (sd_journal_process(j->journal) < 0 || look(j) < 0 || j->is_done)
                (void) sd_event_source_set_enabled(source, SD_EVENT_OFF);
        return 0;
}

static int add_matches(sd_journal *j, const char *message_id, uid_t uid)
{
        char boot_text[SD_ID128_STRING_MAX], text[64];
        sd_id128_t boot;
        int r = sd_id128_get_boot(&boot);

        if (r >= 0) {
                (void) snprintf(text, sizeof text, "_BOOT_ID=%s",
                                sd_id128_to_string(boot, boot_text));
                r = sd_journal_add_match(j, text, 0);
        }
        if (r >= 0) {
                (void) snprintf(text, sizeof text, "MESSAGE_ID=%s", message_id);
                r = sd_journal_add_match(j, text, 0);
        }
        if (r >= 0) {
                (void) snprintf(text, sizeof text, "_UID=%ld", (long) uid);
                r = sd_journal_add_match(j, text, 0);
        }
        return r < 0 ? r : sd_journal_seek_head(j);
}

static void journal_message_freep(struct journal_message **j) { *j = journal_message_free(*j); }

int journal_message_new(sd_event *event, const char *folder, const char *message_id, uid_t uid,
                        void (*on_message)(void *userdata, int64_t at_us), void *userdata,
                        struct journal_message **ret, struct fault *fault)
{
        CLEANUP(journal_message_freep) struct journal_message *j = calloc(1, sizeof *j);
        int fd = -EBADF, r;

        if (!j)
                return fault_set(fault, -ENOMEM, "no memory");
        j->on_message = on_message;
        j->userdata = userdata;
        r = folder ? sd_journal_open_directory(&j->journal, folder, 0)
                   : sd_journal_open(&j->journal, SD_JOURNAL_LOCAL_ONLY);
        if (r >= 0)
                r = add_matches(j->journal, message_id, uid);
        if (r >= 0) /* before the first look: what comes in between is told */
                r = fd = sd_journal_get_fd(j->journal);
        if (r >= 0)
                r = sd_event_add_io(event, &j->source, fd,
                                    (uint32_t) sd_journal_get_events(j->journal), on_journal, j);
        if (r >= 0)
                r = look(j);
        if (r < 0)
                return fault_errno(fault, r, "the journal");
        *ret = TAKE(j);
        return 0;
}

struct journal_message *journal_message_free(struct journal_message *j)
{
        if (j) {
                (void) sd_event_source_disable_unref(j->source);
                sd_journal_close(j->journal);
                free(j);
        }
        return NULL;
}
