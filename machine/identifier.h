/* machine/identifier.h - what names one disk, card or network by its shape alone
 *
 * UUIDs, MAC, IPv4 and IPv6 addresses, machine ids, FAT serials, World Wide Names: recognised
 * wherever they stand, also in the "\\x2d" of unit names.
 */
#pragma once
#include "machine/machine.h"
#include "machine/text.h"

/** identifier_length() - how long the identifier is that begins at @p within @text; 0 for none */
size_t identifier_length(const char *text, const char *p);

/** identifier_word_begins() - whether no letter or digit of the same word stands before @p */
bool identifier_word_begins(const char *text, const char *p);

/** identifier_hide() - @raw as "hmac:" and 16 digits under the context's key, "<removed>" without
 * one, and as it is when the context keeps serials */
void identifier_hide(struct text *t, const struct machine_context *m, const char *raw,
                     size_t n_bytes);

/** identifier_hide_all() - a text in which every identifier is hidden */
void identifier_hide_all(struct text *t, const struct machine_context *m, const char *from,
                         size_t n_bytes);
