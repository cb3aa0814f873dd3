/* analyze/import/diskinfo.c - FreeBSD's diskinfo -v -t -c -i -S:
 *
 *     /dev/ada0
 *             512             # sectorsize
 *             500107862016    # mediasize in bytes (466G)
 *             7200            # Rotation rate in RPM
 *     Seek times:
 *             Full stroke:      250 iter in   5.128041 sec =   20.512 msec
 *     Transfer rates:
 *             outside:       102400 kbytes in   0.936411 sec =   109354 kbytes/sec
 *
 * "kbytes" are of 2^10. A device's identity (its serial number) is left out: it is nobody's factor.
 */
#include <ctype.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum {
        DEVICE,
        FACT,
        SECTION,
        SEEK,
        TRANSFER,
        READ_10MB,
        READ_SECTORS,
        OVERHEAD,
        RANDOM,
        SYNC,
        CUT_LINE,
        N_PATTERNS
};

static const char *const sources[N_PATTERNS] = {
        [DEVICE] = "^(/dev/\\S+|[a-z]+[0-9]+)$",
        [FACT] =
                ("^(\\S.*?)?[ ]*# ?(sectorsize|mediasize in bytes|mediasize in "
                 "sectors|stripesize|stripeoffset|"
                 "cylinders according to firmware|heads according to firmware|sectors according to "
                 "firmware|"
                 "disk descr|disk ident|attachment|physical path|trim/unmap support|"
                 "rotation rate in rpm|zone mode)"),
        [SECTION] = ("^(seek times|transfer rates|i/o command overhead|asynchronous random reads|"
                     "synchronous random writes):$"),
        [SEEK] = ("^(full stroke|half stroke|quarter stroke|short forward|short backward|seq "
                  "outer|seq inner)"
                  " ?: ?([0-9]+) iter in ({num}) sec ?= ?({num}) ?msec"),
        [TRANSFER] = ("^(outside|middle|inside) ?: ?([0-9]+) ?(?:kbytes|kB|KB) in ({num}) sec ?= "
                      "?({num}) ?"
                      "(kbytes/sec|kB/s|MB(?:ytes)?/s(?:ec)?|MiB/s)"),
        [READ_10MB] = "^time to read (10MB block) ({num}) sec = ({num}) msec/sector",
        [READ_SECTORS] = "^time to read ([0-9]+ sectors) ({num}) sec = ({num}) msec/sector",
        [OVERHEAD] = "^calculated (command) overhead = ({num}) msec/sector",
        [RANDOM] =
                ("^(sectorsize|4 kbytes|32 kbytes|128 kbytes) ?: ?([0-9]+) ops in ({num}) sec ?= "
                 "?({num}) ?"
                 "IOPS"),
        [SYNC] = "^({num}) kbytes ?: ?({num}) ?usec/IO ?= ?({num}) ?Mbytes/s",
        [CUT_LINE] = ("^(?:full stroke|half stroke|quarter stroke|short (?:forward|backward)|seq "
                      "(?:outer|inner)|"
                      "outside|middle|inside) ?:"),
};

struct disk {
        struct import *in;
        struct patterns *p, *headings;
        bool is_open;   /* a record that still takes figures */
        bool has_seeks; /* a second "Seek times:" is another disk */
};

static void open_record(struct disk *d, size_t i)
{
        char heading[HEADING_MAX_BYTES];

        (void) heading_above(d->in, i, 2, heading, sizeof heading);
        (void) import_record(d->in, i);
        heading_label(d->headings, d->in, heading);
        d->is_open = true;
        d->has_seeks = false;
}

static void read_fact(struct disk *d, size_t i, const struct match *m)
{
        char value[128], label[64];
        int64_t n;

        match_copy(m, 1, value, sizeof value);
        match_copy(m, 2, label, sizeof label);
        import_take(d->in, i);
        if (strncasecmp(label, "sectorsize", 10) == 0 && match_integer(m, 1, &n))
                import_config_integer(d->in, "drive.sector_bytes", n);
        else if (strncasecmp(label, "mediasize in bytes", 18) == 0 && match_integer(m, 1, &n))
                import_config_integer(d->in, "drive.size_bytes", n);
        else if (strncasecmp(label, "disk descr", 10) == 0 && value[0])
                import_config(d->in, "drive.model", value);
        else if (strncasecmp(label, "rotation", 8) == 0 && match_integer(m, 1, &n))
                import_config_integer(d->in, "drive.rpm", n); /* 0: solid state */
        else if (strncasecmp(label, "trim", 4) == 0 && value[0])
                import_config(d->in, "drive.discard", strcasecmp(value, "yes") == 0 ? "yes" : "no");
        else if (strncasecmp(label, "zone", 4) == 0 && value[0])
                import_config(d->in, "drive.zoned", value);
}

/* slug() - "Full stroke" as "full_stroke" */
static void slug(const struct match *m, size_t k, char *ret, size_t size)
{
        match_copy(m, k, ret, size);
        for (char *p = ret; *p; p++)
                *p = (char) (isalnum((unsigned char) *p) ? tolower((unsigned char) *p) : '_');
}

static void begin_sample(struct disk *d, size_t i, const char *group, const struct match *m)
{
        char name[32], workload[64];

        slug(m, 1, name, sizeof name);
        import_take(d->in, i);
        (void) snprintf(workload, sizeof workload, "disk.%s.%s", group, name);
        (void) import_sample(d->in, workload, 0, i);
        import_tool(d->in, "diskinfo", NULL);
}

/* read_per_item() - "N iter in T sec = X msec" and "N ops in T sec = X IOPS": X has to follow from
 * N, T */
static void read_seek(struct disk *d, size_t i, const struct match *m)
{
        char raw[2][MATCH_RAW_BYTES];
        struct number elapsed, each;
        int64_t n;

        if (!match_integer(m, 2, &n) || !match_number(m, 3, COMMA_DECIMAL, &elapsed, raw[0]) ||
            !match_number(m, 4, COMMA_THREE, &each, raw[1]) || n <= 0) {
                import_unread(d->in, i, "a seek time without its three figures");
                return;
        }
        begin_sample(d, i, "seek", m);
        import_parameter_integer(d->in, "iterations", n);
        import_number(d->in, "elapsed", &elapsed, "s", BETTER_LOWER, i, raw[0]);
        if (each.value <= 0) { /* printed as 0.000: below what is printed, not nothing */
                import_value(d->in, "access", 1000 * elapsed.value / (double) n, "ms", BETTER_LOWER,
                             i, raw[1]);
                import_warn(d->in,
                            "line %u: %s msec is below resolution; taken as the time over its %lld "
                            "iterations",
                            text_number(d->in->text, i), raw[1], (long long) n);
                return;
        }
        import_number(d->in, "access", &each, "ms", BETTER_LOWER, i, raw[1]);
        if (!number_agrees(&each, 1000 * elapsed.value / (double) n))
                import_mismatch(d->in, "access",
                                "stated %s ms, but %s s over %lld iterations is %.3f ms", raw[1],
                                raw[0], (long long) n, 1000 * elapsed.value / (double) n);
}

static void read_transfer(struct disk *d, size_t i, const struct match *m)
{
        char raw[2][MATCH_RAW_BYTES], unit[16];
        struct number elapsed, rate;
        int64_t kbytes;
        double computed;
        bool in_mb;

        if (!match_integer(m, 2, &kbytes) || !match_number(m, 3, COMMA_DECIMAL, &elapsed, raw[0]) ||
            !match_number(m, 4, COMMA_GROUPS, &rate, raw[1]) || elapsed.value <= 0) {
                import_unread(d->in, i, "a transfer rate without its three figures");
                return;
        }
        match_copy(m, 5, unit, sizeof unit);
        in_mb = toupper((unsigned char) unit[0]) == 'M';
        begin_sample(d, i, "transfer", m);
        import_parameter_integer(d->in, "kbytes", kbytes);
        import_number(d->in, "elapsed", &elapsed, "s", BETTER_LOWER, i, raw[0]);
        import_number(d->in, "rate", &rate, in_mb ? "MiB/s" : "KiB/s", BETTER_HIGHER, i, raw[1]);
        computed = (double) kbytes / elapsed.value / (in_mb ? 1024 : 1);
        if (!number_agrees(&rate, computed))
                import_mismatch(d->in, "rate", "stated %s %s, but %lld kbytes in %s s are %.1f",
                                raw[1], unit, (long long) kbytes, raw[0], computed);
}

static void read_overhead(struct disk *d, size_t i, const struct match *m)
{
        char raw[2][MATCH_RAW_BYTES];
        struct number elapsed, each;

        if (!match_number(m, 2, COMMA_DECIMAL, &elapsed, raw[0]) ||
            !match_number(m, 3, COMMA_THREE, &each, raw[1])) {
                import_unread(d->in, i, "a command's overhead without its figures");
                return;
        }
        begin_sample(d, i, "overhead", m);
        import_number(d->in, "elapsed", &elapsed, "s", BETTER_LOWER, i, raw[0]);
        import_number(d->in, "per_sector", &each, "ms", BETTER_LOWER, i, raw[1]);
}

/* May be 0.000 or below it: the difference of two measurements. */
static void read_calculated(struct disk *d, size_t i, const struct match *m)
{
        char raw[MATCH_RAW_BYTES];
        struct number each;

        if (!match_number(m, 2, COMMA_THREE, &each, raw))
                return;
        begin_sample(d, i, "overhead", m);
        import_number(d->in, "per_sector", &each, "ms", BETTER_LOWER, i, raw);
}

static void read_random(struct disk *d, size_t i, const struct match *m)
{
        char raw[2][MATCH_RAW_BYTES], count[MATCH_RAW_BYTES];
        struct number elapsed, rate;
        int64_t n;

        if (!match_integer(m, 2, &n) || !match_number(m, 3, COMMA_DECIMAL, &elapsed, raw[0]) ||
            !match_number(m, 4, COMMA_GROUPS, &rate, raw[1]) || elapsed.value <= 0) {
                import_unread(d->in, i, "random reads without their three figures");
                return;
        }
        begin_sample(d, i, "random_read", m);
        import_value(d->in, "operations", (double) n, "", BETTER_HIGHER, i,
                     match_copy(m, 2, count, sizeof count));
        import_number(d->in, "elapsed", &elapsed, "s", BETTER_UNSTATED, i, raw[0]);
        import_number(d->in, "rate", &rate, "1/s", BETTER_HIGHER, i, raw[1]);
        if (!number_agrees(&rate, (double) n / elapsed.value))
                import_mismatch(d->in, "rate", "stated %s, but %lld in %s s are %.1f a second",
                                raw[1], (long long) n, raw[0], (double) n / elapsed.value);
}

static void read_sync(struct disk *d, size_t i, const struct match *m)
{
        char raw[3][MATCH_RAW_BYTES], workload[64];
        struct number size, each, rate;

        if (!match_number(m, 1, COMMA_GROUPS, &size, raw[0]) ||
            !match_number(m, 2, COMMA_DECIMAL, &each, raw[1]) ||
            !match_number(m, 3, COMMA_DECIMAL, &rate, raw[2]) || each.value <= 0) {
                import_unread(d->in, i, "synchronous writes without their figures");
                return;
        }
        import_take(d->in, i);
        (void) snprintf(workload, sizeof workload, "disk.sync_write.%.16sk", raw[0]);
        for (char *p = workload; *p; p++)
                *p = *p == ',' ? '.' : *p;
        (void) import_sample(d->in, workload, 0, i);
        import_tool(d->in, "diskinfo", NULL);
        import_number(d->in, "each", &each, "us", BETTER_LOWER, i, raw[1]);
        import_number(d->in, "rate", &rate, "MiB/s", BETTER_HIGHER, i, raw[2]);
        if (!number_agrees_within(&rate, size.value / 1024 / each.value * 1e6, 0.01))
                import_mismatch(d->in, "rate",
                                "stated %s Mbytes/s, but %s kbytes in %s us are %.1f", raw[2],
                                raw[0], raw[1], size.value / 1024 / each.value * 1e6);
}

static void read_section(struct disk *d, size_t i, const struct match *m)
{
        bool is_seek = strncasecmp(m->subject, "seek", 4) == 0;

        (void) m;
        if (!d->is_open || (is_seek && d->has_seeks))
                open_record(d, i);
        d->has_seeks = d->has_seeks || is_seek;
        import_skip(d->in, i);
}

static void read_line(struct disk *d, size_t i)
{
        static void (*const readers[N_PATTERNS])(struct disk *, size_t, const struct match *) = {
                [FACT] = read_fact,           [SECTION] = read_section,
                [SEEK] = read_seek,           [TRANSFER] = read_transfer,
                [READ_10MB] = read_overhead,  [READ_SECTORS] = read_overhead,
                [OVERHEAD] = read_calculated, [RANDOM] = read_random,
                [SYNC] = read_sync,
        };
        const char *line = text_at(d->in->text, i);
        struct match m;
        int k = pattern_first(d->p, N_PATTERNS, line, &m);

        if (k == DEVICE) {
                /* Only a device whose facts follow begins a disk: any short word looks like one. */
                if (!pattern_match(d->p, FACT, text_at(d->in->text, i + 1), NULL))
                        return;
                open_record(d, i);
                import_take(d->in, i);
                import_label(d->in, "drive.device", line);
        } else if (k == CUT_LINE) {
                if (d->is_open)
                        import_unread(d->in, i, "cut in the middle, or not as diskinfo prints it");
        } else if (k >= 0) {
                if (!d->is_open)
                        open_record(d, i);
                readers[k](d, i, &m);
        }
}

void diskinfo_unwrap(struct text *text)
{
        const char *const lines[] = { sources[SEEK],         sources[TRANSFER], sources[READ_10MB],
                                      sources[READ_SECTORS], sources[OVERHEAD], sources[RANDOM],
                                      sources[SYNC] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int diskinfo_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);

        for (size_t i = 0; p && i < text->n_lines; i++) {
                const char *line = text_at(text, i);

                if (text_is_free(text, i) &&
                    (pattern_match(p, SEEK, line, NULL) || pattern_match(p, TRANSFER, line, NULL) ||
                     pattern_match(p, SYNC, line, NULL) || pattern_match(p, OVERHEAD, line, NULL) ||
                     pattern_match(p, RANDOM, line, NULL) || pattern_match(p, FACT, line, NULL)))
                        return 95;
        }
        return 0;
}

void diskinfo_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        struct disk d = { .in = in, .p = p, .headings = headings };

        if (!p || !headings) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&d, i);
}
