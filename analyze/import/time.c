/* analyze/import/time.c - what the shells' time, GNU time and fish print about a command:
 *
 *     real 23m24.829s          12.01user 1.20system 0:13.50elapsed 97%CPU (0avgtext+0avgdata
 * 9000maxresident)k user 39m59.454s          make  12.01s user 1.20s system 97% cpu 13.500 total
 *     sys 4m16.530s            12.01u 1.20s 0:13.50 97.8% 0+0k 0+8io 0pf+0w
 *
 * Runs of one text are one record; a heading over a run begins another. The lines of one run stand
 * together: a "user" that comes later belongs to nobody. */
#include <ctype.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum {
        GNU,
        ZSH,
        CSH,
        BSD,
        BASH_LINE,
        BASH,
        FISH,
        FISH_PART,
        V_COMMAND,
        V_ELAPSED,
        V_FIGURE,
        V_STATUS,
        FAILED,
        FAULTS,
        COMMAND,
        N_PATTERNS
};

#define QUOTE "(?:\"|\xe2\x80[\x9c-\x9e])?" /* it may have become curly */
#define T "([0-9][0-9.,:]*(?:[hms][0-9.,]*)*)"

static const char *const sources[N_PATTERNS] = {
        [GNU] = ("^([0-9.,]+)user ([0-9.,]+)system ([0-9.,:]+)elapsed ([0-9?]+)%CPU(?: \\(\\S+ "
                 "([0-9]+)maxresident\\)k)?"),
        [ZSH] = "^(.*?) ?([0-9.,]+)s user ([0-9.,]+)s system ([0-9.]+)% cpu ([0-9.,:]+) total$",
        [CSH] = ("^([0-9.,]+)u ([0-9.,]+)s ([0-9:.,]+) ([0-9.]+)% [0-9]+\\+[0-9]+k "
                 "[0-9]+\\+[0-9]+io"),
        [BSD] = ("^" T "s? real " T "s? user " T "s? sys(?:tem)?$"),
        [BASH_LINE] = ("^real ?:? ?" T ",? user ?:? ?" T ",? sys ?:? ?" T "$"),
        [BASH] = ("^(real|user|sys)(?: |: ?)" T "$"),
        [FISH] = "^executed in ({num}) (secs|mins|hours|millis|micros)\\b",
        [FISH_PART] = "^(usr|sys) time ({num}) (secs|mins|hours|millis|micros)\\b",
        [V_COMMAND] = "^command being timed: " QUOTE "(.*?)" QUOTE "$",
        [V_ELAPSED] = "^elapsed \\(wall clock\\) time \\(h:mm:ss or m:ss\\): (\\S+)$",
        [V_FIGURE] =
                ("^(user time \\(seconds\\)|system time \\(seconds\\)|percent of cpu this job got|"
                 "maximum resident set size \\(kbytes\\)|major \\(requiring i/o\\) page faults|"
                 "minor \\(reclaiming a frame\\) page faults|file system inputs|file system "
                 "outputs|"
                 "(?:in)?voluntary context switches|swaps|signals delivered|page size \\(bytes\\)|"
                 "average .*|socket messages .*): ({num})%?$"),
        [V_STATUS] = "^exit status: ([0-9]+)$",
        [FAILED] = "^command (exited with non-zero status|terminated by signal) ([0-9]+)",
        [FAULTS] = "^[0-9]+inputs\\+[0-9]+outputs \\(([0-9]+)major\\+([0-9]+)minor\\)pagefaults",
        [COMMAND] = "^(?:\\S*/)?time (?:-\\S+ )*(\\S.*)$",
};

#define LINES_TOGETHER 6

struct times {
        struct import *in;
        struct patterns *p, *headings;
        size_t newest;     /* line of the newest figure */
        bool run_is_open;  /* lines of several-line forms belong to the newest sample */
        char command[128]; /* of the run to come; "" not known */
        char failure[96];  /* why the next figures are no result; "" for none */
        bool record_is_open;
};

static void fail_values(struct times *t)
{
        const struct sample *s = import_newest(t->in);

        for (size_t k = 0; s && t->failure[0] && k < s->n_values; k++)
                import_implausible(t->in, s->values[k].field, t->failure);
}

static void close_run(struct times *t)
{
        if (t->run_is_open)
                fail_values(t);
        t->run_is_open = false;
}

/* may_head() - over a run only what ends in a colon or names factors is a heading: compilers
 * chatter */
static bool may_head(const struct times *t, const char *heading)
{
        size_t n = strlen(heading);

        return n > 0 && (heading[n - 1] == ':' || heading_names_factors(t->headings, heading));
}

static void begin_run(struct times *t, size_t i)
{
        char heading[HEADING_MAX_BYTES];

        close_run(t);
        (void) heading_above(t->in, i, 1, heading, sizeof heading);
        if (!may_head(t, heading))
                heading[0] = '\0';
        if (!t->record_is_open || heading[0]) {
                (void) import_record(t->in, i);
                heading_label(t->headings, t->in, heading);
                t->record_is_open = true;
        }
        (void) import_sample(t->in, "command", 0, i);
        import_tool(t->in, "time", NULL);
        if (t->command[0])
                import_parameter(t->in, "command", t->command);
        t->command[0] = '\0';
        t->run_is_open = true;
}

/* enter_span() - group @k as @field; false when it is no length of time */
static bool enter_span(struct times *t, size_t i, const struct match *m, size_t k,
                       const char *field, struct timespan *ret)
{
        char raw[MATCH_RAW_BYTES];

        match_copy(m, k, raw, sizeof raw);
        if (timespan_parse(raw, TIMESPAN_BARE | TIMESPAN_COMMA, ret, NULL) < 0) {
                import_unread(t->in, i, "'%s' is no length of time", raw);
                return false;
        }
        import_value_span(t->in, field, ret, i, raw);
        t->newest = i;
        return true;
}

/* check_percent() - P % of the elapsed time is what user and system add up to */
static void check_percent(struct times *t, const struct number *percent,
                          const struct timespan *real, const struct timespan *user,
                          const struct timespan *sys)
{
        double busy = s_from_us(user->us) + s_from_us(sys->us), share = percent->value / 100;
        double slack = percent->digit / 100 * s_from_us(real->us) +
                       share * s_from_us(real->error_us) + s_from_us(user->error_us) +
                       s_from_us(sys->error_us);

        if (real->implausible || user->implausible || sys->implausible)
                return; /* what does not fit has no share */
        if (busy - share * s_from_us(real->us) > slack ||
            share * s_from_us(real->us) - busy > slack)
                import_mismatch(t->in, "cpu",
                                "stated %.15g %%, but user and sys are %.1f %% of real",
                                percent->value, 100 * busy / s_from_us(real->us));
}

/* The one-line forms: which groups hold what; 0 for none. */
static const struct form {
        size_t real, user, sys, percent, rss, command;
} forms[N_PATTERNS] = {
        [GNU] = { .user = 1, .sys = 2, .real = 3, .percent = 4, .rss = 5 },
        [ZSH] = { .command = 1, .user = 2, .sys = 3, .percent = 4, .real = 5 },
        [CSH] = { .user = 1, .sys = 2, .real = 3, .percent = 4 },
        [BSD] = { .real = 1, .user = 2, .sys = 3 },
        [BASH_LINE] = { .real = 1, .user = 2, .sys = 3 },
};

static void read_line_form(struct times *t, size_t i, const struct form *f, const struct match *m)
{
        struct timespan real, user, sys;
        struct number percent, rss;
        char raw[MATCH_RAW_BYTES];

        if (f->command && match_has(m, f->command))
                match_copy(m, f->command, t->command, sizeof t->command);
        begin_run(t, i);
        import_take(t->in, i);
        if (!enter_span(t, i, m, f->real, "real", &real) ||
            !enter_span(t, i, m, f->user, "user", &user) ||
            !enter_span(t, i, m, f->sys, "sys", &sys))
                return;
        if (f->percent && match_number(m, f->percent, COMMA_DECIMAL, &percent, raw)) {
                import_number(t->in, "cpu", &percent, "%", BETTER_UNSTATED, i, raw);
                if (real.us > 0)
                        check_percent(t, &percent, &real, &user, &sys);
        }
        if (f->rss && match_number(m, f->rss, COMMA_GROUPS, &rss, raw))
                import_number(t->in, "max_rss", &rss, "KiB", BETTER_LOWER, i, raw);
}

static void read_faults(struct times *t, size_t i, const struct match *m)
{
        static const char *const fields[] = { "major_faults", "minor_faults" };
        char raw[MATCH_RAW_BYTES];
        struct number n;

        if (!t->run_is_open || i > t->newest + LINES_TOGETHER)
                return;
        import_take(t->in, i);
        for (size_t k = 0; k < ELEMENTSOF(fields); k++)
                if (match_number(m, k + 1, COMMA_GROUPS, &n, raw))
                        import_number(t->in, fields[k], &n, "", BETTER_LOWER, i, raw);
}

/* read_part() - one line of a run of three; @field as bash calls it */
static void read_part(struct times *t, size_t i, const char *field, const struct match *m,
                      size_t group)
{
        const struct sample *s = import_newest(t->in);
        bool fits =
                t->run_is_open && s && !sample_find(s, field) && i <= t->newest + LINES_TOGETHER;
        struct timespan span;

        if (strcmp(field, "real") != 0 && !fits) {
                import_unread(t->in, i, "%s without the other two times beside it", field);
                return;
        }
        if (!fits)
                begin_run(t, i);
        import_take(t->in, i);
        (void) enter_span(t, i, m, group, field, &span);
}

static void read_bash(struct times *t, size_t i, const struct match *m)
{
        char field[8];

        match_copy(m, 1, field, sizeof field);
        for (char *p = field; *p; p++)
                *p = (char) tolower((unsigned char) *p);
        /* POSIX -p and ksh begin with real as well; a "user" before it opens a run of its own
         * there. */
        read_part(t, i, field, m, 2);
}

/* read_fish() - a figure and its unit: the first column is the total, the others are shares of it
 */
static void read_fish(struct times *t, size_t i, const char *field, const struct match *m,
                      size_t group)
{
        char raw[MATCH_RAW_BYTES], unit[16], both[2 * MATCH_RAW_BYTES];
        struct timespan span;

        match_copy(m, group, raw, sizeof raw);
        match_copy(m, group + 1, unit, sizeof unit);
        (void) snprintf(both, sizeof both, "%s %s", raw, unit);
        if (timespan_parse(both, TIMESPAN_COMMA, &span, NULL) < 0) {
                import_unread(t->in, i, "'%s' is no length of time", both);
                return;
        }
        if (strcmp(field, "real") == 0)
                begin_run(t, i);
        else if (!t->run_is_open || i > t->newest + LINES_TOGETHER)
                return;
        import_take(t->in, i);
        import_value_span(t->in, field, &span, i, both);
        t->newest = i;
}

static void read_v_command(struct times *t, size_t i, const struct match *m)
{
        match_copy(m, 1, t->command, sizeof t->command);
        begin_run(t, i);
        import_take(t->in, i);
        t->newest = i;
}

static void read_v_figure(struct times *t, size_t i, const struct match *m)
{
        static const struct {
                const char *label, *field, *unit;
                enum better better;
        } known[] = {
                { "user time", "user", "s", BETTER_LOWER },
                { "system time", "sys", "s", BETTER_LOWER },
                { "percent of", "cpu", "%", BETTER_UNSTATED },
                { "maximum resident", "max_rss", "KiB", BETTER_LOWER },
                { "major", "major_faults", "", BETTER_LOWER },
                { "minor", "minor_faults", "", BETTER_LOWER },
                { "file system inputs", "inputs", "512 B", BETTER_LOWER },
                { "file system outputs", "outputs", "512 B", BETTER_LOWER },
        };
        char raw[MATCH_RAW_BYTES];
        struct number n;

        if (!t->run_is_open || i > t->newest + LINES_TOGETHER)
                return;
        import_take(t->in, i);
        t->newest = i;
        for (size_t k = 0; k < ELEMENTSOF(known); k++)
                if (strncasecmp(m->subject, known[k].label, strlen(known[k].label)) == 0 &&
                    match_number(m, 2, COMMA_DECIMAL, &n, raw))
                        import_number(t->in, known[k].field, &n, known[k].unit, known[k].better, i,
                                      raw);
}

static void read_failure(struct times *t, size_t i, const struct match *m)
{
        char how[48], number[16];

        close_run(t);
        match_copy(m, 1, how, sizeof how);
        match_copy(m, 2, number, sizeof number);
        (void) snprintf(t->failure, sizeof t->failure, "the command %s %s: no result", how, number);
        import_skip(t->in, i);
}

static void read_v_status(struct times *t, size_t i, const struct match *m)
{
        int64_t status;

        if (!t->run_is_open || i > t->newest + LINES_TOGETHER)
                return;
        import_take(t->in, i);
        if (match_integer(m, 1, &status) && status != 0 && !t->failure[0])
                (void) snprintf(t->failure, sizeof t->failure,
                                "the command exited with status %lld: no result",
                                (long long) status);
        close_run(t);
        t->failure[0] = '\0';
}

static void read_line(struct times *t, size_t i)
{
        const char *line = text_at(t->in->text, i);
        struct match m;
        int k = pattern_first(t->p, N_PATTERNS, line, &m);

        switch (k) {
        case GNU:
        case ZSH:
        case CSH:
        case BSD:
        case BASH_LINE:
                read_line_form(t, i, &forms[k], &m);
                fail_values(t);
                t->failure[0] = '\0';
                break;
        case BASH:
                read_bash(t, i, &m);
                break;
        case FISH:
                read_fish(t, i, "real", &m, 1);
                break;
        case FISH_PART:
                read_fish(t, i, tolower((unsigned char) *line) == 'u' ? "user" : "sys", &m, 2);
                break;
        case V_COMMAND:
                read_v_command(t, i, &m);
                break;
        case V_ELAPSED:
                if (t->run_is_open && i <= t->newest + LINES_TOGETHER)
                        read_part(t, i, "real", &m, 1);
                break;
        case V_FIGURE:
                read_v_figure(t, i, &m);
                break;
        case V_STATUS:
                read_v_status(t, i, &m);
                break;
        case FAILED:
                read_failure(t, i, &m);
                break;
        case FAULTS:
                read_faults(t, i, &m);
                break;
        case COMMAND:
                match_copy(&m, 1, t->command, sizeof t->command);
                break;
        default:
                break;
        }
}

void time_unwrap(struct text *text)
{
        const char *const lines[] = { sources[GNU], sources[ZSH], sources[CSH] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int time_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        size_t real = SIZE_MAX;

        for (size_t i = 0; p && i < text->n_lines; i++) {
                const char *line = text_at(text, i);
                int k = text_is_free(text, i) ? pattern_first(p, N_PATTERNS, line, NULL) : -1;

                if (k == GNU || k == ZSH || k == CSH || k == BSD || k == BASH_LINE || k == FISH ||
                    k == V_ELAPSED)
                        return 80;
                /* "real 12.3" alone may be anything; with user or sys below it is not. */
                if (k == BASH && (*line == 'r' || *line == 'R'))
                        real = i;
                else if (k == BASH && real != SIZE_MAX && i <= real + LINES_TOGETHER)
                        return 80;
        }
        return 0;
}

void time_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        struct times t = { .in = in, .p = p, .headings = headings };

        if (!p || !headings) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&t, i);
        close_run(&t);
}
