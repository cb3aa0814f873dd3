/* analyze/import/bootchart.c - bootchart's header and proc_stat.log:
 *
 *     version = 0.8                          154
 *     system.release = Ubuntu 8.10           cpu  2 0 117 145 0 0 0 0 0
 *     system.uname = Linux 2.6.27 ...        procs_running 3
 *
 * Samples are headed by jiffies (1/100 s) since the kernel started. The first is not 0, and the
 * last is where the tool stopped, so the chart's length is neither the time to boot nor to a
 * desktop: it is kept as a sample of its own and no milestone is made of it. */
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "record/procfile.h"

enum { HEADER, CONTINUED, STAMP, CPU, STAT, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [HEADER] =
                ("^(version|title|system\\.uname|system\\.release|system\\.cpu|system\\.kernel\\."
                 "options|"
                 "system\\.maxpid|profile\\.process) = ?(.*)$"),
        [CONTINUED] = "^model name ?: (.*?) \\(([0-9]+)\\)$",
        [STAMP] = "^([0-9]+)$",
        [CPU] = "^cpu ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+)(?: ([0-9]+))?",
        [STAT] =
                ("^(?:cpu[0-9]+|intr|ctxt|btime|processes|procs_running|procs_blocked|softirq|page|"
                 "swap|disk_io)\\b"),
};

#define JIFFIES_PER_S 100
#define BTIME "btime "

struct chart {
        struct import *in;
        struct patterns *p;
        bool is_open, has_header;
        int64_t first, last; /* jiffies; -1 none yet */
        size_t first_line, last_line;
        int64_t btime_us; /* 0 not said */
        unsigned n_samples, n_gaps;
        char version[64];
};

static void close_chart(struct chart *c)
{
        const char *version = c->version[0] ? c->version : NULL;
        char raw[32];

        if (c->is_open && c->n_samples > 0) {
                (void) import_sample(c->in, "bootchart", 0, c->first_line);
                import_tool(c->in, "bootchart", version);
                (void) snprintf(raw, sizeof raw, "%lld", (long long) c->first);
                import_value(c->in, "first_sample", (double) c->first / JIFFIES_PER_S, "s",
                             BETTER_UNSTATED, c->first_line, raw);
                (void) snprintf(raw, sizeof raw, "%lld", (long long) c->last);
                import_value(c->in, "last_sample", (double) c->last / JIFFIES_PER_S, "s",
                             BETTER_UNSTATED, c->last_line, raw);
                (void) snprintf(raw, sizeof raw, "%lld - %lld", (long long) c->last,
                                (long long) c->first);
                import_value(c->in, "length", (double) (c->last - c->first) / JIFFIES_PER_S, "s",
                             BETTER_UNSTATED, c->last_line, raw);
                (void) snprintf(raw, sizeof raw, "%u", c->n_samples);
                import_value(c->in, "samples", c->n_samples, "", BETTER_UNSTATED, c->last_line,
                             raw);
                if (c->btime_us > 0)
                        import_realtime(c->in, c->btime_us);
        }
        c->is_open = c->has_header = false;
        c->version[0] = '\0';
        c->n_samples = 0;
        c->first = c->last = -1;
        c->btime_us = 0;
}

static void open_chart(struct chart *c, size_t i)
{
        close_chart(c);
        (void) import_record(c->in, i);
        c->is_open = true;
}

/* kernel_of() - "Linux 2.6.27-10-generic #1 SMP ... i686" */
static void config_kernel(struct import *in, const char *uname)
{
        char release[64], arch[32];
        const char *last = strrchr(uname, ' ');
        size_t n;

        if (strncmp(uname, "Linux ", 6) != 0)
                return;
        n = strcspn(uname + 6, " ");
        (void) snprintf(release, sizeof release, "%.*s", (int) n, uname + 6);
        import_config(in, "kernel.release", release);
        (void) snprintf(arch, sizeof arch, "%s", last ? last + 1 : "");
        import_config(in, "kernel.arch", arch);
}

/* config_cpu() - "model name : Some CPU (2)", whose count may stand on the next line */
static void config_cpu(struct chart *c, const char *text)
{
        char model[128];
        struct match m;
        int64_t cores;

        if (!pattern_match(c->p, CONTINUED, text, &m))
                return;
        import_config(c->in, "cpu.model", match_copy(&m, 1, model, sizeof model));
        if (match_integer(&m, 2, &cores))
                import_config_integer(c->in, "cpu.cores", cores);
}

static void read_header(struct chart *c, size_t i, const struct match *m)
{
        char key[32], value[512];

        match_copy(m, 1, key, sizeof key);
        match_copy(m, 2, value, sizeof value);
        if (!c->is_open || (strcmp(key, "version") == 0 && c->has_header))
                open_chart(c, i);
        c->has_header = true;
        import_take(c->in, i);
        if (strcmp(key, "version") == 0) {
                char note[96];

                (void) snprintf(c->version, sizeof c->version, "%.63s", value);
                (void) snprintf(note, sizeof note, "bootchart %s", c->version);
                import_note(c->in, note);
        } else if (strcmp(key, "system.release") == 0)
                import_config(c->in, "os.name", value);
        else if (strcmp(key, "system.uname") == 0)
                config_kernel(c->in, value);
        else if (strcmp(key, "system.cpu") == 0)
                config_cpu(c, value);
        else if (strcmp(key, "title") == 0)
                import_label(c->in, "heading", value);
}

static void read_stamp(struct chart *c, size_t i, const struct match *m)
{
        int64_t jiffies;

        if (!pattern_match(c->p, CPU, text_at(c->in->text, i + 1), NULL))
                return; /* a lone number is anything */
        if (!match_integer(m, 1, &jiffies)) {
                import_unread(c->in, i, "a stamp that does not fit");
                return;
        }
        if (!c->is_open || (c->n_samples > 0 && jiffies < c->last))
                open_chart(c, i);
        import_take(c->in, i);
        if (c->n_samples == 0) {
                c->first = jiffies;
                c->first_line = i;
        }
        c->last = jiffies;
        c->last_line = i;
        c->n_samples++;
}

static void read_stat(struct chart *c, size_t i)
{
        const char *line = text_at(c->in->text, i);
        int64_t s;

        if (!c->is_open || c->n_samples == 0)
                return;
        /* The wall clock may be set during the boot: the first one is nearest to the start. */
        if (c->btime_us == 0 && strncmp(line, BTIME, strlen(BTIME)) == 0 &&
            (parse_int(line + strlen(BTIME), &s) < 0 || s < 0 ||
             __builtin_mul_overflow(s, US_PER_S, &c->btime_us))) {
                c->btime_us = 0;
                import_unread(c->in, i, "no time of day that a boot can have begun at");
                return;
        }
        import_take(c->in, i);
}

static void read_line(struct chart *c, size_t i)
{
        struct match m;

        switch (pattern_first(c->p, N_PATTERNS, text_at(c->in->text, i), &m)) {
        case HEADER:
                read_header(c, i, &m);
                break;
        case CONTINUED:
                if (c->has_header) {
                        import_take(c->in, i);
                        config_cpu(c, text_at(c->in->text, i));
                }
                break;
        case STAMP:
                read_stamp(c, i, &m);
                break;
        case CPU:
        case STAT:
                read_stat(c, i);
                break;
        default:
                break;
        }
}

int bootchart_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        unsigned n = 0;

        for (size_t i = 0; p && i < text->n_lines; i++) {
                const char *line = text_at(text, i);

                if (!text_is_free(text, i))
                        continue;
                n += pattern_match(p, HEADER, line, NULL) && strncmp(line, "system.", 7) == 0;
                if (n >= 2 || (pattern_match(p, STAMP, line, NULL) &&
                               pattern_match(p, CPU, text_at(text, i + 1), NULL)))
                        return 95;
        }
        return 0;
}

void bootchart_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        struct chart c = { .in = in, .p = p, .first = -1, .last = -1 };

        if (!p) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&c, i);
        close_chart(&c);
}
