/* analyze/import/json_part.c - see json_part.h. A document is parsed line by line from where it
 * stands; only when that fails is it copied and repaired. */
#include "analyze/import/json_part.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "record/json.h"

#define MARK_LINES 40
#define DEPTH_MAX 64
#define FAILURES_MAX 8 /* what looks like JSON that often and is none costs too much to go on */

void json_part_done(struct json_part *p)
{
        json_decref(p->j);
        *p = JSON_PART_NULL;
}

/* ---- as it stands ---- */

struct feed {
        const struct text *t;
        size_t i, at;   /* next line, next byte in it */
        size_t n_bytes; /* so far */
};

static size_t feed_lines(void *buffer, size_t size, void *data)
{
        struct feed *f = data;
        size_t used = 0;

        while (used < size && f->i < f->t->n_lines && f->n_bytes + used < JSON_PART_MAX_BYTES) {
                const char *line = text_at(f->t, f->i) + f->at;
                size_t n = strlen(line);

                if (n > size - used) {
                        n = size - used;
                        memcpy((char *) buffer + used, line, n);
                        f->at += n;
                        used += n;
                        break;
                }
                memcpy((char *) buffer + used, line, n);
                used += n;
                if (used == size) {
                        f->at += n;
                        break;
                }
                ((char *) buffer)[used++] = '\n';
                f->i++;
                f->at = 0;
        }
        f->n_bytes += used;
        return used;
}

/* line_of_byte() - the line on which byte @n of the document, which starts on @first, lies */
static size_t line_of_byte(const struct text *t, size_t first, size_t n)
{
        size_t i = first;

        while (i + 1 < t->n_lines && n > t->lines[i].n_bytes + 1u) {
                n -= t->lines[i].n_bytes + 1u;
                i++;
        }
        return i;
}

/* ---- repaired ---- */

static const struct {
        const char *curly;
        char plain;
} quotes[] = { { "\xe2\x80\x9c", '"' }, { "\xe2\x80\x9d", '"' }, { "\xe2\x80\x9e", '"' } };

/* curly_quote() - the '"' that one of three bytes at @p was; NUL for none */
static char curly_quote(const char *p)
{
        for (size_t q = 0; q < ELEMENTSOF(quotes); q++)
                if (strncmp(p, quotes[q].curly, 3) == 0)
                        return quotes[q].plain;
        return '\0';
}

char *json_part_straighten(const char *line)
{
        char *plain = malloc(strlen(line) + 1), *to = plain;

        while (plain && *line) {
                char c = curly_quote(line);

                *to++ = c ? c : *line;
                line += c ? 3 : 1;
        }
        if (plain)
                *to = '\0';
        return plain;
}

/* What repairing goes through. */
struct mend {
        char *out;
        size_t used;
        char closers[DEPTH_MAX];
        size_t depth;
        bool in_string, was_cut, ended;
};

/* drop_comma() - nothing may follow a comma but a value */
static void drop_comma(struct mend *m)
{
        while (m->used > 0 && isspace((unsigned char) m->out[m->used - 1]))
                m->used--;
        if (m->used > 0 && m->out[m->used - 1] == ',')
                m->used--;
}

static void mend_outside(struct mend *m, const char *line, size_t *k)
{
        char c = line[*k];

        if (strncmp(line + *k, "...", 3) == 0 || strncmp(line + *k, "[...]", 5) == 0) {
                *k += c == '[' ? 4 : 2;
                drop_comma(m);
                m->was_cut = true;
                return;
        }
        if (c == ',' && m->used > 0 && strchr("[{,", m->out[m->used - 1]))
                return;
        if ((c == '[' || c == '{') && m->depth < DEPTH_MAX)
                m->closers[m->depth++] = c == '[' ? ']' : '}';
        if (c == ']' || c == '}') {
                drop_comma(m);
                m->ended = m->depth <= 1;
                if (m->depth > 0)
                        m->depth--;
        }
        m->in_string = c == '"';
        m->out[m->used++] = c;
}

static void mend_line(struct mend *m, const char *line)
{
        for (size_t k = 0; line[k] && !m->ended; k++) {
                char plain = curly_quote(line + k);

                if (plain) {
                        m->in_string = !m->in_string;
                        m->out[m->used++] = plain;
                        k += 2;
                } else if (!m->in_string) {
                        mend_outside(m, line, &k);
                } else {
                        m->out[m->used++] = line[k];
                        if (line[k] == '\\' && line[k + 1])
                                m->out[m->used++] = line[++k];
                        else if (line[k] == '"')
                                m->in_string = false;
                }
        }
        if (!m->in_string) /* no string goes over a line's end: there the mail's did */
                m->out[m->used++] = '\n';
}

static json_t *load_mended(const struct text *t, size_t first, size_t *ret_last, bool *ret_cut)
{
        CLEANUP(freep) char *buffer = NULL;
        struct mend m = { .depth = 0 };
        size_t n_bytes = 0, last = first;

        while (last < t->n_lines && n_bytes + t->lines[last].n_bytes + 1 < JSON_PART_MAX_BYTES)
                n_bytes += t->lines[last++].n_bytes + 1u;
        buffer = malloc(n_bytes + DEPTH_MAX + 2);
        if (!buffer)
                return NULL;
        m.out = buffer;
        for (last = first; last < t->n_lines && !m.ended && m.used < n_bytes; last++)
                mend_line(&m, text_at(t, last));
        if (!m.ended) {
                m.was_cut = true;
                if (m.in_string)
                        m.out[m.used++] = '"';
                drop_comma(&m);
                while (m.depth > 0)
                        m.out[m.used++] = m.closers[--m.depth];
        }
        *ret_last = last > first ? last - 1 : first;
        *ret_cut = m.was_cut;
        return json_loadb(m.out, m.used, JSON_ALLOW_NUL, NULL);
}

/* ---- */

static bool has_mark(const struct text *t, size_t i, const char *mark)
{
        for (size_t k = i; k < t->n_lines && k < i + MARK_LINES; k++)
                if (strstr(text_at(t, k), mark))
                        return true;
        return false;
}

static bool load(const struct text *t, size_t i, struct json_part *ret)
{
        struct feed f = { .t = t, .i = i };
        struct json_part part = { .first = i };
        json_error_t error;

        part.j = json_load_callback(feed_lines, &f, JSON_DISABLE_EOF_CHECK, &error);
        if (part.j)
                part.last = line_of_byte(t, i, (size_t) error.position);
        else
                part.j = load_mended(t, i, &part.last, &part.was_cut);
        *ret = part;
        return part.j != NULL;
}

bool json_part_next(const struct text *t, size_t i, const char *mark, struct json_part *ret)
{
        unsigned failures = 0;

        for (; i < t->n_lines && failures < FAILURES_MAX; i++) {
                const char *line = text_at(t, i);

                if (!text_is_free(t, i) || (*line != '{' && *line != '[') || !has_mark(t, i, mark))
                        continue;
                if (load(t, i, ret))
                        return true;
                failures++;
        }
        return false;
}

void json_part_take(struct import *in, const struct json_part *p)
{
        for (size_t i = p->first; i <= p->last; i++)
                import_take(in, i);
}

size_t json_part_line(const struct text *t, const struct json_part *p, size_t from,
                      const char *words)
{
        for (size_t i = from; i <= p->last; i++)
                if (strstr(text_at(t, i), words))
                        return i;
        return from < p->last ? from : p->last; /* several may stand on one line */
}

bool json_part_number(const json_t *object, const char *key, double *ret)
{
        const json_t *j = json_object_get(object, key);
        char *end;

        if (json_is_number(j)) {
                *ret = json_number_value(j);
                return isfinite(*ret);
        }
        if (!json_is_string(j) || json_string_length(j) == 0)
                return false;
        *ret = strtod(json_string_value(j), &end);
        return *end == '\0' && isfinite(*ret);
}

char *json_part_raw(double value, char *ret)
{
        for (int digits = 15; digits <= 17; digits++) {
                (void) snprintf(ret, MATCH_RAW_BYTES, "%.*g", digits, value);
                if (strtod(ret, NULL) == value)
                        break;
        }
        return ret;
}
