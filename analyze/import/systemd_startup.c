/* analyze/import/systemd_startup.c - systemd's own account of the phases of a boot. They are
 * printed truncated, so their sum may fall short of the total by one unit of the last digit each.
 */
#include "analyze/import/systemd_startup.h"
#include <string.h>

enum { PHASE, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [PHASE] =
                "^(?:\\+ )?({dur}) ?(?:\\((firmware|loader|kernel|initrd|initramfs|userspace)\\))?",
};

static const char *const phase_words[N_PHASES] = { "firmware", "loader", "kernel", "initrd",
                                                   "userspace" };

/* Firmware that starts to count before this boot shows as very long firmware, and a container's
 * kernel is as old as its host. */
#define SUSPECT_US (INT64_C(5) * 60 * 1000000)

bool systemd_startup_read(const char *text, struct systemd_startup *ret)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        struct systemd_startup s = { .has_total = false };
        unsigned n = 0;
        struct match m;

        while (p && pattern_match(p, PHASE, text, &m)) {
                struct timespan t;
                char raw[64], word[16];
                size_t k = USERSPACE;

                match_copy(&m, 1, raw, sizeof raw);
                if (timespan_parse(raw, TIMESPAN_SYSTEMD, &t, NULL) < 0)
                        return false;
                match_copy(&m, 2, word, sizeof word);
                for (size_t w = 0; w < N_PHASES; w++)
                        if (strcasecmp(word, phase_words[w]) == 0)
                                k = w;
                if (strcasecmp(word, "initramfs") == 0)
                        k = INITRD;
                s.phase[k] = t;
                s.has[k] = true;
                (void) snprintf(s.raw[k], sizeof s.raw[k], "%s", raw);
                text += m.to[0];
                text += strspn(text, " ");
                n++;
        }
        if (n == 0)
                return false;
        if (*text == '=') {
                size_t used;

                text += 1 + strspn(text + 1, " ");
                s.has_total = timespan_parse(text, TIMESPAN_SYSTEMD, &s.total, &used) == 0;
                if (s.has_total)
                        (void) snprintf(s.raw[N_PHASES], sizeof s.raw[0], "%.*s", (int) used, text);
        }
        *ret = s;
        return true;
}

static void enter_figures(struct import *in, const struct systemd_startup *s, size_t i)
{
        struct timespan sum = { .us = 0 };
        int64_t slack_us = 0;

        (void) import_sample(in, "systemd.startup", 0, i);
        import_tool(in, "systemd-analyze", NULL);
        for (size_t k = 0; k < N_PHASES; k++) {
                if (!s->has[k])
                        continue;
                import_value_span(in, phase_words[k], &s->phase[k], i, s->raw[k]);
                if (s->phase[k].implausible ||
                    __builtin_add_overflow(sum.us, s->phase[k].us, &sum.us))
                        sum.implausible = "a phase is not plausible";
                slack_us += s->phase[k].error_us;
        }
        if (!s->has_total)
                return;
        import_value_span(in, "total", &s->total, i, s->raw[N_PHASES]);
        slack_us += s->total.error_us;
        if (!s->total.implausible && !sum.implausible &&
            (s->total.us < sum.us - s->total.error_us || s->total.us > sum.us + slack_us))
                import_mismatch(in, "total", "stated %s, but its phases add up to %.3f s",
                                s->raw[N_PHASES], s_from_us(sum.us));
}

static void see(struct import *in, const char *name, int64_t at_us, int64_t error_us,
                const char *why, size_t i, const char *words)
{
        if (in->error < 0 || (strcmp(name, "kernel.start") == 0 &&
                              record_find(in->records[in->n_records - 1], name)))
                return;
        import_see(in, name,
                   &(struct timespan){ .us = at_us, .error_us = error_us, .implausible = why }, i,
                   words);
}

/* before_kernel() - firmware and loader lie before 0 */
static void before_kernel(struct import *in, const struct systemd_startup *s, size_t i)
{
        const struct timespan *firmware = &s->phase[FIRMWARE], *loader = &s->phase[LOADER];
        const char *why = firmware->implausible ? firmware->implausible : loader->implausible;

        if (s->has[LOADER])
                see(in, "loader.start", -loader->us, loader->error_us, loader->implausible, i,
                    s->raw[LOADER]);
        if (!s->has[FIRMWARE])
                return;
        if (!why && firmware->us > SUSPECT_US)
                why = "firmware of more than five minutes: it counts from before this boot";
        /* What does not fit cannot be added up either. */
        see(in, "power.on",
            firmware->implausible || loader->implausible ? -INT64_MAX
                                                         : -(firmware->us + loader->us),
            firmware->error_us + loader->error_us, why, i, s->raw[FIRMWARE]);
}

static bool after_kernel(struct import *in, const struct systemd_startup *s, size_t i,
                         int64_t *ret_us)
{
        const struct timespan *kernel = &s->phase[KERNEL], *initrd = &s->phase[INITRD];
        const struct timespan *userspace = &s->phase[USERSPACE];
        int64_t error_us = kernel->error_us + initrd->error_us, at_us;
        const char *why = kernel->implausible ? kernel->implausible : initrd->implausible;

        if (!why && kernel->us > SUSPECT_US)
                why = "a kernel that took more than five minutes: the uptime of a container's host";
        see(in, "kernel.start", 0, 0, why, i, "what these times count from");
        if (s->has[INITRD])
                see(in, "initrd.start", kernel->us, kernel->error_us, why, i, s->raw[KERNEL]);
        if (kernel->implausible || initrd->implausible)
                return false; /* nothing can be placed behind a time that does not fit */
        at_us = kernel->us + initrd->us;
        see(in, "userspace.start", at_us, error_us, NULL, i,
            s->raw[s->has[INITRD] ? INITRD : KERNEL]);
        if (s->has[USERSPACE] && !userspace->implausible)
                see(in, "startup.finished", at_us + userspace->us, error_us + userspace->error_us,
                    NULL, i, s->raw[USERSPACE]);
        *ret_us = at_us;
        return true;
}

bool systemd_startup_enter(struct import *in, const struct systemd_startup *s, size_t i,
                           int64_t *ret_userspace_us)
{
        const struct timespan *userspace = &s->phase[USERSPACE];

        enter_figures(in, s, i);
        if (s->has[KERNEL]) {
                before_kernel(in, s, i);
                return after_kernel(in, s, i, ret_userspace_us);
        }
        import_origin(in, "userspace.start");
        see(in, "userspace.start", 0, 0, NULL, i, "what these times count from");
        if (!userspace->implausible)
                see(in, "startup.finished", userspace->us, userspace->error_us, NULL, i,
                    s->raw[USERSPACE]);
        *ret_userspace_us = 0;
        return true;
}

bool systemd_target_is_milestone(const char *target)
{
        static const char *const names[] = { "sysinit.target", "basic.target", "multi-user.target",
                                             "graphical.target" };

        for (size_t k = 0; k < ELEMENTSOF(names); k++)
                if (strcmp(names[k], target) == 0)
                        return true;
        return false;
}
