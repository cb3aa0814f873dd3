/* analyze/import/letters.h - single characters: out of UTF-8, Latin-1 and HTML, into plain ones */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* letters_get() - the character at @p; a byte that is no UTF-8 is read as Windows-1252.
 * Return: bytes used, at least 1. */
size_t letters_get(const char *p, const char *end, uint32_t *ret);

/* letters_entity() - the character that "&nbsp;", "&#9492;" or "&amp;nbsp;" stands for, or '&'.
 * Return: bytes used, at least 1. */
size_t letters_entity(const char *p, const char *end, uint32_t *ret);

/* letters_put_plain() - @c in its plain form: blanks (tabs stay), dashes, quotes, micro signs and
 * tree glyphs become ASCII, invisible characters nothing. Never more bytes than @c has in any input
 * form. */
size_t letters_put_plain(uint32_t c, char *to);
