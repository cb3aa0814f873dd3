/* daemon/settings.c - see settings.h */
#include "daemon/settings.h"
#include <ini.h>
#include <string.h>
#include "record/clock.h"
#include "record/procfile.h"

#define DEADLINE_MAX_S (7 * 86400)

struct reading {
        struct settings *s;
        struct fault fault; /* of the first bad line */
        int code;
};

static int set_deadline(struct settings *s, const char *value, struct fault *fault)
{
        int64_t n;

        if (parse_int(value, &n) < 0 || n < 1 || n > DEADLINE_MAX_S)
                return fault_set(fault, -EINVAL, "deadline wants 1 to %d seconds, not '%s'",
                                 DEADLINE_MAX_S, value);
        s->deadline_us = n * US_PER_S;
        return 0;
}

static int set_desktop(struct settings *s, const char *value, struct fault *fault)
{
        static const char *const words[] = {
                [DESKTOP_AUTO] = "auto", [DESKTOP_YES] = "yes", [DESKTOP_NO] = "no"
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strcmp(value, words[i]) == 0) {
                        s->desktop = (enum settings_desktop) i;
                        return 0;
                }
        return fault_set(fault, -EINVAL, "desktop wants auto, yes or no, not '%s'", value);
}

static int add_to_plan(struct settings *s, const char *collector, const char *arguments,
                       struct fault *fault)
{
        struct collect_job job = { .deadline_us = 0, .quiet = true };
        CLEANUP(freep) char *command = NULL;
        int r;

        if (s->n_plan == SETTINGS_PLAN_MAX)
                return fault_set(fault, -E2BIG, "more than %d collectors", SETTINGS_PLAN_MAX);
        if (asprintf(&command, "%s %s", collector, arguments) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        r = collect_words(command, &job, fault);
        if (r < 0)
                return r;
        s->plan[s->n_plan] = job;
        s->commands[s->n_plan++] = TAKE(command);
        return 0;
}

static int set(struct settings *s, const char *section, const char *name, const char *value,
               struct fault *fault)
{
        if (strcmp(section, "plan") == 0)
                return add_to_plan(s, name, value, fault);
        if (strcmp(section, "daemon") != 0)
                return 0;
        if (strcmp(name, "deadline") == 0)
                return set_deadline(s, value, fault);
        if (strcmp(name, "desktop") == 0)
                return set_desktop(s, value, fault);
        return fault_set(fault, -EINVAL, "[daemon] has no '%s'", name);
}

/* inih wants 1 for a line that is right; it goes on either way and returns the first other line */
static int on_entry(void *user, const char *section, const char *name, const char *value)
{
        struct reading *reading = user;
        struct fault fault = FAULT_NULL;
        int r = set(reading->s, section, name, value ? value : "", &fault);

        if (r < 0 && reading->code == 0) {
                reading->code = r;
                reading->fault = fault;
        }
        return r == 0;
}

int settings_read(struct settings *s, const char *path, struct fault *fault)
{
        struct reading reading = { .s = s };
        FILE *f = fopen(path, "re");
        int line;

        if (!f)
                return errno == ENOENT ? 0 : fault_errno(fault, -errno, "%s", path);
        line = ini_parse_file(f, on_entry, &reading);
        (void) fclose(f);
        if (line == 0)
                return 0;
        if (line < 0)
                return fault_set(fault, -EIO, "%s: cannot be read", path);
        return fault_set(fault, reading.code ? reading.code : -EINVAL, "%s:%d: %s", path, line,
                         reading.code ? reading.fault.text : "want [section] or name = value");
}

void settings_done(struct settings *s)
{
        for (size_t i = 0; i < s->n_plan; i++) {
                free((void *) (uintptr_t) s->plan[i].arguments);
                free(s->commands[i]);
        }
        *s = SETTINGS_NULL;
}
