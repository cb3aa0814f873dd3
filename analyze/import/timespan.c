/* analyze/import/timespan.c - integers all the way: "23m24.829s" has to be 1404829000 us, and a
 * double is not the place to add 24.829 to 1380. */
#include "analyze/import/timespan.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include "record/macros.h"

#define US INT64_C(1)
#define US_MS (1000 * US)
#define US_S (1000 * US_MS)
#define US_MIN (60 * US_S)
#define US_H (60 * US_MIN)
#define US_D (24 * US_H)
#define US_Y (365 * US_D + 6 * US_H) /* systemd's: 365.25 days */

/* Longest first where one begins another. @us is what 1 of it is; 0 stands for a nanosecond. */
static const struct unit {
        const char *word;
        int64_t us;
        bool only_people; /* systemd never writes it */
} units[] = {
        { "microseconds", US, true },
        { "milliseconds", US_MS, true },
        { "microsecond", US, true },
        { "millisecond", US_MS, true },
        { "nanoseconds", 0, true },
        { "minutes", US_MIN, true },
        { "seconds", US_S, true },
        { "months", US_Y / 12, true },
        { "micros", US, true },
        { "millis", US_MS, true },
        { "minute", US_MIN, true },
        { "second", US_S, true },
        { "month", US_Y / 12, false },
        { "hours", US_H, true },
        { "weeks", 7 * US_D, true },
        { "years", US_Y, true },
        { "mins", US_MIN, true },
        { "secs", US_S, true },
        { "msec", US_MS, true },
        { "usec", US, true },
        { "hour", US_H, true },
        { "days", US_D, true },
        { "week", 7 * US_D, true },
        { "year", US_Y, true },
        { "nsec", 0, true },
        { "min", US_MIN, false },
        { "sec", US_S, true },
        { "hrs", US_H, true },
        { "day", US_D, true },
        { "hr", US_H, true },
        { "ms", US_MS, false },
        { "us", US, false },
        { "ns", 0, true },
        { "y", US_Y, false },
        { "w", 7 * US_D, false },
        { "d", US_D, false },
        { "h", US_H, false },
        { "m", US_MIN, true },
        { "s", US_S, false },
};

/* A decimal number as it stood: whole part and nine decimals, so that ns are exact too. */
struct decimal {
        uint64_t whole;
        uint64_t nano; /* decimals as billionths */
        int n_decimals;
        bool too_big;
};

static size_t read_decimal(const char *p, unsigned flags, struct decimal *ret)
{
        const char *start = p;

        *ret = (struct decimal){ .whole = 0 };
        for (; isdigit((unsigned char) *p); p++)
                if (__builtin_mul_overflow(ret->whole, 10u, &ret->whole) ||
                    __builtin_add_overflow(ret->whole, (unsigned) (*p - '0'), &ret->whole))
                        ret->too_big = true;
        if (p == start)
                return 0;
        if ((*p == '.' || (*p == ',' && flags & TIMESPAN_COMMA)) && isdigit((unsigned char) p[1])) {
                uint64_t scale = 100000000;

                for (p++; isdigit((unsigned char) *p); p++, scale /= 10) {
                        ret->nano += (uint64_t) (*p - '0') * scale;
                        ret->n_decimals++;
                }
        }
        return (size_t) (p - start);
}

/* add_decimal() - *us += d * unit, rounded half up at the microsecond; false when it does not fit
 */
static bool add_decimal(int64_t *us, const struct decimal *d, int64_t unit_us)
{
        uint64_t unit = (uint64_t) unit_us, part_ns;
        int64_t whole_us;

        if (d->too_big)
                return false;
        if (unit == 0) { /* nanoseconds */
                part_ns = d->whole % 1000;
                whole_us = (int64_t) (d->whole / 1000);
        } else {
                /* nano * unit / 1000000 in two steps, since a year's would not fit */
                part_ns = d->nano * (unit / 1000000) + d->nano * (unit % 1000000) / 1000000;
                if (__builtin_mul_overflow(d->whole, unit, &whole_us))
                        return false;
        }
        return !__builtin_add_overflow(whole_us, (int64_t) ((part_ns + 500) / 1000), &whole_us) &&
               !__builtin_add_overflow(*us, whole_us, us);
}

static int64_t last_digit_us(const struct decimal *d, int64_t unit_us)
{
        int64_t e = unit_us ? unit_us : 1;

        for (int i = 0; i < d->n_decimals && e > 1; i++)
                e /= 10;
        return e > 0 ? e : 1;
}

static size_t read_unit(const char *p, unsigned flags, int64_t *ret_us)
{
        for (size_t i = 0; i < ELEMENTSOF(units); i++) {
                size_t n = strlen(units[i].word);

                if (strncasecmp(p, units[i].word, n) != 0 || isalpha((unsigned char) p[n]))
                        continue;
                if (units[i].only_people && flags & TIMESPAN_SYSTEMD)
                        continue;
                *ret_us = units[i].us;
                return n;
        }
        return 0;
}

static const char *skip_blanks(const char *p)
{
        while (*p == ' ')
                p++;
        return p;
}

/* read_clock() - [H:]M:SS[.frac]; any number of minutes, so "75:03", and "0:60" is a minute */
static size_t read_clock(const char *text, unsigned flags, struct timespan *t)
{
        struct decimal part[3];
        const char *p = text;
        bool fits = true;
        int n = 0;

        for (;;) {
                size_t used = read_decimal(p, flags | TIMESPAN_COMMA, &part[n]);

                /* After the first colon two digits; only the last part has decimals. */
                if (used == 0 || (n > 0 && (used < 2 || !isdigit((unsigned char) p[1]) ||
                                            isdigit((unsigned char) p[2]))))
                        return 0;
                p += used;
                n++;
                if (*p != ':' || n == 3 || part[n - 1].n_decimals > 0)
                        break;
                p++;
        }
        if (n < 2)
                return 0;
        for (int i = 0; i < n; i++) {
                static const int64_t scale[] = { US_S, US_MIN, US_H };

                fits = add_decimal(&t->us, &part[i], scale[n - 1 - i]) && fits;
        }
        t->error_us = last_digit_us(&part[n - 1], US_S);
        if (!fits)
                t->implausible = "does not fit in 63 bits of microseconds";
        return (size_t) (p - text);
}

/* read_units() - NUM unit [[,|and] NUM unit]..., each unit smaller than the one before */
static size_t read_units(const char *text, unsigned flags, struct timespan *t)
{
        const char *p = text, *end = text;
        int64_t before_us = INT64_MAX;
        bool fits = true;

        for (;;) {
                struct decimal d;
                int64_t unit_us;
                size_t n = read_decimal(p, flags, &d), m;

                if (n == 0)
                        break;
                m = read_unit(skip_blanks(p + n), flags, &unit_us);
                if (m == 0 || unit_us >= before_us)
                        break;
                fits = add_decimal(&t->us, &d, unit_us) && fits;
                t->error_us = last_digit_us(&d, unit_us);
                before_us = unit_us;
                end = skip_blanks(p + n) + m;
                p = skip_blanks(end);
                if (*p == ',' && !(flags & TIMESPAN_SYSTEMD))
                        p = skip_blanks(p + 1);
                if (strncasecmp(p, "and ", 4) == 0)
                        p = skip_blanks(p + 4);
        }
        if (!fits)
                t->implausible = "does not fit in 63 bits of microseconds";
        return (size_t) (end - text);
}

static size_t read_bare(const char *text, unsigned flags, struct timespan *t)
{
        struct decimal d;
        size_t n = read_decimal(text, flags, &d);

        if (n == 0 || text[n] == ':')
                return 0;
        if (!add_decimal(&t->us, &d, US_S))
                t->implausible = "does not fit in 63 bits of microseconds";
        t->error_us = last_digit_us(&d, US_S);
        return n;
}

/* read_range() - "3-3.5 min", "30-40": the first number takes the second's unit */
static size_t read_range(const char *text, unsigned flags, struct timespan *t)
{
        struct timespan upper = { .us = 0 };
        struct decimal low, high;
        const char *p, *second;
        int64_t unit_us = US_S;
        size_t n = read_decimal(text, flags, &low);

        p = skip_blanks(text + n);
        if (n == 0 || (*p != '-' && strncasecmp(p, "to ", 3) != 0))
                return 0;
        second = skip_blanks(p + (*p == '-' ? 1 : 3));
        n = read_decimal(second, flags, &high);
        if (n == 0)
                return 0;
        p = second + n;
        n = read_unit(skip_blanks(p), flags, &unit_us);
        if (n > 0)
                p = skip_blanks(p) + n;
        else if (!(flags & TIMESPAN_BARE) || *p == ':' || *p == '-')
                return 0;
        if (!add_decimal(&t->us, &low, unit_us) || !add_decimal(&upper.us, &high, unit_us) ||
            upper.us < t->us)
                return 0;
        t->to_us = upper.us;
        t->error_us = last_digit_us(&low, unit_us);
        t->is_vague = true;
        return (size_t) (p - text);
}

static size_t read_vagueness(const char *text)
{
        static const char *const marks[] = { "~",       "about ", "approx. ", "approx ",
                                             "around ", "ca. ",   "roughly ", "circa " };
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(marks); i++)
                if (strncasecmp(text, marks[i], strlen(marks[i])) == 0)
                        n = strlen(marks[i]);
        return n ? (size_t) (skip_blanks(text + n) - text) : 0;
}

static size_t read_word(const char *text, struct timespan *t)
{
        size_t n = strncasecmp(text, "infinity", 8) == 0 ? 8 : 0;

        if (n) {
                t->us = INT64_MAX;
                t->error_us = 0;
                t->implausible = "infinity is no length of time";
        }
        return n;
}

static void judge(struct timespan *t)
{
        if (!t->implausible && t->to_us > TIMESPAN_BELIEVABLE_US)
                t->implausible = "more than a hundred days: an unset or underflown time stamp";
}

struct timespan timespan_from_us(int64_t us, int64_t error_us)
{
        struct timespan t = { .us = us, .to_us = us, .error_us = error_us };

        if (us < 0)
                t.implausible = "below zero: an unset or underflown time stamp";
        judge(&t);
        return t;
}

int timespan_parse(const char *text, unsigned flags, struct timespan *ret, size_t *ret_bytes)
{
        size_t (*const readers[])(const char *, unsigned,
                                  struct timespan *) = { read_clock, read_range, read_units };
        struct timespan t = { .us = 0 };
        const char *p = skip_blanks(text);
        size_t n = read_vagueness(p), used;

        p += n;
        used = read_word(p, &t);
        for (size_t i = 0; used == 0 && i < ELEMENTSOF(readers); i++) {
                t = (struct timespan){ .us = 0 };
                used = readers[i](p, flags, &t);
        }
        if (used == 0 && flags & TIMESPAN_BARE) {
                t = (struct timespan){ .us = 0 };
                used = read_bare(p, flags, &t);
        }
        if (used == 0)
                return -EINVAL;
        p += used;
        if (!ret_bytes && *skip_blanks(p))
                return -EINVAL;
        if (t.implausible)
                t.us = INT64_MAX;
        if (t.to_us < t.us)
                t.to_us = t.us;
        judge(&t);
        t.is_vague = t.is_vague || n > 0;
        *ret = t;
        if (ret_bytes)
                *ret_bytes = (size_t) (p - text);
        return 0;
}
