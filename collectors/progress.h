/* collectors/progress.h - how far a workload has come, on stderr
 *
 * A bar on a terminal, a line every few seconds elsewhere, nothing with --quiet. What supervises a
 * collector reads its stderr through a pipe and can say what is at the other end:
 * BOOTLAP_PROGRESS=bar, lines or none.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum progress_style { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_BAR };

struct progress {
        enum progress_style style;
        const char *who;  /* the collector's name; starts every line */
        const char *what; /* "reading headers"; NULL when nothing is under way */
        uint64_t total;   /* 0: not known */
        const char *unit; /* " objects": what is counted, with its blank; "" when plain */
        int64_t next_us;  /* CLOCK_MONOTONIC of the next sign of life */
        bool bar_is_up;
};

/** progress_style_now() - from @quiet, $BOOTLAP_PROGRESS and what stderr is */
enum progress_style progress_style_now(bool quiet);

/** progress_start() - a stage of @total steps begins; both texts must outlive it */
void progress_start(struct progress *p, const char *what, uint64_t total);

/** progress_start_counting() - the same, and @unit (" objects") is said after each number */
void progress_start_counting(struct progress *p, const char *what, uint64_t total,
                             const char *unit);

/**
 * progress_step() - @done steps of the stage are finished
 *
 * Cheap enough (one clock reading) for every message or object, but not for the inside of what is
 * being timed in microseconds.
 */
void progress_step(struct progress *p, uint64_t done);

/** progress_end() - the stage is over: takes the bar off the screen */
void progress_end(struct progress *p);
