/* collectors/foreign.c - one way for all wrapped programs */
#include "collectors/foreign.h"
#include <string.h>
#include "analyze/import/import.h"
#include "collectors/toolchain.h"
#include "record/record.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"
#define OUTPUT_MAX_BYTES (16u << 20)

int foreign_find(const char *name, const char *advice, char **ret, struct fault *fault)
{
        const char *path_list = getenv("PATH");
        int r = toolchain_find(path_list && *path_list ? path_list : DEFAULT_PATH, name, ret);

        if (r == -ENOENT)
                return fault_set(fault, HARNESS_UNAVAILABLE, "%s is not installed: %s", name,
                                 advice);
        return r < 0 ? fault_errno(fault, r, "%s", name) : 0;
}

/* complaint_in() - the last line of the output that says what was fatal, else its last line */
static const char *complaint_in(char *output)
{
        const char *last = "";
        char *rest = output, *line;
        bool is_fatal = false;

        while ((line = strsep(&rest, "\n"))) {
                bool speaks = strstr(line, "FATAL") || strstr(line, "rror");

                if (line[strspn(line, " \t\r")] == '\0' || (is_fatal && !speaks))
                        continue;
                is_fatal = is_fatal || speaks;
                last = line;
        }
        return last;
}

static int explain(const char *what, struct supervised *s, struct fault *fault)
{
        bool is_full = strstr(s->output, "No space left") || strstr(s->last_line, "No space left");
        const char *words = s->last_line[0] ? s->last_line : complaint_in(s->output);
        int code = is_full ? -ENOSPC : -EIO;

        switch (s->end) {
        case SUPERVISE_INTERRUPTED:
                interrupt_repeat(s->status);
                return fault_set(fault, -EINTR, "interrupted");
        case SUPERVISE_FLOOD:
                return fault_set(fault, -EIO, "%s printed more than %u MiB", what,
                                 OUTPUT_MAX_BYTES >> 20);
        case SUPERVISE_KILLED:
                return fault_set(fault, code, "%s was killed by signal %d%s%.300s", what, s->status,
                                 *words ? ": " : "", words);
        default:
                return fault_set(fault, code, "%s ended with status %d%s%.300s", what, s->status,
                                 *words ? ": " : "", words);
        }
}

int foreign_run(const char *what, char *const *argv, const char *folder, char *const *environment,
                struct supervised *ret, struct fault *fault)
{
        CLEANUP(supervised_done) struct supervised s = SUPERVISED_NULL;
        char c_locale[] = "LC_ALL=C";
        char *all[8] = { c_locale };
        const struct supervise_job job = { .path = argv[0],
                                           .argv = argv,
                                           .environment = all,
                                           .folder = folder,
                                           .max_output_bytes = OUTPUT_MAX_BYTES };
        int r;

        for (size_t i = 0; environment && environment[i] && i + 2 < ELEMENTSOF(all); i++)
                all[i + 1] = environment[i];
        r = supervise(&job, &s, fault);
        if (r < 0)
                return r;
        if (s.end != SUPERVISE_EXITED || s.status != 0)
                return explain(what, &s, fault);
        *ret = s;
        s = SUPERVISED_NULL;
        return 0;
}

static int rename_sample(const struct harness *h, struct sample *s)
{
        char *name = NULL;

        if (!h->name)
                return 0;
        if (asprintf(&name, "%s.%s", s->workload, h->name) < 0)
                return -ENOMEM;
        free(s->workload);
        s->workload = name;
        return 0;
}

/* forget_places() - where in the text a figure stood: nobody keeps that text */
static void forget_places(struct sample *s)
{
        (void) json_object_del(s->details, "file");
        (void) json_object_del(s->details, "line");
        (void) json_object_del(s->details, "lines");
}

static int enter_sample(struct harness *h, struct sample *s, unsigned number,
                        int (*decorate)(struct sample *, void *), void *userdata,
                        struct fault *fault)
{
        int r = rename_sample(h, s);

        forget_places(s);
        s->run += number - 1;
        if (r == 0 && !s->parameters && !(s->parameters = json_object()))
                r = -ENOMEM;
        if (r == 0)
                r = decorate(s, userdata);
        return r < 0 ? fault_errno(fault, r, "%s", s->workload) : harness_sample_add(h, s, fault);
}

static int enter_records(struct harness *h, struct import *in, unsigned number,
                         int (*decorate)(struct sample *, void *), void *userdata,
                         struct fault *fault)
{
        size_t n = 0;
        int r = 0;

        for (size_t i = 0; i < in->n_records; i++) {
                struct record *record = in->records[i];

                for (size_t k = 0; r == 0 && k < record->n_samples; k++, n++)
                        r = enter_sample(h, &record->samples[k], number, decorate, userdata, fault);
                for (size_t k = 0; k < record->n_warnings; k++)
                        harness_warn(h, "%s: %s", in->text->name, record->warnings[k]);
        }
        for (size_t i = 0; i < in->n_unread; i++)
                harness_warn(h, "%s: line %zu: %s", in->text->name, in->unread[i].line,
                             in->unread[i].text);
        if (r == 0 && n == 0)
                r = fault_set(fault, -ENOMSG, "%s printed no result that can be read",
                              in->text->name);
        return r;
}

int foreign_enter(struct harness *h, const char *format, const struct supervised *output,
                  unsigned number, int (*decorate)(struct sample *s, void *userdata),
                  void *userdata, struct fault *fault)
{
        CLEANUP(text_done) struct text text = TEXT_NULL;
        struct import in = { .text = NULL };
        int r = text_from_bytes(format, output->output, output->output_bytes, &text, fault);

        if (r == 0)
                r = import_text(&text, import_format_find(format), NULL, &in, fault);
        if (r == -ENOMSG)
                (void) fault_set(fault, r, "%s printed no result that can be read", format);
        if (r == 0)
                r = enter_records(h, &in, number, decorate, userdata, fault);
        import_done(&in);
        return r;
}
