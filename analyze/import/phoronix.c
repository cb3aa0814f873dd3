/* analyze/import/phoronix.c - the Phoronix Test Suite's result files (composite.xml).
 *
 * Results come test by test with an entry for each system; a record is one system. The raw runs
 * become runs of the sample "phoronix.<test>", what was made of them "phoronix.<test>.summary", and
 * the one is checked against the other. A document that ends too early gives the entries that were
 * complete.
 *
 * A document is parsed from its root on: what stands above it (an XML declaration, whose quotes may
 * have become curly, a document type, a mail) says nothing that is needed. */
#include <ctype.h>
#include <expat.h>
#include <string.h>
#include "analyze/import/formats.h"
#include "analyze/import/heading.h"
#include "analyze/import/import_internal.h"

#define ROOT "<PhoronixTestSuite"
#define TEXT_MAX 4096
#define DEPTH_MAX 16
#define ENTRIES_MAX 8192
#define SYSTEMS_MAX 256

struct system {
        char *name, *hardware, *software;
};

struct test {
        char *id, *title, *version, *arguments, *description, *scale, *proportion, *format;
};

struct entry {
        size_t test;
        char *system, *value, *raw;
        size_t i; /* its line */
        bool is_whole;
};

struct suite {
        struct import *in;
        char names[DEPTH_MAX][32];
        size_t depth;
        char text[TEXT_MAX];
        size_t n_text;
        char *title;
        struct system systems[SYSTEMS_MAX];
        size_t n_systems;
        struct test *tests;
        size_t n_tests;
        struct entry *entries;
        size_t n_entries;
        XML_Parser parser;
        size_t first; /* line of the root */
        bool has_ended;
};

/* line_now() - where in the text the parser is */
static size_t line_now(const struct suite *s)
{
        size_t i = s->first + XML_GetCurrentLineNumber(s->parser) - 1;

        return i < s->in->text->n_lines ? i : s->in->text->n_lines - 1;
}

static void entry_done(struct entry *e)
{
        free(e->system);
        free(e->value);
        free(e->raw);
}

static void suite_freep(struct suite **ps)
{
        struct suite *s = *ps;

        if (!s)
                return;
        free(s->title);
        for (size_t k = 0; k < s->n_systems; k++) {
                free(s->systems[k].name);
                free(s->systems[k].hardware);
                free(s->systems[k].software);
        }
        for (size_t k = 0; k < s->n_tests; k++) {
                struct test *t = &s->tests[k];
                char *const texts[] = { t->id,          t->title, t->version,    t->arguments,
                                        t->description, t->scale, t->proportion, t->format };

                for (size_t m = 0; m < ELEMENTSOF(texts); m++)
                        free(texts[m]);
        }
        for (size_t k = 0; k < s->n_entries; k++)
                entry_done(&s->entries[k]);
        free(s->tests);
        free(s->entries);
        if (s->parser)
                XML_ParserFree(s->parser);
        free(s);
        *ps = NULL;
}

/* ---- the document ---- */

static bool is_in(const struct suite *s, size_t level, const char *name)
{
        return s->depth > level && strcmp(s->names[level], name) == 0;
}

static void add_system(struct suite *s)
{
        if (s->n_systems == SYSTEMS_MAX)
                import_fail(s->in, -E2BIG, "more systems in one document than can be held");
        else
                s->systems[s->n_systems++] = (struct system){ .name = NULL };
}

static void add_test(struct suite *s)
{
        struct test *grown = reallocarray(s->tests, s->n_tests + 1, sizeof *grown);

        if (!grown) {
                import_out_of_memory(s->in);
                return;
        }
        s->tests = grown;
        grown[s->n_tests++] = (struct test){ .id = NULL };
}

static void add_entry(struct suite *s)
{
        struct entry *grown;

        if (s->n_tests == 0)
                return;
        if (s->n_entries == ENTRIES_MAX) {
                import_fail(s->in, -E2BIG, "more results in one document than can be held");
                return;
        }
        grown = reallocarray(s->entries, s->n_entries + 1, sizeof *grown);
        if (!grown) {
                import_out_of_memory(s->in);
                return;
        }
        s->entries = grown;
        grown[s->n_entries++] = (struct entry){
                .test = s->n_tests - 1,
                .i = line_now(s),
        };
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
        struct suite *s = data;

        (void) attributes;
        if (s->depth == DEPTH_MAX || s->in->error < 0) {
                (void) XML_StopParser(s->parser, XML_FALSE);
                return;
        }
        (void) snprintf(s->names[s->depth++], sizeof s->names[0], "%s", name);
        s->n_text = 0;
        if (s->depth == 2 && strcmp(name, "System") == 0)
                add_system(s);
        if (s->depth == 2 && strcmp(name, "Result") == 0)
                add_test(s);
        if (s->depth == 4 && is_in(s, 1, "Result") && strcmp(name, "Entry") == 0)
                add_entry(s);
}

static void XMLCALL on_text(void *data, const XML_Char *text, int n)
{
        struct suite *s = data;
        size_t n_bytes = n > 0 ? (size_t) n : 0;

        if (n_bytes > TEXT_MAX - 1 - s->n_text)
                n_bytes = TEXT_MAX - 1 - s->n_text;
        memcpy(s->text + s->n_text, text, n_bytes);
        s->n_text += n_bytes;
}

static void keep(struct suite *s, char **slot)
{
        free(*slot);
        *slot = strdup(s->text);
        if (!*slot)
                import_out_of_memory(s->in);
}

/* slot_of() - where the text of the element that ends now belongs; NULL for nowhere */
static char **slot_of(struct suite *s, const char *name)
{
        struct system *system = s->n_systems ? &s->systems[s->n_systems - 1] : NULL;
        struct test *test = s->n_tests ? &s->tests[s->n_tests - 1] : NULL;
        struct entry *entry = s->n_entries ? &s->entries[s->n_entries - 1] : NULL;
        const struct {
                size_t depth;
                const char *parent, *name;
                char **slot;
        } slots[] = {
                { 3, "Generated", "Title", &s->title },
                { 3, "System", "Identifier", system ? &system->name : NULL },
                { 3, "System", "Hardware", system ? &system->hardware : NULL },
                { 3, "System", "Software", system ? &system->software : NULL },
                { 3, "Result", "Identifier", test ? &test->id : NULL },
                { 3, "Result", "Title", test ? &test->title : NULL },
                { 3, "Result", "AppVersion", test ? &test->version : NULL },
                { 3, "Result", "Arguments", test ? &test->arguments : NULL },
                { 3, "Result", "Description", test ? &test->description : NULL },
                { 3, "Result", "Scale", test ? &test->scale : NULL },
                { 3, "Result", "Proportion", test ? &test->proportion : NULL },
                { 3, "Result", "DisplayFormat", test ? &test->format : NULL },
                { 5, "Result", "Identifier", entry ? &entry->system : NULL },
                { 5, "Result", "Value", entry ? &entry->value : NULL },
                { 5, "Result", "RawString", entry ? &entry->raw : NULL },
        };

        for (size_t k = 0; k < ELEMENTSOF(slots); k++)
                if (s->depth == slots[k].depth && is_in(s, 1, slots[k].parent) &&
                    strcmp(name, slots[k].name) == 0)
                        return slots[k].slot;
        return NULL;
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
        struct suite *s = data;
        char **slot;

        s->text[s->n_text] = '\0';
        for (char *p = s->text; *p; p++) /* a line may have been broken anywhere */
                if (*p == '\n')
                        *p = ' ';
        slot = slot_of(s, name);
        if (slot)
                keep(s, slot);
        if (s->depth == 4 && strcmp(name, "Entry") == 0 && s->n_entries)
                s->entries[s->n_entries - 1].is_whole = true;
        s->n_text = 0;
        if (--s->depth == 0) {
                s->has_ended = true;
                (void) XML_StopParser(s->parser, XML_FALSE);
        }
}

/* feed() - one line. Where the text was no XML of its own, but shown on a page, '&' has lost its
 * own escape with those of the page. */
static enum XML_Status feed(struct suite *s, const char *line, bool is_xml)
{
        enum XML_Status status = XML_STATUS_OK;

        while (*line && status == XML_STATUS_OK) {
                size_t n = is_xml ? strlen(line) : strcspn(line, "&");

                status = XML_Parse(s->parser, line, (int) n, 0);
                line += n;
                if (status == XML_STATUS_OK && *line == '&') {
                        status = XML_Parse(s->parser, "&amp;", 5, 0);
                        line++;
                }
        }
        return status == XML_STATUS_OK ? XML_Parse(s->parser, "\n", 1, 0) : status;
}

/* parse() - the document whose root stands on line @i. Return: its last line; *ret_why says why
 * there is no more of it, NULL when it is whole. */
static size_t parse(struct suite *s, size_t i, const char **ret_why)
{
        const struct text *text = s->in->text;
        const char *line = strstr(text_at(text, i), ROOT);
        enum XML_Status status = XML_STATUS_OK;

        s->first = i;
        for (; line && i < text->n_lines && status == XML_STATUS_OK; line = text_at(text, ++i))
                status = feed(s, line, text->is_xml);
        if (status == XML_STATUS_OK)
                (void) XML_Parse(s->parser, "", 0, 1);
        *ret_why = s->has_ended ? NULL : XML_ErrorString(XML_GetErrorCode(s->parser));
        return line_now(s);
}

/* ---- records ---- */

/* config_from() - "Processor: X, Memory: Y" as factors */
static void config_from(struct import *in, const char *text)
{
        static const struct {
                const char *label, *key;
        } known[] = {
                { "Processor: ", "cpu.model" },
                { "Memory: ", "memory.size" },
                { "Disk: ", "drive.model" },
                { "Graphics: ", "gpu.model" },
                { "OS: ", "os.name" },
                { "Kernel: ", "kernel.release" },
                { "File-System: ", "fs.type" },
                { "Desktop: ", "desktop.name" },
                { "Display Server: ", "display.server" },
        };

        for (size_t k = 0; text && k < ELEMENTSOF(known); k++) {
                const char *at = strstr(text, known[k].label), *end;
                char value[256];

                if (!at || (at > text && at[-1] != ' ' && at[-1] != '\n'))
                        continue;
                at += strlen(known[k].label);
                end = strstr(at, ", ");
                (void) snprintf(value, sizeof value, "%.*s",
                                end ? (int) (end - at) : (int) strlen(at), at);
                import_config(in, known[k].key, value);
        }
}

static void begin_sample(struct suite *s, const struct entry *e, const char *suffix)
{
        const struct test *t = &s->tests[e->test];
        const char *id = t->id ? t->id : "unnamed", *slash = strrchr(id, '/'), *version = NULL;
        char name[64], workload[96];
        size_t n = 0;

        id = slash ? slash + 1 : id;
        for (const char *p = strrchr(id, '-'); p && isdigit((unsigned char) p[1]); p = NULL)
                version = p + 1;
        for (; *id && (!version || id + 1 < version) && n + 1 < sizeof name; id++)
                name[n++] = isalnum((unsigned char) *id) || *id == '-' || *id == '.' ? *id : '-';
        name[n] = '\0';
        (void) snprintf(workload, sizeof workload, "phoronix.%.40s%s", n ? name : "unnamed",
                        suffix);
        (void) import_sample(s->in, workload, 0, e->i);
        import_tool(s->in, "phoronix-test-suite", version);
        if (t->version && *t->version)
                import_parameter(s->in, "app_version", t->version);
        if (t->arguments && *t->arguments)
                import_parameter(s->in, "arguments", t->arguments);
        if (t->description && *t->description)
                import_parameter(s->in, "description", t->description);
}

static const char *unit_of(const struct test *t)
{
        static const struct {
                const char *scale, *unit;
        } known[] = { { "Seconds", "s" }, { "Milliseconds", "ms" }, { "Microseconds", "us" } };

        for (size_t k = 0; t->scale && k < ELEMENTSOF(known); k++)
                if (strcasecmp(t->scale, known[k].scale) == 0)
                        return known[k].unit;
        return t->scale ? t->scale : "";
}

static enum better better_of(const struct test *t)
{
        if (t->proportion && strcmp(t->proportion, "LIB") == 0)
                return BETTER_LOWER;
        return t->proportion && strcmp(t->proportion, "HIB") == 0 ? BETTER_HIGHER : BETTER_UNSTATED;
}

/* enter_runs() - "123.40:123.50" one by one. Return: how many; *ret_mean of them. */
static unsigned enter_runs(struct suite *s, const struct entry *e, double *ret_mean)
{
        const struct test *t = &s->tests[e->test];
        const char *p = e->raw;
        double sum = 0;
        unsigned n = 0;

        while (p && *p) {
                size_t length = strcspn(p, ":");
                char raw[MATCH_RAW_BYTES];
                struct number value;

                (void) snprintf(raw, sizeof raw, "%.*s", (int) length, p);
                if (number_parse(raw, COMMA_DECIMAL, &value, NULL)) {
                        begin_sample(s, e, "");
                        import_number(s->in, "result", &value, unit_of(t), better_of(t), e->i, raw);
                        sum += value.value;
                        n++;
                }
                p += length + (p[length] == ':');
        }
        *ret_mean = n ? sum / n : 0;
        return n;
}

static void enter_entry(struct suite *s, const struct entry *e)
{
        const struct test *t = &s->tests[e->test];
        struct number value;
        double mean;
        unsigned n;

        if (t->format && strcmp(t->format, "BAR_GRAPH") != 0) {
                import_unread(s->in, e->i, "%s of %s: only bar graphs hold one figure", t->format,
                              t->id ? t->id : "a test");
                return;
        }
        n = enter_runs(s, e, &mean);
        if (!e->value || !number_parse(e->value, COMMA_DECIMAL, &value, NULL)) {
                if (n == 0)
                        import_warn(s->in, "line %u: %s has no result",
                                    text_number(s->in->text, e->i), t->id ? t->id : "a test");
                return;
        }
        begin_sample(s, e, n ? ".summary" : "");
        import_number(s->in, "result", &value, unit_of(t), better_of(t), e->i, e->value);
        if (n && !number_agrees(&value, mean))
                import_mismatch(s->in, "result", "stated %s, but its %u runs give %.6g on average",
                                e->value, n, mean);
}

static bool same(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

static void enter_system(struct suite *s, const struct patterns *headings, size_t first)
{
        const char *name = s->entries[first].system;

        (void) import_record(s->in, s->entries[first].i);
        if (s->title)
                heading_label(headings, s->in, s->title);
        if (name && *name) {
                import_cover(s->in, name);
                import_label(s->in, "system", name);
        }
        for (size_t k = 0; k < s->n_systems; k++)
                if (same(s->systems[k].name, name)) {
                        config_from(s->in, s->systems[k].hardware);
                        config_from(s->in, s->systems[k].software);
                }
        for (size_t k = first; k < s->n_entries && s->in->error == 0; k++)
                if (same(s->entries[k].system, name)) {
                        import_cover(s->in, s->tests[s->entries[k].test].id
                                                    ? s->tests[s->entries[k].test].id
                                                    : "");
                        import_cover(s->in, s->entries[k].value ? s->entries[k].value : "");
                        import_cover(s->in, s->entries[k].raw ? s->entries[k].raw : "");
                        enter_entry(s, &s->entries[k]);
                }
}

static bool is_first_of_system(const struct suite *s, size_t k)
{
        for (size_t m = 0; m < k; m++)
                if (same(s->entries[m].system, s->entries[k].system))
                        return false;
        return true;
}

/* root_from() - the first line from @i on that holds a document's root; n_lines for none */
static size_t root_from(const struct text *text, size_t i)
{
        while (i < text->n_lines && (!text_is_free(text, i) || !strstr(text_at(text, i), ROOT)))
                i++;
        return i;
}

/* read_document() - what begins on line @i. Return: its last line. */
static size_t read_document(struct import *in, const struct patterns *headings, size_t i)
{
        CLEANUP(suite_freep) struct suite *s = calloc(1, sizeof *s);
        const char *why = NULL;
        size_t last;

        if (s)
                s->parser = XML_ParserCreate("UTF-8");
        if (!s || !s->parser) {
                import_out_of_memory(in);
                return i;
        }
        s->in = in;
        XML_SetUserData(s->parser, s);
        XML_SetElementHandler(s->parser, on_start, on_end);
        XML_SetCharacterDataHandler(s->parser, on_text);
        last = parse(s, i, &why);
        while (s->n_entries > 0 && !s->entries[s->n_entries - 1].is_whole)
                entry_done(&s->entries[--s->n_entries]); /* the one in which the document ended */
        for (size_t k = 0; k < s->n_entries && in->error == 0; k++)
                if (is_first_of_system(s, k))
                        enter_system(s, headings, k);
        for (size_t k = i; k <= last; k++)
                import_skip(in, k);
        if (why)
                import_unread(in, last, "no XML from here on, or cut: %s", why);
        return last;
}

int phoronix_recognize(const struct text *text)
{
        return root_from(text, 0) < text->n_lines ? 95 : 0;
}

void phoronix_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *headings = heading_patterns();
        size_t i = 0;

        if (!headings) {
                import_out_of_memory(in);
                return;
        }
        while (in->error == 0 && (i = root_from(in->text, i)) < in->text->n_lines)
                i = read_document(in, headings, i) + 1;
}
