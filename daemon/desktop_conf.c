/* daemon/desktop_conf.c - see desktop_conf.h */
#include "daemon/desktop_conf.h"
#include <fnmatch.h>
#include <ini.h>
#include <string.h>
#include "record/procfile.h"

void desktop_window_done(struct desktop_window *w)
{
        free(w->class);
        free(w->instance);
        free(w->title);
        *w = (struct desktop_window){ .count = 0 };
}

void desktop_conf_done(struct desktop_conf *c)
{
        for (size_t i = 0; i < c->n_windows; i++)
                desktop_window_done(&c->windows[i]);
        *c = DESKTOP_CONF_NULL;
}

/* read_value() - a word, or what stands between two double quotes; *p moves behind it */
static int read_value(const char **p, char **ret, struct fault *fault)
{
        bool is_quoted = **p == '"';
        const char *start = *p + is_quoted;
        size_t n = strcspn(start, is_quoted ? "\"" : " \t");

        if (is_quoted && start[n] != '"')
                return fault_set(fault, -EINVAL, "a double quote is not closed");
        *p = start + n + is_quoted;
        if (n == 0)
                return fault_set(fault, -EINVAL, "a pattern is empty; * fits anything");
        if (**p && **p != ' ' && **p != '\t')
                return fault_set(fault, -EINVAL, "want a blank before '%.20s'", *p);
        *ret = strndup(start, n);
        return *ret ? 0 : fault_set(fault, -ENOMEM, "no memory");
}

static int set_count(struct desktop_window *w, const char *text, struct fault *fault)
{
        int64_t n;

        if (parse_int(text, &n) < 0 || n < 1 || n > DESKTOP_COUNT_MAX)
                return fault_set(fault, -EINVAL, "count wants 1 to %d, not '%s'", DESKTOP_COUNT_MAX,
                                 text);
        w->count = (unsigned) n;
        return 0;
}

/* take_word() - one key=value */
static int take_word(struct desktop_window *w, const char **p, struct fault *fault)
{
        CLEANUP(freep) char *value = NULL;
        size_t n = strcspn(*p, "= \t");
        const char *key = *p;
        char **slot = NULL;
        int r;

        if (key[n] != '=')
                return fault_set(fault, -EINVAL,
                                 "want class=, instance=, title= or count=, not '%.*s'", (int) n,
                                 key);
        *p = key + n + 1;
        r = read_value(p, &value, fault);
        if (r < 0)
                return r;
        if (n == 5 && strncmp(key, "class", n) == 0)
                slot = &w->class;
        else if (n == 8 && strncmp(key, "instance", n) == 0)
                slot = &w->instance;
        else if (n == 5 && strncmp(key, "title", n) == 0)
                slot = &w->title;
        else if (n == 5 && strncmp(key, "count", n) == 0)
                return set_count(w, value, fault);
        else
                return fault_set(fault, -EINVAL,
                                 "want class=, instance=, title= or count=, not '%.*s='", (int) n,
                                 key);
        if (*slot)
                return fault_set(fault, -EINVAL, "%.*s= is given twice", (int) n, key);
        *slot = TAKE(value);
        return 0;
}

int desktop_window_parse(const char *value, struct desktop_window *ret, struct fault *fault)
{
        CLEANUP(desktop_window_done) struct desktop_window w = { .count = 1 };
        const char *p = value;

        for (;;) {
                int r;

                p += strspn(p, " \t");
                if (!*p)
                        break;
                r = take_word(&w, &p, fault);
                if (r < 0)
                        return r;
        }
        if (!w.class && !w.instance && !w.title)
                return fault_set(fault, -EINVAL, "a window wants class=, instance= or title=");
        *ret = w;
        w = (struct desktop_window){ .count = 0 };
        return 0;
}

struct reading {
        struct desktop_conf *conf;
        struct fault fault; /* of the first bad line */
        int code;
};

static int set(struct desktop_conf *c, const char *name, const char *value, struct fault *fault)
{
        struct desktop_window w;
        int r;

        if (strcmp(name, "window") != 0)
                return fault_set(fault, -EINVAL, "[desktop] has no '%s'", name);
        if (c->n_windows == DESKTOP_WINDOWS_MAX)
                return fault_set(fault, -EINVAL, "more than %d windows", DESKTOP_WINDOWS_MAX);
        r = desktop_window_parse(value, &w, fault);
        if (r == 0)
                c->windows[c->n_windows++] = w;
        return r;
}

/* inih wants 1 for a line that is right; it goes on either way and returns the first other line. It
 * gives NULL for a name without a value. */
static int on_entry(void *user, const char *section, const char *name, const char *value)
{
        struct reading *reading = user;
        struct fault fault = FAULT_NULL;
        int r;

        if (strcmp(section, "desktop") != 0)
                return 1;
        r = set(reading->conf, name, value ? value : "", &fault);
        if (r < 0 && reading->code == 0) {
                reading->code = r;
                reading->fault = fault;
        }
        return r == 0;
}

const char *desktop_conf_path(void)
{
        const char *path = getenv("BOOTLAP_CONF");

        return path && *path ? path : SYSCONFDIR "/bootlap/bootlap.conf";
}

int desktop_conf_read(struct desktop_conf *c, const char *path, struct fault *fault)
{
        struct reading reading = { .conf = c };
        FILE *f = fopen(path, "re");
        int line;

        if (!f)
                return errno == ENOENT ? 0 : fault_errno(fault, -errno, "%s", path);
        line = ini_parse_file(f, on_entry, &reading);
        (void) fclose(f);
        if (line == 0)
                return 0;
        if (line < 0)
                return fault_set(fault, -EIO, "%s: cannot be read", path);
        return fault_set(fault, reading.code ? reading.code : -EINVAL, "%s:%d: %.400s", path, line,
                         reading.code ? reading.fault.text : "want [section] or name = value");
}

static bool fits(const char *pattern, const char *text)
{
        return !pattern || fnmatch(pattern, text ? text : "", 0) == 0;
}

bool desktop_window_fits(const struct desktop_window *w, const char *class, const char *instance,
                         const char *title)
{
        return fits(w->class, class) && fits(w->instance, instance) && fits(w->title, title);
}

void desktop_window_text(const struct desktop_window *w, char *ret, size_t size)
{
        const char *const keys[] = { "class", "instance", "title" };
        const char *const values[] = { w->class, w->instance, w->title };
        size_t used = 0;

        *ret = '\0';
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (values[i] && used < size)
                        used += (size_t) snprintf(ret + used, size - used, "%s%s=%s",
                                                  used ? " " : "", keys[i], values[i]);
        if (w->count > 1 && used < size)
                (void) snprintf(ret + used, size - used, " count=%u", w->count);
}
