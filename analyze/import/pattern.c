/* analyze/import/pattern.c - PCRE2 behind the few calls that grammars need */
#include "analyze/import/pattern.h"
#include <assert.h>
#include <string.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include "record/procfile.h"

#define MATCH_STEPS 200000
#define HEAP_KIB 1024
#define SOURCE_MAX_BYTES 2048
#define JIT_AFTER_MATCHES 20000

struct patterns {
        pcre2_code **codes;
        size_t n;
        pcre2_match_data *data;
        pcre2_match_context *limits;
        size_t *n_matches; /* tried so far: machine code pays for long texts only */
};

#define SPAN "[0-9]+(?:[.,][0-9]+)?(?:y|months?|w|d|h|min|ms|us|s)(?![a-z])"

static const struct {
        const char *word, *stands_for;
} words[] = {
        { "{num}", "[-+]?[0-9]+(?:[.,'][0-9]+)*(?:e[-+]?[0-9]+)?" },
        { "{dur}", SPAN "(?: ?" SPAN ")*" },
        { "{no}", " ?(?:#|no\\.? ?)?([0-9]*)" },
};

/* expand() - @source with its words replaced */
static void expand(const char *source, char *ret)
{
        size_t used = 0;

        while (*source) {
                const char *put = NULL;

                for (size_t i = 0; i < ELEMENTSOF(words); i++)
                        if (strncmp(source, words[i].word, strlen(words[i].word)) == 0) {
                                put = words[i].stands_for;
                                source += strlen(words[i].word);
                                break;
                        }
                if (put) {
                        assert(used + strlen(put) < SOURCE_MAX_BYTES);
                        memcpy(ret + used, put, strlen(put));
                        used += strlen(put);
                } else {
                        assert(used + 1 < SOURCE_MAX_BYTES);
                        ret[used++] = *source++;
                }
        }
        ret[used] = '\0';
}

static pcre2_code *compile(const char *source)
{
        char expanded[SOURCE_MAX_BYTES];
        PCRE2_SIZE at;
        pcre2_code *code;
        int error;

        expand(source, expanded);
        code = pcre2_compile((PCRE2_SPTR) expanded, PCRE2_ZERO_TERMINATED,
                             PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C, &error, &at, NULL);
        assert(code || error == PCRE2_ERROR_HEAP_FAILED); /* a pattern of ours, not of the file */
        return code;
}

struct patterns *patterns_new(const char *const *sources, size_t n)
{
        CLEANUP(patterns_freep) struct patterns *p = calloc(1, sizeof *p);

        if (!p)
                return NULL;
        p->codes = calloc(n, sizeof(pcre2_code *));
        p->data = pcre2_match_data_create(MATCH_GROUPS_MAX, NULL);
        p->limits = pcre2_match_context_create(NULL);
        p->n_matches = calloc(1, sizeof *p->n_matches);
        if (!p->codes || !p->data || !p->limits || !p->n_matches)
                return NULL;
        (void) pcre2_set_match_limit(p->limits, MATCH_STEPS);
        (void) pcre2_set_heap_limit(p->limits, HEAP_KIB);
        for (; p->n < n; p->n++) {
                p->codes[p->n] = compile(sources[p->n]);
                if (!p->codes[p->n])
                        return NULL;
        }
        return TAKE(p);
}

void patterns_freep(struct patterns **pp)
{
        struct patterns *p = *pp;

        if (!p)
                return;
        for (size_t i = 0; i < p->n; i++)
                pcre2_code_free(p->codes[i]);
        free(p->codes);
        free(p->n_matches);
        pcre2_match_data_free(p->data);
        pcre2_match_context_free(p->limits);
        free(p);
        *pp = NULL;
}

/* make_faster() - where the system forbids machine code, matching only stays slower */
static void make_faster(const struct patterns *p)
{
        for (size_t i = 0; i < p->n; i++)
                (void) pcre2_jit_compile(p->codes[i], PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
}

bool pattern_match(const struct patterns *p, size_t i, const char *subject, struct match *ret)
{
        return pattern_match_from(p, i, subject, 0, ret);
}

int pattern_first(const struct patterns *p, size_t n, const char *subject, struct match *ret)
{
        for (size_t i = 0; i < n; i++)
                if (pattern_match(p, i, subject, ret))
                        return (int) i;
        return -1;
}

bool pattern_match_from(const struct patterns *p, size_t i, const char *subject, size_t from,
                        struct match *ret)
{
        size_t n_bytes = strnlen(subject, PATTERN_LINE_MAX_BYTES + 1);
        const PCRE2_SIZE *at;
        int n;

        assert(i < p->n);
        if (n_bytes > PATTERN_LINE_MAX_BYTES || from > n_bytes)
                return false;
        if (++*p->n_matches == JIT_AFTER_MATCHES)
                make_faster(p);
        n = pcre2_match(p->codes[i], (PCRE2_SPTR) subject, n_bytes, from, 0, p->data, p->limits);
        if (n < 1) /* no match, or a limit was reached: then it is no line of this grammar either */
                return false;
        if (!ret)
                return true;
        at = pcre2_get_ovector_pointer(p->data);
        *ret = (struct match){ .subject = subject, .n = (size_t) n };
        for (size_t k = 0; k < (size_t) n; k++)
                if (at[2 * k] != PCRE2_UNSET && at[2 * k + 1] >= at[2 * k]) {
                        ret->from[k] = at[2 * k];
                        ret->to[k] = at[2 * k + 1];
                }
        return true;
}

bool pattern_is_begun(const struct patterns *p, size_t i, const char *subject)
{
        assert(i < p->n);
        if (++*p->n_matches == JIT_AFTER_MATCHES)
                make_faster(p);
        return pcre2_match(p->codes[i], (PCRE2_SPTR) subject, strlen(subject), 0,
                           PCRE2_PARTIAL_HARD, p->data, p->limits) == PCRE2_ERROR_PARTIAL;
}

bool match_has(const struct match *m, size_t k) { return k < m->n && m->to[k] > m->from[k]; }

char *match_copy(const struct match *m, size_t k, char *ret, size_t size)
{
        size_t n = match_has(m, k) ? m->to[k] - m->from[k] : 0;

        if (n >= size)
                n = size - 1;
        memcpy(ret, m->subject + m->from[k < m->n ? k : 0], n);
        ret[n] = '\0';
        return ret;
}

bool match_integer(const struct match *m, size_t k, int64_t *ret)
{
        char digits[32];

        return match_has(m, k) && m->to[k] - m->from[k] < sizeof digits &&
               parse_int(match_copy(m, k, digits, sizeof digits), ret) == 0;
}

bool match_number(const struct match *m, size_t k, enum number_comma comma, struct number *ret,
                  char *raw)
{
        char text[MATCH_RAW_BYTES];

        if (!match_has(m, k))
                return false;
        match_copy(m, k, text, sizeof text);
        if (raw)
                memcpy(raw, text, sizeof text);
        return number_parse(text, comma, ret, NULL);
}
