/* record/fault.h - why something failed, in words fit to print
 *
 * Functions return 0 or a negative errno; the words travel beside the number. Only main.c files and
 * the daemon's top level print them. A caller that does not care passes NULL.
 */
#pragma once
#include "record/macros.h"

struct fault {
        char text[512];
};
#define FAULT_NULL ((struct fault){ .text = "" })

/**
 * fault_set() - say why
 * @f: may be NULL
 * @code: negative errno, returned as it is
 *
 * The text is cut at the end of the buffer rather than allocated: running out of memory has to be
 * reportable too.
 */
int fault_set(struct fault *f, int code, const char *format, ...) PRINTF_LIKE(3, 4);

/** fault_errno() - fault_set() with ": " and the words for @code (a negative errno) appended */
int fault_errno(struct fault *f, int code, const char *format, ...) PRINTF_LIKE(3, 4);

/** fault_context() - put "context: " before what @f already says; returns @code */
int fault_context(struct fault *f, int code, const char *format, ...) PRINTF_LIKE(3, 4);
