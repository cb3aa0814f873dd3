/* collectors/build_log.h - what make says while a kernel is built
 *
 * Kept in memory and bounded: a full disk, the very thing to report, must not take the report with
 * it. Counts the objects for the progress, keeps the last lines and the first thing that went
 * wrong.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_LOG_TAIL_LINES 12
#define BUILD_LOG_LINE_BYTES 240 /* of a line; the rest is cut */

struct build_log {
        uint64_t n_objects; /* compiled so far, in make's own words */
        uint64_t n_lines;
        char tail[BUILD_LOG_TAIL_LINES][BUILD_LOG_LINE_BYTES]; /* line i is at [i % TAIL_LINES] */
        char line[BUILD_LOG_LINE_BYTES];                       /* the line being read */
        size_t line_bytes;
        char error[BUILD_LOG_LINE_BYTES]; /* the first line that names an error */
        char stop[BUILD_LOG_LINE_BYTES];  /* the first of make's "***" lines */
        char missing_tool[64];            /* what a shell did not find */
        bool disk_is_full;                /* somebody was told ENOSPC or EDQUOT */
};
#define BUILD_LOG_NULL ((struct build_log){ .n_objects = 0 })

/** build_log_feed() - the next @n bytes of output, cut anywhere */
void build_log_feed(struct build_log *log, const char *bytes, size_t n);

/** build_log_end() - no more output: a last line without newline is a line too */
void build_log_end(struct build_log *log);

/**
 * build_log_reason() - the one line that says best what went wrong
 * Return: the first error, else make's first "***", else the last line, else "no output".
 */
const char *build_log_reason(const struct build_log *log);

/** build_log_tail_line() - the last lines, oldest first: @i from 0; NULL after the last */
const char *build_log_tail_line(const struct build_log *log, size_t i);

/**
 * build_log_missing_tool() - the program whose absence ended the build, or NULL
 *
 * Only where make stopped with a shell's status 127: configuration scripts look for programs and go
 * on without them.
 */
const char *build_log_missing_tool(const struct build_log *log);
