/* daemon/probe_set.c - see probe_set.h */
#include "daemon/probe_set.h"
#include <string.h>
#include "record/programs.h"

#define PROBES_MAX 64
#define STORY_MAX_BYTES 49152 /* fits into a pipe that nobody has read yet */

struct probe_set {
        struct probe_handler handler; /* the caller's */
        struct probe_handler own;     /* what the children are given */
        struct probe_child *children[PROBES_MAX];
        size_t n;
        char *story; /* what was seen so far, for a probe that is started again */
        size_t story_bytes;
};

static void remember(struct probe_set *s, const char *line, size_t n_bytes)
{
        if (s->story_bytes + n_bytes > STORY_MAX_BYTES)
                return;
        memcpy(s->story + s->story_bytes, line, n_bytes);
        s->story_bytes += n_bytes;
}

static void tell_all_but(struct probe_set *s, const char *name, const struct mark *m)
{
        char line[MARK_LINE_MAX_BYTES + 1];
        int n = mark_format_line(m, line);

        if (n > 0)
                remember(s, line, (size_t) n);
        for (size_t i = 0; n > 0 && i < s->n; i++)
                if (!name || strcmp(probe_child_name(s->children[i]), name) != 0)
                        probe_child_tell(s->children[i], line, (size_t) n);
}

static void on_mark(void *userdata, const char *name, const struct mark *m)
{
        struct probe_set *s = userdata;

        tell_all_but(s, name, m);
        s->handler.on_mark(s->handler.userdata, name, m);
}

static void on_remark(void *userdata, const char *name, const char *text)
{
        struct probe_set *s = userdata;

        if (s->handler.on_remark)
                s->handler.on_remark(s->handler.userdata, name, text);
}

static void on_end(void *userdata, const char *name, enum probe_end end, const char *reason)
{
        struct probe_set *s = userdata;

        s->handler.on_end(s->handler.userdata, name, end, reason);
}

/* on_start() - line by line: a pipe takes no more than a page at once */
static void on_start(void *userdata, struct probe_child *c)
{
        const struct probe_set *s = userdata;

        for (size_t at = 0; at < s->story_bytes;) {
                const char *line = s->story + at;
                const char *end = memchr(line, '\n', s->story_bytes - at);

                probe_child_tell(c, line, (size_t) (end - line) + 1);
                at += (size_t) (end - line) + 1;
        }
}

static void on_refused(void *userdata, const char *reason)
{
        struct probe_set *s = userdata;

        on_remark(s, "probes", reason);
}

static int start_one(struct probe_set *s, sd_event *event, const char *name, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        struct fault why = FAULT_NULL;
        int r = program_find(&program_folders_probes, name, &path, fault);

        if (r < 0)
                return r;
        if (s->n == PROBES_MAX)
                return fault_set(fault, -E2BIG, "more than %d probes", PROBES_MAX);
        r = probe_child_start(event, name, path, &s->own, &s->children[s->n], &why);
        if (r == -ENOMEM)
                return fault_set(fault, r, "no memory");
        if (r < 0)
                on_end(s, name, PROBE_FAILED, why.text);
        else
                s->n++;
        return 0;
}

static int start_all(struct probe_set *s, sd_event *event, struct fault *fault)
{
        char **names;
        size_t n;
        int r = program_names(&program_folders_probes, &names, &n, on_refused, s, fault);

        if (r < 0)
                return r;
        if (n == 0)
                r = fault_set(fault, -ENOENT, "there is no probe in %s",
                              program_folders_probes.installed);
        for (size_t i = 0; i < n; i++) {
                if (r == 0)
                        r = start_one(s, event, names[i], fault);
                free(names[i]);
        }
        free(names);
        return r;
}

static void probe_set_freep(struct probe_set **s) { *s = probe_set_free(*s); }

int probe_set_start(sd_event *event, const struct probe_handler *handler, const char *const *names,
                    struct probe_set **ret, struct fault *fault)
{
        CLEANUP(probe_set_freep) struct probe_set *s = calloc(1, sizeof *s);
        int r = 0;

        if (!s)
                return fault_set(fault, -ENOMEM, "no memory");
        s->story = malloc(STORY_MAX_BYTES);
        if (!s->story)
                return fault_set(fault, -ENOMEM, "no memory");
        s->handler = *handler;
        s->own = (struct probe_handler){ .on_mark = on_mark,
                                         .on_remark = on_remark,
                                         .on_end = on_end,
                                         .on_start = on_start,
                                         .userdata = s };
        if (!names)
                r = start_all(s, event, fault);
        for (size_t i = 0; names && r == 0 && names[i]; i++)
                r = start_one(s, event, names[i], fault);
        if (r < 0)
                return r;
        *ret = TAKE(s);
        return 0;
}

void probe_set_tell(struct probe_set *s, const struct mark *m) { tell_all_but(s, NULL, m); }

void probe_set_stop(struct probe_set *s)
{
        for (size_t i = 0; i < s->n; i++)
                probe_child_close_input(s->children[i]);
}

bool probe_set_is_over(const struct probe_set *s)
{
        for (size_t i = 0; i < s->n; i++)
                if (!probe_child_is_over(s->children[i]))
                        return false;
        return true;
}

struct probe_set *probe_set_free(struct probe_set *s)
{
        for (size_t i = 0; s && i < s->n; i++)
                (void) probe_child_free(s->children[i]);
        if (s)
                free(s->story);
        free(s);
        return NULL;
}
