/* daemon/probes/tally.c - see tally.h */
#include "daemon/probes/tally.h"
#include <stdio.h>

static size_t n_lines(const struct tally *t)
{
        return t->wanted && t->wanted->n_windows ? t->wanted->n_windows : 1;
}

static unsigned count_of(const struct tally *t, size_t line)
{
        return t->wanted && t->wanted->n_windows ? t->wanted->windows[line].count : 1;
}

unsigned tally_count(const struct tally *t)
{
        unsigned n = 0;

        for (size_t i = 0; i < n_lines(t); i++)
                n += count_of(t, i);
        return n;
}

static bool is_there(const struct tally_window *w, size_t line)
{
        return w->line == (int) line && w->is_drawn;
}

/* n_before() - how many of a line were there before window @i */
static unsigned n_before(const struct tally *t, size_t line, size_t i)
{
        unsigned n = 0;

        for (size_t k = 0; k < t->n_windows; k++)
                if (is_there(&t->windows[k], line) &&
                    (t->windows[k].drawn_ns < t->windows[i].drawn_ns ||
                     (t->windows[k].drawn_ns == t->windows[i].drawn_ns && k < i)))
                        n++;
        return n;
}

/* completed() - the window that made a line complete: the count-th of those that are there */
static bool completed(const struct tally *t, size_t line, size_t *ret)
{
        for (size_t i = 0; i < t->n_windows; i++)
                if (is_there(&t->windows[i], line) &&
                    n_before(t, line, i) + 1 == count_of(t, line)) {
                        *ret = i;
                        return true;
                }
        return false;
}

bool tally_is_complete(const struct tally *t, size_t *ret_last)
{
        size_t last = 0, i;

        for (size_t line = 0; line < n_lines(t); line++) {
                if (!completed(t, line, &i))
                        return false;
                if (line == 0 || t->windows[i].drawn_ns > t->windows[last].drawn_ns)
                        last = i;
        }
        *ret_last = last;
        return true;
}

void tally_lack(const struct tally *t, char *ret, size_t size)
{
        char what[96] = "any window";
        unsigned n_mapped = 0, n_drawn = 0;
        size_t line = 0, i;

        while (line + 1 < n_lines(t) && completed(t, line, &i))
                line++;
        if (t->wanted && t->wanted->n_windows)
                desktop_window_text(&t->wanted->windows[line], what, sizeof what);
        for (i = 0; i < t->n_windows; i++)
                if (t->windows[i].line == (int) line) {
                        n_mapped += t->windows[i].is_mapped;
                        n_drawn += t->windows[i].is_drawn;
                }
        (void) snprintf(ret, size, "%s: %u mapped, %u of them drawn into", what, n_mapped, n_drawn);
}
