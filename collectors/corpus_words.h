/* collectors/corpus_words.h - what the mail of a corpus is written with */
#pragma once
#include <stddef.h>
#include "collectors/random.h"
#include "collectors/mailtext.h"

/* A way to write text that is not ASCII. */
struct corpus_charset {
        const char *name;
        char encoding;          /* 'Q' or 'B', for encoded words; 'Q' bodies are quoted-printable */
        const char *phrases[6]; /* in that charset; NULL ends them */
};

const struct corpus_charset *corpus_charset(struct random_stream *r);
const char *corpus_phrase(struct random_stream *r, const struct corpus_charset *c);

const char *corpus_first_name(struct random_stream *r);
const char *corpus_last_name(struct random_stream *r);
const char *corpus_domain(struct random_stream *r);
const char *corpus_word(struct random_stream *r);

/** corpus_prose() - about @n_bytes of English-like lines of up to 72 characters */
void corpus_prose(struct mailtext *t, struct random_stream *r, size_t n_bytes);

/** corpus_token() - @n characters of letters and digits */
void corpus_token(struct mailtext *t, struct random_stream *r, size_t n);

/** corpus_bytes() - @n_bytes that do not compress, as attachments do not */
void corpus_bytes(struct mailtext *t, struct random_stream *r, size_t n_bytes);
