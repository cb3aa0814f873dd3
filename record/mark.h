/* record/mark.h - one named instant, as a hook, a probe or a script wrote it down
 *
 * A mark is one line: name TAB monotonic_ns TAB source TAB detail LF, appended with one O_APPEND
 * write to /run/bootlap/marks or sent as one datagram. Source and detail may be empty or left out.
 */
#pragma once
#include <stdint.h>
#include "record/fault.h"

#define MARK_NAME_MAX_BYTES 63
#define MARK_LINE_MAX_BYTES 1024

struct mark {
        char *name;            /* owned; only [A-Za-z0-9._-], so safe in a path and in JSON */
        uint64_t monotonic_ns; /* CLOCK_MONOTONIC: since kernel start, suspend not counted */
        char *source;          /* owned; "" when not given */
        char *detail;          /* owned; "" when not given */
};
#define MARK_NULL ((struct mark){ .name = NULL })

/** mark_name_is_valid() - 1 to MARK_NAME_MAX_BYTES of [A-Za-z0-9._-] */
int mark_name_is_valid(const char *name);

/**
 * mark_parse_line() - read one mark
 * @line: NUL-terminated, a final newline allowed; not kept
 * @ret: written only on success; release it with mark_done()
 *
 * Return: 0; -EINVAL malformed or longer than MARK_LINE_MAX_BYTES, -ERANGE above 2^63-1 ns,
 * -ENOMEM.
 */
int mark_parse_line(const char *line, struct mark *ret, struct fault *fault);

/**
 * mark_format_line() - the reverse, into @line of MARK_LINE_MAX_BYTES + 1 bytes
 *
 * Tabs, newlines and other control characters in source and detail become blanks; what is too long
 * is cut. Return: length in bytes; -EINVAL for a bad name.
 */
int mark_format_line(const struct mark *m, char *line);

/** mark_done() - free what @m owns and leave MARK_NULL; a second call is harmless */
void mark_done(struct mark *m);
