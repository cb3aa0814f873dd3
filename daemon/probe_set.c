/* daemon/probe_set.c - see probe_set.h */
#include "daemon/probe_set.h"
#include <string.h>
#include "daemon/probe_wants.h"
#include "record/clock.h"
#include "record/programs.h"

#define PROBES_MAX 64
#define STORY_MAX_BYTES 49152 /* fits into a pipe that nobody has read yet */
#define LOOK_US US_PER_S      /* how often files that probes wait for are looked for */
#define LOOK_ACCURACY_US (US_PER_S / 4)

/* A probe that waits to be wanted. */
struct waiting {
        char *name, *path;
        struct probe_wants wants;
};

struct probe_set {
        sd_event *event;
        struct probe_handler handler; /* the caller's */
        struct probe_handler own;     /* what the children are given */
        struct probe_child *children[PROBES_MAX];
        size_t n;
        struct waiting waiting[PROBES_MAX];
        size_t n_waiting;
        bool waits;            /* probes are started when they are wanted */
        sd_event_source *look; /* for their files */
        char *story; /* what was seen so far, for a probe that is started later or again */
        size_t story_bytes;
};

static void start_wanted(struct probe_set *s, bool (*is_wanted)(const struct probe_wants *, void *),
                         void *userdata);

/* remember() - false when there is no room */
static bool remember(struct probe_set *s, const char *line, size_t n_bytes)
{
        if (s->story_bytes + n_bytes > STORY_MAX_BYTES)
                return false;
        memcpy(s->story + s->story_bytes, line, n_bytes);
        s->story_bytes += n_bytes;
        return true;
}

static bool by_mark(const struct probe_wants *w, void *userdata)
{
        return probe_wants_mark(w, userdata);
}

static bool by_file(const struct probe_wants *w, void *userdata)
{
        (void) userdata;
        return probe_wants_is_there(w);
}

static bool in_any_case(const struct probe_wants *w, void *userdata)
{
        (void) w;
        (void) userdata;
        return true;
}

static void tell_all_but(struct probe_set *s, const char *name, const struct mark *m)
{
        char line[MARK_LINE_MAX_BYTES + 1];
        int n = mark_format_line(m, line);
        struct mark wanted = *m;

        /* One that this mark starts is told it like the others, after what came before. */
        start_wanted(s, by_mark, &wanted);
        for (size_t i = 0; n > 0 && i < s->n; i++)
                if (!name || strcmp(probe_child_name(s->children[i]), name) != 0)
                        probe_child_tell(s->children[i], line, (size_t) n);
        if (n > 0)
                (void) remember(s, line, (size_t) n);
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
        /* It may be the one that would have told the others that they are wanted. */
        if (end != PROBE_DONE) {
                s->waits = false;
                start_wanted(s, in_any_case, NULL);
        }
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

static void waiting_done(struct waiting *w)
{
        free(w->name);
        free(w->path);
        probe_wants_done(&w->wants);
        *w = (struct waiting){ .name = NULL };
}

static int spawn(struct probe_set *s, const char *name, const char *path, struct fault *fault)
{
        struct fault why = FAULT_NULL;
        int r;

        if (s->n == PROBES_MAX)
                return fault_set(fault, -E2BIG, "more than %d probes", PROBES_MAX);
        r = probe_child_start(s->event, name, path, &s->own, &s->children[s->n], &why);
        if (r == -ENOMEM)
                return fault_set(fault, r, "no memory");
        if (r < 0)
                on_end(s, name, PROBE_FAILED, why.text);
        else
                on_start(s, s->children[s->n++]);
        return 0;
}

/* start_wanted() - and tell them what came before. Starting one may make all others wanted, from
 * within, so each is taken out first and the list is begun anew. */
static void start_wanted(struct probe_set *s, bool (*is_wanted)(const struct probe_wants *, void *),
                         void *userdata)
{
        for (size_t i = 0; i < s->n_waiting;) {
                CLEANUP(waiting_done) struct waiting w = { .name = NULL };
                struct fault why = FAULT_NULL;

                if (!is_wanted(&s->waiting[i].wants, userdata)) {
                        i++;
                        continue;
                }
                w = s->waiting[i];
                s->waiting[i] = s->waiting[--s->n_waiting];
                if (spawn(s, w.name, w.path, &why) < 0)
                        s->handler.on_end(s->handler.userdata, w.name, PROBE_FAILED, why.text);
                i = 0;
        }
        if (s->n_waiting == 0)
                s->look = sd_event_source_disable_unref(s->look);
}

static int on_look(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct probe_set *s = userdata;
        int r;

        (void) usec;
        start_wanted(s, by_file, NULL);
        if (!s->look)
                return 0;
        r = sd_event_source_set_time_relative(source, LOOK_US);
        return r < 0 ? r : sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* wait_for() - 1 when the probe waits; 0 when it is started at once */
static int wait_for(struct probe_set *s, const char *name, const char *path, struct fault *fault)
{
        CLEANUP(waiting_done) struct waiting w = { .name = NULL };
        struct fault why = FAULT_NULL;
        int r = probe_wants_read(path, &w.wants, &why);

        if (r == -ENOMEM)
                return fault_set(fault, r, "no memory");
        if (r < 0)
                on_remark(s, name, why.text); /* and do without */
        if (r < 0 || w.wants.n == 0 || s->n_waiting == PROBES_MAX)
                return 0;
        w.name = strdup(name);
        w.path = strdup(path);
        if (!w.name || !w.path)
                return fault_set(fault, -ENOMEM, "no memory");
        if (!s->look && (r = sd_event_add_time_relative(s->event, &s->look, CLOCK_MONOTONIC, 0,
                                                        LOOK_ACCURACY_US, on_look, s)) < 0)
                return 0;
        s->waiting[s->n_waiting++] = w;
        w = (struct waiting){ .name = NULL };
        return 1;
}

static int start_one(struct probe_set *s, const char *name, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        int r = program_find(&program_folders_probes, name, &path, fault);

        if (r < 0)
                return r;
        r = s->waits ? wait_for(s, name, path, fault) : 0;
        if (r == 0)
                r = spawn(s, name, path, fault);
        return r < 0 ? r : 0;
}

static int start_all(struct probe_set *s, struct fault *fault)
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
                        r = start_one(s, names[i], fault);
                free(names[i]);
        }
        free(names);
        return r;
}

static void probe_set_freep(struct probe_set **s) { *s = probe_set_free(*s); }

int probe_set_start(sd_event *event, const struct probe_handler *handler, const char *const *names,
                    enum probe_set_when when, struct probe_set **ret, struct fault *fault)
{
        CLEANUP(probe_set_freep) struct probe_set *s = calloc(1, sizeof *s);
        int r = 0;

        if (!s)
                return fault_set(fault, -ENOMEM, "no memory");
        s->story = malloc(STORY_MAX_BYTES);
        if (!s->story)
                return fault_set(fault, -ENOMEM, "no memory");
        s->event = sd_event_ref(event);
        s->waits = when == PROBE_SET_WHEN_WANTED;
        s->handler = *handler;
        s->own = (struct probe_handler){ .on_mark = on_mark,
                                         .on_remark = on_remark,
                                         .on_end = on_end,
                                         .on_start = on_start,
                                         .userdata = s };
        if (!names)
                r = start_all(s, fault);
        for (size_t i = 0; names && r == 0 && names[i]; i++)
                r = start_one(s, names[i], fault);
        if (r < 0)
                return r;
        *ret = TAKE(s);
        return 0;
}

void probe_set_tell(struct probe_set *s, const struct mark *m) { tell_all_but(s, NULL, m); }

static void forget_waiting(struct probe_set *s)
{
        s->look = sd_event_source_disable_unref(s->look);
        while (s->n_waiting > 0)
                waiting_done(&s->waiting[--s->n_waiting]);
}

void probe_set_stop(struct probe_set *s)
{
        forget_waiting(s);
        for (size_t i = 0; i < s->n; i++)
                probe_child_close_input(s->children[i]);
}

bool probe_set_is_over(const struct probe_set *s)
{
        for (size_t i = 0; i < s->n; i++)
                if (!probe_child_is_over(s->children[i]))
                        return false;
        return s->n_waiting == 0;
}

struct probe_set *probe_set_free(struct probe_set *s)
{
        if (!s)
                return NULL;
        forget_waiting(s);
        for (size_t i = 0; i < s->n; i++)
                (void) probe_child_free(s->children[i]);
        (void) sd_event_unref(s->event);
        free(s->story);
        free(s);
        return NULL;
}
