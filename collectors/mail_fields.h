/* collectors/mail_fields.h - what is inside the fields of a header: addresses, words, dates, and
 * the encoded words of RFC 2047 */
#pragma once
#include <stdint.h>
#include "collectors/mail_settings.h"

#define MAIL_DATE_NONE INT64_MIN

struct mail_address {
        char *name;    /* without quotes; NULL when there is none */
        char *mailbox; /* "user@host"; NULL for the name of a group */
        struct mail_address *next;
};

/** mail_addresses_add() - append all addresses of an address list; -ENOMEM */
int mail_addresses_add(struct mail_address **list, const char *value);
void mail_addresses_free(struct mail_address *list);

struct mail_word {
        char *text;
        struct mail_word *next;
};

/** mail_id() - replace *@ret by the identifier in a Message-ID field, if it holds one; -ENOMEM */
int mail_id(char **ret, const char *value);

/** mail_words_add() - the message ids of References and In-Reply-To, newest first; -ENOMEM */
int mail_words_add(struct mail_word **list, const char *value);
void mail_words_free(struct mail_word *list);

struct mail_content_type {
        char *type;                   /* "multipart/mixed" */
        struct mail_word *parameters; /* "boundary=...", quotes taken off */
};

/** mail_content_type_set() - replace *@ret; -ENOMEM. @settings: neomutt's, or NULL */
int mail_content_type_set(struct mail_content_type **ret, const char *value,
                          struct mail_settings *settings);
void mail_content_type_free(struct mail_content_type *t);

/* What a date is made of. */
struct mail_date_parts {
        int day, year, hour, minute, second; /* year as written: 26, 2026 */
        const char *month, *zone;            /* "Dec ...", "+0200 ..." or a name */
};

/** mail_date_from() - seconds since 1970 UTC; MAIL_DATE_NONE when there is no such instant */
int64_t mail_date_from(const struct mail_date_parts *parts);

/** mail_date() - an RFC 5322 date as seconds since 1970 UTC; MAIL_DATE_NONE when it is none */
int64_t mail_date(const char *value);

/**
 * mail_decode() - replace the encoded words in *@text by text in @charset
 *
 * A word that cannot be decoded or converted stays as it is. NULL stays NULL. Return: 0; -ENOMEM.
 */
int mail_decode(char **text, const char *charset);
