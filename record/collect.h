/* record/collect.h - find collectors, run them, and enter what they measured into a record
 *
 * A collector is a program: see collectors/harness.h for its side of the contract, and
 * record/programs.h for where they lie.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "record/fault.h"
#include "record/record.h"
#include "record/result.h"

#define COLLECT_DEADLINE_US (4 * 3600 * (int64_t) 1000000) /* a kernel build on a slow machine */
#define COLLECT_GRACE_US (300 * (int64_t) 1000000) /* to remove a kernel tree from a busy drive */

struct collect_job {
        const char *name;             /* "maildir" */
        const char *const *arguments; /* n_arguments of them, after the program's name */
        size_t n_arguments;
        int64_t deadline_us; /* 0: COLLECT_DEADLINE_US */
        int64_t grace_us;    /* to clean up when told to end; 0: COLLECT_GRACE_US */
        bool quiet;          /* no progress; else what it prints on stderr is passed on */
};

enum collect_status {
        COLLECT_MEASURED,    /* result.faults says what was wrong with the thing measured, if any */
        COLLECT_UNAVAILABLE, /* cannot be measured here; includes a collector that is not there */
        COLLECT_FAILED,      /* said so, crashed, hung, flooded or printed no result */
        COLLECT_USAGE,       /* was called wrongly */
        COLLECT_INTERRUPTED, /* we were told to stop, by @signal */
};

struct collected {
        enum collect_status status;
        char reason[512];      /* one line; "" when measured */
        bool reason_was_shown; /* the collector's own stderr, already passed on, says it */
        int signal;
        struct result result; /* when measured */
};
#define COLLECTED_NULL ((struct collected){ .status = COLLECT_FAILED })

void collected_done(struct collected *c);

/**
 * collect_run() - run one collector to its end
 * Return: 0 whatever came of it (*ret says); -ENOMEM.
 */
int collect_run(const struct collect_job *job, struct collected *ret, struct fault *fault);

/**
 * collect_enter() - into a record: samples and warnings, or what is absent and why
 *
 * Samples are numbered on behind those of the same workload that the record already holds. What was
 * not measured becomes the absent "collector.NAME".
 */
int collect_enter(struct record *r, const char *name, struct collected *c, struct fault *fault);

/**
 * collect_into() - run several, one after the other, and enter each into @r
 * @on_done: called after each, for messages; may be NULL
 *
 * One that fails does not stop the others; an interruption does.
 * Return: 0; -EINTR when interrupted, with what was measured before entered; -ENOMEM.
 */
int collect_into(struct record *r, const struct collect_job *jobs, size_t n_jobs,
                 void (*on_done)(void *userdata, const struct collect_job *job,
                                 const struct collected *c),
                 void *userdata, struct fault *fault);

/**
 * collect_words() - a collector's command line, cut in place at blanks
 * @command: "NAME ARGUMENT..."; changed, and pointed into by @job
 * @job: its name, arguments and n_arguments are set; free @job->arguments
 *
 * Return: 0; -EINVAL when there is no name; -ENOMEM.
 */
int collect_words(char *command, struct collect_job *job, struct fault *fault);
