/* analyze/figure.c - how many decimals, and minutes or seconds */
#include "analyze/figure.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "analyze/duration.h"
#include "record/clock.h"

#define DECIMALS_MAX 6
#define PRECISION 200.0 /* parts of the range that a figure is shown to */
#define PLAIN_MAX 1e8   /* above it an exponent is shorter */
#define MINUTES_FROM_S 120
#define LEVEL 0.05
#define ROUNDING 1e-9

static double rounding_error(double x, int decimals)
{
        double scale = pow(10, decimals);

        return fabs(x - round(x * scale) / scale);
}

struct figure_style figure_style_of(const struct contrast *c, const char *unit)
{
        double figures[] = { c->a.median, c->a.least,     c->a.most,    c->b.median,  c->b.least,
                             c->b.most,   c->shift.value, c->shift.low, c->shift.high };
        double low = c->a.n ? c->a.least : c->b.least, high = c->a.n ? c->a.most : c->b.most;
        struct figure_style s = { .unit = unit };
        double tolerance;

        if (c->a.n && c->b.n) {
                low = fmin(low, c->b.least);
                high = fmax(high, c->b.most);
        }
        tolerance = high - low > 0 ? (high - low) / PRECISION : fabs(high) / 1000;
        for (; s.decimals < DECIMALS_MAX; s.decimals++) {
                double worst = 0;

                for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
                        worst = fmax(worst, rounding_error(figures[i], s.decimals));
                if (worst <= tolerance)
                        break;
        }
        s.minutes = strcmp(unit, "s") == 0 && low >= MINUTES_FROM_S && high < PLAIN_MAX;
        return s;
}

static const char *number(const struct figure_style *s, bool with_sign, double value, char *ret)
{
        value += 0.0; /* no "-0" */
        if (fabs(value) >= PLAIN_MAX)
                (void) snprintf(ret, FIGURE_BYTES, with_sign ? "%+.4g" : "%.4g", value);
        else if (with_sign)
                (void) snprintf(ret, FIGURE_BYTES, "%+.*f", s->decimals, value);
        else
                (void) snprintf(ret, FIGURE_BYTES, "%.*f", s->decimals, value);
        return ret;
}

static void append_unit(const struct figure_style *s, char *text)
{
        size_t n = strlen(text);

        if (*s->unit)
                (void) snprintf(text + n, FIGURE_BYTES - n, " %s", s->unit);
}

const char *figure_plain(const struct figure_style *s, double value, char *ret)
{
        return number(s, false, value, ret);
}

const char *figure_signed(const struct figure_style *s, double value, char *ret)
{
        return number(s, true, value, ret);
}

const char *figure_value(const struct figure_style *s, double value, char *ret)
{
        if (s->minutes)
                return duration_text(llround(value * US_PER_S), ret);
        (void) figure_plain(s, value, ret);
        append_unit(s, ret);
        return ret;
}

const char *figure_difference(const struct figure_style *s, double value, char *ret)
{
        (void) number(s, true, value, ret);
        append_unit(s, ret);
        return ret;
}

const char *figure_p(double p, char *ret)
{
        if (p < 0.001)
                (void) snprintf(ret, FIGURE_BYTES, "<0.001");
        else if (p > LEVEL + ROUNDING &&
                 p < LEVEL + 0.0005) /* must not look as if it had reached it */
                (void) snprintf(ret, FIGURE_BYTES, "%.4f", fmax(p, LEVEL + 0.0001));
        else
                (void) snprintf(ret, FIGURE_BYTES, "%.3f", p);
        return ret;
}

const char *figure_ratio(double ratio, char *ret)
{
        (void) snprintf(ret, FIGURE_BYTES, ratio >= 0.1 && ratio < 100 ? "%.3f" : "%.4g", ratio);
        return ret;
}
