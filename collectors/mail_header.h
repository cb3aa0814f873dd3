/* collectors/mail_header.h - a message's header block, read and understood as a mail client does it
 *
 * Opening a mail folder is more than reading: to show its index a client takes every header block
 * apart, decodes names and subjects and keeps them. On a fast drive that is most of the time, so a
 * workload that stands for a client has to do it too. What is done, and in which calls, follows
 * what mutt 2.2 does when it opens a maildir, or neomutt 20220429 (see docs/evidence.md).
 */
#pragma once
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "collectors/mail_fields.h"
#include "collectors/mail_regex.h"
#include "collectors/mail_settings.h"

#define MAIL_FIELD_MAX_BYTES (8u << 20) /* a longer one is no header field */

struct mail_header {
        struct mail_address *from, *to, *cc, *reply_to, *sender, *return_path;
        struct mail_word *references, *in_reply_to;
        struct mail_content_type *content_type;
        char *subject;
        const char *real_subject; /* inside subject, behind "Re: " and its kin */
        char *date, *encoding, *message_id, *list_post, *user_agent;
        unsigned n_encoded_words, n_urls;     /* that neomutt finds; 0 as mutt */
        int score;                            /* neomutt's; 0 without a rule */
        bool is_read, is_flagged, is_deleted; /* by the score */
        int64_t sent_s, received_s;           /* since 1970 UTC; MAIL_DATE_NONE */
        uint64_t n_bytes;                     /* of the header block with the blank line after it */
        bool has_end;                         /* a blank line or the body's first line was there */
};

void mail_header_done(struct mail_header *h);

enum mail_client { MAIL_MUTT, MAIL_NEOMUTT };

/** What one thread needs to read many. */
struct mail_reader {
        enum mail_client client;
        char *line; /* the unfolded field under way */
        size_t size;
        const char *charset;     /* of the terminal: what names and subjects are converted to */
        regex_t reply;           /* matches "Re: " */
        struct mail_regex regex; /* neomutt's */
        struct mail_settings settings; /* neomutt's */
};

/** mail_reader_init() - for the charset of the locale that setlocale() has set; -ENOMEM */
int mail_reader_init(struct mail_reader *reader, enum mail_client client);
void mail_reader_done(struct mail_reader *reader);

/**
 * mail_header_read() - from the start of @f to the end of its header block
 * @ret: written whatever happens; release it with mail_header_done()
 *
 * The block ends at a blank line, at a line that is no field (what is a body without a blank line
 * before it), at a field of more than MAIL_FIELD_MAX_BYTES and at the end of the file.
 *
 * Return: 0; -EIO and others when reading fails; -ENOMEM.
 */
int mail_header_read(struct mail_reader *reader, FILE *f, struct mail_header *ret);
