/* collectors/build_log.c - make's output, line by line. The words are kbuild's ("  CC      a/b.o")
 * and those of the C locale, in which make is run. */
#include "collectors/build_log.h"
#include <ctype.h>
#include <string.h>
#include "record/macros.h"

static bool ends_with(const char *text, const char *end)
{
        size_t n = strlen(text), n_end = strlen(end);

        return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* "  CC      a.o", "  AS [M]  b.o": one object is being made. Archives and links are not counted:
 * they are made of objects. */
static bool is_object(const char *line)
{
        static const char *const makers[] = { "CC", "AS", "HOSTCC", "HOSTCXX", "RUSTC" };
        size_t n;

        if (line[0] != ' ' || line[1] != ' ')
                return false;
        n = strcspn(line + 2, " ");
        for (size_t i = 0; i < ELEMENTSOF(makers); i++)
                if (strlen(makers[i]) == n && strncmp(line + 2, makers[i], n) == 0)
                        return ends_with(line, ".o");
        return false;
}

/* "/bin/sh: 1: bc: not found" (dash), "/bin/sh: line 1: bc: command not found" (bash), and from
 * make, where no shell is needed, "make[1]: bc: No such file or directory", or "Permission denied"
 * when a folder of PATH is closed to us. */
static bool find_missing_tool(const char *line, char ret[static 64])
{
        static const char *const ends[] = { ": command not found", ": not found",
                                            ": No such file or directory", ": Permission denied" };

        for (size_t i = 0; i < ELEMENTSOF(ends); i++) {
                const char *end, *begin;

                if (!ends_with(line, ends[i]))
                        continue;
                end = line + strlen(line) - strlen(ends[i]);
                for (begin = end; begin > line && begin[-1] != ' '; begin--)
                        ;
                if (begin == end || begin == line || end - begin >= 64 ||
                    (i >= 2 && strncmp(line, "make", 4) != 0))
                        return false;
                memcpy(ret, begin, (size_t) (end - begin));
                ret[end - begin] = '\0';
                return true;
        }
        return false;
}

static bool names_an_error(const char *line)
{
        const char *ld = strstr(line, "ld: ");

        return strcasestr(line, "error: ") || strstr(line, "undefined reference") ||
               strstr(line, "No space left on device") || strstr(line, "Disk quota exceeded") ||
               (ld && (ld == line || ld[-1] == '/' || ld[-1] == '-') && !strstr(ld, "warning"));
}

static void keep(char to[static BUILD_LOG_LINE_BYTES], const char *line)
{
        while (*line == ' ')
                line++;
        (void) snprintf(to, BUILD_LOG_LINE_BYTES, "%s", line);
}

static void end_line(struct build_log *log)
{
        char *line = log->line, tool[64];

        line[log->line_bytes] = '\0';
        log->line_bytes = 0;
        (void) snprintf(log->tail[log->n_lines % BUILD_LOG_TAIL_LINES], BUILD_LOG_LINE_BYTES, "%s",
                        line);
        log->n_lines++;
        if (is_object(line)) {
                log->n_objects++;
                return;
        }
        if (strstr(line, "No space left on device") || strstr(line, "Disk quota exceeded"))
                log->disk_is_full = true;
        if (!log->missing_tool[0] && find_missing_tool(line, tool))
                (void) snprintf(log->missing_tool, sizeof log->missing_tool, "%s", tool);
        if (!log->error[0] && names_an_error(line))
                keep(log->error, line);
        if (!log->stop[0] && strstr(line, "*** ") && !strstr(line, "*** Waiting for"))
                keep(log->stop, line);
}

void build_log_feed(struct build_log *log, const char *bytes, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                if (bytes[i] == '\n')
                        end_line(log);
                else if (log->line_bytes < sizeof log->line - 1)
                        /* These lines end on a terminal: no control characters. */
                        log->line[log->line_bytes++] =
                                (char) (iscntrl((unsigned char) bytes[i]) ? ' ' : bytes[i]);
        }
}

void build_log_end(struct build_log *log)
{
        if (log->line_bytes > 0)
                end_line(log);
}

const char *build_log_tail_line(const struct build_log *log, size_t i)
{
        size_t n = log->n_lines < BUILD_LOG_TAIL_LINES ? (size_t) log->n_lines
                                                       : (size_t) BUILD_LOG_TAIL_LINES;

        return i < n ? log->tail[(log->n_lines - n + i) % BUILD_LOG_TAIL_LINES] : NULL;
}

const char *build_log_reason(const struct build_log *log)
{
        if (log->error[0])
                return log->error;
        if (log->stop[0])
                return log->stop;
        return log->n_lines ? log->tail[(log->n_lines - 1) % BUILD_LOG_TAIL_LINES] : "no output";
}

const char *build_log_missing_tool(const struct build_log *log)
{
        return log->missing_tool[0] && ends_with(log->stop, " Error 127") ? log->missing_tool
                                                                          : NULL;
}
