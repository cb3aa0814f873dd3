/* collectors/mail_settings.h - a client's settings, kept under their names
 *
 * neomutt asks for each setting by name, in a hash table, wherever it needs one: 20220429 does so
 * about 57 times a message, mostly for "assumed_charset", for every address and for every character
 * of a quoted parameter. That is a twentieth of its work, so a workload that stands for it asks at
 * those places, too. All are as they are by default.
 */
#pragma once
#include <search.h>

struct mail_settings {
        struct hsearch_data table;
};

/** mail_settings_init() - with the settings that reading a header asks for; -ENOMEM */
int mail_settings_init(struct mail_settings *s);
void mail_settings_done(struct mail_settings *s);

/** mail_settings_get() - the value of the setting @name; "" when it has none, or is unknown */
const char *mail_settings_get(struct mail_settings *s, const char *name);
