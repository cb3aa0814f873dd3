/* analyze/import/dmesg.c - the kernel's log as dmesg prints it, with seconds since the kernel
 * started:
 *
 *     [    0.000000] Linux version 6.1.0-13-amd64 ...
 *     [    1.234567][    T1] Run /init as init process
 *     kern  :info  : [    5.678901] EXT4-fs (dm-0): mounted filesystem with ordered data mode
 *
 * A stamp that falls back to the beginning under another "Linux version" is another boot. With -T
 * the stamps are wall-clock time made up from the uptime: they are refused. */
#include <string.h>
#include "analyze/import/boot_log.h"
#include "analyze/import/formats.h"
#include "analyze/import/unwrap.h"

enum { LINE, WALL_CLOCK, BRACKETS, N_PATTERNS };

#define PREFIX "^(?:<[0-9]+>|[a-z]+ ?: ?[a-z]+ ?: ?)?"

static const char *const sources[N_PATTERNS] = {
        [LINE] = PREFIX "\\[ ?([0-9]+\\.[0-9]{6})\\](?: ?\\[ ?[TC][0-9]+\\])? ?(.*)$",
        [WALL_CLOCK] = PREFIX "\\[(?:[a-z]{3} ){2} ?[0-9]+ [0-9:]{8} [0-9]{4}\\] ",
        [BRACKETS] = "^\\[ ?[0-9]+\\.[0-9]{6}\\] \\S+ (?:kernel|systemd)(?:\\[[0-9]+\\])?: ",
};

#define LINES_SURE 3
#define FIRST_WORDS "Linux version "

void dmesg_unwrap(struct text *text) { unwrap_wide(text, sources[LINE]); }

int dmesg_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        unsigned n = 0;

        for (size_t i = 0; p && i < text->n_lines; i++) {
                const char *line = text_at(text, i);

                if (!text_is_free(text, i) || pattern_match(p, BRACKETS, line, NULL))
                        continue; /* journalctl -o short-monotonic */
                n += pattern_match(p, LINE, line, NULL);
                if (n >= LINES_SURE)
                        return 90;
        }
        return 0;
}

static void read_line(struct boot_log *l, const struct patterns *p, size_t i, int64_t *last_us)
{
        char raw[32];
        const char *text;
        struct timespan at;
        struct match m;

        if (pattern_match(p, WALL_CLOCK, text_at(l->in->text, i), NULL)) {
                import_unread(l->in, i,
                              "a wall-clock stamp (dmesg -T): it does not say when in the boot");
                return;
        }
        if (!pattern_match(p, LINE, text_at(l->in->text, i), &m))
                return;
        if (timespan_parse(match_copy(&m, 1, raw, sizeof raw), TIMESPAN_BARE, &at, NULL) < 0 ||
            at.implausible) {
                import_unread(l->in, i, "'%s' is no stamp of a boot", raw);
                return;
        }
        text = m.subject + (m.n > 2 ? m.from[2] : strlen(m.subject));
        if (!l->is_open ||
            (at.us < *last_us && strncmp(text, FIRST_WORDS, strlen(FIRST_WORDS)) == 0))
                boot_log_open(l, i);
        *last_us = at.us;
        boot_log_kernel(l, at.us, text, i);
}

void dmesg_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        struct boot_log l = { .in = in };
        int64_t last_us = 0;

        if (!p) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&l, p, i, &last_us);
        boot_log_close(&l);
}
