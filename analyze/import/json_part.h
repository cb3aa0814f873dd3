/* analyze/import/json_part.h - JSON documents inside a text */
#pragma once
#include <jansson.h>
#include "analyze/import/import.h"

/* A document of more bytes is refused: parsed, it would be ten times as big. */
#define JSON_PART_MAX_BYTES (3u * 512 * 1024)

struct json_part {
        json_t *j;
        size_t first, last; /* its lines */
        bool was_cut; /* "..." or an end in the middle was repaired: what is there is right, but
                       * more was there once */
};
#define JSON_PART_NULL ((struct json_part){ .j = NULL })

void json_part_done(struct json_part *p);

/**
 * json_part_next() - the next document that begins at the head of a free line from line @i on
 * @mark: a word that has to be in its first lines
 * @ret: release with json_part_done()
 *
 * What people paste is repaired when it does not parse: curly quotes, "..." where something was
 * left out, commas before brackets, a missing end. Return: true; false when there is none, or none
 * parses.
 */
bool json_part_next(const struct text *t, size_t i, const char *mark, struct json_part *ret);

/** json_part_take() - all its lines were understood */
void json_part_take(struct import *in, const struct json_part *p);

/** json_part_line() - the first line of the part, at or after @from, that holds @words; else @from
 */
size_t json_part_line(const struct text *t, const struct json_part *p, size_t from,
                      const char *words);

/** json_part_straighten() - a copy of @line with '"' for curly quotes; NULL: no memory */
char *json_part_straighten(const char *line);

/** json_part_raw() - @value with no more digits than it needs, in MATCH_RAW_BYTES. Return: @ret. */
char *json_part_raw(double value, char *ret);

/** json_part_number() - a member that is a number, also one written as a string; false for neither
 */
bool json_part_number(const json_t *object, const char *key, double *ret);
