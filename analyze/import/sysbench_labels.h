/* analyze/import/sysbench_labels.h - the words of sysbench's output, in one table over all versions
 */
#pragma once
#include "analyze/import/sysbench.h"

enum sysbench_action {
        LABEL_BANNER, /* group 1 is the version */
        LABEL_KIND,
        LABEL_PRIME,   /* group 1 is the limit */
        LABEL_BLOCK,   /* group 1 is the size, group 2 its unit */
        LABEL_MODE,    /* group 1 is the operation */
        LABEL_THREADS, /* group 1 is their number */
        LABEL_CHECKPOINT,
        LABEL_LATENCY, /* "min:" and its kin follow */
        LABEL_SECTION, /* they do not */
        LABEL_FIGURES,
        LABEL_BAR,   /* a line of a histogram: groups 1 value, 2 count */
        LABEL_NOISE, /* the whole line says nothing */
};

struct sysbench_field {
        size_t group;             /* of the pattern */
        const char *field, *unit; /* NULL: what follows the figure is its unit */
        enum better better;
        enum number_comma comma;
        bool may_repeat; /* printed twice in one run by some version */
};

struct sysbench_label {
        enum sysbench_action action;
        enum sysbench_kind kind; /* what only this kind prints; else KIND_UNKNOWN */
        const char *layout;      /* the version that words it so, or NULL */
        bool is_sure;            /* nobody else prints this */
        bool only_latency;       /* counts only in the latency section */
        bool percentile;         /* group 1 is the rank */
        struct sysbench_field fields[4];
        const char *pattern;
};

/** sysbench_patterns() - the table's patterns, compiled; NULL when out of memory */
struct patterns *sysbench_patterns(void);

/** sysbench_next_label() - the first label at or after byte @from of @line; NULL for none */
const struct sysbench_label *sysbench_next_label(const struct patterns *p, const char *line,
                                                 size_t from, struct match *ret);

/** sysbench_mode() - "sequential write" as "seqwr" */
void sysbench_mode(const struct match *m, char *ret, size_t size);

/** sysbench_size_unit() - the unit that begins at @p: "Mb/sec" is "MiB/s" */
const char *sysbench_size_unit(const char *p);
