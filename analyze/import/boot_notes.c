/* analyze/import/boot_notes.c - boots timed by hand with a watch, as people write them down:
 *
 *     7200 RPM 160GB seagate, no dmcrypt, HIMEM64G
 *     boot 1: 21 X start / 36 E ready / 0:48 rcvd / 0:25 snd
 *     kernel build #1:
 *     real 23m22.448s
 *     user 39m49.538s
 *     sys 4m13.604s
 *     --------------------------------------------
 *
 * A heading names the factors of the boots below it, up to a rule of dashes. A boot's marks are
 * counted from the watch's start, the boot loader's prompt unless --start says otherwise; the mail
 * folders are times of their own. The original has a few traps: "0:60", "ready" without a name, a
 * second build without a heading, "rcvds", "boot1:". */
#include <ctype.h>
#include <string.h>
#include "analyze/import/boot_notes.h"
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum { BOOT, BUILD, BUILD_TIME, TIMES, REMARK, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [BOOT] = "^(?:cold |warm )?(?:re)?boot{no} ?[:.)=-] ?(.+)$",
        [BUILD] = "^(?:kernel )?(?:build|compil(?:e|ation)|make){no} ?:?$",
        [BUILD_TIME] = "^(?:kernel )?(?:build|compil(?:e|ation)|make){no} ?[:=] ?(.+)$",
        [TIMES] = "^(real|user|sys)\\b ?[:=]? ?([0-9].*)$",
        [REMARK] = "^\\((.*)\\)$",
};

#define BUILD_WORKLOAD "build.kernel"

struct notes {
        struct import *in;
        struct patterns *p;
        struct patterns *headings;
        struct marks *marks;
        char heading[HEADING_MAX_BYTES];
        bool boot_is_open; /* lines of builds and folders belong to a boot */
        unsigned run;      /* of the newest build of the open boot; 0 none */
};

static bool is_marks_line(const struct notes *n, const char *line)
{
        return marks_count(n->marks, line) >= 2;
}

static void end_boot(struct notes *n)
{
        if (n->boot_is_open)
                marks_end(n->in);
        n->boot_is_open = false;
}

static void begin_boot(struct notes *n, size_t i, int64_t number)
{
        end_boot(n);
        marks_begin(n->in, n->in->start, i);
        n->boot_is_open = true;
        n->run = 0;
        if (number >= 0)
                import_origin_integer(n->in, "boot", number);
        heading_label(n->headings, n->in, n->heading);
}

static void read_marks(struct notes *n, size_t i, const char *rest)
{
        import_take(n->in, i);
        marks_read(n->marks, n->in, i, rest);
}

static void read_boot(struct notes *n, size_t i, const struct match *m)
{
        const char *rest = m->subject + m->from[2];
        int64_t number = -1;

        if (marks_count(n->marks, rest) == 0) {
                import_unread(n->in, i, "a boot without a time that can be read");
                end_boot(n); /* what follows must not fall to the boot before */
                return;
        }
        (void) match_integer(m, 1, &number);
        begin_boot(n, i, number);
        read_marks(n, i, rest);
}

/* begin_build() - @number 0: the one after the last */
static void begin_build(struct notes *n, size_t i, int64_t number)
{
        unsigned run = number > 0 && number < 1000000 ? (unsigned) number : n->run + 1;

        if (import_sample_find(n->in, BUILD_WORKLOAD, run)) {
                import_warn(n->in, "line %u: a second build #%u; counted as #%u",
                            text_number(n->in->text, i), run, n->run + 1);
                run = n->run + 1;
        }
        n->run = run;
        (void) import_sample(n->in, BUILD_WORKLOAD, run, i);
}

static void read_build_heading(struct notes *n, size_t i, const struct match *m)
{
        int64_t number = 0;

        if (!n->boot_is_open) {
                import_unread(n->in, i, "a build that belongs to no boot");
                return;
        }
        import_take(n->in, i);
        (void) match_integer(m, 1, &number);
        begin_build(n, i, number);
}

/* read_times() - "real 23m24.829s"; a second "real" without a heading is the next run */
static void read_times(struct notes *n, size_t i, const struct match *m)
{
        struct timespan t;
        struct sample *s;
        char field[8], raw[64];

        match_copy(m, 1, field, sizeof field);
        for (char *p = field; *p; p++)
                *p = (char) tolower((unsigned char) *p);
        match_copy(m, 2, raw, sizeof raw);
        if (timespan_parse(raw, TIMESPAN_BARE | TIMESPAN_COMMA, &t, NULL) < 0) {
                import_unread(n->in, i, "'%s' is no length of time", raw);
                return;
        }
        if (!n->boot_is_open) {
                import_unread(n->in, i, "a build's time that belongs to no boot");
                return;
        }
        s = n->run ? import_sample_find(n->in, BUILD_WORKLOAD, n->run) : NULL;
        if (!s || (strcmp(field, "real") == 0 && sample_find(s, "real")))
                begin_build(n, i, 0);
        import_take(n->in, i);
        import_value_span(n->in, field, &t, i, raw);
}

/* read_build_time() - "kernel build #1: real 23m24s, user 39m, sys 4m" or "build 2: 22m47.5s" */
static void read_build_time(struct notes *n, size_t i, const struct match *m)
{
        static const char *const fields[] = { "real", "user", "sys" };
        const char *rest = m->subject + m->from[2];
        struct timespan t;
        size_t used;

        if (n->boot_is_open && timespan_parse(rest, TIMESPAN_COMMA, &t, &used) == 0) {
                char raw[64];

                read_build_heading(n, i, m);
                (void) snprintf(raw, sizeof raw, "%.*s", (int) used, rest);
                import_value_span(n->in, "real", &t, i, raw);
                return;
        }
        read_build_heading(n, i, m);
        for (size_t k = 0; n->boot_is_open && k < ELEMENTSOF(fields); k++) {
                const char *at = strcasestr(rest, fields[k]);
                char raw[64];

                if (!at)
                        continue;
                at += strlen(fields[k]);
                at += strspn(at, " :=");
                if (timespan_parse(at, TIMESPAN_BARE, &t, &used) < 0)
                        continue;
                (void) snprintf(raw, sizeof raw, "%.*s", (int) used, at);
                import_value_span(n->in, fields[k], &t, i, raw);
        }
}

/* read_heading() - a line above boots. Of several, those that name factors count; when none does,
 * the one right above. */
static void read_heading(struct notes *n, const char *line)
{
        bool names = heading_names_factors(n->headings, line);
        size_t used = strlen(n->heading);

        /* Between boots only what names factors is a heading: the rest is prose. */
        if (n->boot_is_open && !names)
                return;
        if (n->boot_is_open || used == 0 || !heading_names_factors(n->headings, n->heading))
                (void) snprintf(n->heading, sizeof n->heading, "%s", line);
        else if (names)
                (void) snprintf(n->heading + used, sizeof n->heading - used, ", %s", line);
        end_boot(n);
}

static void read_remark(struct notes *n, size_t i, const struct match *m)
{
        char remark[HEADING_MAX_BYTES];

        if (!n->boot_is_open)
                return;
        import_take(n->in, i);
        import_note(n->in, match_copy(m, 1, remark, sizeof remark));
}

static void read_line(struct notes *n, size_t i)
{
        const char *line = text_at(n->in->text, i);
        struct match m;

        if (heading_is_rule(line)) {
                n->heading[0] = '\0';
                end_boot(n);
        } else if (pattern_match(n->p, BOOT, line, &m)) {
                read_boot(n, i, &m);
        } else if (pattern_match(n->p, BUILD, line, &m)) {
                read_build_heading(n, i, &m);
        } else if (pattern_match(n->p, TIMES, line, &m)) {
                read_times(n, i, &m);
        } else if (pattern_match(n->p, BUILD_TIME, line, &m)) {
                read_build_time(n, i, &m);
        } else if (is_marks_line(n, line)) {
                begin_boot(n, i, -1);
                read_marks(n, i, line);
        } else if (n->boot_is_open && marks_count(n->marks, line) == 1) {
                read_marks(n, i, line);
        } else if (pattern_match(n->p, REMARK, line, &m)) {
                read_remark(n, i, &m);
        } else {
                read_heading(n, line);
        }
}

/* recognize_lines() - the layout of this file: 90 with a word for it, 60 with times alone */
static int recognize_lines(const struct text *text, const struct patterns *p,
                           const struct marks *marks)
{
        for (size_t i = 0; i < text->n_lines; i++) {
                const char *line = text_at(text, i);
                struct match m;

                if (!text_is_free(text, i))
                        continue;
                if (pattern_match(p, BOOT, line, &m) && marks_count(marks, line + m.from[2]) > 0)
                        return 90;
                if (!strchr(line, '|') && marks_count(marks, line) >= 2)
                        return 60;
        }
        return 0;
}

void boot_notes_unwrap(struct text *text) { unwrap_list(text); }

int boot_notes_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(marks_freep) struct marks *marks = marks_new();
        int sure = p && marks ? recognize_lines(text, p, marks) : 0;

        if (sure == 0 && marks &&
            (boot_notes_count_table(text, marks) >= 2 || boot_notes_count_list(text, marks) >= 2))
                sure = 55;
        return sure;
}

void boot_notes_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        CLEANUP(marks_freep) struct marks *marks = marks_new();
        struct notes n = { .in = in, .p = p, .headings = headings, .marks = marks };

        if (!p || !headings || !marks) {
                import_out_of_memory(in);
                return;
        }
        if (recognize_lines(in->text, p, marks) == 0) {
                boot_notes_read_table(in, marks);
                boot_notes_read_list(in, marks);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&n, i);
        end_boot(&n);
}
