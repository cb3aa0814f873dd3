/* analyze/import/systemd_analyze.c - systemd-analyze time, blame and critical-chain, together or
 * alone:
 *
 *     Startup finished in 3.2s (firmware) + 1.5s (loader) + 2.8s (kernel) + 12.1s (userspace)
 * = 19.7s graphical.target reached after 11.9s in userspace 5.012s
 * NetworkManager-wait-online.service graphical.target @11.9s
 *     `-multi-user.target @11.9s
 *       `-docker.service @8.2s +3.7s
 *
 * The job queue's end is not the target: they are two milestones. Phases are printed truncated, so
 * a sum may fall short of the total by a millisecond each. A user manager's line is not the
 * system's. */
#include "analyze/import/systemd_analyze.h"
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"

enum { FINISHED, REACHED, NOT_REACHED, NOT_YET, CHAIN_HEAD, BLAME, CHAIN, PHASE, N_PATTERNS };

#define UNIT                                                                                       \
        "([\\w@:.\\\\-]+\\.(?:service|socket|target|mount|automount|device|swap|path|timer|slice|" \
        "scope))"

static const char *const sources[N_PATTERNS] = {
        [FINISHED] = "\\bstartup finished in (.+)$",
        [REACHED] = "^(\\S+\\.target) reached after ({dur}) ?in userspace",
        [NOT_REACHED] = "^(\\S+\\.target) was never reached|could not find default\\.target",
        [NOT_YET] = "bootup is not yet finished",
        [CHAIN_HEAD] =
                ("^the time (?:when|after) (?:the )?unit (?:became|is) active|"
                 "^the time the unit (?:takes|took) to start|^lines [0-9]+-[0-9]+|^(?:\\. ?){3}"),
        [BLAME] = ("^({dur}) ?" UNIT "$"),
        [CHAIN] = ("^[|` -]*" UNIT "(?: @({dur}))(?: ?\\+({dur}))?$"),
        [PHASE] =
                "^(?:\\+ )?({dur}) ?(?:\\((firmware|loader|kernel|initrd|initramfs|userspace)\\))?",
};

enum phase { FIRMWARE, LOADER, KERNEL, INITRD, USERSPACE, N_PHASES };

static const char *const phase_words[N_PHASES] = { "firmware", "loader", "kernel", "initrd",
                                                   "userspace" };

/* Firmware that starts to count before this boot shows as very long firmware, and a container's
 * kernel is as old as its host. */
#define SUSPECT_US (INT64_C(5) * 60 * 1000000)

struct startup {
        struct timespan phase[N_PHASES], total;
        char raw[N_PHASES + 1][64];
        bool has[N_PHASES], has_total;
};

struct boot {
        struct import *in;
        struct patterns *p, *headings;
        bool is_open, has_startup, has_units;
        int64_t userspace_us; /* on the record's axis */
        bool userspace_is_known;
};

static void open_record(struct boot *b, size_t i)
{
        char heading[HEADING_MAX_BYTES];

        (void) heading_above(b->in, i, 1, heading, sizeof heading);
        (void) import_record(b->in, i);
        heading_label(b->headings, b->in, heading);
        b->is_open = true;
        b->has_startup = b->has_units = false;
        b->userspace_us = 0;
        b->userspace_is_known = false;
}

/* needs_origin() - a record without "Startup finished" counts from the start of userspace */
static void needs_origin(struct boot *b, size_t i)
{
        struct timespan zero = { .us = 0 };

        if (b->userspace_is_known)
                return;
        b->userspace_is_known = true;
        import_origin(b->in, "userspace.start");
        import_see(b->in, "userspace.start", &zero, i, "what these times count from");
}

/* ---- Startup finished ---- */

/* read_startup() - "3.2s (firmware) + ... = 19.7s"; false when not even the first span is there */
static bool read_startup(const struct patterns *p, const char *text, struct startup *ret)
{
        struct startup s = { .has_total = false };
        unsigned n = 0;
        struct match m;

        while (pattern_match(p, PHASE, text, &m)) {
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

static void enter_figures(struct boot *b, const struct startup *s, size_t i)
{
        struct timespan sum = { .us = 0 };
        int64_t slack_us = 0;

        (void) import_sample(b->in, "systemd.startup", 0, i);
        import_tool(b->in, "systemd-analyze", NULL);
        for (size_t k = 0; k < N_PHASES; k++) {
                if (!s->has[k])
                        continue;
                import_value_span(b->in, phase_words[k], &s->phase[k], i, s->raw[k]);
                if (s->phase[k].implausible ||
                    __builtin_add_overflow(sum.us, s->phase[k].us, &sum.us))
                        sum.implausible = "a phase is not plausible";
                slack_us += s->phase[k].error_us;
        }
        if (!s->has_total)
                return;
        import_value_span(b->in, "total", &s->total, i, s->raw[N_PHASES]);
        slack_us += s->total.error_us;
        if (!s->total.implausible && !sum.implausible &&
            (s->total.us < sum.us - s->total.error_us || s->total.us > sum.us + slack_us))
                import_mismatch(b->in, "total", "stated %s, but its phases add up to %.3f s",
                                s->raw[N_PHASES], s_from_us(sum.us));
}

static void see(struct boot *b, const char *name, int64_t at_us, int64_t error_us, const char *why,
                size_t i, const char *words)
{
        import_see(b->in, name,
                   &(struct timespan){ .us = at_us, .error_us = error_us, .implausible = why }, i,
                   words);
}

/* before_kernel() - firmware and loader lie before 0 */
static void before_kernel(struct boot *b, const struct startup *s, size_t i)
{
        const struct timespan *firmware = &s->phase[FIRMWARE], *loader = &s->phase[LOADER];
        const char *why = firmware->implausible ? firmware->implausible : loader->implausible;

        if (s->has[LOADER])
                see(b, "loader.start", -loader->us, loader->error_us, loader->implausible, i,
                    s->raw[LOADER]);
        if (!s->has[FIRMWARE])
                return;
        if (!why && firmware->us > SUSPECT_US)
                why = "firmware of more than five minutes: it counts from before this boot";
        see(b, "power.on",
            why && firmware->implausible ? INT64_MIN / 2 : -(firmware->us + loader->us),
            firmware->error_us + loader->error_us, why, i, s->raw[FIRMWARE]);
}

static void after_kernel(struct boot *b, const struct startup *s, size_t i)
{
        const struct timespan *kernel = &s->phase[KERNEL], *initrd = &s->phase[INITRD];
        const struct timespan *userspace = &s->phase[USERSPACE];
        int64_t error_us = kernel->error_us + initrd->error_us;
        const char *why = kernel->implausible ? kernel->implausible : initrd->implausible;

        if (!why && kernel->us > SUSPECT_US)
                why = "a kernel that took more than five minutes: the uptime of a container's host";
        see(b, "kernel.start", 0, 0, why, i, "what these times count from");
        if (s->has[INITRD])
                see(b, "initrd.start", kernel->us, kernel->error_us, why, i, s->raw[KERNEL]);
        if (why && (kernel->implausible || initrd->implausible))
                return; /* nothing can be placed behind a time that does not fit */
        b->userspace_us = kernel->us + initrd->us;
        b->userspace_is_known = true;
        see(b, "userspace.start", b->userspace_us, error_us, NULL, i,
            s->raw[s->has[INITRD] ? INITRD : KERNEL]);
        if (s->has[USERSPACE] && !userspace->implausible)
                see(b, "startup.finished", b->userspace_us + userspace->us,
                    error_us + userspace->error_us, NULL, i, s->raw[USERSPACE]);
}

static void enter_startup(struct boot *b, const struct startup *s, size_t i)
{
        enter_figures(b, s, i);
        if (s->has[KERNEL]) {
                before_kernel(b, s, i);
                after_kernel(b, s, i);
                return;
        }
        needs_origin(b, i);
        if (!s->phase[USERSPACE].implausible)
                see(b, "startup.finished", s->phase[USERSPACE].us, s->phase[USERSPACE].error_us,
                    NULL, i, s->raw[USERSPACE]);
}

/* pid_of() - of "HOST systemd[PID]: Startup finished", or 0 without one */
static long pid_of(const char *line, size_t end)
{
        const char *bracket = memrchr(line, '[', end);

        return bracket && bracket < line + end ? strtol(bracket + 1, NULL, 10) : 0;
}

static void read_finished(struct boot *b, size_t i, const struct match *m)
{
        long pid = pid_of(m->subject, m->from[0]);
        struct startup s;

        if (pid > 1) { /* somebody's user manager */
                import_skip(b->in, i);
                return;
        }
        if (!read_startup(b->p, m->subject + m->from[1], &s)) {
                import_unread(b->in, i, "no span of time after 'Startup finished in'");
                return;
        }
        if (!b->is_open || b->has_startup || b->has_units)
                open_record(b, i);
        b->has_startup = true;
        import_take(b->in, i);
        enter_startup(b, &s, i);
}

/* ---- targets, blame, chain ---- */

bool systemd_target_is_milestone(const char *target)
{
        static const char *const names[] = { "sysinit.target", "basic.target", "multi-user.target",
                                             "graphical.target" };

        for (size_t k = 0; k < ELEMENTSOF(names); k++)
                if (strcmp(names[k], target) == 0)
                        return true;
        return false;
}

static void read_reached(struct boot *b, size_t i, const struct match *m)
{
        char target[64], raw[64];
        struct timespan t;

        match_copy(m, 1, target, sizeof target);
        match_copy(m, 2, raw, sizeof raw);
        if (timespan_parse(raw, TIMESPAN_SYSTEMD, &t, NULL) < 0) {
                import_unread(b->in, i, "'%s' is no span of time", raw);
                return;
        }
        if (!b->is_open)
                open_record(b, i);
        needs_origin(b, i);
        import_take(b->in, i);
        if (!t.implausible)
                t.us += b->userspace_us;
        import_see(b->in, target, &t, i, raw);
}

static void read_not_reached(struct boot *b, size_t i, const struct match *m)
{
        char target[64];

        if (!b->is_open)
                return;
        import_take(b->in, i);
        match_copy(m, 1, target, sizeof target);
        import_absent(b->in, target[0] ? target : "graphical.target",
                      target[0] ? "it was never reached" : "there is no default.target");
}

static void read_blame(struct boot *b, size_t i, const struct match *m)
{
        char raw[64], unit[256];
        struct timespan t;

        match_copy(m, 1, raw, sizeof raw);
        match_copy(m, 2, unit, sizeof unit);
        if (timespan_parse(raw, TIMESPAN_SYSTEMD, &t, NULL) < 0) {
                import_unread(b->in, i, "'%s' is no span of time", raw);
                return;
        }
        if (!b->is_open || import_unit_find(b->in, unit))
                open_record(b, i);
        b->has_units = true;
        import_take(b->in, i);
        if (!t.implausible)
                import_unit(b->in, unit, UNIT_START_UNKNOWN, t.us);
        else
                import_warn(b->in, "line %u: %s took %s: %s", text_number(b->in->text, i), unit,
                            raw, t.implausible);
}

static void read_chain(struct boot *b, size_t i, const struct match *m)
{
        char unit[256], raw_at[64], raw_took[64];
        struct timespan at, took = { .us = 0 };

        match_copy(m, 1, unit, sizeof unit);
        match_copy(m, 2, raw_at, sizeof raw_at);
        match_copy(m, 3, raw_took, sizeof raw_took);
        if (timespan_parse(raw_at, TIMESPAN_SYSTEMD, &at, NULL) < 0 ||
            (raw_took[0] && timespan_parse(raw_took, TIMESPAN_SYSTEMD, &took, NULL) < 0)) {
                import_unread(b->in, i, "'%s' or '%s' is no span of time", raw_at, raw_took);
                return;
        }
        if (!b->is_open)
                open_record(b, i);
        needs_origin(b, i);
        import_take(b->in, i);
        if (at.implausible || took.implausible)
                return;
        at.us += b->userspace_us;
        if (raw_took[0])
                import_unit(b->in, unit, at.us, took.us);
        else if (systemd_target_is_milestone(unit) &&
                 !record_find(b->in->records[b->in->n_records - 1], unit))
                import_see(b->in, unit, &at, i, raw_at);
}

static void read_line(struct boot *b, size_t i)
{
        struct match m;

        switch (pattern_first(b->p, PHASE, text_at(b->in->text, i), &m)) {
        case FINISHED:
                read_finished(b, i, &m);
                break;
        case REACHED:
                read_reached(b, i, &m);
                break;
        case NOT_REACHED:
                read_not_reached(b, i, &m);
                break;
        case NOT_YET:
                open_record(b, i);
                import_take(b->in, i);
                import_incomplete(b->in, "the boot was not yet finished");
                break;
        case CHAIN_HEAD:
                import_skip(b->in, i);
                break;
        case BLAME:
                read_blame(b, i, &m);
                break;
        case CHAIN:
                read_chain(b, i, &m);
                break;
        default:
                break;
        }
}

int systemd_analyze_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        unsigned n = 0;

        for (size_t i = 0; p && i < text->n_lines; i++) {
                int k = text_is_free(text, i) ? pattern_first(p, PHASE, text_at(text, i), NULL)
                                              : -1;

                if (k == FINISHED || k == REACHED || k == NOT_YET || k == CHAIN)
                        return 95;
                n += k == BLAME;
                if (n >= 2)
                        return 90;
        }
        return 0;
}

void systemd_analyze_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        struct boot b = { .in = in, .p = p, .headings = headings };

        if (!p || !headings) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&b, i);
}
