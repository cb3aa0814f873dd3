/* analyze/import/import.h - other tools' output as records
 *
 * A format is two functions in a file of its own and a line in the table of formats.c. It reads
 * cleaned lines (text.h), and enters what it finds through the calls below. Their errors stick:
 * after the first one they do nothing, so a format writes no error handling of its own.
 *
 * What a file states is imported as it states it. A figure that does not fit the others of its own
 * file is marked (import_mismatch()) and never corrected; a line that belongs to the format but
 * cannot be read is listed (import_unread()). Each figure keeps its raw text and its line.
 *
 * Where a record comes from stands in its member "import": format, file, line, index in the file,
 * SHA-256 of the file. Its id is a digest of the format and of the lines that it was made of, so
 * that the same text imported again, quoted, under another path, or with more runs appended, is
 * known.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analyze/import/pattern.h"
#include "analyze/import/text.h"
#include "analyze/import/timespan.h"
#include "record/record.h"

#define IMPORT_MACHINE "imported"
/* One file's records, samples and values are held in memory together. */
#define IMPORT_MAX_ITEMS 20000

struct import_remark {
        size_t line; /* number in the file */
        char *text;  /* why it could not be read */
};

/* What one file gives. */
struct import {
        struct text *text;
        const char *start; /* the milestone at which a hand-held watch was started */

        struct record **records;
        size_t n_records;
        struct import_remark *unread;
        size_t n_unread;
        const char **formats; /* names of those that were recognized, in the table's order */
        size_t n_formats;

        /* the rest is the calls' own */
        const char *format;
        size_t n_items;
        size_t newest;                      /* sample of the open record that is entered into */
        char content[DIGEST_HEX_BYTES];     /* of the open record's lines so far */
        char (*contents)[DIGEST_HEX_BYTES]; /* of all closed ones, to tell equal ones apart */
        int error;
        struct fault *fault;
};

struct import_format {
        const char *name;                          /* its word on the command line */
        const char *what;                          /* one line for --help */
        int (*recognize)(const struct text *text); /* 0..100: how sure; free lines only */
        void (*read)(struct import *in);
        void (*unwrap)(struct text *text); /* join lines that were broken on their way; or NULL */
};

/** import_formats() - the table, in the order in which they are tried */
const struct import_format *import_formats(size_t *ret_n);

/** import_format_find() - by its word; NULL */
const struct import_format *import_format_find(const char *name);

/* auto takes a format that is at least this sure. */
#define IMPORT_SURE 50

/**
 * import_text() - read @text by one format, or by all that recognize something in it
 * @format: NULL for auto
 * @start: milestone at which hand-held watches were started; NULL for loader.start
 * @ret: release with import_done(); written also when nothing was found
 *
 * Return: 0; -ENOMSG when nothing was recognized, or the named format found nothing; -E2BIG above
 * IMPORT_MAX_ITEMS; -ENOMEM. The fault names the file.
 */
int import_text(struct text *text, const struct import_format *format, const char *start,
                struct import *ret, struct fault *fault);
void import_done(struct import *in);

/* ---- for formats ---- */

/** import_out_of_memory() - a format's own allocation failed */
void import_out_of_memory(struct import *in);

/** import_record() - begin a record that starts at line @i; later calls enter into it */
struct record *import_record(struct import *in, size_t i);

/** import_take() - line @i was understood: no other format sees it, and the record's id covers it
 */
void import_take(struct import *in, size_t i);

/** import_skip() - line @i was understood and says nothing that tells records apart (a table's
 * head) */
void import_skip(struct import *in, size_t i);

/** import_cover() - the record's id covers @text too (a heading that several records share) */
void import_cover(struct import *in, const char *text);

/** import_unread() - line @i belongs here and cannot be read; it is taken */
void import_unread(struct import *in, size_t i, const char *format, ...) PRINTF_LIKE(3, 4);

void import_warn(struct import *in, const char *format, ...) PRINTF_LIKE(2, 3);

/** import_label() - a factor of the open record, unless it has one of that name */
void import_label(struct import *in, const char *key, const char *value);
void import_label_integer(struct import *in, const char *key, int64_t value);

/** import_config() - the same for what a tool itself says about its machine */
void import_config(struct import *in, const char *key, const char *value);
void import_config_integer(struct import *in, const char *key, int64_t value);

/** import_see() - a milestone of the open record, stated on line @i with @words */
void import_see(struct import *in, const char *name, const struct timespan *at, size_t i,
                const char *words);

/** import_wait() - the machine waited for a person */
void import_wait(struct import *in, const char *kind, int64_t from_us, int64_t to_us);

/** import_origin() - the milestone that is 0 on the open record's axis */
void import_origin(struct import *in, const char *milestone);

/** import_realtime() - when the open record's boot or run was, in microseconds since 1970 */
void import_realtime(struct import *in, int64_t realtime_us);

/** import_absent() - a milestone that the text says did not happen */
void import_absent(struct import *in, const char *milestone, const char *reason);

/**
 * import_unit() - how long a unit took to start
 * @started_us: on the record's axis, or UNIT_START_UNKNOWN; fills in what an earlier call left open
 */
void import_unit(struct import *in, const char *name, int64_t started_us, int64_t elapsed_us);

/** import_unit_find() - the open record has that unit with a time from a list of such */
bool import_unit_find(const struct import *in, const char *name);

/** import_origin_integer() - one more member of the record's "import", such as a boot's number */
void import_origin_integer(struct import *in, const char *key, int64_t value);

/** import_note() - free text that the record's "import" member keeps as "remarks" */
void import_note(struct import *in, const char *text);

/** import_sample() - begin a sample of the open record; @run 0: the next of this workload with
 * these parameters, which is known when the record is whole */
struct sample *import_sample(struct import *in, const char *workload, unsigned run, size_t i);

/** import_newest() - the sample that the calls below enter into: the last one begun or reopened */
struct sample *import_newest(const struct import *in);

/** import_reopen() - enter into sample @k of the open record again */
void import_reopen(struct import *in, size_t k);

/** import_sample_find() - the open record's sample of @workload and @run, or NULL */
struct sample *import_sample_find(const struct import *in, const char *workload, unsigned run);

/** import_tool() - program and version of the newest sample; NULL for not known */
void import_tool(struct import *in, const char *tool, const char *version);
void import_parameter(struct import *in, const char *key, const char *value);
void import_parameter_integer(struct import *in, const char *key, int64_t value);

/** import_detail() - what merely describes the newest sample */
void import_detail(struct import *in, const char *key, const char *value);

/** import_detail_pair() - append [a, b] to the newest sample's detail @key (a bar of a histogram)
 */
void import_detail_pair(struct import *in, const char *key, double a, int64_t b);

/**
 * import_value() - a figure of the newest sample, read from @raw on line @i
 *
 * A second figure of the same name is refused with a warning, so that none is overwritten.
 */
void import_value(struct import *in, const char *field, double value, const char *unit,
                  enum better better, size_t i, const char *raw);

/** import_number() - the same for a parsed number; says so when a comma could mean two things */
void import_number(struct import *in, const char *field, const struct number *n, const char *unit,
                   enum better better, size_t i, const char *raw);

/** import_value_span() - the same for a length of time, in seconds */
void import_value_span(struct import *in, const char *field, const struct timespan *t, size_t i,
                       const char *raw);

/** import_implausible() - the newest sample's @field cannot be true */
void import_implausible(struct import *in, const char *field, const char *why);

/** import_mismatch() - the newest sample's @field does not fit the rest of its file */
void import_mismatch(struct import *in, const char *field, const char *format, ...)
        PRINTF_LIKE(3, 4);

/** import_incomplete() - the open record is not whole, and why */
void import_incomplete(struct import *in, const char *why);

/** import_close() - the open record is whole; called for the last one by import_text() */
void import_close(struct import *in);
