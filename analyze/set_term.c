/* analyze/set_term.c - "drive.rpm=7200,last:10" as a list of conditions on a boot */
#include "analyze/set_term.h"
#include <string.h>
#include <time.h>
#include "analyze/factor_level.h"
#include "analyze/set.h"
#include "record/clock.h"

static const struct prefix {
        const char *text;
        enum set_term_kind kind;
} prefixes[] = {
        { "campaign:", SET_TERM_CAMPAIGN },
        { "machine:", SET_TERM_MACHINE },
        { "since:", SET_TERM_SINCE },
        { "until:", SET_TERM_UNTIL },
};

void set_terms_done(struct set_terms *t)
{
        for (size_t i = 0; i < t->n; i++) {
                free(t->term[i].key);
                free(t->term[i].value);
        }
        free(t->term);
        *t = SET_TERMS_NULL;
}

/* parse_time() - UTC, a day or with hours and minutes, and seconds if there are any */
static bool parse_time(const char *text, int64_t *ret_us)
{
        static const char *const formats[] = { "%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M",
                                               "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S" };

        for (size_t i = 0; i < ELEMENTSOF(formats); i++) {
                struct tm tm = { .tm_mday = 1 };
                const char *end = strptime(text, formats[i], &tm);

                if (end && (*end == '\0' || strcmp(end, "Z") == 0)) {
                        *ret_us = (int64_t) timegm(&tm) * US_PER_S;
                        return true;
                }
        }
        return false;
}

static int parse_last(const char *text, size_t *ret, struct fault *fault)
{
        char *end;
        unsigned long n;

        errno = 0;
        n = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || *end || errno || n == 0)
                return fault_set(fault, -EINVAL, "last:%s: want a number of boots from 1", text);
        *ret = n;
        return 0;
}

static int parse_factor(const char *text, const char *equals, struct set_term *ret,
                        struct fault *fault)
{
        size_t key_bytes = (size_t) (equals - text);

        ret->kind = SET_TERM_FACTOR;
        ret->denied = key_bytes > 0 && text[key_bytes - 1] == '!';
        key_bytes -= ret->denied;
        if (key_bytes == 0)
                return fault_set(fault, -EINVAL, "%s: want the name of a factor before '='", text);
        ret->key = strndup(text, key_bytes);
        ret->value = strdup(equals + 1);
        return ret->key && ret->value ? 0 : fault_set(fault, -ENOMEM, "no memory");
}

static int parse_term(const char *text, struct set_term *ret, struct fault *fault)
{
        const char *equals = strchr(text, '='), *colon = strchr(text, ':');

        /* A colon before the equals sign may belong to a prefix; one after it is the value's. */
        for (size_t i = 0; colon && (!equals || colon < equals) && i < ELEMENTSOF(prefixes); i++) {
                size_t n = strlen(prefixes[i].text);

                if (strncmp(text, prefixes[i].text, n) != 0)
                        continue;
                ret->kind = prefixes[i].kind;
                ret->value = strdup(text + n);
                if (!ret->value)
                        return fault_set(fault, -ENOMEM, "no memory");
                if ((ret->kind == SET_TERM_SINCE || ret->kind == SET_TERM_UNTIL) &&
                    !parse_time(ret->value, &ret->realtime_us))
                        return fault_set(
                                fault, -EINVAL,
                                "%s: want a UTC time such as 2026-11-30 or 2026-11-30T12:00", text);
                return 0;
        }
        if (equals)
                return parse_factor(text, equals, ret, fault);
        if (colon)
                return fault_set(fault, -EINVAL,
                                 "%s: want campaign:, machine:, last:, since: or until:", text);
        ret->kind = SET_TERM_ID;
        ret->value = strdup(text);
        if (!ret->value)
                return fault_set(fault, -ENOMEM, "no memory");
        if (strlen(text) < SET_ID_PREFIX_MIN)
                return fault_set(
                        fault, -EINVAL,
                        "%s: want a file, a folder, factor=value or at least %d characters "
                        "of an id",
                        text, SET_ID_PREFIX_MIN);
        return 0;
}

static int add_term(struct set_terms *t, const char *text, struct fault *fault)
{
        struct set_term *grown, *term;

        if (strncmp(text, "last:", strlen("last:")) == 0)
                return parse_last(text + strlen("last:"), &t->last, fault);
        grown = reallocarray(t->term, t->n + 1, sizeof *grown);
        if (!grown)
                return fault_set(fault, -ENOMEM, "no memory");
        t->term = grown;
        term = &grown[t->n++];
        *term = (struct set_term){ .kind = SET_TERM_ID };
        return parse_term(text, term, fault);
}

int set_terms_parse(const char *expression, struct set_terms *ret, struct fault *fault)
{
        CLEANUP(set_terms_done) struct set_terms t = SET_TERMS_NULL;
        CLEANUP(freep) char *buffer = malloc(strlen(expression) + 1);
        char *to = buffer;

        if (!buffer)
                return fault_set(fault, -ENOMEM, "no memory");
        for (const char *p = expression;; p++) {
                int r;

                if (p[0] == '\\' && p[1] == ',') {
                        *to++ = *++p;
                        continue;
                }
                if (*p != ',' && *p != '\0') {
                        *to++ = *p;
                        continue;
                }
                *to = '\0';
                if (*buffer == '\0')
                        return fault_set(fault, -EINVAL, "'%s': an empty term", expression);
                r = add_term(&t, buffer, fault);
                if (r < 0)
                        return r;
                to = buffer;
                if (*p == '\0')
                        break;
        }
        *ret = t;
        t = SET_TERMS_NULL;
        return 0;
}

static bool starts_with(const char *text, const char *beginning)
{
        return text && strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool term_holds(const struct set_term *t, const struct record *r)
{
        switch (t->kind) {
        case SET_TERM_ID:
                return starts_with(r->id, t->value);
        case SET_TERM_FACTOR:
                return factor_level_is(r, t->key, t->value) != t->denied;
        case SET_TERM_CAMPAIGN:
                return factor_level_is(r, "campaign", t->value);
        case SET_TERM_MACHINE:
                return starts_with(r->machine, t->value);
        case SET_TERM_SINCE:
                return r->start.realtime_us >= t->realtime_us && r->start.realtime_us > 0;
        case SET_TERM_UNTIL:
                return r->start.realtime_us < t->realtime_us && r->start.realtime_us > 0;
        }
        return false;
}

bool set_terms_hold(const struct set_terms *t, const struct record *r)
{
        for (size_t i = 0; i < t->n; i++)
                if (!term_holds(&t->term[i], r))
                        return false;
        return true;
}

bool set_terms_name_an_id(const struct set_terms *t)
{
        for (size_t i = 0; i < t->n; i++)
                if (t->term[i].kind == SET_TERM_ID)
                        return true;
        return false;
}
