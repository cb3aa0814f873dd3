/* analyze/import/number.c - brought into C's spelling first, so that strtod() rounds it. */
#include "analyze/import/number.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX_BYTES 64

/* What the digits and signs of a number look like. */
struct shape {
        size_t n_bytes; /* without an exponent */
        size_t commas, points;
        size_t last_comma, last_point; /* offsets */
};

static struct shape shape_of(const char *p)
{
        struct shape s = { .n_bytes = 0 };

        while (isdigit((unsigned char) p[s.n_bytes]) ||
               (s.n_bytes > 0 && p[s.n_bytes] && strchr(".,'", p[s.n_bytes]) &&
                isdigit((unsigned char) p[s.n_bytes - 1]) &&
                isdigit((unsigned char) p[s.n_bytes + 1]))) {
                if (p[s.n_bytes] == ',') {
                        s.commas++;
                        s.last_comma = s.n_bytes;
                } else if (p[s.n_bytes] == '.') {
                        s.points++;
                        s.last_point = s.n_bytes;
                }
                s.n_bytes++;
        }
        return s;
}

/* decimal_at() - where the decimal point is; n_bytes when there is none */
static size_t decimal_at(const char *p, const struct shape *s, enum number_comma comma,
                         bool *ret_ambiguous)
{
        *ret_ambiguous = false;
        if (s->commas && s->points)
                return s->last_comma > s->last_point ? s->last_comma : s->last_point;
        if (s->points)
                return s->points == 1 ? s->last_point : s->n_bytes;
        if (s->commas != 1)
                return s->n_bytes;
        /* "0,123" and "1234,567" cannot be groups. */
        if (s->n_bytes - s->last_comma - 1 != 3 || s->last_comma > 3 || p[0] == '0')
                return s->last_comma;
        *ret_ambiguous = comma != COMMA_THREE;
        return comma != COMMA_GROUPS ? s->last_comma : s->n_bytes;
}

static size_t exponent_length(const char *p)
{
        size_t n = 1;

        if (*p != 'e' && *p != 'E')
                return 0;
        n += p[n] == '+' || p[n] == '-';
        if (!isdigit((unsigned char) p[n]))
                return 0;
        while (isdigit((unsigned char) p[n]))
                n++;
        return n;
}

bool number_parse(const char *text, enum number_comma comma, struct number *ret, size_t *ret_bytes)
{
        char plain[2 * NUMBER_MAX_BYTES];
        const char *p = text;
        struct number number = { .digit = 1 };
        struct shape s;
        size_t used = 0, point, n_exponent;

        while (*p == ' ')
                p++;
        if (*p == '-' || *p == '+')
                plain[used++] = *p++;
        s = shape_of(p);
        if (s.n_bytes == 0 || s.n_bytes > NUMBER_MAX_BYTES)
                return false;
        point = decimal_at(p, &s, comma, &number.ambiguous);
        for (size_t i = 0; i < s.n_bytes; i++) {
                if (i == point)
                        plain[used++] = '.';
                else if (isdigit((unsigned char) p[i]))
                        plain[used++] = p[i];
                if (i > point)
                        number.digit /= 10;
        }
        n_exponent = exponent_length(p + s.n_bytes);
        if (n_exponent > 0 && n_exponent < 8) {
                memcpy(plain + used, p + s.n_bytes, n_exponent);
                used += n_exponent;
                plain[used] = '\0';
                number.digit *= pow(10, strtod(plain + used - n_exponent + 1, NULL));
        }
        plain[used] = '\0';
        p += s.n_bytes + n_exponent;
        number.value = strtod(plain, NULL);
        if (!isfinite(number.value) || (!ret_bytes && p[strspn(p, " ")]))
                return false;
        *ret = number;
        if (ret_bytes)
                *ret_bytes = (size_t) (p - text);
        return true;
}

bool number_agrees(const struct number *stated, double computed)
{
        /* The slack is for binary fractions: 0.3 - 0.2 is a hair above 0.1. */
        return fabs(stated->value - computed) <=
               stated->digit * (1 + 1e-6) + fabs(computed) * 1e-12;
}

bool number_agrees_within(const struct number *stated, double computed, double fraction)
{
        return fabs(stated->value - computed) <= fabs(computed) * fraction ||
               number_agrees(stated, computed);
}

bool number_agrees_ratio(const struct number *stated, const struct number *a,
                         const struct number *b)
{
        double slack = stated->digit * (1 + 1e-6);

        if (b->value - b->digit <= 0)
                return true; /* nothing can be said */
        return stated->value >= (a->value - a->digit) / (b->value + b->digit) - slack &&
               stated->value <= (a->value + a->digit) / (b->value - b->digit) + slack;
}
