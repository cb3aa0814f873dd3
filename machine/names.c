/* machine/names.c - the second net beneath privacy.c: whatever text got into a record, by a path, a
 * unit's name or an error message, this machine's own names are taken out of it */
#include "machine/names.h"
#include <ctype.h>
#include <string.h>
#include "machine/identifier.h"
#include "machine/root.h"
#include "machine/udev.h"
#include "record/procfile.h"

#define FILE_MAX_BYTES (1024 * 1024)
#define WORD_MIN_BYTES 3
#define USER_ID_MIN 1000
#define USER_ID_MAX 59999 /* above: nobody, dynamic users, containers' ranges */

static const char host[] = "<host>", user[] = "<user>", machine[] = "<machine>",
                  serial[] = "<serial>";

void names_done(struct names *n)
{
        for (size_t i = 0; i < n->n_entries; i++)
                free(n->entries[i].word);
        free(n->entries);
        *n = NAMES_NULL;
}

static bool is_common(const char *word)
{
        static const char *const common[] = {
                "localhost", "localdomain", "debian",      "ubuntu",        "fedora",
                "arch",      "linux",       "raspberrypi", "user",          "root",
                "admin",     "live",        "host",        "machine",       "serial",
                "none",      "unknown",     "home",        "default string"
        };

        for (size_t i = 0; i < ELEMENTSOF(common); i++)
                if (strcasecmp(word, common[i]) == 0)
                        return true;
        return false;
}

static int add(struct names *n, const char *word, const char *instead)
{
        struct name *grown;

        if (strlen(word) < WORD_MIN_BYTES || is_common(word))
                return 0;
        grown = reallocarray(n->entries, n->n_entries + 1, sizeof *grown);
        if (!grown)
                return -ENOMEM;
        n->entries = grown;
        grown[n->n_entries] = (struct name){ .word = strdup(word), .instead = instead };
        if (!grown[n->n_entries].word)
                return -ENOMEM;
        n->n_entries++;
        return 0;
}

/* add_host() - the whole name, and its first label when it has a domain */
static int add_host(struct names *n, const struct machine_context *m, const char *path)
{
        CLEANUP(freep) char *name = NULL;
        int r;

        if (root_line(m, &name, "%s", path) < 0)
                return 0;
        r = add(n, name, host);
        name[strcspn(name, ".")] = '\0';
        return r < 0 ? r : add(n, name, host);
}

static int add_users(struct names *n, const struct machine_context *m)
{
        CLEANUP(freep) char *text = NULL;
        int r = 0;

        if (root_read(m, FILE_MAX_BYTES, &text, NULL, "etc/passwd") < 0)
                return 0;
        for (char *rest = text, *line; r == 0 && (line = strsep(&rest, "\n"));) {
                char *name = strsep(&line, ":"), *id = NULL;
                int64_t uid;

                (void) strsep(&line, ":");
                id = strsep(&line, ":");
                if (id && parse_int(id, &uid) == 0 && uid >= USER_ID_MIN && uid <= USER_ID_MAX)
                        r = add(n, name, user);
        }
        return r;
}

static int add_line(struct names *n, const struct machine_context *m, const char *instead,
                    const char *folder, const char *name, const char *file)
{
        CLEANUP(freep) char *line = NULL;

        if (root_line(m, &line, "%s%s%s", folder, name, file) < 0)
                return 0;
        return add(n, line, instead);
}

static int add_udev_serial(struct names *n, const struct machine_context *m, const char *block)
{
        CLEANUP(json_decrefp) json_t *udev = NULL;
        CLEANUP(freep) char *devno = NULL, *word = NULL;
        unsigned major, minor;

        if (root_line(m, &devno, "sys/block/%s/dev", block) < 0 ||
            sscanf(devno, "%u:%u", &major, &minor) != 2)
                return 0;
        udev = udev_properties(m, major, minor);
        word = udev_text(udev, "ID_SERIAL_SHORT");
        return word ? add(n, word, serial) : 0;
}

static int add_drives(struct names *n, const struct machine_context *m)
{
        CLEANUP(root_list_freep) char **blocks = NULL;
        int r = 0;

        if (root_list(m, &blocks, "sys/block") < 0)
                return 0;
        for (char **block = blocks; r == 0 && *block; block++) {
                if (!root_exists(m, "sys/block/%s/device", *block))
                        continue; /* nothing made in a factory */
                r = add_line(n, m, serial, "sys/block/", *block, "/serial");
                if (r == 0)
                        r = add_line(n, m, serial, "sys/block/", *block, "/device/serial");
                if (r == 0)
                        r = add_udev_serial(n, m, *block);
        }
        return r;
}

int names_read(struct names *ret, const struct machine_context *m)
{
        static const char *const dmi[] = { "product_serial", "board_serial", "chassis_serial",
                                           "product_uuid" };
        CLEANUP(names_done) struct names n = NAMES_NULL;
        int r = add_host(&n, m, "proc/sys/kernel/hostname");

        if (r == 0)
                r = add_host(&n, m, "etc/hostname");
        if (r == 0)
                r = add_users(&n, m);
        if (r == 0)
                r = add_line(&n, m, machine, "etc/", "machine-id", "");
        if (r == 0)
                r = add_drives(&n, m);
        for (size_t i = 0; r == 0 && i < ELEMENTSOF(dmi); i++)
                r = add_line(&n, m, serial, "sys/class/dmi/id/", dmi[i], "");
        if (r < 0)
                return r;
        *ret = n;
        n = NAMES_NULL;
        return 0;
}

/* home_length() - of the user's name in "/home/NAME/..." and its like, whoever keeps the accounts
 */
static size_t home_length(const char *text, const char *p)
{
        static const char *const folders[] = { "/home/", "/var/mail/", "/var/spool/mail/",
                                               "/Users/" };

        for (size_t i = 0; i < ELEMENTSOF(folders); i++) {
                size_t n = strlen(folders[i]);

                if ((size_t) (p - text) >= n && strncmp(p - n, folders[i], n) == 0)
                        return strcspn(p, "/ \t\n:,;'\"");
        }
        return 0;
}

static const struct name *name_at(const struct names *n, const char *text, const char *p)
{
        if (!identifier_word_begins(text, p))
                return NULL;
        for (size_t i = 0; i < n->n_entries; i++) {
                size_t length = strlen(n->entries[i].word);

                if (strncasecmp(p, n->entries[i].word, length) == 0 &&
                    !isalnum((unsigned char) p[length]))
                        return &n->entries[i];
        }
        return NULL;
}

char *names_hide(const struct names *n, const char *text)
{
        struct text t = TEXT_NULL;

        text_put_string(&t, "");
        for (const char *p = text; *p;) {
                size_t home = home_length(text, p);
                const struct name *name = home ? NULL : name_at(n, text, p);

                if (home > 0) {
                        text_put_string(&t, user);
                        p += home;
                } else if (name) {
                        text_put_string(&t, name->instead);
                        p += strlen(name->word);
                } else {
                        text_put(&t, p++, 1);
                }
        }
        return text_take(&t);
}
