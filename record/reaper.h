/* record/reaper.h - the process between a supervisor and the program it runs (see supervise.h) */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the reaper, or on a failed exec the child itself, writes on the report pipe. */
struct reaper_report {
        enum { REAPER_EXEC_FAILED, REAPER_ENDED } kind;
        int value;          /* errno of exec, or waitpid()'s status */
        size_t n_survivors; /* processes that could not be killed */
        int64_t max_rss_bytes;
};

struct reaper {
        const char *path;
        char *const *argv;
        char *const *environment; /* to be added; or NULL */
        bool bare_environment;
        const char *folder;       /* or NULL */
        int64_t grace_us;
        int control_fd;           /* read end: a byte or its closing means end it, a second one now */
        int report_fd;            /* write end */
        int stdout_fd, stderr_fd; /* write ends for the program */
};

/** reaper_main() - to be called in a fresh fork; does not return */
_Noreturn void reaper_main(const struct reaper *r);
