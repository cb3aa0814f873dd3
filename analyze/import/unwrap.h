/* analyze/import/unwrap.h - lines that a mail program or a narrow form broke in two or more */
#pragma once
#include <stddef.h>
#include "analyze/import/pattern.h"
#include "analyze/import/text.h"

/**
 * unwrap() - join lines of @text which only together are one of @sources
 * @n: how many patterns there are
 *
 * A line is joined with those below it when it could be the beginning of a match, what is below it
 * is no match of its own, and the match of both goes over the break. A pattern that takes anything
 * to the end of the line ("(.*)$") matches always: for that, see unwrap_wide().
 */
void unwrap(struct text *text, const char *const *sources, size_t n);

/** unwrap_wide() - the same for one pattern that ends in anything: a line is joined with the next
 * one only where the next one's first word would not have fitted */
void unwrap_wide(struct text *text, const char *source);

/** unwrap_list() - join lines where a sign that only stands between things ("/", ";", "-") ends one
 * or begins the next */
void unwrap_list(struct text *text);
