/* analyze/import/journal_fields.c - see journal_fields.h */
#include "analyze/import/journal_fields.h"
#include <string.h>
#include "record/macros.h"
#include "record/procfile.h"

void journal_fields_clear(struct journal_fields *f)
{
        for (size_t k = 0; k < N_FIELDS; k++)
                f->value[k][0] = '\0';
        f->monotonic_us = f->source_us = f->realtime_us = f->uid = -1;
        f->kernel_us = f->initrd_us = f->userspace_us = -1;
        f->n_set = 0;
}

static void put(struct journal_fields *f, enum journal_field k, const char *value)
{
        (void) snprintf(f->value[k], sizeof f->value[k], "%s", value);
}

void journal_fields_set(struct journal_fields *f, const char *key, const char *value)
{
        static const char *const keys[N_FIELDS] = {
                [FIELD_IDENTIFIER] = "SYSLOG_IDENTIFIER",
                [FIELD_MESSAGE] = "MESSAGE",
                [FIELD_MESSAGE_ID] = "MESSAGE_ID",
                [FIELD_UNIT] = "UNIT",
                [FIELD_USER_UNIT] = "USER_UNIT",
                [FIELD_OWN_UNIT] = "_SYSTEMD_UNIT",
                [FIELD_BOOT_ID] = "_BOOT_ID",
                [FIELD_TRANSPORT] = "_TRANSPORT",
        };
        const struct {
                const char *key;
                int64_t *slot;
        } numbers[] = {
                { "__MONOTONIC_TIMESTAMP", &f->monotonic_us },
                { "_SOURCE_MONOTONIC_TIMESTAMP", &f->source_us },
                { "__REALTIME_TIMESTAMP", &f->realtime_us },
                { "_UID", &f->uid },
                { "KERNEL_USEC", &f->kernel_us },
                { "INITRD_USEC", &f->initrd_us },
                { "USERSPACE_USEC", &f->userspace_us },
        };
        int64_t n;

        f->n_set++;
        for (size_t k = 0; k < N_FIELDS; k++)
                if (strcmp(key, keys[k]) == 0)
                        put(f, (enum journal_field) k, value);
        for (size_t k = 0; k < ELEMENTSOF(numbers); k++)
                if (strcmp(key, numbers[k].key) == 0 && parse_int(value, &n) == 0 && n >= 0)
                        *numbers[k].slot = n;
}

/* names_unit() - a word that is a unit's name, against the first of a description */
static bool names_unit(const char *word, size_t n)
{
        static const char *const suffixes[] = { ".service", ".target" };

        for (size_t k = 0; k < ELEMENTSOF(suffixes); k++) {
                size_t m = strlen(suffixes[k]);

                if (n > m && strncmp(word + n - m, suffixes[k], m) == 0)
                        return true;
        }
        return false;
}

/* unit_of() - "Finished systemd-cryptsetup@x.service - Cryptography Setup for x." names it; older
 * ones only describe it. "" for anything else. */
static void unit_of(const char *message, char *ret, size_t size)
{
        static const char *const verbs[] = { "Started ", "Finished ", "Reached target " };
        static const struct {
                const char *words, *unit;
        } described[] = {
                { "System Initialization", "sysinit.target" },
                { "Basic System", "basic.target" },
                { "Multi-User System", "multi-user.target" },
                { "Graphical Interface", "graphical.target" },
        };
        static const char setup[] = "Cryptography Setup for ";
        const char *what = NULL;

        *ret = '\0';
        for (size_t k = 0; k < ELEMENTSOF(verbs); k++)
                if (strncmp(message, verbs[k], strlen(verbs[k])) == 0)
                        what = message + strlen(verbs[k]);
        if (!what)
                return;
        if (names_unit(what, strcspn(what, " ")))
                (void) snprintf(ret, size, "%.*s", (int) strcspn(what, " "), what);
        else if (strncmp(what, setup, strlen(setup)) == 0)
                (void) snprintf(ret, size, "systemd-cryptsetup@%.*s.service",
                                (int) strcspn(what + strlen(setup), ". "), what + strlen(setup));
        for (size_t k = 0; *ret == '\0' && k < ELEMENTSOF(described); k++)
                if (strncmp(what, described[k].words, strlen(described[k].words)) == 0)
                        (void) snprintf(ret, size, "%s", described[k].unit);
}

void journal_fields_short(struct journal_fields *f, int64_t at_us, const char *who, const char *pid,
                          const char *message)
{
        char unit[256];

        f->n_set = 1;
        f->monotonic_us = at_us;
        put(f, FIELD_IDENTIFIER, who);
        put(f, FIELD_MESSAGE, message);
        if (strcmp(who, "systemd") != 0)
                return;
        f->uid = strcmp(pid, "1") == 0 ? 0 : -1;
        unit_of(message, unit, sizeof unit);
        if (!unit[0])
                return;
        put(f, FIELD_MESSAGE_ID, MESSAGE_UNIT_STARTED);
        put(f, strcmp(pid, "1") == 0 ? FIELD_UNIT : FIELD_USER_UNIT, unit);
}

static const char *or_null(const char *text) { return *text ? text : NULL; }

bool journal_fields_entry(const struct journal_fields *f, struct journal_entry *ret)
{
        if (f->monotonic_us < 0)
                return false;
        *ret = (struct journal_entry){
                .at_us = f->source_us >= 0 ? f->source_us : f->monotonic_us,
                .identifier = or_null(f->value[FIELD_IDENTIFIER]),
                .message = or_null(f->value[FIELD_MESSAGE]),
                .message_id = or_null(f->value[FIELD_MESSAGE_ID]),
                .unit = or_null(f->value[FIELD_UNIT]),
                .user_unit = or_null(f->value[FIELD_USER_UNIT]),
                .own_unit = or_null(f->value[FIELD_OWN_UNIT]),
                .uid = f->uid,
        };
        if (strcmp(f->value[FIELD_TRANSPORT], "kernel") == 0)
                ret->identifier = "kernel";
        return true;
}
