/* witness/marks.c - what hooks and scripts wrote down while the machine booted: /run/bootlap/marks
 *
 * Each line is one mark (record/mark.h). A bad one is counted and dropped. The boot's own clock
 * stamped them, so a mark is as late as its writer was to run, which is not known here. */
#include <limits.h>
#include <string.h>
#include "record/mark.h"
#include "record/mark_enter.h"
#include "record/mark_send.h"
#include "record/procfile.h"
#include "record/questions.h"
#include "witness/witness.h"

#define MARKS_MAX_BYTES (2 * MARK_FILE_MAX_BYTES)

/* One mark of the file, in the file's order. */
struct marks {
        struct mark *mark;
        size_t n;
        size_t n_bad, first_bad; /* lines that are no marks, and the first one's number */
        struct fault why;        /* what is wrong with that */
};

static void marks_done(struct marks *m)
{
        for (size_t i = 0; i < m->n; i++)
                mark_done(&m->mark[i]);
        free(m->mark);
}

static int add_line(struct marks *m, const char *line, size_t number)
{
        struct mark *grown, one = MARK_NULL;
        int code = mark_parse_line(line, &one, m->n_bad ? NULL : &m->why);

        if (code == -ENOMEM)
                return code;
        if (code < 0) {
                if (m->n_bad++ == 0)
                        m->first_bad = number;
                return 0;
        }
        grown = reallocarray(m->mark, m->n + 1, sizeof *grown);
        if (!grown) {
                mark_done(&one);
                return -ENOMEM;
        }
        m->mark = grown;
        m->mark[m->n++] = one;
        return 0;
}

static bool ends_with(const char *text, const char *end)
{
        size_t n = strlen(text), n_end = strlen(end);

        return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* enter_marks() - of several marks of one name the first counts, as the first prompt of an unlock
 * does; but it is answered by the last answer. */
static int enter_marks(struct record *r, const struct marks *m, const struct clock_tuple *now)
{
        int code = 0;

        for (size_t i = 0; code == 0 && i < m->n; i++)
                if (!ends_with(m->mark[i].name, ".answered"))
                        code = mark_enter(r, &m->mark[i], now->monotonic_us);
        for (size_t i = m->n; code == 0 && i > 0; i--)
                if (ends_with(m->mark[i - 1].name, ".answered"))
                        code = mark_enter(r, &m->mark[i - 1], now->monotonic_us);
        return code;
}

static int enter_waits(struct record *r, const struct marks *m)
{
        CLEANUP(questions_done) struct questions q = QUESTIONS_NULL;
        int code = 0;

        for (size_t i = 0; code == 0 && i < m->n; i++) {
                CLEANUP(freep) char *whose = NULL;

                code = mark_whose(&m->mark[i], &whose);
                if (code == 0)
                        code = questions_mark(&q, m->mark[i].name, whose,
                                              us_from_ns((int64_t) m->mark[i].monotonic_ns));
        }
        return code == 0 ? questions_enter(&q, r) : code;
}

static int ask_marks(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(marks_done) struct marks m = { .n = 0 };
        CLEANUP(freep) char *text = NULL;
        size_t number = 0;
        char path[PATH_MAX];
        int code;

        /* In a recorded tree below its root: the path without the slash at its head. */
        (void) snprintf(path, sizeof path, "%s/" MARK_FILE,
                        ctx->is_live ? mark_run_dir() : MARK_RUN_DIR);
        code = procfile_read(ctx->root_fd, path + !ctx->is_live, MARKS_MAX_BYTES, &text, NULL);
        if (code == -ENOENT)
                return 0; /* nobody marked anything */
        if (code < 0)
                return record_add_warning(r, "the marks were not read: %s: %s", path,
                                          strerror(-code));
        (void) fault;
        for (char *line = text, *next; line && *line; line = next) {
                next = strchr(line, '\n');
                if (next)
                        *next++ = '\0';
                code = add_line(&m, line, ++number);
                if (code < 0)
                        return code;
        }
        code = enter_marks(r, &m, &ctx->now);
        if (code == 0)
                code = enter_waits(r, &m);
        if (code == 0 && m.n_bad)
                code = record_add_warning(r, "%s:%zu: %s; %zu bad lines dropped", path, m.first_bad,
                                          m.why.text, m.n_bad);
        return code;
}

static const char *const milestones[] = { NULL };

const struct witness witness_marks = { "marks", milestones, ask_marks };
