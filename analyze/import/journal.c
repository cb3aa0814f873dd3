/* analyze/import/journal.c - journalctl -o json, -o export, and -o short-monotonic.
 *
 * All of them carry CLOCK_MONOTONIC; the first two in microseconds, with every field. The short
 * form has only what was printed: who spoke and what was said, and units are found in the words.
 * Each boot id is a record. The short form does not show boots: a kernel's first words begin one.
 */
#include <ctype.h>
#include <string.h>
#include "analyze/import/boot_log.h"
#include "analyze/import/formats.h"
#include "analyze/import/journal_fields.h"
#include "analyze/import/json_part.h"
#include "analyze/import/systemd_startup.h"
#include "analyze/import/unwrap.h"
#include "record/json.h"

#define JSON_MARK "__MONOTONIC_TIMESTAMP"
#define STARTUP "Startup finished in "
#define EXPORT_MARK "__MONOTONIC_TIMESTAMP="
#define FIRST_WORDS "Linux version "

enum { SHORT, SHORT_KERNEL, SESSION, GREETER, N_PATTERNS };

static const char *const sources[N_PATTERNS] = {
        [SHORT] = "^\\[ ?([0-9]+\\.[0-9]{6})\\] \\S+ ([^ :\\[]+)(?:\\[([0-9]+)\\])?: (.*)$",
        [SHORT_KERNEL] = "^\\[ ?[0-9]+\\.[0-9]{6}\\] \\S+ (?:kernel|systemd)(?:\\[[0-9]+\\])?: ",
        [SESSION] = "^New session \\S+ of user ([^ .]+)",
        [GREETER] = "^(?:gdm|Debian-gdm|lightdm|sddm|lxdm|greeter|_?greetd)$",
};

struct journal {
        struct boot_log log;
        struct patterns *p;
        char boot_id[JOURNAL_FIELD_MAX_BYTES]; /* of the open record; "" not known */
        struct journal_fields fields;          /* of the entry that is being gathered */
        bool has_session;                      /* in the open record */
};

/* exact() - what the entry's own fields say in microseconds, in place of what was printed */
static void exact(struct systemd_startup *s, enum systemd_phase k, int64_t us)
{
        if (us < 0)
                return;
        s->phase[k] = timespan_from_us(us, 1);
        s->has[k] = true;
        (void) snprintf(s->raw[k], sizeof s->raw[k], "%lldus", (long long) us);
}

/* enter_startup() - only PID 1 speaks of the system: a user's manager has another uid */
static void enter_startup(struct journal *j, const struct journal_entry *e, size_t i)
{
        struct systemd_startup s;
        int64_t userspace_us;

        if (!e->identifier || strcmp(e->identifier, "systemd") != 0 || e->uid > 0 || !e->message ||
            strncmp(e->message, STARTUP, strlen(STARTUP)) != 0 ||
            !systemd_startup_read(e->message + strlen(STARTUP), &s) || !s.has[KERNEL])
                return;
        exact(&s, KERNEL, j->fields.kernel_us);
        exact(&s, INITRD, j->fields.initrd_us);
        exact(&s, USERSPACE, j->fields.userspace_us);
        (void) systemd_startup_enter(j->log.in, &s, i, &userspace_us);
}

/* enter_session() - the first session of a person. The journal does not say on which seat, so it
 * may have come over the network: the detail says whose it was. */
static void enter_session(struct journal *j, const struct journal_entry *e, size_t i)
{
        struct timespan at = { .us = e->at_us, .error_us = RECORD_ERROR_UNKNOWN };
        char user[64];
        struct match m;

        if (!e->identifier || strcmp(e->identifier, "systemd-logind") != 0 || !e->message ||
            !pattern_match(j->p, SESSION, e->message, &m))
                return;
        match_copy(&m, 1, user, sizeof user);
        if (pattern_match(j->p, GREETER, user, NULL) || j->has_session)
                return;
        j->has_session = true;
        import_see(j->log.in, "login.answered", &at, i, e->message);
}

/* enter() - a whole entry; those of one boot go to one record */
static void enter(struct journal *j, size_t i)
{
        struct journal_entry e;
        bool is_kernel;

        if (!journal_fields_entry(&j->fields, &e)) {
                if (j->fields.n_set > 0)
                        import_unread(j->log.in, i,
                                      "an entry without a time since the kernel started");
                return;
        }
        if (timespan_from_us(e.at_us, 0).implausible) {
                import_unread(j->log.in, i, "%lld us is no stamp of a boot", (long long) e.at_us);
                return;
        }
        if (!j->log.is_open || strcmp(j->fields.value[FIELD_BOOT_ID], j->boot_id) != 0) {
                boot_log_open(&j->log, i);
                j->has_session = false;
                (void) snprintf(j->boot_id, sizeof j->boot_id, "%s",
                                j->fields.value[FIELD_BOOT_ID]);
                if (j->boot_id[0])
                        import_cover(j->log.in, j->boot_id);
                if (j->fields.realtime_us > 0)
                        import_realtime(j->log.in, j->fields.realtime_us - j->fields.monotonic_us);
        }
        is_kernel = e.identifier && strcmp(e.identifier, "kernel") == 0;
        if (is_kernel && e.message)
                boot_log_kernel(&j->log, e.at_us, e.message, i);
        if (is_kernel)
                return;
        boot_log_entry(&j->log, &e, i);
        enter_startup(j, &e, i);
        enter_session(j, &e, i);
}

/* ---- json ---- */

static void read_object(struct journal *j, const json_t *object, size_t i)
{
        const char *key;
        json_t *value;

        journal_fields_clear(&j->fields);
        json_object_foreach((json_t *) (uintptr_t) object, key,
                            value) if (json_is_string(value)) /* binary fields are arrays, and none
                                                                 that matters is one */
                journal_fields_set(&j->fields, key, json_string_value(value));
        enter(j, i);
}

/* read_json_line() - one entry a line, as -o json prints; false when the object goes on below */
static bool read_json_line(struct journal *j, size_t i)
{
        const char *line = text_at(j->log.in->text, i);
        CLEANUP(json_decrefp) json_t *object = NULL;
        size_t n = strlen(line);

        if (n > JSON_PART_MAX_BYTES || line[n - 1] != '}')
                return false;
        object = json_loadb(line, n, JSON_ALLOW_NUL, NULL);
        if (!object) { /* quotes may have become curly */
                CLEANUP(freep) char *plain = json_part_straighten(line);

                object = plain ? json_loads(plain, JSON_ALLOW_NUL, NULL) : NULL;
        }
        if (!object)
                return false;
        read_object(j, object, i);
        return true;
}

static void read_json(struct journal *j)
{
        struct import *in = j->log.in;

        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++) {
                CLEANUP(json_part_done) struct json_part part = JSON_PART_NULL;
                const char *line = text_at(in->text, i);

                if (!text_is_free(in->text, i) || *line != '{')
                        continue;
                if (line[1] && read_json_line(j, i))
                        continue;
                if (line[1]) { /* pretty ones begin with a bracket alone */
                        import_unread(in, i, "no JSON, or cut in the middle");
                        continue;
                }
                /* -o json-pretty */
                if (!json_part_next(in->text, i, JSON_MARK, &part))
                        break;
                if (part.was_cut)
                        import_unread(in, part.first, "an entry that is cut");
                else
                        read_object(j, part.j, part.first);
                if (in->error == 0 && j->log.is_open)
                        json_part_take(in, &part);
                i = part.last;
        }
}

/* ---- export ---- */

/* export_field() - "KEY=value"; *ret_value is into @line. Else it is a field with a length before
 * it: its bytes follow, and none that matters, but there may be blank lines among them. */
static bool export_field(const char *line, char *ret_key, size_t size, const char **ret_value)
{
        size_t n = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

        if (n == 0 || n >= size || line[n] != '=')
                return false;
        (void) snprintf(ret_key, size, "%.*s", (int) n, line);
        *ret_value = line + n + 1;
        return true;
}

/* read_export() - an entry begins with its addresses, the fields of two underscores. The blank line
 * before them gets lost, and others occur inside of messages. */
static void read_export(struct journal *j)
{
        struct import *in = j->log.in;
        bool in_addresses = false;
        size_t first = 0;

        journal_fields_clear(&j->fields);
        for (size_t i = 0; i < in->text->n_lines && in->error == 0; i++) {
                const char *value;
                char key[64];
                bool is_address;

                if (!text_is_free(in->text, i) ||
                    !export_field(text_at(in->text, i), key, sizeof key, &value))
                        continue;
                is_address = strncmp(key, "__", 2) == 0;
                if (is_address && !in_addresses) {
                        enter(j, first);
                        journal_fields_clear(&j->fields);
                        first = i;
                }
                in_addresses = is_address;
                journal_fields_set(&j->fields, key, value);
                import_skip(in, i);
        }
        enter(j, first);
}

/* ---- short-monotonic ---- */

static void read_short_line(struct journal *j, size_t i)
{
        char raw[32], who[64], pid[16];
        struct timespan at;
        struct match m;

        if (!pattern_match(j->p, SHORT, text_at(j->log.in->text, i), &m))
                return;
        match_copy(&m, 1, raw, sizeof raw);
        match_copy(&m, 2, who, sizeof who);
        match_copy(&m, 3, pid, sizeof pid);
        if (timespan_parse(raw, TIMESPAN_BARE, &at, NULL) < 0 || at.implausible) {
                import_unread(j->log.in, i, "'%s' is no stamp of a boot", raw);
                return;
        }
        journal_fields_clear(&j->fields);
        journal_fields_short(&j->fields, at.us, who, pid, m.subject + (m.n > 4 ? m.from[4] : 0));
        if (j->log.is_open && strcmp(who, "kernel") == 0 &&
            strncmp(j->fields.value[FIELD_MESSAGE], FIRST_WORDS, strlen(FIRST_WORDS)) == 0)
                boot_log_close(&j->log);
        enter(j, i);
}

static void read_short(struct journal *j)
{
        for (size_t i = 0; i < j->log.in->text->n_lines && j->log.in->error == 0; i++)
                if (text_is_free(j->log.in->text, i))
                        read_short_line(j, i);
}

/* ---- */

enum kind { KIND_NONE, KIND_JSON, KIND_EXPORT, KIND_SHORT };

static enum kind kind_of(const struct text *text, const struct patterns *p)
{
        unsigned n = 0;

        for (size_t i = 0; i < text->n_lines; i++) {
                const char *line = text_at(text, i);

                if (!text_is_free(text, i))
                        continue;
                if (strncmp(line, EXPORT_MARK, strlen(EXPORT_MARK)) == 0)
                        return KIND_EXPORT;
                if ((*line == '{' || *line == '"' || *line == '\xe2') && strstr(line, JSON_MARK))
                        return KIND_JSON;
                n += pattern_match(p, SHORT_KERNEL, line, NULL);
                if (n >= 2)
                        return KIND_SHORT;
        }
        return KIND_NONE;
}

void journal_unwrap(struct text *text) { unwrap_wide(text, sources[SHORT]); }

int journal_recognize(const struct text *text)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);

        return p && kind_of(text, p) != KIND_NONE ? 95 : 0;
}

void journal_read(struct import *in)
{
        CLEANUP(patterns_freep) struct patterns *p = patterns_new(sources, N_PATTERNS);
        CLEANUP(freep) struct journal *j = calloc(1, sizeof *j);

        if (!p || !j) {
                import_out_of_memory(in);
                return;
        }
        j->log.in = in;
        j->p = p;
        switch (kind_of(in->text, p)) {
        case KIND_JSON:
                read_json(j);
                break;
        case KIND_EXPORT:
                read_export(j);
                break;
        case KIND_SHORT:
                read_short(j);
                break;
        case KIND_NONE:
                break;
        }
        boot_log_close(&j->log);
}
