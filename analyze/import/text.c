/* analyze/import/text.c - reading within bounds, and cutting into lines. What is undone inside a
 * line is in clean.c. Everything happens in the one buffer that was read into, because nothing that
 * is undone makes a text longer; UTF-16 is the exception. */
#include "analyze/import/text.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "analyze/import/clean.h"
#include "record/procfile.h"

void text_done(struct text *t)
{
        free(t->name);
        free(t->bytes);
        free(t->lines);
        *t = TEXT_NULL;
}

const char *text_at(const struct text *t, size_t i)
{
        return i < t->n_lines ? t->bytes + t->lines[i].offset : "";
}

bool text_is_blank(const struct text *t, size_t i) { return *text_at(t, i) == '\0'; }

bool text_is_free(const struct text *t, size_t i)
{
        return i < t->n_lines && !t->lines[i].taken && t->lines[i].n_bytes > 0;
}

unsigned text_number(const struct text *t, size_t i)
{
        return i < t->n_lines ? t->lines[i].number : 0;
}

void text_join(struct text *t, struct text_line *line, const struct text_line *next)
{
        char *end = t->bytes + line->offset + line->n_bytes;

        /* Between the two there is at least the NUL of the upper one. */
        *end = ' ';
        memmove(end + 1, t->bytes + next->offset, next->n_bytes + 1u);
        line->n_bytes += 1 + next->n_bytes;
}

static int too_big(const char *name, struct fault *fault)
{
        return fault_set(fault, -EFBIG, "%s: more than %u MiB: cut out the part to import", name,
                         TEXT_MAX_BYTES >> 20);
}

/* open_input() - never hangs on a FIFO that nobody writes; a pipe that somebody does is waited for
 */
static int open_input(const char *path, int *ret_fd)
{
        CLEANUP(closep) int fd = -EBADF;
        struct stat st;
        int flags;

        if (strcmp(path, "-") == 0)
                fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
        else
                fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (S_ISDIR(st.st_mode))
                return -EISDIR;
        if (S_ISREG(st.st_mode) && st.st_size > (off_t) TEXT_MAX_BYTES)
                return -EFBIG;
        flags = fcntl(fd, F_GETFL);
        if (flags >= 0 && strcmp(path, "-") != 0)
                (void) fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
        *ret_fd = TAKE_FD(fd);
        return 0;
}

static int add_line(struct text *t, size_t *size, const struct text_line *l)
{
        if (t->n_lines == *size) {
                size_t want = *size ? *size * 2 : 1024;
                struct text_line *grown = reallocarray(t->lines, want, sizeof *grown);

                if (!grown)
                        return -ENOMEM;
                t->lines = grown;
                *size = want;
        }
        t->lines[t->n_lines++] = *l;
        return 0;
}

/* squeeze() - runs of blanks to one, in place: columns lose their alignment on the way anyway, and
 * grammars need not care. Return: the new end. */
static size_t squeeze(char *bytes, size_t from, size_t to)
{
        size_t used = from;

        for (size_t i = from; i < to; i++) {
                char c = bytes[i] == '\t' ? ' ' : bytes[i];

                if (c != ' ' || (used > from && bytes[used - 1] != ' '))
                        bytes[used++] = c;
        }
        while (used > from && bytes[used - 1] == ' ')
                used--;
        return used;
}

/* add_piece() - one cleaned line from @from to @to; the byte at @to may be overwritten */
static int add_piece(struct text *t, size_t *size, size_t from, size_t to, unsigned number)
{
        unsigned indent;
        bool bullet, prompt;
        size_t margin, columns;

        t->bytes[to] = '\0';
        margin = clean_margin(t->bytes + from, &indent, &bullet, &prompt);
        from += margin < to - from ? margin : to - from;
        columns = to - from;
        to = squeeze(t->bytes, from, to);
        t->bytes[to] = '\0';
        if (t->n_lines >= TEXT_MAX_LINES)
                return -EFBIG;
        return add_line(t, size,
                        &(struct text_line){
                                .offset = (uint32_t) from,
                                .n_bytes = (uint32_t) (to - from),
                                .number = number,
                                .columns = (uint16_t) (columns < UINT16_MAX ? columns : UINT16_MAX),
                                .indent = (uint8_t) (indent < 255 ? indent : 255),
                                .bullet = bullet,
                                .prompt = prompt });
}

/* line_end() - where the raw line at @from ends: LF, CR LF, or a CR alone, which a progress bar or
 * an old Macintosh wrote. @ret_next: where the next one begins. */
static size_t line_end(const char *bytes, size_t n_bytes, size_t from, size_t *ret_next,
                       bool *ret_lf)
{
        size_t end = from;

        while (end < n_bytes && bytes[end] != '\n' && bytes[end] != '\r')
                end++;
        *ret_lf = end < n_bytes && bytes[end] == '\n';
        *ret_next = end < n_bytes ? end + 1 : n_bytes;
        if (end + 1 < n_bytes && bytes[end] == '\r' && bytes[end + 1] == '\n') {
                *ret_lf = true;
                *ret_next = end + 2;
        }
        return end;
}

static int cut_into_lines(struct text *t, size_t n_bytes)
{
        bool has_lf = memchr(t->bytes, '\n', n_bytes) != NULL;
        size_t size = 0, from = 0, to = 0;
        unsigned number = 1;

        while (from < n_bytes) {
                size_t next, end, n, piece = to;
                unsigned joined = 0;
                bool lf;

                end = line_end(t->bytes, n_bytes, from, &next, &lf);
                for (size_t i = from; i < end; i++)
                        joined += t->bytes[i] == CLEAN_JOINED;
                n = clean_line(t->bytes + from, end - from, t->bytes + to, t->is_xml);
                for (size_t i = to; i <= to + n; i++) {
                        int r;

                        if (i < to + n && t->bytes[i] != '\n')
                                continue;
                        /* What HTML leaves between two breaks is no blank line that anybody saw.
                         * The NUL of the last piece falls on a byte that is already used up: the
                         * line's end, or the one after the last byte of the file. */
                        r = i == piece && n > 0 ? 0 : add_piece(t, &size, piece, i, number);
                        if (r < 0)
                                return r;
                        piece = i + 1;
                }
                to += n + 1;
                from = next;
                number += joined + (lf || !has_lf);
        }
        return 0;
}

/* take_bytes() - @bytes becomes @t's, whatever the outcome */
static int take_bytes(struct text *t, char *bytes, size_t n_bytes, struct fault *fault)
{
        char *decoded = NULL;
        int r;

        t->bytes = bytes;
        digest_hex(bytes, n_bytes, t->sha256);
        r = clean_utf16(bytes, n_bytes, &decoded, &n_bytes);
        if (r < 0)
                return fault_set(fault, r, "%s: no memory", t->name);
        if (r > 0) {
                free(t->bytes);
                t->bytes = decoded;
        }
        if (n_bytes > TEXT_MAX_BYTES)
                return too_big(t->name, fault);
        if (clean_is_binary(t->bytes, n_bytes))
                return fault_set(fault, -EILSEQ, "%s: is binary, not text", t->name);
        t->is_xml = clean_is_xml(t->bytes, n_bytes);
        if (!t->is_xml)
                n_bytes = clean_quoted_printable(t->bytes, n_bytes);
        r = cut_into_lines(t, n_bytes);
        if (r == -EFBIG)
                return fault_set(fault, r, "%s: more than %u lines: cut out the part to import",
                                 t->name, TEXT_MAX_LINES);
        return r < 0 ? fault_set(fault, r, "%s: no memory", t->name) : 0;
}

int text_read_file(const char *path, struct text *ret, struct fault *fault)
{
        CLEANUP(text_done) struct text t = { .name = strdup(path) };
        CLEANUP(closep) int fd = -EBADF;
        char *bytes = NULL;
        size_t n_bytes = 0;
        int r;

        if (!t.name)
                return fault_set(fault, -ENOMEM, "no memory");
        r = open_input(path, &fd);
        if (r == 0)
                r = procfile_drain(fd, TEXT_MAX_BYTES, &bytes, &n_bytes);
        if (r == -EFBIG)
                return too_big(path, fault);
        if (r < 0)
                return fault_errno(fault, r, "%s", path);
        r = take_bytes(&t, bytes, n_bytes, fault);
        if (r < 0)
                return r;
        *ret = t;
        t = TEXT_NULL;
        return 0;
}

int text_from_bytes(const char *name, const void *bytes, size_t n_bytes, struct text *ret,
                    struct fault *fault)
{
        CLEANUP(text_done) struct text t = { .name = strdup(name) };
        char *copy = malloc(n_bytes + 1);
        int r;

        if (!t.name || !copy) {
                free(copy);
                return fault_set(fault, -ENOMEM, "no memory");
        }
        memcpy(copy, bytes, n_bytes);
        copy[n_bytes] = '\0';
        r = take_bytes(&t, copy, n_bytes, fault);
        if (r < 0)
                return r;
        *ret = t;
        t = TEXT_NULL;
        return 0;
}
