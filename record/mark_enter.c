/* record/mark_enter.c - see mark_enter.h */
#include "record/mark_enter.h"
#include <string.h>
#include "record/clock.h"
#include "record/mark_detail.h"
#include "record/procfile.h"

#define JSON_EXACT_MAX ((int64_t) 1 << 53) /* a JSON number is a double to most readers */

/* A hook knows no bound: its mark is as late as its writer was to run. Nor is one what is no
 * number. */
static int64_t error_of(const struct mark *m, int *ret_code)
{
        CLEANUP(freep) char *text = NULL;
        int64_t error_us;
        int r = mark_detail_get(m->detail, "error_us", &text);

        *ret_code = r == -ENOMEM ? r : 0;
        if (r < 0)
                return RECORD_ERROR_UNKNOWN;
        return parse_int(text, &error_us) < 0 || error_us < 0 ? RECORD_ERROR_UNKNOWN : error_us;
}

static int enter_absent(struct record *r, const struct mark *m)
{
        CLEANUP(freep) char *milestone = NULL, *reason = NULL, *session = NULL;

        if (mark_detail_get(m->detail, "milestone", &milestone) == -ENOMEM ||
            mark_detail_get(m->detail, "reason", &reason) == -ENOMEM ||
            mark_detail_get(m->detail, "session", &session) == -ENOMEM)
                return -ENOMEM;
        if (!milestone || !reason || !mark_name_is_valid(milestone))
                return 0; /* says nothing */
        record_forget_absent(r, milestone);
        return session ? record_add_absent(r, milestone, "%s: %s", session, reason)
                       : record_add_absent(r, milestone, "%s", reason);
}

/* rest_of() - the detail without the words that have members of their own in a sighting */
static char *rest_of(const char *detail)
{
        static const char *const taken[] = { "session=", "error_us=", "bound=" };
        char *rest = strdup(detail), *to = rest;

        for (const char *p = detail; rest && *p;) {
                size_t n = strcspn(p, " ");
                int keep = 1;

                for (size_t i = 0; i < ELEMENTSOF(taken); i++)
                        if (strncmp(p, taken[i], strlen(taken[i])) == 0)
                                keep = 0;
                if (keep) {
                        if (to > rest)
                                *to++ = ' ';
                        memcpy(to, p, n);
                        to += n;
                }
                p += n + strspn(p + n, " ");
        }
        if (rest)
                *to = '\0';
        return rest;
}

int mark_whose(const struct mark *m, char **ret)
{
        int r = mark_detail_get(m->detail, "session", ret);

        if (r != -ENOENT)
                return r;
        *ret = NULL;
        if (strncmp(m->name, "unlock.", strlen("unlock.")) != 0 || !m->detail[0] ||
            strchr(m->detail, '='))
                return 0;
        *ret = strdup(m->detail);
        return *ret ? 0 : -ENOMEM;
}

int mark_enter(struct record *r, const struct mark *m, int64_t now_us)
{
        CLEANUP(freep) char *session = NULL, *bound = NULL, *rest = NULL;
        struct sighting s = { .source = m->source[0] ? m->source : (char[]){ "mark" } };
        char reason[] = "lies in the future";
        int code;

        if (strcmp(m->name, MARK_ABSENT) == 0)
                return enter_absent(r, m);
        s.at_us = us_from_ns((int64_t) m->monotonic_ns);
        s.error_us = error_of(m, &code);
        rest = rest_of(m->detail);
        if (code < 0 || !rest || mark_whose(m, &session) < 0 ||
            mark_detail_get(m->detail, "bound", &bound) == -ENOMEM)
                return -ENOMEM;
        if (bound && strcmp(bound, "lower") == 0)
                s.bound = BOUND_LOWER;
        if (*rest)
                s.detail = rest;
        if (s.at_us > now_us) {
                s.implausible = reason;
                if (s.at_us > JSON_EXACT_MAX)
                        s.at_us = JSON_EXACT_MAX;
        }
        return record_see(r, m->name, session, &s);
}
