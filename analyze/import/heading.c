/* analyze/import/heading.c - see heading.h. Only what is named is labelled: "no dmcrypt" is "none",
 * and a heading that does not speak of encryption says nothing about it. */
#include "analyze/import/heading.h"
#include <ctype.h>
#include <string.h>

#define HEADING_LINE_MAX_BYTES 120
#define HEADING_BLANKS_MAX 2

enum {
        RPM,
        MEMORY,
        SIZE,
        MAKER,
        SOLID,
        PLAIN,
        CRYPT,
        LUKS,
        HIGHMEM,
        NO_HIGHMEM,
        WM,
        RELEASE,
        N_PATTERNS
};

static const char *const sources[N_PATTERNS] = {
        [RPM] = "\\b([0-9]{4,5}) ?rpm\\b",
        [MEMORY] = "\\b([0-9]+)(?:\\.([0-9]+))? ?([KMGT])i?B? (?:of )?(?:ram|memory)\\b",
        [SIZE] = "\\b([0-9]+)(?:\\.([0-9]+))? ?([MGT])(i?)B?\\b(?! (?:of )?(?:ram|memory))",
        [MAKER] = ("\\b(seagate|hitachi|hgst|western "
                   "digital|wd|samsung|toshiba|maxtor|fujitsu|ibm|intel|"
                   "ocz|crucial|micron|kingston|sandisk|corsair|quantum|conner)\\b"),
        [SOLID] = "\\b(ssd|nvme|flash)\\b",
        [PLAIN] = ("\\b(?:no|without|not) "
                   "?-?(?:dm-?crypt|luks2?|cryptsetup|crypt\\w*|encrypt\\w*)\\b|"
                   "\\bunencrypted\\b"),
        [CRYPT] = "\\bdm-?crypt\\b|\\bcryptsetup\\b|\\bencrypted\\b",
        [LUKS] = "\\b(luks[12]?)\\b",
        [HIGHMEM] = "\\b(?:CONFIG_)?HI(?:GH)?MEM_?(64|4) ?G\\b",
        [NO_HIGHMEM] = "\\bno[ _]?hi(?:gh)?mem\\b|\\bhi(?:gh)?mem off\\b",
        [WM] = ("\\b(e16|e17|enlightenment|gnome|kde|plasma|xfce4?|lxde|lxqt|mate|cinnamon|i3|sway|"
                "fvwm|"
                "openbox|fluxbox|twm|icewm)\\b"),
        [RELEASE] = "\\b(?:kernel|linux) v?([0-9]+\\.[0-9]+[\\w.+@-]*)",
};

static void lower(char *text)
{
        for (; *text; text++)
                *text = (char) tolower((unsigned char) *text);
}

/* bytes_of() - groups 1 (whole), 2 (decimals), 3 (prefix letter) as bytes; -1 when they do not fit.
 * In integers, since 0.5 TB has to be 500000000000 exactly. */
static int64_t bytes_of(const struct match *m, unsigned base)
{
        static const char letters[] = "KMGT";
        char letter[2], decimals[8];
        int64_t whole, unit = 1, part = 0;
        const char *at;

        match_copy(m, 3, letter, sizeof letter);
        at = strchr(letters, toupper((unsigned char) letter[0]));
        for (long i = 0; at && i <= at - letters; i++)
                unit *= base;
        if (!at || !match_integer(m, 1, &whole) || __builtin_mul_overflow(whole, unit, &whole))
                return -1;
        match_copy(m, 2, decimals, sizeof decimals);
        for (const char *p = decimals; *p; p++) {
                unit /= 10;
                part += (*p - '0') * unit;
        }
        return __builtin_add_overflow(whole, part, &whole) ? -1 : whole;
}

static void label_size(struct import *in, const char *key, const struct match *m, unsigned base)
{
        int64_t bytes = bytes_of(m, base);

        if (bytes > 0)
                import_label_integer(in, key, bytes);
}

static void label_word(struct import *in, const char *key, const struct match *m)
{
        char word[64];

        lower(match_copy(m, 1, word, sizeof word));
        import_label(in, key, strcmp(word, "wd") == 0 ? "western digital" : word);
}

static void label_drive(struct import *in, const struct patterns *p, const char *text)
{
        struct match m;
        int64_t rpm;

        if (pattern_match(p, RPM, text, &m) && match_integer(&m, 1, &rpm))
                import_label_integer(in, "drive.rpm", rpm);
        /* Drives are sold in powers of ten, memory in powers of two; "GiB" says so itself. */
        if (pattern_match(p, SIZE, text, &m))
                label_size(in, "drive.size_bytes", &m, match_has(&m, 4) ? 1024 : 1000);
        if (pattern_match(p, MAKER, text, &m))
                label_word(in, "drive.maker", &m);
        if (pattern_match(p, SOLID, text, &m))
                label_word(in, "drive.type", &m);
        if (pattern_match(p, MEMORY, text, &m))
                label_size(in, "memory.bytes", &m, 1024);
}

static void label_system(struct import *in, const struct patterns *p, const char *text)
{
        struct match m;

        if (pattern_match(p, PLAIN, text, NULL))
                import_label(in, "crypt.type", "none");
        else if (pattern_match(p, LUKS, text, &m))
                label_word(in, "crypt.type", &m);
        else if (pattern_match(p, CRYPT, text, NULL))
                import_label(in, "crypt.type", "dm-crypt");
        if (pattern_match(p, NO_HIGHMEM, text, NULL))
                import_label(in, "kernel.highmem", "none");
        else if (pattern_match(p, HIGHMEM, text, &m))
                import_label(in, "kernel.highmem", text[m.from[1]] == '6' ? "64g" : "4g");
        if (pattern_match(p, WM, text, &m))
                label_word(in, "wm.name", &m);
        if (pattern_match(p, RELEASE, text, &m))
                label_word(in, "kernel.release", &m);
}

struct patterns *heading_patterns(void) { return patterns_new(sources, N_PATTERNS); }

bool heading_names_factors(const struct patterns *p, const char *text)
{
        for (size_t i = 0; i < N_PATTERNS; i++)
                if (pattern_match(p, i, text, NULL))
                        return true;
        return false;
}

void heading_label(const struct patterns *p, struct import *in, const char *text)
{
        if (*text == '\0')
                return;
        import_cover(in, text);
        import_label(in, "heading", text);
        label_drive(in, p, text);
        label_system(in, p, text);
}

bool heading_is_rule(const char *line) { return *line && strspn(line, "-=_*~+#") == strlen(line); }

/* is_mail() - a header line, or the one over a quotation */
static bool is_mail(const char *line)
{
        static const char *const heads[] = { "from:",       "to:",      "cc:",       "date:",
                                             "subject:",    "sent:",    "content-t", "mime-",
                                             "message-id:", "x-mailer:" };
        size_t n = strlen(line);

        for (size_t i = 0; i < ELEMENTSOF(heads); i++)
                if (strncasecmp(line, heads[i], strlen(heads[i])) == 0)
                        return true;
        return n > 6 && strcmp(line + n - 6, "wrote:") == 0;
}

/* is_command() - the name of a tool whose output people paste, with nothing but words after it */
static bool is_command(const char *line)
{
        static const char *const tools[] = { "systemd-analyze",
                                             "sysbench",
                                             "diskinfo",
                                             "hyperfine",
                                             "fio",
                                             "ioping",
                                             "dmesg",
                                             "journalctl",
                                             "time",
                                             "make",
                                             "./Run",
                                             "sudo",
                                             "cat",
                                             "phoronix-test-suite",
                                             "dd",
                                             "cd" };

        for (size_t i = 0; i < ELEMENTSOF(tools); i++) {
                size_t n = strlen(tools[i]);

                if (strncmp(line, tools[i], n) == 0 && (line[n] == '\0' || line[n] == ' '))
                        return true;
        }
        return false;
}

bool heading_may_be(const char *line)
{
        const char *option = strstr(line, " -");
        size_t n = strlen(line);

        return n > 0 && n <= HEADING_LINE_MAX_BYTES && *line != '(' && !heading_is_rule(line) &&
               !is_mail(line) && !is_command(line) && !(n > 60 && line[n - 1] == '.') &&
               !(option && (option[2] == '-' || isalpha((unsigned char) option[2])));
}

size_t heading_above(struct import *in, size_t i, unsigned n_max, char *ret, size_t size)
{
        size_t first = i, used = 0;
        unsigned n = 0, blanks = 0;

        for (size_t k = i; k-- > 0 && n < n_max && blanks <= HEADING_BLANKS_MAX;) {
                const char *line = text_at(in->text, k);

                if (*line == '\0') {
                        blanks++;
                        continue;
                }
                /* Over a table's head there may be another head of the same table. */
                if (n == 0 && k + 1 == i && in->text->lines[k].taken)
                        continue;
                if (in->text->lines[k].prompt || is_command(line))
                        continue;
                if (in->text->lines[k].taken || !heading_may_be(line))
                        break;
                first = k;
                blanks = 0;
                n++;
        }
        *ret = '\0';
        for (size_t k = first; k < i && used + 1 < size; k++)
                if (text_is_free(in->text, k) && !in->text->lines[k].prompt &&
                    !is_command(text_at(in->text, k))) {
                        int m = snprintf(ret + used, size - used, "%s%s", used ? ", " : "",
                                         text_at(in->text, k));

                        used += m > 0 && (size_t) m < size - used ? (size_t) m : size - used - 1;
                        import_skip(in, k);
                }
        return first;
}
