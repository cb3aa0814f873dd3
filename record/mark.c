/* record/mark.c - the mark line, parsed strictly: it comes from shell hooks and from anyone who can
 * write to a socket. */
#include "record/mark.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define NAME_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

int mark_name_is_valid(const char *name)
{
        size_t n = strspn(name, NAME_CHARS);

        return n > 0 && n <= MARK_NAME_MAX_BYTES && name[n] == '\0';
}

/* Not strtoull(): it takes blanks and signs and reads "-1" as 2^64-1, which is just what a hook
 * whose subtraction went wrong writes. Stops at the first character that is no digit. */
static int parse_ns(const char **p, uint64_t *ret, struct fault *fault)
{
        uint64_t ns = 0;

        if (**p < '0' || **p > '9')
                return fault_set(fault, -EINVAL, "want ns as decimal digits only");
        for (; **p >= '0' && **p <= '9'; (*p)++)
                if (__builtin_mul_overflow(ns, 10u, &ns) ||
                    __builtin_add_overflow(ns, (unsigned) (**p - '0'), &ns) || ns > INT64_MAX)
                        return fault_set(fault, -ERANGE, "ns do not fit in 63 bits");
        *ret = ns;
        return 0;
}

/* parse_field() - the text up to the next tab or the end; a missing field is empty */
static int parse_field(const char **p, char **ret, struct fault *fault)
{
        size_t n;

        if (**p == '\t')
                (*p)++;
        n = strcspn(*p, "\t\n");
        *ret = strndup(*p, n);
        if (!*ret)
                return fault_set(fault, -ENOMEM, "no memory for a mark");
        *p += n;
        return 0;
}

int mark_parse_line(const char *line, struct mark *ret, struct fault *fault)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        size_t name_bytes = strspn(line, NAME_CHARS);
        const char *p = line + name_bytes;
        int r;

        assert(ret);
        if (strlen(line) > MARK_LINE_MAX_BYTES)
                return fault_set(fault, -EINVAL, "longer than %d bytes", MARK_LINE_MAX_BYTES);
        if (name_bytes == 0 || name_bytes > MARK_NAME_MAX_BYTES || *p++ != '\t')
                return fault_set(fault, -EINVAL, "want 1 to %d of [A-Za-z0-9._-], then a tab",
                                 MARK_NAME_MAX_BYTES);
        r = parse_ns(&p, &m.monotonic_ns, fault);
        if (r < 0)
                return r;
        if (*p != '\t' && *p != '\n' && *p != '\0')
                return fault_set(fault, -EINVAL, "want ns as decimal digits only");
        m.name = strndup(line, name_bytes);
        if (!m.name)
                return fault_set(fault, -ENOMEM, "no memory for a mark");
        r = parse_field(&p, &m.source, fault);
        if (r < 0)
                return r;
        r = parse_field(&p, &m.detail, fault);
        if (r < 0)
                return r;
        if (*p != '\0' && strcmp(p, "\n") != 0)
                return fault_set(fault, -EINVAL, "more than four fields, or more than one line");
        *ret = m;
        m = MARK_NULL;
        return 0;
}

/* append_clean() - text with control characters made blank, as far as it fits before the newline */
static size_t append_clean(char *line, size_t used, const char *text)
{
        for (; text && *text && used < MARK_LINE_MAX_BYTES - 2; text++)
                line[used++] = (unsigned char) *text < ' ' || *text == 0x7f ? ' ' : *text;
        return used;
}

int mark_format_line(const struct mark *m, char *line)
{
        size_t used;

        if (!m->name || !mark_name_is_valid(m->name) || m->monotonic_ns > INT64_MAX)
                return -EINVAL;
        used = (size_t) snprintf(line, MARK_LINE_MAX_BYTES + 1, "%s\t%" PRIu64 "\t", m->name,
                                 m->monotonic_ns);
        used = append_clean(line, used, m->source);
        line[used++] = '\t';
        used = append_clean(line, used, m->detail);
        line[used++] = '\n';
        line[used] = '\0';
        return (int) used;
}

void mark_done(struct mark *m)
{
        free(m->name);
        free(m->source);
        free(m->detail);
        *m = MARK_NULL;
}
