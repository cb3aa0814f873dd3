/* machine/factor.h - how the files of machine/ put what they read into a record
 *
 * Only running out of memory is an error here, and it sticks: a topic's function enters all its
 * factors in a row, and machine_capture() looks once.
 */
#pragma once
#include "machine/machine.h"
#include "record/digest.h"

struct capture {
        const struct machine_context *m;
        struct record *r;
        const char *prefix; /* "" or "path.maildir." */
        int error;
};

void factor_text(struct capture *c, const char *key, const char *value);
void factor_integer(struct capture *c, const char *key, int64_t value);
void factor_boolean(struct capture *c, const char *key, bool value);

/** factor_absent() - why @key is not known; kept only while it has no value */
void factor_absent(struct capture *c, const char *key, const char *format, ...) PRINTF_LIKE(3, 4);

/** factor_unread() - the same for a file: @error is the negative errno, @path what was asked */
void factor_unread(struct capture *c, const char *key, int error, const char *path);

/** factor_line() - a value that is the first line of a file; an empty one is absent */
void factor_line(struct capture *c, const char *key, const char *format, ...) PRINTF_LIKE(3, 4);

/** factor_number() - a value that is an integer in a file, times @unit */
void factor_number(struct capture *c, const char *key, int64_t unit, const char *format, ...)
        PRINTF_LIKE(4, 5);

/** factor_forget() - what an earlier capture with the same prefix entered or found absent */
void factor_forget(struct capture *c);

/** factor_has() - whether @key has a value by now */
bool factor_has(const struct capture *c, const char *key);

/**
 * factor_identifier() - something that names this one machine or part: a serial number, a UUID
 * Stored as "hmac:" and 16 hex digits under the context's key, as it is when the context keeps
 * serials, and not at all without a key.
 */
void factor_identifier(struct capture *c, const char *key, const char *raw);

/**
 * factor_merge() - several parts of one kind (the drives of a RAID) as one set of factors
 * @parts: records whose config and absent were filled without a prefix
 *
 * What is the same in all stands once; what differs is joined in order: "5400 + 7200".
 */
void factor_merge(struct capture *c, struct record *const *parts, size_t n_parts);

/** factor_bracketed() - of the choices that a file lists, the one in brackets: "a [b] c" */
void factor_bracketed(struct capture *c, const char *key, const char *format, ...)
        PRINTF_LIKE(3, 4);
