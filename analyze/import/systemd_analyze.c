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
#include "analyze/import/systemd_startup.h"
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum { FINISHED, REACHED, NOT_REACHED, NOT_YET, CHAIN_HEAD, BLAME, CHAIN, N_PATTERNS };

#define UNIT                                                                                       \
        "([\\w@:.\\\\-]+\\.(?:service|socket|target|mount|automount|device|swap|path|timer|slice|" \
        "scope))"

static const char *const sources[N_PATTERNS] = {
        [FINISHED] = "\\bstartup finished in (.+)$",
        [REACHED] = "^(\\S+\\.target) reached after ({dur}) ?in userspace",
        [NOT_REACHED] = "^(\\S+\\.target) was never reached|could not find default\\.target",
        [NOT_YET] = "bootup is not yet finished",
        [CHAIN_HEAD] = ("^the time (?:when|after) (?:the )?unit (?:became|is) active|"
                        "^the time the unit (?:takes|took) to start|^lines [0-9]+-[0-9]+|^please "
                        "try again later|^hint: use 'systemctl|^(?:\\. ?){3}"),
        [BLAME] = ("^({dur}) ?" UNIT "$"),
        [CHAIN] = ("^[|` -]*" UNIT "(?: @({dur}))(?: ?\\+({dur}))?$"),
};

/* FINISHED takes whatever follows; where its line is broken, the phases tell what belongs to it. */
#define STARTUP                                                                                    \
        "\\bstartup finished in {dur}(?: \\([a-z]+\\))?(?: \\+ {dur}(?: \\([a-z]+\\))?)*(?: = "    \
        "{dur})?"

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

/* pid_of() - of "HOST systemd[PID]: Startup finished", or 0 without one */
static long pid_of(const char *line, size_t end)
{
        const char *bracket = memrchr(line, '[', end);

        return bracket && bracket < line + end ? strtol(bracket + 1, NULL, 10) : 0;
}

static void read_finished(struct boot *b, size_t i, const struct match *m)
{
        long pid = pid_of(m->subject, m->from[0]);
        struct systemd_startup s;

        if (pid > 1) { /* somebody's user manager */
                import_skip(b->in, i);
                return;
        }
        if (!systemd_startup_read(m->subject + m->from[1], &s)) {
                import_unread(b->in, i, "no span of time after 'Startup finished in'");
                return;
        }
        if (!b->is_open || b->has_startup || b->has_units)
                open_record(b, i);
        b->has_startup = true;
        import_take(b->in, i);
        b->userspace_is_known = systemd_startup_enter(b->in, &s, i, &b->userspace_us);
}

/* ---- targets, blame, chain ---- */

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

        switch (pattern_first(b->p, N_PATTERNS, text_at(b->in->text, i), &m)) {
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
                b->has_startup = true; /* times of a boot that did finish are of another asking */
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

void systemd_analyze_unwrap(struct text *text)
{
        const char *const lines[] = { sources[REACHED], sources[BLAME], sources[CHAIN], STARTUP };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int systemd_analyze_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        unsigned n = 0;

        for (size_t i = 0; p && i < text->n_lines; i++) {
                int k = text_is_free(text, i) ? pattern_first(p, N_PATTERNS, text_at(text, i), NULL)
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
