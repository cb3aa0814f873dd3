/* witness/marks.c - what hooks and scripts wrote down while the machine booted: /run/bootlap/marks
 *
 * Each line is one mark (record/mark.h). A bad one is counted and dropped. The boot's own clock
 * stamped them, so a mark is as late as its writer was to run, which is not known here. */
#include <inttypes.h>
#include <string.h>
#include "record/mark.h"
#include "record/procfile.h"
#include "witness/plausible.h"
#include "witness/witness.h"

#define MARKS_FILE "run/bootlap/marks"
#define MARKS_MAX_BYTES (1024 * 1024)

static int enter_mark(struct record *r, const struct mark *m, const struct clock_tuple *now)
{
        struct sighting s = { .error_us = 0,
                              .source = m->source[0] ? m->source : (char[]){ "mark" } };
        char reason[64];

        s.at_us = (int64_t) (m->monotonic_ns / NS_PER_US);
        s.detail = m->detail[0] ? m->detail : NULL;
        if (s.at_us > now->monotonic_us) {
                (void) snprintf(reason, sizeof reason, "lies in the future");
                s.at_us = plausible_clamp((uint64_t) s.at_us);
                s.implausible = reason;
        }
        return record_see(r, m->name, NULL, &s);
}

static int ask_marks(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(freep) char *text = NULL;
        struct fault why = FAULT_NULL;
        size_t n_bad = 0, n_line = 0, first_bad = 0;
        int code;

        code = procfile_read(ctx->root_fd, MARKS_FILE, MARKS_MAX_BYTES, &text, NULL);
        if (code == -ENOENT)
                return 0; /* nobody marked anything */
        if (code < 0) {
                (void) fault_errno(fault, code, "/" MARKS_FILE);
                return record_add_warning(r, "the marks were not read: %s",
                                          fault ? fault->text : strerror(-code));
        }
        for (char *line = text, *next; line && *line; line = next) {
                CLEANUP(mark_done) struct mark m = MARK_NULL;

                next = strchr(line, '\n');
                if (next)
                        *next++ = '\0';
                n_line++;
                code = mark_parse_line(line, &m, n_bad ? NULL : &why);
                if (code == 0)
                        code = enter_mark(r, &m, &ctx->now);
                else if (code != -ENOMEM && n_bad++ == 0)
                        first_bad = n_line;
                if (code == -ENOMEM)
                        return code;
        }
        if (n_bad)
                return record_add_warning(r, "/" MARKS_FILE ":%zu: %s; %zu bad lines dropped",
                                          first_bad, why.text, n_bad);
        return 0;
}

static const char *const milestones[] = { NULL };

const struct witness witness_marks = { "marks", milestones, ask_marks };
