/* collectors/mailtext.h - a text that grows; the first failure sticks, so a writer looks once */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "record/macros.h"

struct mailtext {
        char *data; /* used bytes and a NUL */
        size_t used, size;
        bool failed; /* there was no memory */
};
#define MAILTEXT_NULL ((struct mailtext){ .data = NULL })

void mailtext_done(struct mailtext *t);

/** mailtext_clear() - empty again, its memory kept */
void mailtext_clear(struct mailtext *t);

void mailtext_add(struct mailtext *t, const void *data, size_t n_bytes);
void mailtext_put(struct mailtext *t, const char *string);
void mailtext_putf(struct mailtext *t, const char *format, ...) PRINTF_LIKE(2, 3);

/** mailtext_base64() - @data in lines of 76 characters, each ended by a newline */
void mailtext_base64(struct mailtext *t, const void *data, size_t n_bytes);

/** mailtext_quoted_printable() - @text, whose own newlines are line ends, with soft breaks at 76 */
void mailtext_quoted_printable(struct mailtext *t, const char *text, size_t n_bytes);

/** mailtext_encoded_word() - one RFC 2047 word of @charset, @encoding 'B' or 'Q' */
void mailtext_encoded_word(struct mailtext *t, const char *charset, char encoding, const char *word,
                           size_t n_bytes);
