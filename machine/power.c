/* machine/power.c - mains or battery, and how much of it is left */
#include <string.h>
#include "machine/root.h"
#include "machine/topics.h"

#define FOLDER "sys/class/power_supply"

struct supplies {
        bool has_mains, mains_online, has_battery, discharging;
};

static void look_at(struct capture *c, const char *name, struct supplies *s)
{
        CLEANUP(freep) char *type = NULL, *scope = NULL, *status = NULL;
        int64_t online, percent;

        if (root_line(c->m, &type, FOLDER "/%s/type", name) < 0)
                return;
        /* A mouse has a battery too. */
        if (root_line(c->m, &scope, FOLDER "/%s/scope", name) == 0 && strcmp(scope, "Device") == 0)
                return;
        if (strcmp(type, "Battery") == 0) {
                s->has_battery = true;
                if (root_line(c->m, &status, FOLDER "/%s/status", name) == 0)
                        s->discharging = s->discharging || strcmp(status, "Discharging") == 0;
                if (root_integer(c->m, &percent, FOLDER "/%s/capacity", name) == 0 &&
                    !factor_has(c, "power.battery_percent"))
                        factor_integer(c, "power.battery_percent", percent);
        } else if (root_integer(c->m, &online, FOLDER "/%s/online", name) == 0) {
                s->has_mains = true;
                s->mains_online = s->mains_online || online != 0;
        }
}

void power_capture(struct capture *c)
{
        CLEANUP(root_list_freep) char **names = NULL;
        CLEANUP(freep) char *profile = NULL;
        struct supplies s = { .has_mains = false };
        int r = root_list(c->m, &names, FOLDER);

        if (r < 0) {
                factor_unread(c, "power.source", r, FOLDER);
                return;
        }
        for (char **name = names; *name; name++)
                look_at(c, *name, &s);
        /* A machine without a battery runs on what it is plugged into. */
        if (s.mains_online || !s.has_battery)
                factor_text(c, "power.source", "ac");
        else if (s.has_mains || s.discharging)
                factor_text(c, "power.source", "battery");
        else
                factor_absent(c, "power.source", "the battery does not say whether it is drained");
        if (root_line(c->m, &profile, "sys/firmware/acpi/platform_profile") == 0 && *profile)
                factor_text(c, "power.profile", profile);
}
