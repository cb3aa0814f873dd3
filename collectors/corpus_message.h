/* collectors/corpus_message.h - one message of a corpus: like real mail, and always the same */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "collectors/mailtext.h"

struct corpus_message {
        struct mailtext content; /* header block and body, newlines as on disk */
        int64_t date_s;          /* when it was delivered; also its files' mtime */
        bool is_new;             /* lies in new/ and has no flags */
        char flags[8];           /* "RS"; in the order that a maildir wants */
        char file_name[160];     /* without the ":2,FLAGS" */
        struct mailtext scratch; /* of attachments before they are encoded */
};
#define CORPUS_MESSAGE_NULL ((struct corpus_message){ .date_s = 0 })

void corpus_message_done(struct corpus_message *m);

/**
 * corpus_message_make() - message number @index (from 0) of the corpus of @seed
 * @m: reused from one call to the next
 *
 * Return: 0 or -ENOMEM.
 */
int corpus_message_make(struct corpus_message *m, uint64_t seed, uint32_t index);
