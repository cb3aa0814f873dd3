/* analyze/import/boot_notes_list.c - times in nested lists:
 *
 *     Windows 7
 *     - From boot menu to desktop:
 *             - Before: 1:15
 *             - After: 0:29
 *     - To launch Firefox
 *             - Before: 2:13
 *
 * Either the words beside a time say what was reached, or the item above them does, and then the
 * words tell two boots apart. Items of one boot lie scattered, so times are gathered first. */
#include <string.h>
#include "analyze/import/boot_notes.h"
#include "analyze/import/heading.h"

#define DEPTH_MAX 8
#define NOTED_MAX 4096

/* The items that the current line lies below. */
struct level {
        unsigned depth;
        size_t i;
        char text[128];
};

struct lists {
        const struct text *text;
        const struct marks *marks;
        struct level above[DEPTH_MAX];
        size_t n_above;
};

/* depth_of() - a list's item lies below the paragraph before it, though both begin at the margin */
static unsigned depth_of(const struct text *text, size_t i)
{
        return 2u * text->lines[i].indent + (text->lines[i].bullet ? 1 : 0);
}

/* copy_plain() - @line without emphasis and colon */
static void copy_plain(char *ret, size_t size, const char *line)
{
        size_t n;

        line += strspn(line, "*_ ");
        (void) snprintf(ret, size, "%s", line);
        n = strlen(ret);
        while (n > 0 && strchr("*_: ", ret[n - 1]))
                ret[--n] = '\0';
}

static void push(struct lists *l, size_t i)
{
        struct level level = { .depth = depth_of(l->text, i), .i = i };

        copy_plain(level.text, sizeof level.text, text_at(l->text, i));
        while (l->n_above > 0 && l->above[l->n_above - 1].depth >= level.depth)
                l->n_above--;
        if (l->n_above < DEPTH_MAX)
                l->above[l->n_above++] = level;
}

/* read_leaf() - line @i as a time with the items above it; false when it is none about a boot */
static bool read_leaf(struct lists *l, size_t i, struct noted *ret)
{
        struct noted n = { .i = i };
        char words[64], goal[64];
        size_t goal_at = SIZE_MAX;

        if (!marks_split(l->marks, text_at(l->text, i), words, n.raw))
                return false;
        while (l->n_above > 0 && l->above[l->n_above - 1].depth >= depth_of(l->text, i))
                l->n_above--;
        if (marks_goal(l->marks, words, &n.start, goal)) {
                (void) snprintf(n.words, sizeof n.words, "%s", goal);
        } else {
                for (size_t k = l->n_above; k-- > 0 && goal_at == SIZE_MAX;)
                        if (marks_goal(l->marks, l->above[k].text, &n.start, goal))
                                goal_at = k;
                if (goal_at == SIZE_MAX)
                        return false;
                (void) snprintf(n.words, sizeof n.words, "%s", goal);
                (void) snprintf(n.variant, sizeof n.variant, "%s", words);
        }
        for (size_t k = 0; k < l->n_above; k++)
                if (k != goal_at && heading_may_be(l->above[k].text)) {
                        size_t used = strlen(n.group);

                        (void) snprintf(n.group + used, sizeof n.group - used, "%s%s",
                                        used ? ", " : "", l->above[k].text);
                }
        *ret = n;
        return true;
}

size_t boot_notes_count_list(const struct text *text, const struct marks *m)
{
        struct lists l = { .text = text, .marks = m };
        size_t count = 0;

        for (size_t i = 0; i < text->n_lines && count < 2; i++) {
                struct noted n;

                if (!text_is_free(text, i))
                        continue;
                if (read_leaf(&l, i, &n))
                        count++;
                else
                        push(&l, i);
        }
        return count;
}

void boot_notes_read_list(struct import *in, const struct marks *m)
{
        struct lists l = { .text = in->text, .marks = m };
        CLEANUP(noted_done) struct noted_list noted = { .items = NULL };

        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++) {
                struct noted n;

                if (!text_is_free(in->text, i))
                        continue;
                if (!read_leaf(&l, i, &n))
                        push(&l, i);
                else if (noted.n >= NOTED_MAX)
                        import_unread(in, i, "more than %d times in one text", NOTED_MAX);
                else if (!noted_add(in, &noted, &n))
                        return;
        }
        noted_enter(in, m, &noted);
}
