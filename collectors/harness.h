/* collectors/harness.h - what every collector has in common
 *
 * A collector is one file with a main() that hands a struct collector to harness_main(). The
 * harness parses the common options beside the collector's own, gives up root, and prints what the
 * collector has measured as one JSON document on stdout:
 *
 *   { "schema": "bootlap.result/1", "collector": "maildir", "tool_version": "0.1.0",
 *     "samples": [ as in record/sample.h ], "warnings": [ "..." ], "faults": [ "..." ] }
 *
 * Progress and faults go to stderr. Exit status: 0 a result; 1 failed, with one line that starts
 * with the collector's name, or a result with faults; 2 usage; 77 cannot be measured here, with the
 * reason. A collector that is interrupted dies of the signal, after it has cleaned up.
 *
 *   static int measure(struct harness *h, void *arguments, struct fault *fault)
 *   {
 *           CLEANUP(harness_run_done) struct harness_run run = HARNESS_RUN_NULL;
 *
 *           for (unsigned i = 1; i <= h->runs; i++) {
 *                   r = harness_run_start(h, &run, "maildir.open", i, paths, n_paths, fault);
 *                   ... the work, nothing else ...
 *                   r = harness_run_stop(h, &run, needed_bytes, fault);
 *                   ... sample_add(&run.sample, ...), parameters, details ...
 *                   r = harness_run_add(h, &run, fault);
 *           }
 *   }
 */
#pragma once
#include <argp.h>
#include <stdbool.h>
#include <jansson.h>
#include "collectors/blockdev.h"
#include "collectors/coldcache.h"
#include "collectors/interrupt.h"
#include "collectors/privilege.h"
#include "collectors/progress.h"
#include "collectors/usage.h"
#include "record/fault.h"
#include "record/result.h"
#include "record/sample.h"

enum harness_status {
        HARNESS_DONE = 0,
        HARNESS_FAILED = 1,
        HARNESS_USAGE = 2,
        HARNESS_UNAVAILABLE = 77,
};

struct harness {
        const char *collector;
        char *name;      /* --name, or NULL */
        unsigned runs;   /* --runs, from 1 */
        bool quiet;      /* --quiet */
        bool drop_cache; /* --cache=cold; set the default before harness_main() parses */
        char *user;      /* --user, or NULL */
        struct privilege privilege;
        struct progress progress; /* for the collector's own stages too */
        json_t *samples, *warnings, *faults;
};

struct collector {
        const char *name;
        unsigned default_runs;
        const struct argp *argp; /* with harness_children; its parser gets a struct harness_input
                                  * and hands state->child_inputs[0] = input->harness on */
        unsigned argp_flags; /* ARGP_IN_ORDER where arguments are somebody else's command line */
        void *arguments;

        /**
         * prepare() - look at the arguments while still root; may call harness_run_as_owner_of().
         * NULL when there is nothing to look at. Opens no workload's file.
         */
        int (*prepare)(struct harness *h, void *arguments, struct fault *fault);

        /**
         * measure() - the work, as an ordinary user
         *
         * Return: 0 with at least one sample added; HARNESS_UNAVAILABLE with the reason in @fault;
         * a negative errno with the reason, after which no result is printed. -EINTR when
         * interrupt_is_pending(), with everything cleaned up.
         */
        int (*measure)(struct harness *h, void *arguments, struct fault *fault);
};

struct harness_input {
        struct harness *harness;
        void *arguments;
};

/** harness_children - the child parser of --name, --runs, --cache, --user and --quiet */
extern const struct argp_child harness_children[];

/** harness_main() - everything between main() and exit; Return: the exit status */
int harness_main(const struct collector *c, int argc, char **argv);

/**
 * harness_run_as_owner_of() - work as the owner of @path, unless that is root or --user is given
 *
 * Without it a collector started by root works as $SUDO_UID, else as nobody. For use in prepare().
 */
void harness_run_as_owner_of(struct harness *h, const char *path);

/** harness_warn() - a line for the result's "warnings"; kept silently, printed by who reads it */
void harness_warn(struct harness *h, const char *format, ...) PRINTF_LIKE(2, 3);

/**
 * harness_fault() - a line for the result's "faults": what was measured stands, but it was not as
 * it should be. Name the file, and what is wrong with it. The exit status becomes 1.
 */
void harness_fault(struct harness *h, const char *format, ...) PRINTF_LIKE(2, 3);

/** One run of the workload between two snapshots. */
struct harness_run {
        struct sample sample; /* with real, user, sys and the details once stopped */
        struct blockdev_set devices;
        bool has_cache; /* its cache was looked at */
        struct coldcache cold;
        struct usage start, used; /* used: valid once stopped */
        enum cache_state cache;   /* valid once stopped */
};
#define HARNESS_RUN_NULL ((struct harness_run){ .sample = { .run = 1 } })

void harness_run_done(struct harness_run *run);

/**
 * harness_run_start() - cold cache (as --cache says), then the first snapshot
 * @workload: "maildir.open"; "." and --name are appended
 * @number: from 1
 * @paths: files and folders whose contents the workload will read; the first one's drives are
 *         watched. With n_paths 0 the cache is left alone and nothing is said of it.
 *
 * Return: 0 or a negative errno, with the reason.
 */
int harness_run_start(struct harness *h, struct harness_run *run, const char *workload,
                      unsigned number, const char *const *paths, size_t n_paths,
                      struct fault *fault);

/**
 * harness_run_start_direct() - the same for work that goes past the page cache
 * @path: its drives are watched; the cache is left alone, and nothing is said of it
 */
int harness_run_start_direct(struct harness *h, struct harness_run *run, const char *workload,
                             unsigned number, const char *path, struct fault *fault);

/**
 * harness_run_stop() - the second snapshot, right after the work
 * @needed_bytes: as for coldcache_judge()
 *
 * Fills the sample's real, user and sys, the parameter "cache", and the details "usage", "cache"
 * and "path". Everything else is the collector's to add.
 */
int harness_run_stop(struct harness *h, struct harness_run *run, uint64_t needed_bytes,
                     struct fault *fault);

/** harness_run_add() - the sample is whole: into the result with it, and the run is empty again */
int harness_run_add(struct harness *h, struct harness_run *run, struct fault *fault);

/**
 * harness_sample_init() - a sample without a run of its own: one of several rows that a run gives
 * @workload, @number: as for harness_run_start()
 *
 * Parameters and details are empty objects. Return: 0 or a negative errno, with the reason.
 */
int harness_sample_init(const struct harness *h, struct sample *s, const char *workload,
                        unsigned number, struct fault *fault);

/** harness_sample_add() - into the result with it; @s is empty again */
int harness_sample_add(struct harness *h, struct sample *s, struct fault *fault);
