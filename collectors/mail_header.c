/* collectors/mail_header.c - fields, unfolded and dealt out by name */
#include "collectors/mail_header.h"
#include <langinfo.h>
#include <string.h>
#include "record/macros.h"
#include "record/procfile.h"

#define LINE_ROOM 256

static int init_neomutt(struct mail_reader *reader)
{
        if (mail_regex_init(&reader->regex) < 0)
                return -ENOMEM;
        if (mail_settings_init(&reader->settings) < 0) {
                mail_regex_done(&reader->regex);
                return -ENOMEM;
        }
        return 0;
}

int mail_reader_init(struct mail_reader *reader, enum mail_client client)
{
        *reader = (struct mail_reader){ .client = client, .charset = nl_langinfo(CODESET) };
        /* mutt's default $reply_regexp */
        if (regcomp(&reader->reply, "^(re|aw)(\\[[0-9]+\\])*:[ \t]*", REG_EXTENDED | REG_ICASE))
                return -ENOMEM;
        if (client == MAIL_NEOMUTT && init_neomutt(reader) < 0) {
                regfree(&reader->reply);
                return -ENOMEM;
        }
        return 0;
}

void mail_reader_done(struct mail_reader *reader)
{
        free(reader->line);
        regfree(&reader->reply);
        if (reader->client != MAIL_NEOMUTT)
                return;
        mail_regex_done(&reader->regex);
        mail_settings_done(&reader->settings);
}

void mail_header_done(struct mail_header *h)
{
        mail_addresses_free(h->from);
        mail_addresses_free(h->to);
        mail_addresses_free(h->cc);
        mail_addresses_free(h->reply_to);
        mail_addresses_free(h->sender);
        mail_addresses_free(h->return_path);
        mail_words_free(h->references);
        mail_words_free(h->in_reply_to);
        free(h->subject);
        free(h->date);
        free(h->encoding);
        free(h->message_id);
        mail_content_type_free(h->content_type);
        free(h->list_post);
        free(h->user_agent);
        *h = (struct mail_header){ .sent_s = MAIL_DATE_NONE, .received_s = MAIL_DATE_NONE };
}

static bool is_blank(int c) { return c == ' ' || c == '\t'; }

static bool is_space(int c) { return is_blank(c) || c == '\r' || c == '\n'; }

static int reserve_line(struct mail_reader *reader, size_t used)
{
        char *grown;

        if (used + LINE_ROOM <= reader->size)
                return 0;
        grown = realloc(reader->line, (used + LINE_ROOM) * 2);
        if (!grown)
                return -ENOMEM;
        reader->line = grown;
        reader->size = (used + LINE_ROOM) * 2;
        return 0;
}

/* next_line_continues() - whether the field goes on; its leading blanks are eaten then */
static bool next_line_continues(FILE *f)
{
        int c = getc(f);

        if (!is_blank(c)) {
                if (c != EOF)
                        (void) ungetc(c, f);
                return false;
        }
        while (is_blank(c))
                c = getc(f);
        if (c != EOF)
                (void) ungetc(c, f);
        return true;
}

/*
 * read_field() - one field, unfolded, without its end of line
 * Return: its length; 0 at a line that starts with white space, an empty one above all, and at the
 * end of the file; -EFBIG, -EIO, -ENOMEM.
 */
static ssize_t read_field(struct mail_reader *reader, FILE *f)
{
        size_t used = 0;

        for (;;) {
                size_t n;

                if (used > MAIL_FIELD_MAX_BYTES)
                        return -EFBIG;
                if (reserve_line(reader, used) < 0)
                        return -ENOMEM;
                if (!fgets(reader->line + used, (int) (reader->size - used), f))
                        return ferror(f) ? -EIO : (ssize_t) used;
                if (used == 0 && is_space((unsigned char) reader->line[0]))
                        return 0;
                n = strlen(reader->line + used); /* a NUL hides the rest of its line: so be it */
                used += n;
                if (n == 0 || reader->line[used - 1] != '\n')
                        continue;
                while (used > 0 && is_space((unsigned char) reader->line[used - 1]))
                        used--;
                reader->line[used] = '\0';
                if (!next_line_continues(f))
                        return (ssize_t) used;
                reader->line[used++] = ' ';
        }
}

static int keep(char **field, const char *value)
{
        free(*field);
        *field = strdup(value);
        return *field ? 0 : -ENOMEM;
}

static int64_t date_of(const struct mail_reader *reader, const char *value)
{
        return reader->client == MAIL_NEOMUTT ? mail_regex_date(&reader->regex, value)
                                              : mail_date(value);
}

/* keep_received() - the date of the topmost one: when the message came in here */
static int keep_received(const struct mail_reader *reader, struct mail_header *h, const char *value)
{
        const char *date = strrchr(value, ';');

        if (h->received_s == MAIL_DATE_NONE && date)
                h->received_s = date_of(reader, date + 1);
        return 0;
}

/* is_named() - ASCII only: in some locales the lower-case I is not i */
static bool is_named(const char *name, const char *want)
{
        for (; *name && *want; name++, want++) {
                char c = *name >= 'A' && *name <= 'Z' ? (char) (*name | 0x20) : *name;

                if (c != *want)
                        return false;
        }
        return *name == *want;
}

static struct mail_settings *settings_of(struct mail_reader *reader)
{
        return reader->client == MAIL_NEOMUTT ? &reader->settings : NULL;
}

/* deal_out() - one field to where it belongs; most fields belong nowhere */
static int deal_out(struct mail_reader *reader, struct mail_header *h, const char *name,
                    const char *value)
{
        switch (name[0] | 0x20) {
        case 'c':
                if (is_named(name, "cc"))
                        return mail_addresses_add(&h->cc, value);
                if (is_named(name, "content-type"))
                        return mail_content_type_set(&h->content_type, value, settings_of(reader));
                return is_named(name, "content-transfer-encoding") ? keep(&h->encoding, value) : 0;
        case 'd':
                if (!is_named(name, "date"))
                        return 0;
                h->sent_s = date_of(reader, value);
                return keep(&h->date, value);
        case 'f':
                return is_named(name, "from") ? mail_addresses_add(&h->from, value) : 0;
        case 'i':
                return is_named(name, "in-reply-to") ? mail_words_add(&h->in_reply_to, value) : 0;
        case 'l':
                return is_named(name, "list-post") ? keep(&h->list_post, value) : 0;
        case 'm':
                return is_named(name, "message-id") ? mail_id(&h->message_id, value) : 0;
        case 'r':
                if (is_named(name, "received"))
                        return keep_received(reader, h, value);
                if (is_named(name, "references"))
                        return mail_words_add(&h->references, value);
                if (is_named(name, "reply-to"))
                        return mail_addresses_add(&h->reply_to, value);
                if (is_named(name, "return-path"))
                        return mail_addresses_add(&h->return_path, value);
                return 0;
        case 's':
                if (is_named(name, "subject"))
                        return keep(&h->subject, value);
                return is_named(name, "sender") ? mail_addresses_add(&h->sender, value) : 0;
        case 't':
                return is_named(name, "to") ? mail_addresses_add(&h->to, value) : 0;
        case 'u':
                return is_named(name, "user-agent") ? keep(&h->user_agent, value) : 0;
        default:
                return 0;
        }
}

/* look_closer() - what neomutt matches beyond what mutt reads */
static void look_closer(const struct mail_regex *regex, struct mail_header *h, const char *name,
                        const char *value)
{
        if (strlen(value) > MAIL_REGEX_MAX_BYTES)
                return;
        if (is_named(name, "message-id") || is_named(name, "subject"))
                h->n_encoded_words += mail_regex_encoded_words(regex, value);
        else if (is_named(name, "references") || is_named(name, "in-reply-to"))
                h->n_encoded_words += mail_regex_ids(regex, value);
        else if (is_named(name, "list-post") || is_named(name, "list-subscribe") ||
                 is_named(name, "list-unsubscribe"))
                h->n_urls += mail_regex_urls(regex, value);
}

static int decode_name(struct mail_reader *reader, struct mail_header *h, struct mail_address *a)
{
        if (reader->client == MAIL_NEOMUTT) {
                bool is_assumed = *mail_settings_get(&reader->settings, "assumed_charset");

                if (a->name && (is_assumed || strstr(a->name, "=?")) &&
                    strlen(a->name) <= MAIL_REGEX_MAX_BYTES)
                        h->n_encoded_words += mail_regex_encoded_words(&reader->regex, a->name);
        }
        return mail_decode(&a->name, reader->charset);
}

static int64_t threshold(struct mail_settings *s, const char *name)
{
        int64_t value;

        return parse_int(mail_settings_get(s, name), &value) < 0 ? 0 : value;
}

/* judge() - by its score, which is 0 as long as nobody has given rules */
static void judge(struct mail_settings *s, struct mail_header *h)
{
        h->is_read = h->score <= threshold(s, "score_threshold_read");
        h->is_deleted = h->score <= threshold(s, "score_threshold_delete");
        h->is_flagged = h->score >= threshold(s, "score_threshold_flag");
}

static int decode(struct mail_reader *reader, struct mail_header *h)
{
        const char *charset = reader->charset;
        regmatch_t match;
        struct mail_address *const lists[] = { h->from,     h->to,     h->cc,
                                               h->reply_to, h->sender, h->return_path };
        int r = mail_decode(&h->subject, charset);

        if (r == 0 && h->subject)
                h->real_subject = regexec(&reader->reply, h->subject, 1, &match, 0) == 0
                                          ? h->subject + match.rm_eo
                                          : h->subject;
        for (size_t i = 0; i < ELEMENTSOF(lists); i++)
                for (struct mail_address *a = lists[i]; r == 0 && a; a = a->next)
                        r = decode_name(reader, h, a);
        return r;
}

int mail_header_read(struct mail_reader *reader, FILE *f, struct mail_header *ret)
{
        ssize_t n;
        int r = 0;

        *ret = (struct mail_header){ .sent_s = MAIL_DATE_NONE, .received_s = MAIL_DATE_NONE };
        for (;;) {
                off_t at = ftello(f); /* as a client asks: a line that is no field is the body's */
                char *colon, *value;

                n = read_field(reader, f);
                if (n <= 0)
                        break;
                colon = strpbrk(reader->line, ": \t");
                if (!colon || *colon != ':') {
                        if (strncmp(reader->line, "From ", 5) == 0 ||
                            strncmp(reader->line, ">From ", 6) == 0)
                                continue; /* what some delivery agents leave of an mbox */
                        if (fseeko(f, at, SEEK_SET) < 0)
                                return -errno;
                        break;
                }
                *colon = '\0';
                value = colon + 1;
                value += strspn(value, " \t");
                if (!*value)
                        continue;
                if (reader->client == MAIL_NEOMUTT)
                        look_closer(&reader->regex, ret, reader->line, value);
                r = deal_out(reader, ret, reader->line, value);
                if (r < 0)
                        return r;
        }
        if (n < 0 && n != -EFBIG)
                return (int) n;
        ret->has_end = n >= 0 && !feof(f);
        ret->n_bytes = (uint64_t) ftello(f);
        if (reader->client == MAIL_NEOMUTT)
                judge(&reader->settings, ret);
        return decode(reader, ret);
}
