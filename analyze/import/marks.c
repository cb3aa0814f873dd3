/* analyze/import/marks.c - see marks.h. The order of time and words varies ("27 X start",
 * "X start: 27s"), and so do the separators. */
#include "analyze/import/marks.h"
#include <ctype.h>
#include <string.h>

#define WORDS_MAX_BYTES 64
#define LINE_MAX_BYTES 1024 /* notes are short; prose with figures in it is not for us */

/* What a person's words mean: a milestone, or a mail folder whose name group 1 or @name gives. */
static const struct meaning {
        const char *words; /* pattern for all of them */
        const char *name;
        bool is_folder;
} meanings[] = {
        { "^(?:x|xorg|x11|x ?server)(?: (?:is )?(?:start(?:s|ed|up)?|up|ready|begins?))?$",
          "x.ready", false },
        { "^(?:ready|(?:e|e16|e17|enlightenment|gnome|kde|plasma|xfce4?|lxde|lxqt|mate|cinnamon)"
          "(?: (?:is )?(?:ready|up|usable|there|complete))?)$",
          "desktop.windows", false },
        { "^(?:a |the )?(?:usable )?(?:desktop|icons?|panels?)"
          "(?: (?:is |are |all )*(?:ready|up|usable|shown|there|complete|visible|appears?))?$",
          "desktop.windows", false },
        { "^(?:rcv|rcvds?|received)(?: (?:mail|folder))?$", "rcvd", true },
        { "^(?:snds?|snts?|sent)(?: (?:mail|folder))?$", "snd", true },
        { "^(?:mail|maildir|mailbox|mail folder|folder) ([a-z0-9_-]+)$", NULL, true },
        { "^([a-z0-9_-]+) (?:mail|maildir|mailbox|mail folder|folder)$", NULL, true },
        { "^(inbox)$", NULL, true },
        { "^(?:wm|window manager)(?: (?:is )?(?:ready|up|start(?:s|ed)?))?$", "wm.ready", false },
        { "^(?:the )?(?:login|greeter|gdm3?|lightdm|sddm|kdm|xdm|login (?:prompt|screen|window))"
          "(?: (?:is )?(?:ready|up|shown))?$",
          "login.prompt", false },
        { "^(?:logged in|login (?:done|typed|answered))$", "login.answered", false },
        { "^(?:passphrase|password|unlock|luks|crypt)(?: (?:prompt|question|asked))$",
          "unlock.prompt", false },
        { "^(?:unlocked|(?:passphrase|unlock) (?:typed|entered|given|answered|done))$",
          "unlock.answered", false },
        { "^(?:boot )?menu(?: (?:shown|prompt|up))?$", "menu.prompt", false },
        { "^(?:kernel|kernel (?:start|starts|started))$", "kernel.start", false },
        { "^(?:idle|settled|quiet|disk (?:is )?(?:idle|quiet)|desktop (?:idle|settled))$",
          "desktop.settled", false },
};

/* Where people start their watches. */
static const struct start {
        const char *words, *name;
} starts[] = {
        { "\\b(?:power|switch(?:ing|ed)? on|cold)\\b", "power.on" },
        { "\\b(?:menu|grub|lilo|loader|bootloader|enter)\\b", "menu.answered" },
        { "\\bkernel\\b", "kernel.start" },
        { "\\b(?:log ?in|password|logon)\\b", "login.answered" },
};

enum {
        FIRST_START = ELEMENTSOF(meanings),
        WORDS_FIRST = FIRST_START + ELEMENTSOF(starts),
        FROM_TO,
        N_PATTERNS
};

struct marks {
        struct patterns *p;
};

/* One part of a line. */
struct part {
        struct timespan time;
        char raw[WORDS_MAX_BYTES];                     /* the time as it stood */
        char words[WORDS_MAX_BYTES];                   /* the words as they stood */
        char name[MATCH_GROUPS_MAX + WORDS_MAX_BYTES]; /* milestone or folder; "" not known */
        bool is_folder;
};

struct marks *marks_new(void)
{
        const char *sources[N_PATTERNS];
        CLEANUP(marks_freep) struct marks *m = calloc(1, sizeof *m);

        for (size_t i = 0; i < ELEMENTSOF(meanings); i++)
                sources[i] = meanings[i].words;
        for (size_t i = 0; i < ELEMENTSOF(starts); i++)
                sources[FIRST_START + i] = starts[i].words;
        sources[FROM_TO] = "^(?:from (.+?) )?(?:time )?(?:to|till|until) "
                           "(?:(?:launch|open|start|load)(?:ing)? )?(.+)$";
        sources[WORDS_FIRST] =
                "^([^0-9~]*[^0-9~ :=@-])(?: (?:at|after|in)\\b)? ?[:=@-]? ?([0-9~].*)$";
        if (m)
                m->p = patterns_new(sources, N_PATTERNS);
        return m && m->p ? TAKE(m) : NULL;
}

void marks_freep(struct marks **m)
{
        if (*m)
                patterns_freep(&(*m)->p);
        free(*m);
        *m = NULL;
}

static void give_meaning(const struct marks *m, struct part *part)
{
        struct match found;

        for (size_t i = 0; i < ELEMENTSOF(meanings); i++) {
                if (!pattern_match(m->p, i, part->words, &found))
                        continue;
                if (meanings[i].name)
                        (void) snprintf(part->name, sizeof part->name, "%s", meanings[i].name);
                else
                        match_copy(&found, 1, part->name, sizeof part->name);
                for (char *p = part->name; *p; p++)
                        *p = (char) tolower((unsigned char) *p);
                part->is_folder = meanings[i].is_folder;
                return;
        }
}

/* copy_trimmed() - @n bytes of @from without blanks and colons at either end */
static void copy_trimmed(char ret[WORDS_MAX_BYTES], const char *from, size_t n)
{
        while (n > 0 && strchr(" :=", *from))
                from++, n--;
        while (n > 0 && strchr(" :=.", from[n - 1]))
                n--;
        if (n >= WORDS_MAX_BYTES)
                n = WORDS_MAX_BYTES - 1;
        memcpy(ret, from, n);
        ret[n] = '\0';
}

/* read_part() - false when it is no time with words */
static bool read_part(const struct marks *m, const char *text, struct part *ret)
{
        struct part part = { .words = "" };
        struct match words;
        size_t used;

        text += strspn(text, " ");
        if (timespan_parse(text, TIMESPAN_BARE | TIMESPAN_COMMA, &part.time, &used) == 0) {
                copy_trimmed(part.raw, text, used);
                /* "27nd" is a word, not a time */
                if (text[used] != ' ' && text[used] != ':' && text[used] != '=')
                        return false;
                copy_trimmed(part.words, text + used, strlen(text + used));
        } else if (pattern_match(m->p, WORDS_FIRST, text, &words)) {
                const char *time = text + words.from[2];

                if (timespan_parse(time, TIMESPAN_BARE | TIMESPAN_COMMA, &part.time, NULL) < 0)
                        return false;
                copy_trimmed(part.raw, time, strlen(time));
                copy_trimmed(part.words, text + words.from[1], words.to[1] - words.from[1]);
        } else {
                return false;
        }
        if (part.words[0] == '\0')
                return false;
        give_meaning(m, &part);
        *ret = part;
        return true;
}

/* is_whole() - the first @n bytes are a time with its words, so that a dash after them parts */
static bool is_whole(const struct marks *m, const char *line, size_t n)
{
        char text[2 * WORDS_MAX_BYTES];
        struct part part;

        (void) snprintf(text, sizeof text, "%.*s", (int) (n < sizeof text ? n : sizeof text - 1),
                        line);
        return read_part(m, text, &part) && part.name[0] != '\0';
}

/* next_part() - cut at '/', ';', '|', at a comma that is no decimal point, and at a dash that is
 * neither a range's nor stands between a time and its words. Return: where the next begins, or NULL
 * after the last. */
static const char *next_part(const struct marks *m, const char *line, char *ret, size_t size)
{
        size_t n = 0;

        while (line[n] && !strchr("/;|", line[n]) &&
               !(line[n] == ',' && !isdigit((unsigned char) line[n + 1])) &&
               !(strncmp(line + n, " - ", 3) == 0 && is_whole(m, line, n)))
                n++;
        (void) snprintf(ret, size, "%.*s", (int) (n < size ? n : size - 1), line);
        return line[n] ? line + n + (line[n] == ' ' ? 3 : 1) : NULL;
}

unsigned marks_count(const struct marks *m, const char *line)
{
        unsigned n = 0;

        if (!strpbrk(line, "0123456789") || strlen(line) > LINE_MAX_BYTES)
                return 0;
        while (line) {
                char text[2 * WORDS_MAX_BYTES];
                struct part part;

                line = next_part(m, line, text, sizeof text);
                n += read_part(m, text, &part) && part.name[0] != '\0';
        }
        return n;
}

/* slug() - words as the end of a dotted name */
static void slug(const char *words, char ret[WORDS_MAX_BYTES])
{
        size_t n = 0;

        for (; *words && n < WORDS_MAX_BYTES / 2; words++)
                if (isalnum((unsigned char) *words))
                        ret[n++] = (char) tolower((unsigned char) *words);
                else if (n > 0 && ret[n - 1] != '-')
                        ret[n++] = '-';
        while (n > 0 && ret[n - 1] == '-')
                n--;
        ret[n] = '\0';
}

/* latest_us() - the last mark of the open record so far */
static int64_t latest_us(const struct import *in)
{
        const struct record *r = in->records[in->n_records - 1];
        int64_t latest = 0;

        for (size_t i = 0; i < r->n_milestones; i++)
                if (!r->milestones[i].best.implausible && r->milestones[i].best.at_us > latest)
                        latest = r->milestones[i].best.at_us;
        return latest;
}

static void enter_milestone(struct import *in, const struct part *part, const char *name, size_t i)
{
        struct timespan at = part->time;
        char words[2 * WORDS_MAX_BYTES];

        /* A stamp is an upper bound: of "30-40" it is 40, up to 10 late. */
        at.us = at.to_us;
        if (!at.implausible)
                at.error_us += at.to_us - part->time.us;
        if (record_find(in->records[in->n_records - 1], name))
                import_warn(in, "line %u: a second time for %s", text_number(in->text, i), name);
        else if (at.us < latest_us(in))
                import_warn(
                        in,
                        "line %u: %s comes before the mark to its left: these times may not all "
                        "count from one start",
                        text_number(in->text, i), name);
        (void) snprintf(words, sizeof words, "%s %s", part->raw, part->words);
        import_see(in, name, &at, i, words);
}

static void enter_sample(struct import *in, const struct part *part, const char *workload, size_t i)
{
        struct timespan t = part->time;

        t.us += (t.to_us - t.us) / 2;
        (void) import_sample(in, workload, 0, i);
        import_value_span(in, "real", &t, i, part->raw);
        import_detail(in, "words", part->words);
        if (t.is_vague)
                import_detail(in, "vague", part->raw);
}

static void enter(struct import *in, const struct part *part, size_t i)
{
        char name[2 * WORDS_MAX_BYTES], end[WORDS_MAX_BYTES];

        slug(part->words, end);
        if (part->is_folder)
                (void) snprintf(name, sizeof name, "maildir.open.%.40s", part->name);
        else if (part->name[0])
                (void) snprintf(name, sizeof name, "%s", part->name);
        else if (end[0] == '\0')
                import_unread(in, i, "'%s %s' has no name in it", part->raw, part->words);
        else
                (void) snprintf(name, sizeof name, "%s.%s",
                                part->time.us >= latest_us(in) ? "user" : "notes", end);
        if (!part->is_folder && !part->name[0] && end[0] == '\0')
                return;
        if (part->is_folder || strncmp(name, "notes.", 6) == 0)
                enter_sample(in, part, name, i);
        else
                enter_milestone(in, part, name, i);
}

void marks_read(const struct marks *m, struct import *in, size_t i, const char *line)
{
        while (line && in->error == 0) {
                char text[2 * WORDS_MAX_BYTES];
                struct part part;

                line = next_part(m, line, text, sizeof text);
                if (text[strspn(text, " ")] == '\0')
                        continue;
                if (read_part(m, text, &part))
                        enter(in, &part, i);
                else
                        import_unread(in, i, "'%s' is no time with a name", text);
        }
}

void marks_begin(struct import *in, const char *start, size_t i)
{
        struct timespan zero = { .us = 0 };
        struct record *r = import_record(in, i);

        if (!r)
                return;
        r->origin = strdup(start);
        if (!r->origin)
                import_out_of_memory(in);
        import_see(in, start, &zero, i, "the watch was started");
}

/* A boot with dm-crypt holds the typing of a passphrase somewhere. */
static void warn_of_typing(struct import *in, const struct record *r)
{
        const char *type = json_string_value(json_object_get(r->labels, "crypt.type"));

        if (type && strcmp(type, "none") != 0 && !record_find(r, "unlock.prompt") &&
            !record_find(r, "unlock.answered"))
                import_warn(
                        in,
                        "%s without a mark of its unlocking: typing the passphrase may be inside "
                        "these times",
                        type);
}

void marks_end(struct import *in)
{
        static const char *const kinds[] = { "menu", "unlock", "login" };
        const struct record *r =
                in->error == 0 && in->n_records ? in->records[in->n_records - 1] : NULL;

        for (size_t k = 0; r && k < ELEMENTSOF(kinds); k++) {
                char prompt[32], answered[32];
                int64_t from_us, to_us;

                (void) snprintf(prompt, sizeof prompt, "%s.prompt", kinds[k]);
                (void) snprintf(answered, sizeof answered, "%s.answered", kinds[k]);
                if (record_at(r, prompt, &from_us) && record_at(r, answered, &to_us) &&
                    to_us >= from_us)
                        import_wait(in, kinds[k], from_us, to_us);
        }
        if (r)
                warn_of_typing(in, r);
}

bool marks_split(const struct marks *m, const char *line, char *ret_words, char *ret_raw)
{
        char text[2 * WORDS_MAX_BYTES];
        struct part part;
        char *remark;

        if (strlen(line) >= sizeof text)
                return false;
        (void) snprintf(text, sizeof text, "%s", line);
        remark = strstr(text, " (");
        if (remark)
                *remark = '\0';
        if (!read_part(m, text, &part))
                return false;
        (void) snprintf(ret_words, WORDS_MAX_BYTES, "%s", part.words);
        (void) snprintf(ret_raw, WORDS_MAX_BYTES, "%s", part.raw);
        return true;
}

static const char *start_of(const struct marks *m, const char *words)
{
        for (size_t i = 0; i < ELEMENTSOF(starts); i++)
                if (pattern_match(m->p, FIRST_START + i, words, NULL))
                        return starts[i].name;
        return NULL;
}

bool marks_goal(const struct marks *m, const char *words, const char **ret_start, char *ret_goal)
{
        struct part part = { .words = "" };
        struct match found;

        *ret_start = NULL;
        copy_trimmed(part.words, words, strlen(words));
        if (pattern_match(m->p, FROM_TO, words, &found)) {
                char from[WORDS_MAX_BYTES];

                *ret_start = start_of(m, match_copy(&found, 1, from, sizeof from));
                match_copy(&found, 2, part.words, sizeof part.words);
                copy_trimmed(ret_goal, part.words, strlen(part.words));
                return *ret_goal != '\0';
        }
        give_meaning(m, &part);
        (void) snprintf(ret_goal, WORDS_MAX_BYTES, "%s", part.words);
        return part.name[0] != '\0';
}

void marks_enter(const struct marks *m, struct import *in, size_t i, const char *words,
                 const char *raw)
{
        struct part part = { .words = "" };

        if (timespan_parse(raw, TIMESPAN_BARE | TIMESPAN_COMMA, &part.time, NULL) < 0) {
                import_unread(in, i, "'%.40s' is no length of time", raw);
                return;
        }
        copy_trimmed(part.words, words, strlen(words));
        copy_trimmed(part.raw, raw, strlen(raw));
        give_meaning(m, &part);
        if (in->error == 0)
                enter(in, &part, i);
}
