/* analyze/import/sysbench.h - what sysbench.c, sysbench_fields.c and sysbench_table.c share
 *
 * A run's text is turned into figures first, whatever its layout; what they are called and in which
 * unit does not depend on the version. Then the figures are checked against each other and entered.
 */
#pragma once
#include "analyze/import/import.h"

enum sysbench_kind {
        KIND_UNKNOWN,
        KIND_CPU,
        KIND_MEMORY,
        KIND_FILEIO,
        KIND_THREADS,
        KIND_MUTEX,
        KIND_OTHER, /* a database or a script: named, not imported */
};

struct sysbench_figure {
        const char *field, *unit;
        enum better better;
        struct number n;
        char raw[MATCH_RAW_BYTES];
        size_t i;
};

#define SYSBENCH_FIGURES_MAX 40
#define SYSBENCH_BARS_MAX 1024

struct sysbench_bar {
        double value_ms;
        int64_t count;
};

/* One run as it is being read. */
struct sysbench_run {
        bool is_open;
        size_t first; /* line */
        enum sysbench_kind kind;
        char heading[128];  /* what a person wrote over it */
        char version[32];   /* "" when no banner says it */
        const char *layout; /* "0.4", "0.5", "1.0", "1.1" by its wording, or NULL */
        bool is_checkpoint; /* a report in the middle of a run: read, and left out */
        struct sysbench_figure figures[SYSBENCH_FIGURES_MAX];
        size_t n_figures;
        struct sysbench_bar bars[SYSBENCH_BARS_MAX];
        size_t n_bars;
        int64_t threads, prime_limit, block_kib; /* 0 not said */
        char mode[16];                           /* of fileio or memory */
        char total[16];                          /* what a command says about the amount of data */
        char percentile[8];                      /* "95" */
};

const struct sysbench_figure *sysbench_figure(const struct sysbench_run *run, const char *field);

/** sysbench_derive_threads() - how many threads shared the events, when the head does not say it */
void sysbench_derive_threads(struct sysbench_run *run);

/** sysbench_enter() - the run as a sample of the open record, checked against itself */
void sysbench_enter(struct import *in, struct sysbench_run *run);

/** sysbench_kind_word() - "cpu"; NULL for unknown */
const char *sysbench_kind_word(enum sysbench_kind kind);

/** sysbench_kind_of() - the kind that a heading or a command names */
enum sysbench_kind sysbench_kind_of(const char *words);

/* ---- summary tables that repeat figures (sysbench_table.c) ---- */

struct sysbench_tables;

struct sysbench_tables *sysbench_tables_read(struct import *in);
void sysbench_tables_freep(struct sysbench_tables **t);

/**
 * sysbench_tables_check() - compare the newest sample with the cells that speak of it
 * @group: heading of the record, which heads a column
 *
 * The output itself is right; where a cell says something else, that is marked.
 */
void sysbench_tables_check(const struct sysbench_tables *t, struct import *in, const char *group,
                           const struct sysbench_run *run);

/* ---- commands that stand in the text (sysbench_command.c) ---- */

struct sysbench_command {
        enum sysbench_kind kind;
        size_t i;
        int64_t threads, prime_limit; /* 0 not given */
        char mode[16], total[16];     /* "" not given */
        bool used;
};

/**
 * sysbench_command_read() - "sysbench --test=cpu --cpu-max-prime=15000 run"; false for another line
 * @glued: a heading that follows "run" without a line break, or ""
 */
bool sysbench_command_read(const char *line, struct sysbench_command *ret, char *glued,
                           size_t size);
