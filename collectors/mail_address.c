/* collectors/mail_address.c - RFC 5322's address lists, token by token */
#include <stdbool.h>
#include <string.h>
#include "collectors/mail_fields.h"
#include "record/macros.h"

#define SPECIALS "()<>@,;:\\\"."
#define BLANKS " \t\r\n"

/* One address as it is being read: a phrase, perhaps <a mailbox>, perhaps (a comment). */
struct parts {
        char *phrase, *angle, *comment; /* each with room for the whole list */
        size_t phrase_bytes, angle_bytes, comment_bytes;
        bool has_angle;
};

void mail_addresses_free(struct mail_address *list)
{
        while (list) {
                struct mail_address *next = list->next;

                free(list->name);
                free(list->mailbox);
                free(list);
                list = next;
        }
}

static bool is_special(char c) { return strchr(SPECIALS, c) != NULL; }

static bool is_blank(char c) { return strchr(BLANKS, c) != NULL; }

static const char *take_quoted(const char *p, char *ret, size_t *n)
{
        for (p++; *p && *p != '"'; p++) {
                if (*p == '\\' && p[1])
                        p++;
                ret[(*n)++] = *p;
        }
        return *p ? p + 1 : p;
}

static const char *take_comment(const char *p, char *ret, size_t *n)
{
        int depth = 1;

        for (p++; *p; p++) {
                if (*p == '\\' && p[1])
                        p++;
                else if (*p == '(')
                        depth++;
                else if (*p == ')' && --depth == 0)
                        return p + 1;
                ret[(*n)++] = *p;
        }
        return p;
}

/* take_token() - an atom, a quoted string or one special character */
static const char *take_token(const char *p, char *ret, size_t *n)
{
        if (*p == '"')
                return take_quoted(p, ret, n);
        if (is_special(*p)) {
                ret[(*n)++] = *p;
                return p + 1;
        }
        while (*p && !is_blank(*p) && !is_special(*p))
                ret[(*n)++] = *p++;
        return p;
}

static const char *take_angle(const char *p, struct parts *a)
{
        a->has_angle = true;
        p++;
        while (*p && *p != '>') {
                if (is_blank(*p))
                        p++;
                else
                        p = take_token(p, a->angle, &a->angle_bytes);
        }
        return *p ? p + 1 : p;
}

static char *copy_trimmed(const char *text, size_t n_bytes)
{
        while (n_bytes > 0 && text[n_bytes - 1] == ' ')
                n_bytes--;
        return strndup(text, n_bytes);
}

/* finish() - what was read becomes one address at *@tail, if it is any */
static int finish(struct parts *a, struct mail_address ***tail)
{
        struct mail_address *made;
        const char *mailbox = a->has_angle ? a->angle : a->phrase;
        size_t mailbox_bytes = a->has_angle ? a->angle_bytes : a->phrase_bytes;
        const char *name = a->has_angle ? a->phrase : a->comment;
        size_t name_bytes = a->has_angle ? a->phrase_bytes : a->comment_bytes;

        if (mailbox_bytes == 0 && name_bytes == 0)
                return 0;
        made = calloc(1, sizeof *made);
        if (!made)
                return -ENOMEM;
        **tail = made;
        *tail = &made->next;
        made->mailbox = copy_trimmed(mailbox, mailbox_bytes);
        made->name = name_bytes ? copy_trimmed(name, name_bytes) : NULL;
        a->phrase_bytes = a->angle_bytes = a->comment_bytes = 0;
        a->has_angle = false;
        return made->mailbox && (made->name || !name_bytes) ? 0 : -ENOMEM;
}

static int read_addresses(struct mail_address **tail, const char *p, struct parts *a)
{
        int r = 0;

        while (r == 0 && *p) {
                if (*p == ',' || *p == ';') {
                        r = finish(a, &tail);
                        p++;
                } else if (*p == ':') { /* the name of a group: its members follow */
                        a->phrase_bytes = 0;
                        p++;
                } else if (*p == '<') {
                        p = take_angle(p, a);
                } else if (*p == '(') {
                        p = take_comment(p, a->comment, &a->comment_bytes);
                } else if (is_blank(*p)) {
                        if (a->phrase_bytes > 0)
                                a->phrase[a->phrase_bytes++] = ' ';
                        p += strspn(p, BLANKS);
                } else {
                        p = take_token(p, a->phrase, &a->phrase_bytes);
                }
        }
        return r < 0 ? r : finish(a, &tail);
}

int mail_addresses_add(struct mail_address **list, const char *value)
{
        size_t n = strlen(value) + 1;
        CLEANUP(freep) char *room = malloc(3 * n);
        struct parts a = { .phrase = room, .angle = room + n, .comment = room + 2 * n };

        if (!room)
                return -ENOMEM;
        while (*list)
                list = &(*list)->next;
        return read_addresses(list, value, &a);
}
