/* collectors/mail_settings.c - see mail_settings.h */
#include "collectors/mail_settings.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "record/macros.h"

/* Those that are asked for here, with neomutt's defaults, from neomuttrc(5) */
static const struct {
        const char *name, *value;
} defaults[] = {
        { "assumed_charset", "" },
        { "score_threshold_delete", "-1" },
        { "score_threshold_flag", "9999" },
        { "score_threshold_read", "-1" },
};

int mail_settings_init(struct mail_settings *s)
{
        *s = (struct mail_settings){ .table = { .table = NULL } };
        if (!hcreate_r(2 * ELEMENTSOF(defaults), &s->table))
                return -errno;
        for (size_t i = 0; i < ELEMENTSOF(defaults); i++) {
                ENTRY *entry, setting = { .key = (char *) (uintptr_t) defaults[i].name,
                                          .data = (char *) (uintptr_t) defaults[i].value };

                if (!hsearch_r(setting, ENTER, &entry, &s->table)) {
                        mail_settings_done(s);
                        return -ENOMEM;
                }
        }
        return 0;
}

void mail_settings_done(struct mail_settings *s) { hdestroy_r(&s->table); }

const char *mail_settings_get(struct mail_settings *s, const char *name)
{
        ENTRY *found, wanted = { .key = (char *) (uintptr_t) name };

        return hsearch_r(wanted, FIND, &found, &s->table) ? found->data : "";
}
