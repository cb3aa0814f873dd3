/* collectors/mail_fields.c - RFC 5322's identifiers and dates, and RFC 2045's content types */
#include "collectors/mail_fields.h"
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include "record/macros.h"

void mail_words_free(struct mail_word *list)
{
        while (list) {
                struct mail_word *next = list->next;

                free(list->text);
                free(list);
                list = next;
        }
}

static const char *skip_blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* A text that grows by a character at a time. */
struct growing {
        char *data;
        size_t used, size;
};

static void growing_done(struct growing *g) { free(g->data); }

static int grow(struct growing *g, char c)
{
        if (g->used + 2 > g->size) {
                size_t size = g->size ? g->size * 2 : 64;
                char *grown = realloc(g->data, size);

                if (!grown)
                        return -ENOMEM;
                g->data = grown;
                g->size = size;
        }
        g->data[g->used++] = c;
        g->data[g->used] = '\0';
        return 0;
}

/* skip_comment() - behind the ")" that fits the "(" at @p */
static const char *skip_comment(const char *p)
{
        int depth = 0;

        for (; *p; p++) {
                if (*p == '\\' && p[1])
                        p++;
                else if (*p == '(')
                        depth++;
                else if (*p == ')' && --depth == 0)
                        return p + 1;
        }
        return p;
}

/* next_id() - the next "<...>" at *@p, blanks inside it left out. Return: 1, 0 at the end, -ENOMEM.
 */
static int next_id(const char **p, struct growing *id)
{
        bool inside = false;
        int r = 0;

        while (r == 0 && **p) {
                if (**p == '(' && !inside) {
                        *p = skip_comment(*p);
                        continue;
                }
                if (**p == '<') {
                        inside = true;
                        id->used = 0;
                }
                if (inside && **p != ' ' && **p != '\t')
                        r = grow(id, **p);
                if (*(*p)++ == '>' && inside && r == 0)
                        return 1;
        }
        return r;
}

int mail_id(char **ret, const char *value)
{
        CLEANUP(growing_done) struct growing id = { .data = NULL };
        int r = next_id(&value, &id);

        if (r <= 0)
                return r;
        free(*ret);
        *ret = strdup(id.data);
        return *ret ? 0 : -ENOMEM;
}

int mail_words_add(struct mail_word **list, const char *value)
{
        CLEANUP(growing_done) struct growing id = { .data = NULL };
        int r;

        while ((r = next_id(&value, &id)) > 0) {
                struct mail_word *w = calloc(1, sizeof *w);

                if (w)
                        w->text = strdup(id.data);
                if (!w || !w->text) {
                        free(w);
                        return -ENOMEM;
                }
                w->next = *list;
                *list = w;
        }
        return r;
}

void mail_content_type_free(struct mail_content_type *t)
{
        if (!t)
                return;
        free(t->type);
        mail_words_free(t->parameters);
        free(t);
}

/* is_in_other_set() - ISO 2022's escape sequences lead to sets in which '"' is part of a character,
 * and back. neomutt asks at every character whether a charset is assumed that has them. */
static bool is_in_other_set(struct mail_settings *settings, const char *p, bool was)
{
        if (!settings || !*mail_settings_get(settings, "assumed_charset") || *p != '\033')
                return was;
        return strncmp(p, "\033(B", 3) != 0 && strncmp(p, "\033(J", 3) != 0;
}

/* take_parameter() - "name=value" of the text up to the next semicolon into @ret, quotes taken off
 */
static const char *take_parameter(const char *p, struct mail_settings *settings, char *ret)
{
        bool is_quoted = false, is_other = false;

        for (; *p && (is_quoted || *p != ';'); p++) {
                if (is_quoted)
                        is_other = is_in_other_set(settings, p, is_other);
                if (*p == '"' && !is_other) {
                        is_quoted = !is_quoted;
                        continue;
                }
                if (*p == '\\' && is_quoted && p[1])
                        p++;
                if (is_quoted || !strchr(" \t", *p))
                        *ret++ = *p;
        }
        *ret = '\0';
        return p;
}

static const char *add_parameter(struct mail_content_type *t, const char *p,
                                 struct mail_settings *settings, int *ret_error)
{
        struct mail_word *w = calloc(1, sizeof *w);

        if (w)
                w->text = malloc(strlen(p) + 1);
        if (!w || !w->text) {
                free(w);
                *ret_error = -ENOMEM;
                return p;
        }
        p = take_parameter(p, settings, w->text);
        w->next = t->parameters;
        t->parameters = w;
        return p;
}

int mail_content_type_set(struct mail_content_type **ret, const char *value,
                          struct mail_settings *settings)
{
        struct mail_content_type *t = calloc(1, sizeof *t);
        const char *p = value + strcspn(value, ";");
        int r = 0;

        if (!t)
                return -ENOMEM;
        t->type = strndup(value, (size_t) (p - value));
        if (!t->type)
                r = -ENOMEM;
        while (r == 0 && *p) {
                p = skip_blanks(p + 1);
                if (*p)
                        p = add_parameter(t, p, settings, &r);
        }
        if (r < 0) {
                mail_content_type_free(t);
                return r;
        }
        mail_content_type_free(*ret);
        *ret = t;
        return 0;
}

static int month_of(const char *word)
{
        static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

        for (int i = 0; i < 12; i++)
                if (strncasecmp(word, names + 3 * i, 3) == 0)
                        return i;
        return -1;
}

/* zone_s() - seconds east of UTC: "+0200"; names, of which only UTC's are unambiguous, are 0 */
static int64_t zone_s(const char *p)
{
        int hours_minutes;

        if ((*p != '+' && *p != '-') || sscanf(p + 1, "%4d", &hours_minutes) != 1 ||
            hours_minutes < 0)
                return 0;
        return (*p == '-' ? -1 : 1) *
               ((int64_t) (hours_minutes / 100) * 3600 + hours_minutes % 100 * 60);
}

int64_t mail_date_from(const struct mail_date_parts *parts)
{
        int month = month_of(parts->month), year = parts->year;
        struct tm tm = { .tm_mday = parts->day,
                         .tm_mon = month,
                         .tm_hour = parts->hour,
                         .tm_min = parts->minute,
                         .tm_sec = parts->second };

        if (year < 100) /* RFC 5322, section 4.3 */
                year += year < 50 ? 2000 : 1900;
        if (month < 0 || year < 1900 || parts->day < 1 || parts->day > 31 || parts->hour > 23 ||
            parts->minute > 59 || parts->second > 60)
                return MAIL_DATE_NONE;
        tm.tm_year = year - 1900;
        return (int64_t) timegm(&tm) - zone_s(parts->zone);
}

int64_t mail_date(const char *value)
{
        const char *p = skip_blanks(value), *comma = strchr(p, ',');
        struct mail_date_parts parts = { .second = 0 };
        char month[4] = "";
        int n = 0, more = 0;

        if (comma)
                p = comma + 1;
        if (sscanf(p, "%2d %3s %4d %2d:%2d%n", &parts.day, month, &parts.year, &parts.hour,
                   &parts.minute, &n) != 5)
                return MAIL_DATE_NONE;
        if (p[n] == ':' && sscanf(p + n, ":%2d%n", &parts.second, &more) == 1)
                n += more;
        parts.month = month;
        parts.zone = skip_blanks(p + n);
        return mail_date_from(&parts);
}
