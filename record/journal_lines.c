/* record/journal_lines.c - see journal_lines.h */
#include "record/journal_lines.h"
#include <string.h>
#include "record/macros.h"
#include "record/cryptsetup_unit.h"

#define FIRST_PERSON_UID 1000 /* Debian's; below are the greeters' own users */
#define NOBODY_UID 65534

static bool is(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

static bool starts_with(const char *text, const char *prefix)
{
        return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

static int see(struct record *r, const char *name, const char *session, int64_t at_us,
               int64_t error_us, const char *source, const char *detail)
{
        /* The texts are only read: record_see() copies them. */
        return record_see(r, name, session,
                          &(struct sighting){ .at_us = at_us,
                                              .error_us = error_us,
                                              .source = (char *) (uintptr_t) source,
                                              .detail = (char *) (uintptr_t) detail });
}

/* name_questions() - the journal tells whose question it was only after the answer */
static int name_questions(struct questions *q, const char *name)
{
        for (size_t i = 0; name && i < q->n; i++)
                if (!q->question[i].name && !(q->question[i].name = strdup(name)))
                        return -ENOMEM;
        return 0;
}

static bool has_unlock_wait(const struct record *r)
{
        for (size_t i = 0; i < r->n_waits; i++)
                if (strcmp(r->waits[i].kind, "unlock") == 0)
                        return true;
        return false;
}

/* has_seen() - in whichever session: a greeter's prompt is one's own */
static bool has_seen(const struct record *r, const char *name)
{
        for (size_t i = 0; i < r->n_milestones; i++)
                if (strcmp(r->milestones[i].name, name) == 0)
                        return true;
        return false;
}

/* Who looked at the screen, or followed the session, is not corrected by what means less. */
void journal_lines_open(struct journal_lines *j, const struct record *r)
{
        *j = (struct journal_lines){ .unlock = { .prompt_us = -1, .answered_us = -1 },
                                     .has_desktop = record_find(r, "desktop.windows"),
                                     .has_greeter = has_seen(r, "login.prompt"),
                                     .waits_are_known = has_unlock_wait(r) };
}

/* finish_unlock() - one disk's question and answer are complete: it is mapped, or nothing follows.
 * Where hooks were there, their marks have told the waits already, and closer. */
static int finish_unlock(struct journal_lines *j, struct record *r)
{
        struct journal_unlock *u = &j->unlock;
        const char *name = *u->name ? u->name : NULL;
        int code = 0;

        if (u->prompt_us >= 0)
                code = see(r, "unlock.prompt", name, u->prompt_us, 0, "journal", u->message);
        if (code == 0 && u->answered_us >= 0)
                code = see(r, "unlock.answered", name, u->answered_us, 0, "journal", NULL);
        if (code == 0 && !j->waits_are_known)
                code = name_questions(&u->questions, name);
        if (code == 0 && !j->waits_are_known)
                code = questions_enter(&u->questions, r);
        questions_done(&u->questions);
        *u = (struct journal_unlock){ .prompt_us = -1, .answered_us = -1 };
        return code;
}

/* agent_line() - systemd-tty-ask-password-agent asks on a console */
static int agent_line(struct journal_lines *j, const struct journal_entry *e)
{
        struct journal_unlock *u = &j->unlock;

        if (starts_with(e->message, "Starting password query on ")) {
                if (u->prompt_us < 0) {
                        u->prompt_us = e->at_us;
                        (void) snprintf(u->message, sizeof u->message, "%.150s", e->message);
                }
                return questions_mark(&u->questions, "unlock.prompt", NULL, e->at_us);
        }
        if (starts_with(e->message, "Password query on ") &&
            strstr(e->message, " finished successfully")) {
                u->answered_us = e->at_us;
                return questions_mark(&u->questions, "unlock.answered", NULL, e->at_us);
        }
        return 0;
}

/* cryptsetup_line() - "Set cipher ..." is written once the passphrase is there and before the key
 * is derived from it: the answer, where no agent of a console told it (plymouth). */
static int cryptsetup_line(struct journal_lines *j, const struct journal_entry *e)
{
        struct journal_unlock *u = &j->unlock;

        (void) cryptsetup_unit_mapping(e->own_unit, u->name, sizeof u->name);
        if (starts_with(e->message, "Set cipher ") && u->answered_us < 0) {
                u->answered_us = e->at_us;
                return questions_mark(&u->questions, "unlock.answered", NULL, e->at_us);
        }
        if (starts_with(e->message, "Failed to activate with specified passphrase"))
                u->answered_us = -1; /* it was wrong: the person is asked again */
        return 0;
}

static int unit_started(struct journal_lines *j, struct record *r, const struct journal_entry *e)
{
        static const char *const targets[] = { "sysinit.target", "basic.target",
                                               "multi-user.target", "graphical.target" };
        char name[sizeof j->unlock.name];
        int code;

        if (cryptsetup_unit_mapping(e->unit, name, sizeof name)) {
                /* With initramfs-tools the unit runs long after the unlock and finds the work done:
                 * only one that follows an answer tells the mapping. */
                if (j->unlock.answered_us < 0)
                        return 0;
                memcpy(j->unlock.name, name, sizeof name);
                code = see(r, "unlock.mapped", name, e->at_us, RECORD_ERROR_UNKNOWN, "journal",
                           e->unit);
                return code < 0 ? code : finish_unlock(j, r);
        }
        /* The first time counts; systemd itself only remembers the last. */
        for (size_t i = 0; i < ELEMENTSOF(targets); i++)
                if (is(e->unit, targets[i]) && !record_find(r, targets[i]))
                        return see(r, targets[i], NULL, e->at_us, RECORD_ERROR_UNKNOWN, "journal",
                                   NULL);
        return 0;
}

static bool is_person(int64_t uid) { return uid >= FIRST_PERSON_UID && uid != NOBODY_UID; }

/* desktop_started() - weaker than windows that are drawn into: the shell says that it is up, or the
 * session's target is reached. The source names which. */
static int desktop_started(struct journal_lines *j, struct record *r, const struct journal_entry *e,
                           const char *source)
{
        bool *has = is_person(e->uid) ? &j->has_desktop : &j->has_greeter;

        if (*has || e->uid < 0)
                return 0;
        *has = true;
        return see(r, is_person(e->uid) ? "desktop.windows" : "login.prompt", NULL, e->at_us,
                   RECORD_ERROR_UNKNOWN, source, NULL);
}

int journal_lines_entry(struct journal_lines *j, struct record *r, const struct journal_entry *e)
{
        if (is(e->message_id, MESSAGE_UNIT_STARTED) && e->unit)
                return unit_started(j, r, e);
        if (is(e->message_id, MESSAGE_UNIT_STARTED) && is(e->user_unit, "graphical-session.target"))
                return desktop_started(j, r, e, "journal: graphical-session.target");
        if (is(e->message_id, MESSAGE_GNOME_SHELL_STARTED))
                return desktop_started(j, r, e, "journal: GNOME Shell started");
        /* Of a person's session the shell speaks itself */
        if (is(e->message_id, MESSAGE_GNOME_SESSION_RUNNING) && !is_person(e->uid))
                return desktop_started(j, r, e, "journal: gnome-session is running");
        if (is(e->identifier, "systemd-tty-ask-password-agent"))
                return agent_line(j, e);
        if (is(e->identifier, "systemd-cryptsetup"))
                return cryptsetup_line(j, e);
        return 0;
}

int journal_lines_close(struct journal_lines *j, struct record *r) { return finish_unlock(j, r); }

enum ending journal_ending(const struct journal_entry *e)
{
        if (is(e->unit, "kexec.target"))
                return ENDING_KEXEC;
        if (is(e->unit, "reboot.target") || starts_with(e->message, "System is rebooting"))
                return ENDING_REBOOT;
        if (is(e->unit, "poweroff.target") || is(e->unit, "halt.target") ||
            starts_with(e->message, "System is powering down"))
                return ENDING_POWEROFF;
        return ENDING_UNKNOWN;
}
