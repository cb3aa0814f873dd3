/* analyze/import/boot_log.c - see boot_log.h */
#include "analyze/import/boot_log.h"
#include <string.h>
#include "analyze/import/import_internal.h"

#define SOURCE_KERNEL "kernel log"

void boot_log_open(struct boot_log *l, size_t i)
{
        struct timespan zero = { .us = 0 };
        struct record *r;

        boot_log_close(l);
        r = import_record(l->in, i);
        l->is_open = r != NULL;
        l->kernel = (struct kernel_log){ .source = SOURCE_KERNEL };
        if (!r)
                return;
        journal_lines_open(&l->journal, r);
        import_see(l->in, "kernel.start", &zero, i, "what these times count from");
}

static void remember(struct boot_log *l, int64_t at_us, size_t i)
{
        if (l->n_lines == l->size) {
                size_t want = l->size ? 2 * l->size : 256;
                struct boot_log_line *grown = reallocarray(l->lines, want, sizeof *grown);

                if (!grown) {
                        import_out_of_memory(l->in);
                        return;
                }
                l->lines = grown;
                l->size = want;
        }
        l->lines[l->n_lines++] = (struct boot_log_line){ at_us, i };
}

/* config_kernel() - the first words of every boot's log */
static void config_kernel(struct import *in, const char *text)
{
        static const char words[] = "Linux version ";
        char release[128];

        if (strncmp(text, words, strlen(words)) != 0)
                return;
        text += strlen(words);
        (void) snprintf(release, sizeof release, "%.*s", (int) strcspn(text, " "), text);
        import_config(in, "kernel.release", release);
}

void boot_log_kernel(struct boot_log *l, int64_t at_us, const char *text, size_t i)
{
        struct record *r = import_open(l->in);

        if (!r || !l->is_open)
                return;
        import_take(l->in, i);
        remember(l, at_us, i);
        config_kernel(l->in, text);
        (void) import_failed(l->in, kernel_log_line(&l->kernel, r, at_us, text));
}

void boot_log_entry(struct boot_log *l, const struct journal_entry *e, size_t i)
{
        struct record *r = import_open(l->in);

        if (!r || !l->is_open)
                return;
        import_take(l->in, i);
        remember(l, e->at_us, i);
        (void) import_failed(l->in, journal_lines_entry(&l->journal, r, e));
}

/* line_of() - the line with the sighting's stamp; of several, the one that has its words */
static const struct boot_log_line *line_of(const struct boot_log *l, const struct sighting *s)
{
        const struct boot_log_line *found = NULL;

        for (size_t k = 0; k < l->n_lines; k++) {
                const struct boot_log_line *line = &l->lines[k];

                if (line->at_us != s->at_us)
                        continue;
                if (s->detail && strstr(text_at(l->in->text, line->i), s->detail))
                        return line;
                if (!found)
                        found = line;
        }
        return found;
}

/* place() - put "(file:line)" behind what a sighting says, unless it is there */
static void place(struct boot_log *l, struct sighting *s)
{
        const struct boot_log_line *line = line_of(l, s);
        char *detail;

        if (!line || (s->detail && strstr(s->detail, l->in->text->name)))
                return;
        if (asprintf(&detail, "%s%s(%s:%u)", s->detail ? s->detail : "", s->detail ? " " : "",
                     l->in->text->name, text_number(l->in->text, line->i)) < 0) {
                import_out_of_memory(l->in);
                return;
        }
        free(s->detail);
        s->detail = detail;
}

void boot_log_close(struct boot_log *l)
{
        struct record *r = import_open(l->in);

        if (l->is_open && r)
                (void) import_failed(l->in, journal_lines_close(&l->journal, r));
        else if (l->is_open)
                questions_done(&l->journal.unlock.questions);
        for (size_t k = 0; l->is_open && r && k < r->n_milestones; k++) {
                place(l, &r->milestones[k].best);
                for (size_t m = 0; m < r->milestones[k].n_also; m++)
                        place(l, &r->milestones[k].also[m]);
        }
        free(l->lines);
        l->lines = NULL;
        l->n_lines = l->size = 0;
        l->is_open = false;
}
