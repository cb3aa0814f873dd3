/* analyze/import/number.h - decimal numbers in the spellings of several countries */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* What a lone comma before exactly three digits means ("1,234"): the field decides, and unless it
 * always has three decimals that is a guess which is told. Everywhere else the spelling says it: of
 * ',' and '.' in one number the last is the decimal point, a sign that occurs twice groups digits,
 * and so does "'". */
enum number_comma {
        COMMA_GROUPS,  /* counts and sizes */
        COMMA_DECIMAL, /* figures with some decimals */
        COMMA_THREE,   /* figures that are always printed with three decimals: no guess */
};

struct number {
        double value;
        double digit;   /* one unit of the last digit that was written */
        bool ambiguous; /* a guess by the field */
};

/**
 * number_parse() - read a number at the beginning of @text
 * @ret_bytes: how far it goes; NULL: nothing may follow
 *
 * Return: false when there is none, or it is not finite.
 */
bool number_parse(const char *text, enum number_comma comma, struct number *ret, size_t *ret_bytes);

/**
 * number_agrees() - @stated is what @computed gives when it is printed as @stated was
 *
 * One unit of the last printed digit is allowed either way: tools round, truncate, and print
 * figures computed from more digits than they show.
 */
bool number_agrees(const struct number *stated, double computed);

/** number_agrees_within() - within @fraction (0.02) of @computed, or number_agrees() */
bool number_agrees_within(const struct number *stated, double computed, double fraction);

/** number_agrees_ratio() - @stated is @a over @b, each of which may be off by its own last digit
 * too */
bool number_agrees_ratio(const struct number *stated, const struct number *a,
                         const struct number *b);
