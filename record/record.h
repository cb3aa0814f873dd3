/* record/record.h - the model of one boot
 *
 * A record says what was seen (milestones, each with who saw it and how late it may be), what was
 * waited for (a person), what was measured (samples), on what machine (config, labels), and what
 * could not be seen (absent, with the reason). It draws no conclusions: phases and machine time are
 * derived (record/phases.h), statistics belong to analyze/.
 *
 * Times are microseconds on CLOCK_MONOTONIC, 0 = kernel.start; earlier ones are negative. An
 * imported record may count from another origin, which @origin then names.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <jansson.h>
#include "record/clock.h"
#include "record/fault.h"
#include "record/sample.h"

#define RECORD_SCHEMA "bootlap.record/1"
#define RECORD_SCHEMA_MAJOR 1
#define RECORD_ERROR_UNKNOWN (-1)

/* What a stamp tells about the instant of the event itself. */
enum bound {
        BOUND_UPPER, /* the event lies in [at_us - error_us, at_us]: every stamp is late */
        BOUND_LOWER, /* the event lies at or after at_us (a process's fork, before its exec) */
};

/* One witness's view of a milestone. */
struct sighting {
        int64_t at_us;
        int64_t error_us; /* upper bound on lateness; RECORD_ERROR_UNKNOWN when there is none */
        enum bound bound;
        char *source;      /* who saw it: "systemd", "udev", "efi", "probe x11", ... */
        char *detail;      /* what else is worth keeping: a WM's name, a path; or NULL */
        char *implausible; /* why this value cannot be true, or NULL */
        json_t *extra;
};

/* Ends of a session's name: its display, then whose it is when that is not the person at seat0. */
#define RECORD_GREETER " greeter"
#define RECORD_OTHER " other"

/* Names are dotted: "kernel.start", "user.backup-done". The same name may occur once a session. */
struct milestone {
        char *name;
        char *session; /* display server or session it belongs to (":0 greeter"), or NULL */
        struct sighting best;
        struct sighting *also; /* the other witnesses, in the order they came */
        size_t n_also;
        json_t *extra;
};

/* A span in which the machine waited for a person. */
struct wait {
        char *kind; /* "menu", "unlock", "login" */
        char *name; /* what was asked for ("cryptroot"), or NULL */
        int64_t from_us, to_us;
        unsigned attempts; /* answers given, wrong ones included; 0 unknown */
        json_t *extra;
};

/* What could not be seen: a milestone or a factor, and why. */
struct absence {
        char *name;
        char *reason;
        json_t *extra;
};

#define UNIT_START_UNKNOWN INT64_MIN

/* One of the slowest units, as systemd timed it. */
struct unit_time {
        char *name;
        int64_t started_us; /* when activation began; UNIT_START_UNKNOWN when nobody said */
        int64_t elapsed_us; /* until active */
        json_t *extra;
};

struct record {
        char *id;             /* unique in a store: the boot id, or a digest of what was imported */
        char *machine;        /* folder in the store: app-specific machine id, or "imported" */
        char *tool_version;   /* bootlap's own */
        char *boot_kind;      /* "cold", "warm", "kexec", "soft-reboot"; NULL unknown */
        unsigned boot_number; /* soft-reboots repeat the boot id and count up from 0 */
        char *incomplete;     /* why the boot's record is not whole, or NULL when it is */
        char *origin;         /* milestone that is 0 on the axis; NULL means "kernel.start" */
        struct clock_tuple start, end;

        struct milestone *milestones; /* sorted by record_sort(); n_milestones of them */
        size_t n_milestones;
        struct wait *waits;
        size_t n_waits;
        struct absence *absent;
        size_t n_absent;
        struct unit_time *units; /* slowest first */
        size_t n_units;
        struct sample *samples;
        size_t n_samples;
        json_t *config; /* flat object: dotted key -> string, number or boolean */
        json_t *labels; /* the same, given by a person */
        json_t *cost;   /* flat object: what being measured cost */
        char **warnings;
        size_t n_warnings;
        json_t *extra; /* members of a later minor version: kept and written back */
};

/** record_new() - an empty record; NULL when out of memory */
struct record *record_new(void);
struct record *record_free(struct record *r);
void record_freep(struct record **r);

/**
 * record_see() - enter one witness's view of a milestone
 * @session: NULL for what belongs to the whole boot
 * @s: texts are copied; its own pointers stay the caller's
 *
 * The best witness of a milestone is a plausible one, then an upper bound, then the one with the
 * smallest known error; the first to come wins a tie. All others are kept in @also. A milestone
 * that was absent so far is taken off that list.
 *
 * Return: 0; -EINVAL when @name is not made of [A-Za-z0-9._-]; -ENOMEM.
 */
int record_see(struct record *r, const char *name, const char *session, const struct sighting *s);

/** record_see_at() - the common case of record_see(): an upper bound and nothing odd */
int record_see_at(struct record *r, const char *name, int64_t at_us, int64_t error_us,
                  const char *source, const char *detail);

/**
 * record_is_persons() - is @session (NULL: the whole boot) the desktop that a person waits for?
 *
 * A greeter has a window manager and windows too, and so has a server that someone started on the
 * side.
 */
bool record_is_persons(const char *session);

/** record_is_greeters() - is @session one in which a display manager asks who is there? */
bool record_is_greeters(const char *session);

/** record_find() - the milestone @name, of the whole boot or of a person's session (the first in
 * order; not a greeter's, nor that of a server on the side), or NULL */
const struct milestone *record_find(const struct record *r, const char *name);

/**
 * record_at() - the time of a milestone that may enter a total
 * Return: true and *ret_us; false when it is absent or implausible.
 */
bool record_at(const struct record *r, const char *name, int64_t *ret_us);

/** record_add_absent() - note why @name is missing; kept only while nothing has seen it */
int record_add_absent(struct record *r, const char *name, const char *reason_format, ...)
        PRINTF_LIKE(3, 4);

/** record_forget_absent() - @name is there after all; nothing happens when it was not absent */
void record_forget_absent(struct record *r, const char *name);

/** record_absent_reason() - why @name is missing, or NULL */
const char *record_absent_reason(const struct record *r, const char *name);

/** record_add_wait() - a span waited for a person; @name may be NULL. -EINVAL when to < from. */
int record_add_wait(struct record *r, const char *kind, const char *name, int64_t from_us,
                    int64_t to_us, unsigned attempts);

int record_add_unit(struct record *r, const char *name, int64_t started_us, int64_t elapsed_us);

/** record_add_sample() - takes over what @s owns and leaves SAMPLE_NULL */
int record_add_sample(struct record *r, struct sample *s);

int record_add_warning(struct record *r, const char *format, ...) PRINTF_LIKE(2, 3);

/** record_set_string() and its kin - one factor: @object is r->config, r->labels or r->cost */
int record_set_string(json_t *object, const char *key, const char *value);
int record_set_integer(json_t *object, const char *key, int64_t value);
int record_set_real(json_t *object, const char *key, double value);
int record_set_boolean(json_t *object, const char *key, bool value);

/** record_sort() - milestones by time then name, so that listing and files have one order */
void record_sort(struct record *r);
