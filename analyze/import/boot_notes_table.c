/* analyze/import/boot_notes_table.c - times in tables, which are laid out either way:
 *
 *     |              | HDD      | SSD |          | Boot | X start | Desktop |
 *     | Login screen | 45s      | 12  |          | 1    | 27      | 50      |
 *     | Desktop      | 1min 20s | 18.5|          | 2    | 26      | 49      |
 *
 * On the left a column is a boot, on the right a row is one: where the known words stand tells. */
#include <string.h>
#include "analyze/import/boot_notes.h"
#include "analyze/import/cells.h"
#include "analyze/import/heading.h"

#define NOTED_MAX 4096

struct table_text {
        char heads[CELLS_MAX][CELL_MAX_BYTES];
        char cells[CELLS_MAX][CELL_MAX_BYTES];
        size_t n_heads;
        bool by_row; /* a row is a boot */
        size_t head; /* line of the head */
};

/* known_heads() - how many heads are words for something reached */
static size_t known_heads(const struct table_text *t, const struct marks *m)
{
        const char *start;
        char goal[64];
        size_t n = 0;

        for (size_t k = 0; k < t->n_heads; k++)
                n += marks_goal(m, t->heads[k], &start, goal);
        return n;
}

static void add_cell(struct import *in, struct noted_list *l, const struct marks *m,
                     const char *words, const char *variant, const char *raw, size_t i,
                     const char *group)
{
        struct noted n = { .i = i };
        struct timespan t;
        char goal[64];

        if (!marks_goal(m, words, &n.start, goal) || *raw == '\0' || strcmp(raw, "-") == 0)
                return;
        if (timespan_parse(raw, TIMESPAN_BARE | TIMESPAN_COMMA, &t, NULL) < 0) {
                import_unread(in, i, "'%.40s' is no length of time", raw);
                return;
        }
        (void) snprintf(n.words, sizeof n.words, "%s", goal);
        (void) snprintf(n.variant, sizeof n.variant, "%.60s", variant);
        (void) snprintf(n.raw, sizeof n.raw, "%.60s", raw);
        (void) snprintf(n.group, sizeof n.group, "%.120s", group);
        if (l->n < NOTED_MAX)
                (void) noted_add(in, l, &n);
}

static void read_row(struct import *in, struct noted_list *l, const struct marks *m,
                     const struct table_text *t, size_t n, size_t i, const char *group)
{
        for (size_t k = t->by_row ? 0 : 1; k < n && k < t->n_heads; k++)
                if (t->by_row)
                        add_cell(in, l, m, t->heads[k], t->cells[0], t->cells[k], i, group);
                else
                        add_cell(in, l, m, t->cells[0], t->heads[k], t->cells[k], i, group);
}

/* is_row_of_ours() - a row under a head that has known words, or one that begins with some */
static bool is_row_of_ours(const struct table_text *t, const struct marks *m, size_t n)
{
        const char *start;
        char goal[64];

        return n >= 2 && (t->by_row || marks_goal(m, t->cells[0], &start, goal));
}

/* next_row() - advance @t by line @i. Return: the cells of a row below a head, or 0. */
static size_t next_row(struct table_text *t, const struct text *text, size_t i,
                       const struct marks *m)
{
        size_t n = text_is_free(text, i) ? cells_split(text_at(text, i), t->cells) : 0;

        if (n == 0) {
                t->n_heads = 0;
                return 0;
        }
        if (cells_is_rule(text_at(text, i)))
                return 0;
        if (t->n_heads > 0)
                return n;
        memcpy(t->heads, t->cells, sizeof t->heads);
        t->n_heads = n;
        t->head = i;
        t->by_row = known_heads(t, m) >= 2;
        return 0;
}

size_t boot_notes_count_table(const struct text *text, const struct marks *m)
{
        struct table_text t = { .n_heads = 0 };
        size_t count = 0;

        for (size_t i = 0; i < text->n_lines && count < 2; i++) {
                size_t n = next_row(&t, text, i, m);
                struct timespan span;

                if (is_row_of_ours(&t, m, n) &&
                    timespan_parse(t.cells[1], TIMESPAN_BARE | TIMESPAN_COMMA, &span, NULL) == 0)
                        count += t.by_row ? 2 : 1;
        }
        return count;
}

void boot_notes_read_table(struct import *in, const struct marks *m)
{
        CLEANUP(noted_done) struct noted_list noted = { .items = NULL };
        struct table_text t = { .n_heads = 0 };
        char group[HEADING_MAX_BYTES] = "";
        size_t grouped = SIZE_MAX;

        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++) {
                size_t n = next_row(&t, in->text, i, m);

                if (!is_row_of_ours(&t, m, n))
                        continue;
                if (grouped != t.head) {
                        (void) heading_above(in, t.head, 1, group, sizeof group);
                        grouped = t.head;
                }
                read_row(in, &noted, m, &t, n, i, group);
        }
        noted_enter(in, m, &noted);
}
