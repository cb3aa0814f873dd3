/* collectors/mail_regex.h - the parts of a header that neomutt takes apart with regular expressions
 *
 * neomutt reads the same fields as mutt and more, and three kinds of them with the C library's
 * regexec(): dates with all their parts, encoded words wherever one might stand, and the addresses
 * of list fields. On a fast drive that is a fifth of its time. Which texts are matched, and how
 * often, follows what neomutt 20220429 was seen to do (calls of regexec() on a corpus, counted
 * through a preloaded library); the patterns are those of the RFCs.
 */
#pragma once
#include <regex.h>
#include <stdint.h>

#define MAIL_REGEX_MAX_BYTES 16384 /* a longer field is not matched: time grows with its square */

struct mail_regex {
        regex_t date, encoded_word, url;
};

/** mail_regex_init() - Return: 0; -ENOMEM, with nothing to release. */
int mail_regex_init(struct mail_regex *ret);
void mail_regex_done(struct mail_regex *regex);

/** mail_regex_date() - as mail_date(), for a date that follows RFC 5322 closely */
int64_t mail_regex_date(const struct mail_regex *regex, const char *value);

/** mail_regex_encoded_words() - how many encoded words (RFC 2047) stand in @text */
unsigned mail_regex_encoded_words(const struct mail_regex *regex, const char *text);

/** mail_regex_ids() - the same over a row of identifiers, each looked at with all that follow it */
unsigned mail_regex_ids(const struct mail_regex *regex, const char *value);

/** mail_regex_urls() - how many <...> of a list field (RFC 2369) are URLs (RFC 3986) */
unsigned mail_regex_urls(const struct mail_regex *regex, const char *value);
