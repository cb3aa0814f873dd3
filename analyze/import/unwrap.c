/* analyze/import/unwrap.c - see unwrap.h. What is asked of PCRE2 is a partial match: whether a line
 * is the beginning of something. */
#include "analyze/import/unwrap.h"
#include <string.h>

#define PIECES_MAX 4 /* lines that are joined to one */
#define JOINED_MAX_BYTES 512
#define NARROW_COLUMNS 60 /* nobody breaks lines that are shorter */

struct unwrapping {
        struct text *text;
        struct patterns *p;
        size_t n;
        bool by_width;
        bool is_list; /* signs say it, in place of patterns */
};

/* append() - @line to @joined, a blank between; false when it gets too long */
static bool append(char joined[JOINED_MAX_BYTES], const char *line)
{
        size_t used = strlen(joined), n = strlen(line);

        if (used + n + 2 > JOINED_MAX_BYTES)
                return false;
        if (used > 0)
                joined[used++] = ' ';
        memcpy(joined + used, line, n + 1);
        return true;
}

/* would_fit() - the first word of line @i would have had room on the line before */
static bool would_fit(const struct text *t, size_t i)
{
        return t->lines[i - 1].columns + 1 + strcspn(text_at(t, i), " ") <= NARROW_COLUMNS;
}

static bool may_continue(const struct unwrapping *u, size_t i)
{
        return text_is_free(u->text, i) &&
               pattern_first(u->p, u->n, text_at(u->text, i), NULL) < 0 &&
               !(u->by_width && would_fit(u->text, i));
}

/* matches_below() - lines @from to @to are one without the line above them: that is a heading */
static bool matches_below(const struct unwrapping *u, size_t k, size_t from, size_t to)
{
        char joined[JOINED_MAX_BYTES] = "";

        while (from <= to)
                if (!append(joined, text_at(u->text, from++)))
                        return false;
        return pattern_match(u->p, k, joined, NULL);
}

/* pieces_of() - how many lines below @i belong to it, for pattern @k */
static size_t pieces_of(const struct unwrapping *u, size_t i, size_t k)
{
        char joined[JOINED_MAX_BYTES] = "";
        size_t found = 0, before;
        struct match m;

        if (!append(joined, text_at(u->text, i)))
                return 0;
        for (size_t n = 1; n <= PIECES_MAX && may_continue(u, i + n); n++) {
                before = strlen(joined);
                if (!append(joined, text_at(u->text, i + n)))
                        break;
                if (pattern_match(u->p, k, joined, &m) && m.to[0] > before + 1 &&
                    !(n > 1 && matches_below(u, k, i + 1, i + n)))
                        found = n;
        }
        return found;
}

static size_t pieces(const struct unwrapping *u, size_t i)
{
        if (!text_is_free(u->text, i) || u->text->lines[i].n_bytes > JOINED_MAX_BYTES ||
            !may_continue(u, i + 1))
                return 0;
        for (size_t k = 0; k < u->n; k++) {
                size_t n = pattern_is_begun(u->p, k, text_at(u->text, i)) ? pieces_of(u, i, k) : 0;

                if (n > 0)
                        return n;
        }
        return 0;
}

/* is_list_open() - something has to follow; a path or a word may end in a slash or a dash too */
static bool is_list_open(const char *line)
{
        size_t n = strlen(line);

        return n > 2 && (line[n - 1] == ';' || strcmp(line + n - 2, " /") == 0 ||
                         strcmp(line + n - 2, " -") == 0);
}

static bool goes_on_with_sign(const char *line)
{
        return strncmp(line, "/ ", 2) == 0 || strncmp(line, "; ", 2) == 0;
}

static size_t pieces_of_list(const struct unwrapping *u, size_t i)
{
        size_t n = 0;

        while (n < PIECES_MAX && text_is_free(u->text, i + n) && text_is_free(u->text, i + n + 1) &&
               (is_list_open(text_at(u->text, i + n)) ||
                goes_on_with_sign(text_at(u->text, i + n + 1))))
                n++;
        return n;
}

static void run(struct unwrapping *u)
{
        struct text *t = u->text;
        size_t kept = 0;

        for (size_t i = 0; i < t->n_lines;) {
                size_t n = u->is_list ? pieces_of_list(u, i) : pieces(u, i);

                t->lines[kept] = t->lines[i++];
                for (; n > 0; n--)
                        text_join(t, &t->lines[kept], &t->lines[i++]);
                kept++;
        }
        t->n_lines = kept;
}

void unwrap(struct text *text, const char *const *sources, size_t n)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, n);
        struct unwrapping u = { .text = text, .p = p, .n = n };

        if (p) /* without memory for this there is none for what comes next, which says so */
                run(&u);
}

void unwrap_wide(struct text *text, const char *source)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(&source, 1);
        struct unwrapping u = { .text = text, .p = p, .n = 1, .by_width = true };

        if (p)
                run(&u);
}

void unwrap_list(struct text *text) { run(&(struct unwrapping){ .text = text, .is_list = true }); }
