/* record/supervise.h - run a program that may fail, hang, flood or fork, and be left with nothing
 *
 * Between the caller and the program stands a process that adopts whatever the program leaves
 * behind (a subreaper) and kills it all: when the program has ended, at the deadline, at Ctrl-C,
 * and when the caller itself is killed. The program has a process group of its own, /dev/null as
 * its input, and pipes as its outputs.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

#define SUPERVISE_LINE_BYTES 400

struct supervise_job {
        const char *path;         /* the program */
        char *const *argv;        /* argv[0] is what it is called, in its own messages too */
        char *const *environment; /* "KEY=VALUE" to be added, ended by NULL; or NULL */
        bool bare_environment;    /* @environment is all that it gets */
        const char *folder;       /* its working directory; NULL: ours */
        int64_t deadline_us;      /* from its start; 0 for none */
        int64_t grace_us;         /* between asking it to end and killing it; 0: 2 s */
        size_t max_output_bytes;  /* of stdout; more ends the program */
        bool merge_output;        /* stdout goes where stderr goes, in the order written */
        /** on_stderr() - what came on stderr, as it comes; may be NULL */
        void (*on_stderr)(void *userdata, const char *data, size_t n_bytes);
        /** on_watch() - @watch_fd can be read; true when what was waited for has come and the
         * program may end. Reads all that there is. NULL for nothing to watch. */
        bool (*on_watch)(void *userdata);
        int watch_fd; /* the caller's; only with on_watch() */
        void *userdata;
};

enum supervise_end {
        SUPERVISE_EXITED,      /* by itself; @status is its exit status */
        SUPERVISE_KILLED,      /* by a signal from elsewhere; @status is the signal */
        SUPERVISE_DEADLINE,    /* it was killed because it took too long */
        SUPERVISE_ENOUGH,      /* it was ended because on_watch() said so */
        SUPERVISE_FLOOD,       /* it was killed because it printed too much */
        SUPERVISE_INTERRUPTED, /* the caller was sent SIGINT, SIGTERM or SIGHUP: @status */
};

struct supervised {
        enum supervise_end end;
        int status;
        char *output; /* stdout, NUL-terminated */
        size_t output_bytes;
        char last_line[SUPERVISE_LINE_BYTES]; /* the last line on stderr that was not empty */
        size_t n_survivors;                   /* processes that could not be killed */
        int64_t max_rss_bytes;                /* of its largest process that was waited for */
};
#define SUPERVISED_NULL ((struct supervised){ .output = NULL })

void supervised_done(struct supervised *s);

/**
 * supervise() - run @job to its end
 *
 * While it runs, SIGINT, SIGTERM and SIGHUP are taken instead of killing the caller, who then finds
 * SUPERVISE_INTERRUPTED and decides. A second one cuts the program's grace short.
 *
 * Return: 0 when the program was started, however it ended; -ENOENT, -EACCES, -ENOEXEC and others
 * when it could not be; with the reason.
 */
int supervise(const struct supervise_job *job, struct supervised *ret, struct fault *fault);
