/* analyze/import/grabserial.c - a serial console with grabserial's stamps:
 *
 *     [1.025907 0.000753] Hit any key to stop autoboot:  1
 *     [2.974300 0.000231] Starting kernel ...
 *     [0.001948 0.001948] Uncompressing Linux... done
 *     [21.623758 0.020000] beaglebone login:
 *
 * Seconds since the base, and since the line before. The base moves when a pattern of the user's
 * was met (here the kernel's start): stamps that fall back say so, and what comes later lies after
 * it. The kernel's own stamps inside a line are another clock and are not read. */
#include <ctype.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum { STAMPED, SECOND_STAMP, MATCH_TIME, LOGIN, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [STAMPED] = "^\\[ ?([0-9]+\\.[0-9]+) ([0-9]+\\.[0-9]+)\\] ?(.*)$",
        [SECOND_STAMP] = "\\[ ?([0-9]+\\.[0-9]{6}) ([0-9]+\\.[0-9]{6})\\] ?(.*)$",
        [MATCH_TIME] = "\\bmatched at ([0-9]+\\.[0-9]+)",
        [LOGIN] = " login:?$",
};

/* What boot consoles say at a milestone; the first that says it counts. */
static const struct said {
        const char *words, *milestone;
} said[] = {
        { "hit any key to stop autoboot", "menu.prompt" },
        { "starting kernel", "kernel.start" },
        { "freeing unused kernel memory", "user.kernel-done" },
        { "run /init as init process", "initrd.start" },
        { "run /sbin/init as init process", "userspace.start" },
};

#define LINES_SURE 3
#define WORDS_MAX_BYTES 96

struct console {
        struct import *in;
        struct patterns *p;
        bool is_open;
        int64_t base_us,
                last_us; /* of the stamps now, on the record's axis; the newest stamp itself */
        char before[WORDS_MAX_BYTES]; /* text of the line before: what the base moved at */
};

static void see_once(struct console *c, size_t i, const char *milestone, const char *text,
                     int64_t at_us)
{
        struct timespan at = { .us = at_us };

        if (c->in->error == 0 && !record_find(c->in->records[c->in->n_records - 1], milestone))
                import_see(c->in, milestone, &at, i, text);
}

static void see(struct console *c, size_t i, const char *text, int64_t at_us)
{
        for (size_t k = 0; k < ELEMENTSOF(said); k++)
                if (strcasestr(text, said[k].words))
                        see_once(c, i, said[k].milestone, text, at_us);
        if (pattern_match(c->p, LOGIN, text, NULL))
                see_once(c, i, "user.login-prompt", text, at_us);
}

static void read_stamp(struct console *c, size_t i, const struct match *m)
{
        char raw[32], text[WORDS_MAX_BYTES];
        struct timespan stamp, zero = { .us = 0 };
        struct match second;

        match_copy(m, 1, raw, sizeof raw);
        match_copy(m, 3, text, sizeof text);
        /* A line that the console did not end holds the next one's stamp too. */
        if (pattern_match(c->p, SECOND_STAMP, text, &second))
                text[second.from[0]] = '\0';
        if (timespan_parse(raw, TIMESPAN_BARE, &stamp, NULL) < 0 || stamp.implausible) {
                import_unread(c->in, i, "'%s' is no stamp", raw);
                return;
        }
        if (!c->is_open) {
                (void) import_record(c->in, i);
                import_origin(c->in, "loader.start");
                import_see(c->in, "loader.start", &zero, i, "the console's first character");
                c->is_open = true;
        } else if (stamp.us < c->last_us) {
                c->base_us += c->last_us;
                import_warn(c->in,
                            "line %u: the stamps begin anew after '%s'; what follows is placed "
                            "behind it",
                            text_number(c->in->text, i), c->before);
        }
        c->last_us = stamp.us;
        import_take(c->in, i);
        if (c->in->error == 0)
                see(c, i, text, c->base_us + stamp.us);
        (void) snprintf(c->before, sizeof c->before, "%s", text);
}

static void read_line(struct console *c, size_t i)
{
        const char *line = text_at(c->in->text, i);
        struct match m;

        if (pattern_match(c->p, STAMPED, line, &m)) {
                read_stamp(c, i, &m);
                if (pattern_match_from(c->p, SECOND_STAMP, line, m.from[3], &m) &&
                    c->in->error == 0)
                        read_stamp(c, i, &m);
        } else if (c->is_open && pattern_match(c->p, MATCH_TIME, line, &m)) {
                char raw[32];
                struct timespan t;

                match_copy(&m, 1, raw, sizeof raw);
                if (timespan_parse(raw, TIMESPAN_BARE, &t, NULL) < 0)
                        return;
                import_take(c->in, i);
                (void) import_sample(c->in, "grabserial", 0, i);
                import_tool(c->in, "grabserial", NULL);
                import_value_span(c->in, "match", &t, i, raw);
        }
}

void grabserial_unwrap(struct text *text) { unwrap_wide(text, sources[STAMPED]); }

int grabserial_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        unsigned n = 0;

        for (size_t i = 0; p && i < text->n_lines; i++) {
                n += text_is_free(text, i) && pattern_match(p, STAMPED, text_at(text, i), NULL);
                if (n >= LINES_SURE)
                        return 95;
        }
        return 0;
}

void grabserial_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        struct console c = { .in = in, .p = p };

        if (!p) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&c, i);
}
