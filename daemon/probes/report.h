/* daemon/probes/report.h - how a probe speaks: marks on stdout, remarks on stderr
 *
 * The contract of a probe, as bootlapd and "bootlap watch" rely on it:
 *
 *   stdout  one mark a line (record/mark.h), written at once, each line with one write()
 *   stderr  remarks for a log, one a line
 *   stdin   the marks that other probes have made, one a line; end of file means: stop
 *   exit    0 nothing more to see, 77 cannot watch here (the reason on stderr), 1 failed
 *
 * What could not be seen is said with a MARK_ABSENT mark; the last reason given stands until the
 * milestone is seen after all.
 */
#pragma once
#include <stdint.h>
#include "record/mark.h"
#include "record/mark_detail.h"

#define PROBE_UNAVAILABLE 77

/**
 * report_mark() - one line on stdout
 * @source: who saw it: "probe x11"
 * @at_ns: CLOCK_MONOTONIC
 * @detail: may be NULL
 *
 * Return: 0; a negative errno when nobody reads any more (-EPIPE: the probe had better end).
 */
int report_mark(const char *name, int64_t at_ns, const char *source,
                const struct mark_detail *detail);

/** report_absent() - why @milestone has not been seen so far; @session may be NULL */
int report_absent(const char *milestone, const char *session, const char *source,
                  const char *format, ...) PRINTF_LIKE(4, 5);

/** report_remark() - one line on stderr, "PROGRAM: text" */
void report_remark(const char *format, ...) PRINTF_LIKE(1, 2);
