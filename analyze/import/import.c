/* analyze/import/import.c - the bookkeeping that all formats share; see import.h */
#include "analyze/import/import.h"
#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include "analyze/import/import_internal.h"
#include "record/json.h"

#define CHUNK_MAX_BYTES 8192
/* In a text this long some line of it is whole. */
#define BROKEN_MAX_LINES 20000

void import_fail(struct import *in, int error, const char *what)
{
        if (in->error == 0)
                in->error = fault_set(in->fault, error, "%s: %s", in->text->name, what);
}

void import_out_of_memory(struct import *in) { import_fail(in, -ENOMEM, "no memory"); }

/* import_failed() - -ENOMEM and its kin of a call into record/ */
bool import_failed(struct import *in, int r)
{
        if (r < 0)
                import_fail(in, r, r == -ENOMEM ? "no memory" : strerror(-r));
        return in->error < 0;
}

/* import_count() - false once there is more than one import may hold */
bool import_count(struct import *in)
{
        if (in->error == 0 && ++in->n_items > IMPORT_MAX_ITEMS)
                import_fail(in, -E2BIG,
                            "too many results for one import: cut out the part that matters");
        return in->error == 0;
}

struct record *import_open(const struct import *in)
{
        return in->error == 0 && in->n_records > 0 ? in->records[in->n_records - 1] : NULL;
}

/* cover() - chain @text, its blanks squeezed, onto the digest of the record's content */
static void cover(char content[DIGEST_HEX_BYTES], const char *text)
{
        char chunk[DIGEST_HEX_BYTES + CHUNK_MAX_BYTES];

        do { /* a document may be one line, and as long as it likes */
                size_t used = DIGEST_HEX_BYTES - 1;

                memcpy(chunk, content, used);
                for (; *text && used < sizeof chunk; text++)
                        if (*text != ' ' || chunk[used - 1] != ' ')
                                chunk[used++] = *text;
                digest_hex(chunk, used, content);
        } while (*text);
}

void import_cover(struct import *in, const char *text)
{
        if (in->error == 0)
                cover(in->content, text);
}

void import_skip(struct import *in, size_t i)
{
        if (i < in->text->n_lines)
                in->text->lines[i].taken = true;
}

void import_take(struct import *in, size_t i)
{
        if (in->error < 0 || i >= in->text->n_lines)
                return;
        in->text->lines[i].taken = true;
        if (!text_is_blank(in->text, i))
                cover(in->content, text_at(in->text, i));
}

/* give_id() - what the record was made of; equal ones of a file are numbered */
static void give_id(struct import *in, struct record *r)
{
        size_t n = in->n_records - 1, equal = 0;
        char(*grown)[DIGEST_HEX_BYTES] = reallocarray(in->contents, n + 1, sizeof *grown);

        if (!grown) {
                import_fail(in, -ENOMEM, "no memory");
                return;
        }
        in->contents = grown;
        for (size_t i = 0; i < n; i++)
                equal += strcmp(grown[i], in->content) == 0;
        memcpy(grown[n], in->content, sizeof *grown);
        if (equal > 0) {
                char again[32];

                (void) snprintf(again, sizeof again, "again %zu", equal);
                cover(in->content, again);
                import_warn(in, "the same as an earlier one in this file: pasted twice?");
        }
        r->id = strdup(in->content);
        if (!r->id)
                import_fail(in, -ENOMEM, "no memory");
}

static bool same_parameters(const struct sample *a, const struct sample *b)
{
        size_t n_a = json_object_size(a->parameters), n_b = json_object_size(b->parameters);

        return n_a == n_b && (n_a == 0 || json_equal(a->parameters, b->parameters));
}

/* number_runs() - samples that were begun without a number: one more than the last like them */
static void number_runs(struct record *r)
{
        for (size_t i = 0; i < r->n_samples; i++) {
                struct sample *s = &r->samples[i];

                if (s->run != RUN_LATER)
                        continue;
                s->run = 1;
                for (size_t k = i; k-- > 0;)
                        if (strcmp(r->samples[k].workload, s->workload) == 0 &&
                            same_parameters(&r->samples[k], s)) {
                                s->run = r->samples[k].run + 1;
                                break;
                        }
        }
}

static int compare_units(const void *va, const void *vb)
{
        const struct unit_time *a = va, *b = vb;

        if (a->elapsed_us != b->elapsed_us)
                return a->elapsed_us > b->elapsed_us ? -1 : 1;
        return strcmp(a->name, b->name);
}

void import_close(struct import *in)
{
        struct record *r = import_open(in);

        if (!r || r->id)
                return;
        if (r->n_samples == 0 && r->n_milestones == 0 && r->n_units == 0)
                import_incomplete(in, "no result in it");
        give_id(in, r);
        number_runs(r);
        if (r->n_units > 1)
                qsort(r->units, r->n_units, sizeof *r->units, compare_units);
        record_sort(r);
}

static int describe_origin(struct import *in, struct record *r, size_t i)
{
        json_t *j = json_object();

        r->extra = json_object();
        if (json_put(r->extra, "import", j) < 0)
                return -ENOMEM;
        if (record_set_string(j, "format", in->format) < 0 ||
            record_set_string(j, "file", in->text->name) < 0 ||
            record_set_integer(j, "line", text_number(in->text, i)) < 0 ||
            record_set_integer(j, "index", (int64_t) in->n_records) < 0 ||
            record_set_string(j, "sha256", in->text->sha256) < 0)
                return -ENOMEM;
        return 0;
}

struct record *import_record(struct import *in, size_t i)
{
        CLEANUP(record_freep) struct record *r = NULL;
        struct record **grown;

        import_close(in);
        if (!import_count(in))
                return NULL;
        r = record_new();
        grown = reallocarray(in->records, in->n_records + 1, sizeof(struct record *));
        if (grown)
                in->records = grown;
        if (!r || !grown) {
                import_fail(in, -ENOMEM, "no memory");
                return NULL;
        }
        r->machine = strdup(IMPORT_MACHINE);
        r->tool_version = strdup(PACKAGE_VERSION);
        if (!r->machine || !r->tool_version || describe_origin(in, r, i) < 0) {
                import_fail(in, -ENOMEM, "no memory");
                return NULL;
        }
        digest_hex(in->format, strlen(in->format), in->content);
        in->newest = 0;
        grown[in->n_records++] = r;
        r = NULL;
        return grown[in->n_records - 1];
}

void import_unread(struct import *in, size_t i, const char *format, ...)
{
        struct import_remark *grown;
        va_list ap;
        char *why = NULL;

        if (!import_count(in))
                return;
        va_start(ap, format);
        if (vasprintf(&why, format, ap) < 0)
                why = NULL;
        va_end(ap);
        grown = reallocarray(in->unread, in->n_unread + 1, sizeof *grown);
        if (grown)
                in->unread = grown;
        if (!grown || !why) {
                free(why);
                import_fail(in, -ENOMEM, "no memory");
                return;
        }
        grown[in->n_unread++] =
                (struct import_remark){ .line = text_number(in->text, i), .text = why };
        if (i < in->text->n_lines)
                in->text->lines[i].taken = true;
}

void import_warn(struct import *in, const char *format, ...)
{
        struct record *r = import_open(in);
        CLEANUP(freep) char *text = NULL;
        va_list ap;

        if (!r || !import_count(in))
                return;
        va_start(ap, format);
        if (vasprintf(&text, format, ap) < 0)
                text = NULL;
        va_end(ap);
        (void) import_failed(in, text ? record_add_warning(r, "%s", text) : -ENOMEM);
}

static void read_with(struct import *in, const struct import_format *f)
{
        size_t before = in->n_records;
        const char **grown;

        in->format = f->name;
        f->read(in);
        import_close(in);
        if (in->n_records == before || in->error < 0)
                return;
        grown = reallocarray(in->formats, in->n_formats + 1, sizeof(const char *));
        if (!grown) {
                import_fail(in, -ENOMEM, "no memory");
                return;
        }
        in->formats = grown;
        grown[in->n_formats++] = f->name;
}

/* try_format() - @f reads what it recognizes; @is_broken: joined lines have to be tried first */
static void try_format(struct import *in, const struct import_format *f, bool is_broken)
{
        if (is_broken && f->unwrap)
                f->unwrap(in->text);
        if ((is_broken && !f->unwrap) || f->recognize(in->text) < IMPORT_SURE)
                return;
        if (f->unwrap)
                f->unwrap(in->text);
        read_with(in, f);
}

int import_text(struct text *text, const struct import_format *format, const char *start,
                struct import *ret, struct fault *fault)
{
        struct import in = { .text = text,
                             .start = start ? start : "loader.start",
                             .fault = fault };
        size_t n;
        const struct import_format *table = import_formats(&n);

        if (format) {
                if (format->unwrap)
                        format->unwrap(text);
                read_with(&in, format);
        }
        for (size_t i = 0; !format && in.error == 0 && i < n; i++)
                try_format(&in, &table[i], false);
        /* Of some formats nothing is left to be recognized where lines are broken. Only now is this
         * looked for: what is the beginning of one format's line is a whole one of another's. */
        for (size_t i = 0; !format && in.error == 0 && in.n_records + in.n_unread == 0 &&
                           text->n_lines <= BROKEN_MAX_LINES && i < n;
             i++)
                try_format(&in, &table[i], true);
        if (in.error == 0 && in.n_records == 0 && in.n_unread > 0)
                in.error = fault_set(fault, -ENOMSG, "%s: nothing of it could be read", text->name);
        else if (in.error == 0 && in.n_records == 0 && format)
                in.error = fault_set(fault, -ENOMSG, "%s: no %s in it", text->name, format->name);
        else if (in.error == 0 && in.n_records == 0)
                in.error = fault_set(fault, -ENOMSG,
                                     "%s: nothing recognized; name the format if you know it",
                                     text->name);
        *ret = in;
        return in.error;
}

void import_done(struct import *in)
{
        for (size_t i = 0; i < in->n_records; i++)
                (void) record_free(in->records[i]);
        for (size_t i = 0; i < in->n_unread; i++)
                free(in->unread[i].text);
        free(in->records);
        free(in->unread);
        free(in->formats);
        free(in->contents);
        *in = (struct import){ .text = NULL };
}
