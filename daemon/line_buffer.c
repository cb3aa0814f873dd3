/* daemon/line_buffer.c - lines from a child, of bounded length */
#include "daemon/line_buffer.h"
#include <string.h>

/* Tabs part the fields of a mark; nothing else that moves a cursor gets through. */
static void clean(char *line)
{
        for (char *p = line; *p; p++)
                if (((unsigned char) *p < ' ' && *p != '\t') || *p == 0x7f)
                        *p = ' ';
}

static void take_byte(struct line_buffer *b, char c, void (*on_line)(void *userdata, char *line),
                      void *userdata)
{
        if (c == '\n') {
                b->text[b->used] = '\0';
                clean(b->text);
                if (!b->skipping)
                        on_line(userdata, b->text);
                b->used = 0;
                b->skipping = false;
        } else if (b->used == MARK_LINE_MAX_BYTES) {
                b->n_too_long += !b->skipping;
                b->skipping = true;
        } else {
                b->text[b->used++] = c ? c : ' ';
        }
}

int line_buffer_read(struct line_buffer *b, int fd, void (*on_line)(void *userdata, char *line),
                     void *userdata)
{
        char chunk[4096];
        ssize_t n = read(fd, chunk, sizeof chunk);

        if (n < 0)
                return errno == EINTR ? 1 : -errno;
        for (ssize_t i = 0; i < n; i++)
                take_byte(b, chunk[i], on_line, userdata);
        return n > 0;
}
