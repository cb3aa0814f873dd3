/* daemon/probe_wants.c - see probe_wants.h */
#include "daemon/probe_wants.h"
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <string.h>
#include "record/macros.h"
#include "record/procfile.h"

#define FILE_MAX_BYTES 4096

void probe_wants_done(struct probe_wants *w)
{
        for (unsigned i = 0; i < w->n; i++) {
                free(w->want[i].mark);
                free(w->want[i].detail);
                free(w->want[i].path);
        }
        *w = (struct probe_wants){ .n = 0 };
}

/* add() - one line, which is cut into its words */
static int add(struct probe_wants *w, char *line, struct fault *fault)
{
        char *rest = NULL, *kind = strtok_r(line, " \t", &rest);
        char *what = kind ? strtok_r(NULL, " \t", &rest) : NULL;
        char *detail = what ? strtok_r(NULL, " \t", &rest) : NULL;
        struct probe_want *want = &w->want[w->n];
        bool is_path;

        if (!kind || kind[0] == '#')
                return 0;
        is_path = strcmp(kind, "path") == 0;
        if (!what || strtok_r(NULL, " \t", &rest) || (!is_path && strcmp(kind, "mark") != 0) ||
            (is_path && (what[0] != '/' || detail)))
                return fault_set(fault, -EINVAL,
                                 "want 'mark NAME [DETAIL]' or 'path PATTERN', not '%.100s'", kind);
        if (w->n == PROBE_WANTS_MAX)
                return fault_set(fault, -EINVAL, "more than %d lines", PROBE_WANTS_MAX);
        w->n++;
        *want = (struct probe_want){ .mark = is_path ? NULL : strdup(what),
                                     .path = is_path ? strdup(what) : NULL,
                                     .detail = detail ? strdup(detail) : NULL };
        if ((!want->mark && !want->path) || (detail && !want->detail))
                return fault_set(fault, -ENOMEM, "no memory");
        return 0;
}

int probe_wants_read(const char *program, struct probe_wants *ret, struct fault *fault)
{
        CLEANUP(probe_wants_done) struct probe_wants w = { .n = 0 };
        CLEANUP(freep) char *path = NULL, *text = NULL;
        unsigned line_no = 0;
        int r;

        if (asprintf(&path, "%s.wants", program) < 0) {
                path = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        r = procfile_read(AT_FDCWD, path, FILE_MAX_BYTES, &text, NULL);
        if (r == -ENOENT)
                r = 0;
        else if (r < 0)
                return fault_errno(fault, r, "%s", path);
        for (char *line = text, *next; r == 0 && line; line = next) {
                next = strchr(line, '\n');
                if (next)
                        *next++ = '\0';
                line_no++;
                r = add(&w, line, fault);
        }
        if (r < 0)
                return fault_context(fault, r, "%s:%u", path, line_no);
        *ret = w;
        w.n = 0;
        return 0;
}

bool probe_wants_mark(const struct probe_wants *w, const struct mark *m)
{
        for (unsigned i = 0; i < w->n; i++) {
                const struct probe_want *want = &w->want[i];

                if (want->mark && strcmp(want->mark, m->name) == 0 &&
                    (!want->detail || fnmatch(want->detail, m->detail ? m->detail : "", 0) == 0))
                        return true;
        }
        return false;
}

bool probe_wants_is_there(const struct probe_wants *w)
{
        for (unsigned i = 0; i < w->n; i++) {
                glob_t found = { .gl_pathc = 0 };
                bool is_there;

                if (!w->want[i].path)
                        continue;
                is_there = glob(w->want[i].path, GLOB_NOSORT, NULL, &found) == 0;
                globfree(&found);
                if (is_there)
                        return true;
        }
        return false;
}
