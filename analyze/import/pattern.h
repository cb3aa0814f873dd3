/* analyze/import/pattern.h - a format's grammar as a table of regular expressions (PCRE2)
 *
 * A format names its patterns by an enum and keeps their text in one table, so that the grammar can
 * be read in one place. In the text {num} stands for a decimal number, {dur} for a span as systemd
 * and people write it, {no} for a group with the number that may follow
 * a word ("boot 2", "build #2"). Matching ignores case and is not anchored.
 *
 * Foreign text meets these patterns: steps and memory of one match are bounded, and lines above
 * PATTERN_LINE_MAX_BYTES match nothing.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analyze/import/number.h"
#include "record/fault.h"

#define PATTERN_LINE_MAX_BYTES 16384
#define MATCH_GROUPS_MAX 24

struct patterns;

/* Where the groups of a match lie in its subject. */
struct match {
        const char *subject;
        size_t from[MATCH_GROUPS_MAX], to[MATCH_GROUPS_MAX]; /* equal: unset or empty */
        size_t n;
};

/** patterns_new() - compile @n of them; NULL when out of memory (a bad one is an assertion) */
struct patterns *patterns_new(const char *const *sources, size_t n);
void patterns_freep(struct patterns **p);

/** pattern_match() - pattern @i in @subject; @ret may be NULL, and is written only on a match */
bool pattern_match(const struct patterns *p, size_t i, const char *subject, struct match *ret);

/**
 * pattern_match_from() - the same from byte @from of @subject on
 *
 * What stands before @from is still seen by \b and the like, and offsets count from @subject.
 */
bool pattern_match_from(const struct patterns *p, size_t i, const char *subject, size_t from,
                        struct match *ret);

/** pattern_first() - the first of @n patterns that matches @subject; -1 for none */
int pattern_first(const struct patterns *p, size_t n, const char *subject, struct match *ret);

/** pattern_is_begun() - @subject could go on to be a match, or to be a longer one */
bool pattern_is_begun(const struct patterns *p, size_t i, const char *subject);

/** match_has() - group @k took part and is not empty */
bool match_has(const struct match *m, size_t k);

/** match_copy() - group @k into @ret, cut to @size; @ret is "" when it is unset. Return: @ret. */
char *match_copy(const struct match *m, size_t k, char *ret, size_t size);

/** match_integer() - group @k as digits; false when it is anything else or does not fit */
bool match_integer(const struct match *m, size_t k, int64_t *ret);

/** match_number() - group @k as a number; @raw (64 bytes) gets its text and may be NULL */
bool match_number(const struct match *m, size_t k, enum number_comma comma, struct number *ret,
                  char *raw);

#define MATCH_RAW_BYTES 64
