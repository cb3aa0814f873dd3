/* analyze/import/ioping.c - ioping's requests and their statistics:
 *
 *     4 KiB <<< /tmp (ext4 /dev/sda1 28.8 GiB): request=2 time=245.2 us
 *     --- /tmp (ext4 /dev/sda1 28.8 GiB) ioping statistics ---
 *     9 requests completed in 2.31 ms, 36 KiB read, 3.90 k iops, 15.2 MiB/s
 *     min/avg/max/mdev = 211.7 us / 256.4 us / 276.8 us / 20.6 us
 *
 * Versions before 0.9 say "from" for "<<<" and one unit for all four. The first request is warm-up
 * where it is marked so, and is kept out of the statistics by ioping itself. */
#include <math.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/unwrap.h"

enum { REQUEST, STATISTICS, COMPLETED, LATENCY, LATENCY_OLD, GENERATED, N_PATTERNS };

#define VALUE "({num}) ?(ns|us|ms|s|min)"

static const char *const sources[N_PATTERNS] = {
        [REQUEST] = ("^({num} ?[kmg]?i?b(?:ytes)?) (<<<|>>>|from|to) (.+?): request=([0-9]+) "
                     "time=" VALUE "( \\(warmup\\))?"),
        [STATISTICS] = "^--- (.+) ioping statistics ---$",
        [COMPLETED] = ("^([0-9.]+)( k| m)? requests completed in " VALUE
                       "(?:, {num} ?[kmg]?i?b (read|written))?, ({num})( k| m)? iops(?:, ({num}) "
                       "?([kmg]?i?b/s))?"),
        [LATENCY] = ("^min/avg/max/mdev = " VALUE " / " VALUE " / " VALUE " / " VALUE "$"),
        [LATENCY_OLD] = "^min/avg/max/mdev = ({num})/({num})/({num})/({num}) (ns|us|ms|s)$",
        [GENERATED] = "^generated [0-9.]+",
};

struct ioping {
        struct import *in;
        struct patterns *p, *headings;
        double sum_us;   /* of the requests since the last statistics, warm-up left out */
        double digit_us; /* the coarsest last digit among them */
        double requests; /* how many the statistics are of */
        unsigned n;
        size_t first; /* line of the first one; SIZE_MAX for none */
        char size[24];
        bool is_write, sample_is_open, record_is_open;
};

static double us_of(const char *unit)
{
        static const struct {
                const char *word;
                double us;
        } units[] = { { "ns", 1e-3 }, { "us", 1 }, { "ms", 1e3 }, { "s", 1e6 }, { "min", 60e6 } };

        for (size_t k = 0; k < ELEMENTSOF(units); k++)
                if (strcasecmp(unit, units[k].word) == 0)
                        return units[k].us;
        return NAN;
}

/* read_us() - groups @k (number) and @unit_k, in us; raw text of both */
static bool read_us(const struct match *m, size_t k, size_t unit_k, struct number *ret, char *raw,
                    size_t size)
{
        char digits[MATCH_RAW_BYTES], unit[8];

        if (!match_number(m, k, COMMA_DECIMAL, ret, digits))
                return false;
        match_copy(m, unit_k, unit, sizeof unit);
        (void) snprintf(raw, size, "%s %s", digits, unit);
        ret->value *= us_of(unit);
        ret->digit *= us_of(unit);
        return isfinite(ret->value);
}

static void read_request(struct ioping *p, size_t i, const struct match *m)
{
        char raw[2 * MATCH_RAW_BYTES], way[8];
        struct number us;

        if (!read_us(m, 5, 6, &us, raw, sizeof raw)) {
                import_unread(p->in, i, "a request without its time");
                return;
        }
        if (p->first == SIZE_MAX)
                p->first = i;
        match_copy(m, 1, p->size, sizeof p->size);
        match_copy(m, 2, way, sizeof way);
        p->is_write = strcmp(way, ">>>") == 0 || strcmp(way, "to") == 0;
        if (!match_has(m, 7)) {
                p->sum_us += us.value;
                p->digit_us = fmax(p->digit_us, us.digit);
                p->n++;
        }
        if (p->record_is_open)
                import_take(p->in, i);
        else
                import_skip(p->in, i);
}

static void begin(struct ioping *p, size_t i, const char *target)
{
        char heading[HEADING_MAX_BYTES];
        size_t first = p->first < i ? p->first : i;

        (void) heading_above(p->in, first, 1, heading, sizeof heading);
        (void) import_record(p->in, first);
        heading_label(p->headings, p->in, heading);
        p->record_is_open = true;
        (void) import_sample(p->in, "ioping", 0, i);
        import_tool(p->in, "ioping", NULL);
        if (p->size[0])
                import_parameter(p->in, "request_size", p->size);
        import_detail(p->in, "target", target);
        for (size_t k = first; k < i; k++)
                if (p->in->text->lines[k].taken)
                        import_cover(p->in, text_at(p->in->text, k));
        p->sample_is_open = true;
}

static double scale_of(const struct match *m, size_t k)
{
        char letter[4];

        match_copy(m, k, letter, sizeof letter);
        return strchr(letter, 'k') || strchr(letter, 'K')   ? 1e3
               : strchr(letter, 'm') || strchr(letter, 'M') ? 1e6
                                                            : 1;
}

/* rate_unit() - old versions write 2^20 bytes as "mb" */
static const char *rate_unit(const char *unit)
{
        switch (*unit) {
        case 'k':
        case 'K':
                return "KiB/s";
        case 'm':
        case 'M':
                return "MiB/s";
        case 'g':
        case 'G':
                return "GiB/s";
        default:
                return "B/s";
        }
}

static void read_completed(struct ioping *p, size_t i, const struct match *m)
{
        char raw[MATCH_RAW_BYTES], both[2 * MATCH_RAW_BYTES], unit[16], how[16];
        struct number requests, elapsed, iops, rate;

        if (!p->sample_is_open || !match_number(m, 1, COMMA_DECIMAL, &requests, raw) ||
            !read_us(m, 3, 4, &elapsed, both, sizeof both))
                return;
        import_take(p->in, i);
        match_copy(m, 5, how, sizeof how);
        import_parameter(p->in, "direction",
                         strcmp(how, "written") == 0 || p->is_write ? "write" : "read");
        requests.value *= scale_of(m, 2);
        p->requests = requests.value;
        import_value(p->in, "requests", requests.value, "", BETTER_UNSTATED, i, raw);
        import_value(p->in, "elapsed", elapsed.value, "us", BETTER_UNSTATED, i, both);
        if (match_number(m, 6, COMMA_DECIMAL, &iops, raw)) {
                iops.value *= scale_of(m, 7);
                iops.digit *= scale_of(m, 7);
                import_value(p->in, "iops", iops.value, "1/s", BETTER_HIGHER, i, raw);
                /* Both figures are rounded to three digits. */
                if (!number_agrees_within(&iops, requests.value / elapsed.value * 1e6, 0.01))
                        import_mismatch(p->in, "iops",
                                        "stated %.15g, but the requests over the time are %.3g",
                                        iops.value, requests.value / elapsed.value * 1e6);
        }
        if (match_number(m, 8, COMMA_DECIMAL, &rate, raw))
                import_number(p->in, "rate", &rate, rate_unit(match_copy(m, 9, unit, sizeof unit)),
                              BETTER_HIGHER, i, raw);
}

static void read_latency(struct ioping *p, size_t i, const struct match *m, bool is_old)
{
        static const char *const fields[] = { "min", "avg", "max", "mdev" };
        char raw[2 * MATCH_RAW_BYTES];
        struct number us, avg = { .value = NAN };

        if (!p->sample_is_open)
                return;
        import_take(p->in, i);
        for (size_t k = 0; k < ELEMENTSOF(fields); k++) {
                if (!read_us(m, is_old ? k + 1 : 2 * k + 1, is_old ? 5 : 2 * k + 2, &us, raw,
                             sizeof raw))
                        continue;
                import_value(p->in, fields[k], us.value, "us", BETTER_LOWER, i, raw);
                if (k == 1)
                        avg = us;
        }
        /* With few lines shown of many there is nothing to compare. */
        if (p->n > 0 && p->n == p->requests && isfinite(avg.value) &&
            fabs(avg.value - p->sum_us / p->n) > avg.digit * (1 + 1e-6) + p->digit_us)
                import_mismatch(p->in, "avg",
                                "stated %.15g us, but the %u requests above are %.1f us on average",
                                avg.value, p->n, p->sum_us / p->n);
        p->sample_is_open = false;
        p->sum_us = p->digit_us = 0;
        p->n = 0;
        p->first = SIZE_MAX;
        p->size[0] = '\0';
}

static void read_line(struct ioping *p, size_t i)
{
        char target[128];
        struct match m;

        switch (pattern_first(p->p, N_PATTERNS, text_at(p->in->text, i), &m)) {
        case REQUEST:
                read_request(p, i, &m);
                break;
        case STATISTICS:
                begin(p, i, match_copy(&m, 1, target, sizeof target));
                import_take(p->in, i);
                break;
        case COMPLETED:
                read_completed(p, i, &m);
                break;
        case LATENCY:
                read_latency(p, i, &m, false);
                break;
        case LATENCY_OLD:
                read_latency(p, i, &m, true);
                break;
        case GENERATED:
                if (p->sample_is_open)
                        import_take(p->in, i);
                break;
        default:
                break;
        }
}

void ioping_unwrap(struct text *text)
{
        const char *const lines[] = { sources[REQUEST], sources[STATISTICS], sources[COMPLETED],
                                      sources[LATENCY], sources[LATENCY_OLD] };

        unwrap(text, lines, ELEMENTSOF(lines));
}

int ioping_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);

        for (size_t i = 0; p && i < text->n_lines; i++)
                if (text_is_free(text, i) && pattern_match(p, STATISTICS, text_at(text, i), NULL))
                        return 95;
        return 0;
}

void ioping_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        struct ioping ping = { .in = in, .p = p, .headings = headings, .first = SIZE_MAX };

        if (!p || !headings) {
                import_out_of_memory(in);
                return;
        }
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++)
                if (text_is_free(in->text, i))
                        read_line(&ping, i);
        if (ping.n > 0 && ping.record_is_open)
                import_warn(in, "line %u: requests without statistics: interrupted",
                            text_number(in->text, ping.first));
}
