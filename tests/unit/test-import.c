/* tests/unit/test-import.c - every file of tests/data/import/ against what a person says it holds
 *
 * Beside NAME.txt lies NAME.want: all that an importer has to find, no more and no less, in the
 * form that dump() below prints. The figures there were written by hand from the text, not by the
 * importer. */
#include "tests/test.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "analyze/import/import.h"
#include "record/json.h"
#include "record/procfile.h"

#define CASES_MAX 400
#define WANT_MAX_BYTES (1024 * 1024)

static void dump_scalars(FILE *f, const char *before, const json_t *object)
{
        const char *key;
        json_t *value;

        json_object_foreach((json_t *) (uintptr_t) object, key, value)
        {
                char *text = json_dumps(value, JSON_ENCODE_ANY);

                (void) fprintf(f, "%s%s=%s", before, key,
                               json_is_string(value) ? json_string_value(value) : text);
                free(text);
        }
}

static void dump_value(FILE *f, const struct sample *s, const struct sample_value *v)
{
        static const char *const better[] = { "", " lower", " higher" };
        const json_t *lines = json_object_get(s->details, "lines");
        const char *mismatch = json_string_value(json_object_get(v->extra, "mismatch"));

        (void) fprintf(f, "  %s %.15g %s%s '%s' @%d\n", v->field, v->value, v->unit,
                       better[v->better], v->raw ? v->raw : "",
                       (int) json_integer_value(json_object_get(lines, v->field)));
        if (mismatch)
                (void) fprintf(f, "    mismatch %s\n", mismatch);
        if (json_object_get(v->extra, "below"))
                (void) fprintf(f, "    below %.15g\n",
                               json_real_value(json_object_get(v->extra, "below")));
        if (v->implausible)
                (void) fprintf(f, "    implausible %s\n", v->implausible);
}

static void dump_sample(FILE *f, const struct sample *s)
{
        (void) fprintf(f, " %s #%u", s->workload, s->run);
        if (s->tool)
                (void) fprintf(f, " %s", s->tool);
        if (s->tool_version)
                (void) fprintf(f, " %s", s->tool_version);
        dump_scalars(f, " ", s->parameters);
        (void) fputc('\n', f);
        for (size_t i = 0; i < s->n_values; i++)
                dump_value(f, s, &s->values[i]);
}

static void dump_milestone(FILE *f, const char *name, const struct sighting *s)
{
        const char *where = s->detail ? strrchr(s->detail, '(') : NULL;

        (void) fprintf(f, " at %s %lld +-%lld", name, (long long) s->at_us,
                       (long long) s->error_us);
        if (where)
                (void) fprintf(f, " '%.*s'", where > s->detail ? (int) (where - s->detail - 1) : 0,
                               s->detail);
        (void) fputc('\n', f);
        if (s->implausible)
                (void) fprintf(f, "    implausible %s\n", s->implausible);
}

static void dump_unit(FILE *f, const struct unit_time *u)
{
        (void) fprintf(f, " unit %s", u->name);
        if (u->started_us == UNIT_START_UNKNOWN)
                (void) fprintf(f, " - %lld\n", (long long) u->elapsed_us);
        else
                (void) fprintf(f, " %lld %lld\n", (long long) u->started_us,
                               (long long) u->elapsed_us);
}

static void dump_record(FILE *f, const struct record *r)
{
        const json_t *origin = json_object_get(r->extra, "import"), *remarks, *remark;
        size_t i;

        (void) fprintf(f, "record %s @%d", json_string_value(json_object_get(origin, "format")),
                       (int) json_integer_value(json_object_get(origin, "line")));
        if (r->origin)
                (void) fprintf(f, " from %s", r->origin);
        if (r->start.realtime_us)
                (void) fprintf(f, " realtime %lld", (long long) r->start.realtime_us);
        if (r->incomplete)
                (void) fprintf(f, " incomplete %s", r->incomplete);
        (void) fputc('\n', f);
        if (json_object_size(r->labels)) {
                (void) fputs(" label", f);
                dump_scalars(f, " ", r->labels);
                (void) fputc('\n', f);
        }
        if (json_object_size(r->config)) {
                (void) fputs(" config", f);
                dump_scalars(f, " ", r->config);
                (void) fputc('\n', f);
        }
        for (i = 0; i < r->n_milestones; i++) {
                dump_milestone(f, r->milestones[i].name, &r->milestones[i].best);
                for (size_t k = 0; k < r->milestones[i].n_also; k++)
                        dump_milestone(f, "  also", &r->milestones[i].also[k]);
        }
        for (i = 0; i < r->n_waits; i++)
                (void) fprintf(f, " wait %s %s %lld..%lld\n", r->waits[i].kind,
                               r->waits[i].name ? r->waits[i].name : "-",
                               (long long) r->waits[i].from_us, (long long) r->waits[i].to_us);
        for (i = 0; i < r->n_units; i++)
                dump_unit(f, &r->units[i]);
        for (i = 0; i < r->n_absent; i++)
                (void) fprintf(f, " absent %s: %s\n", r->absent[i].name, r->absent[i].reason);
        for (i = 0; i < r->n_samples; i++)
                dump_sample(f, &r->samples[i]);
        for (i = 0; i < r->n_warnings; i++)
                (void) fprintf(f, " warning %s\n", r->warnings[i]);
        remarks = json_object_get(origin, "remarks");
        json_array_foreach(remarks, i, remark)(void)
                fprintf(f, " remark %s\n", json_string_value(remark));
}

static char *dump(const struct import *in)
{
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);

        assert_non_null(f);
        for (size_t i = 0; i < in->n_formats; i++)
                (void) fprintf(f, "format %s\n", in->formats[i]);
        for (size_t i = 0; i < in->n_unread; i++)
                (void) fprintf(f, "unread @%zu %s\n", in->unread[i].line, in->unread[i].text);
        for (size_t i = 0; i < in->n_records; i++)
                dump_record(f, in->records[i]);
        assert_int_equal(fclose(f), 0);
        return text;
}

/* show_difference() - the first line at which the two part */
static void show_difference(const char *got, const char *want)
{
        unsigned line = 1;

        while (*got && *want) {
                size_t n = strcspn(got, "\n"), m = strcspn(want, "\n");

                if (n != m || memcmp(got, want, n) != 0)
                        break;
                got += n + (got[n] == '\n');
                want += m + (want[m] == '\n');
                line++;
        }
        print_message("# line %u\n# got:  %.*s\n# want: %.*s\n", line, (int) strcspn(got, "\n"),
                      got, (int) strcspn(want, "\n"), want);
}

/* Two equal texts have to give equal ids, under whatever name and however quoted. */
static void check_ids_when_quoted(const char *path, const struct import *in)
{
        CLEANUP(freep) char *bytes = NULL, *quoted = NULL;
        CLEANUP(text_done) struct text text = TEXT_NULL;
        CLEANUP(import_done) struct import again = { .text = NULL };
        size_t n_bytes, n;
        FILE *f = open_memstream(&quoted, &n);

        assert_int_equal(procfile_read(AT_FDCWD, path, WANT_MAX_BYTES, &bytes, &n_bytes), 0);
        /* Quoting tears what quoted-printable joined, and is no XML. */
        if (strstr(bytes, "quoted-printable") || strstr(bytes, "<PhoronixTestSuite") ||
            memchr(bytes, 0, n_bytes) || memchr(bytes, '\r', n_bytes)) {
                (void) fclose(f);
                return;
        }
        for (char *line = bytes; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
                (void) fprintf(f, "> %.*s\r\n", (int) strcspn(line, "\n"), line);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(text_from_bytes("elsewhere", quoted, n, &text, NULL), 0);
        assert_int_equal(import_text(&text, NULL, NULL, &again, NULL), 0);
        assert_int_equal(again.n_records, in->n_records);
        for (size_t i = 0; i < in->n_records; i++)
                assert_string_equal(again.records[i]->id, in->records[i]->id);
}

static void check_file(void **state)
{
        const char *path = *state;
        CLEANUP(text_done) struct text text = TEXT_NULL;
        CLEANUP(import_done) struct import in = { .text = NULL };
        CLEANUP(freep) char *want_path = NULL, *want = NULL, *got = NULL;
        struct fault fault = FAULT_NULL;

        assert_true(asprintf(&want_path, "%.*s.want", (int) (strlen(path) - strlen(".txt")), path) >
                    0);
        assert_int_equal(procfile_read(AT_FDCWD, want_path, WANT_MAX_BYTES, &want, NULL), 0);
        assert_int_equal(text_read_file(path, &text, &fault), 0);
        if (import_text(&text, NULL, NULL, &in, &fault) < 0)
                print_message("# %s\n", fault.text);
        got = dump(&in);
        if (strcmp(got, want) != 0)
                show_difference(got, want);
        assert_string_equal(got, want);
        for (size_t i = 0; i < in.n_records; i++)
                for (size_t k = 0; k < i; k++)
                        assert_string_not_equal(in.records[i]->id, in.records[k]->id);
        check_ids_when_quoted(path, &in);
}

/* find_cases() - every *.txt two levels below tests/data/import */
static size_t find_cases(char *paths[CASES_MAX])
{
        char *srcdir = getenv("srcdir");
        char top[PATH_MAX];
        struct dirent **folders;
        size_t n = 0;
        int n_folders;

        (void) snprintf(top, sizeof top, "%s/tests/data/import", srcdir ? srcdir : ".");
        n_folders = scandir(top, &folders, NULL, alphasort);
        for (int i = 0; i < n_folders; i++) {
                struct dirent **files;
                CLEANUP(freep) char *folder = NULL;
                int n_files = -1;

                if (folders[i]->d_name[0] != '.' &&
                    asprintf(&folder, "%s/%s", top, folders[i]->d_name) > 0)
                        n_files = scandir(folder, &files, NULL, alphasort);
                for (int k = 0; k < n_files; k++) {
                        const char *dot = strrchr(files[k]->d_name, '.');

                        if (dot && strcmp(dot, ".txt") == 0 && n < CASES_MAX &&
                            asprintf(&paths[n], "%s/%s", folder, files[k]->d_name) > 0)
                                n++;
                        free(files[k]);
                }
                if (n_files >= 0)
                        free(files);
                free(folders[i]);
        }
        if (n_folders >= 0)
                free(folders);
        return n;
}

/* With a file's name this prints what is found in it: for looking at, before one writes down by
 * hand what should be. */
static int dump_file(const char *path)
{
        CLEANUP(text_done) struct text text = TEXT_NULL;
        CLEANUP(import_done) struct import in = { .text = NULL };
        CLEANUP(freep) char *got = NULL;
        struct fault fault = FAULT_NULL;

        if (text_read_file(path, &text, &fault) < 0 ||
            import_text(&text, NULL, NULL, &in, &fault) < 0)
                (void) fprintf(stderr, "%s\n", fault.text);
        got = dump(&in);
        (void) fputs(got, stdout);
        return 0;
}

int main(int argc, char **argv)
{
        static char *paths[CASES_MAX];
        static struct CMUnitTest tests[CASES_MAX];
        size_t n = find_cases(paths);
        int r;

        if (argc > 1)
                return dump_file(argv[1]);
        for (size_t i = 0; i < n; i++)
                tests[i] = (struct CMUnitTest){ .name = strstr(paths[i], "tests/data/import/"),
                                                .test_func = check_file,
                                                .initial_state = paths[i] };
        r = n > 0 ? _cmocka_run_group_tests("import", tests, n, NULL, NULL) : 1;
        for (size_t i = 0; i < n; i++)
                free(paths[i]);
        return r;
}
