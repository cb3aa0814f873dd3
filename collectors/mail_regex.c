/* collectors/mail_regex.c - POSIX regular expressions with every part in a group of its own, since
 * keeping groups apart is what makes them slow */
#include "collectors/mail_regex.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "collectors/mail_fields.h"
#include "record/macros.h"

/* RFC 5322, section 3.3; section 4.3's short years and zones by name */
#define DATE                                                                                       \
        "^((Mon|Tue|Wed|Thu|Fri|Sat|Sun), *)?([[:digit:]]{1,2}) "                                  \
        "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([[:digit:]]{2,4}) "                    \
        "([[:digit:]]{2}):([[:digit:]]{2})(:([[:digit:]]{2}))? "                                   \
        "*(([+-][[:digit:]]{4})|([[:alpha:]]+))"
enum {
        DATE_DAY = 3,
        DATE_MONTH,
        DATE_YEAR,
        DATE_HOUR,
        DATE_MINUTE,
        DATE_SECOND = 9,
        DATE_ZONE,
        DATE_GROUPS = 13
};

/* RFC 2047, section 2: charset and encoding are tokens without especials; blanks in the text are
 * against it and common, so that clients read them */
#define ENCODED_WORD "=\\?([^][()<>@,;:\\\"/?. =]+)\\?([bBqQ])\\?([^?]+)\\?="
enum { ENCODED_WORD_GROUPS = 4 };

/* RFC 3986, section 3 and appendix A, with user and password told apart */
#define UNRESERVED "[:alnum:]._~-"
#define SUB_DELIMS "!$&'()*+,;="
#define URL                                                                                        \
        "^([[:alpha:]][[:alnum:]+.-]*):"                                                           \
        "((//((([" SUB_DELIMS "%" UNRESERVED "]*)(:([" SUB_DELIMS "%:" UNRESERVED "]*))?@)?"       \
        "((\\[[[:xdigit:]:.]+\\])|([" SUB_DELIMS "%" UNRESERVED "]*))(:([[:digit:]]*))?)"          \
        "((/[" SUB_DELIMS "%:@/" UNRESERVED "]*)?))|([" SUB_DELIMS "%:@/ " UNRESERVED "]*))"       \
        "(\\?([^#]*))?$"
enum { URL_GROUPS = 19 };

int mail_regex_init(struct mail_regex *ret)
{
        if (regcomp(&ret->date, DATE, REG_EXTENDED))
                return -ENOMEM;
        if (regcomp(&ret->encoded_word, ENCODED_WORD, REG_EXTENDED)) {
                regfree(&ret->date);
                return -ENOMEM;
        }
        if (regcomp(&ret->url, URL, REG_EXTENDED)) {
                regfree(&ret->date);
                regfree(&ret->encoded_word);
                return -ENOMEM;
        }
        return 0;
}

void mail_regex_done(struct mail_regex *regex)
{
        regfree(&regex->date);
        regfree(&regex->encoded_word);
        regfree(&regex->url);
}

/* number_at() - by sscanf(), as neomutt does */
static int number_at(const char *value, const regmatch_t *group)
{
        int number;

        return group->rm_so >= 0 && sscanf(value + group->rm_so, "%4d", &number) == 1 ? number : 0;
}

int64_t mail_regex_date(const struct mail_regex *regex, const char *value)
{
        regmatch_t group[DATE_GROUPS];
        struct mail_date_parts parts;

        value += strspn(value, " \t");
        if (regexec(&regex->date, value, DATE_GROUPS, group, 0) != 0)
                return MAIL_DATE_NONE;
        parts = (struct mail_date_parts){
                .day = number_at(value, &group[DATE_DAY]),
                .month = value + group[DATE_MONTH].rm_so,
                .year = number_at(value, &group[DATE_YEAR]),
                .hour = number_at(value, &group[DATE_HOUR]),
                .minute = number_at(value, &group[DATE_MINUTE]),
                .second = number_at(value, &group[DATE_SECOND]),
                .zone = value + group[DATE_ZONE].rm_so,
        };
        return mail_date_from(&parts);
}

unsigned mail_regex_encoded_words(const struct mail_regex *regex, const char *text)
{
        regmatch_t group[ENCODED_WORD_GROUPS];
        unsigned n = 0;

        for (; *text && regexec(&regex->encoded_word, text, ENCODED_WORD_GROUPS, group, 0) == 0;
             n++)
                text += group[0].rm_eo;
        return n;
}

unsigned mail_regex_ids(const struct mail_regex *regex, const char *value)
{
        unsigned n = 0;

        for (const char *p = value; p && *p; p = strpbrk(p + 1, " \t"))
                n += mail_regex_encoded_words(regex, p);
        return n;
}

unsigned mail_regex_urls(const struct mail_regex *regex, const char *value)
{
        regmatch_t group[URL_GROUPS];
        unsigned n = 0;

        for (const char *p = strchr(value, '<'); p; p = strchr(p + 1, '<')) {
                CLEANUP(freep) char *url = strndup(p + 1, strcspn(p + 1, ">"));

                n += url && regexec(&regex->url, url, URL_GROUPS, group, 0) == 0;
        }
        return n;
}
