/* record/mark_detail.h - the words of a mark's detail: key=value key=value ...
 *
 * A mark has room for one text beside name, instant and source. Probes say several things there:
 *
 *   session   display server or session that the milestone belongs to (":0", ":0 greeter")
 *   error_us  upper bound on the stamp's lateness
 *   bound     "lower" when the event lies at or after the stamp
 *   wm, by, pid, program, ...  what is worth keeping
 *
 * Blanks, "%" and control characters in a value are written as %XX, so that foreign text (window
 * titles, program names) stays one word and cannot add another. A text without any "=" is a plain
 * remark, as a hook or a person writes it: then no key is found in it.
 *
 * A mark named MARK_ABSENT stands for no event: it says why the milestone named in its detail
 * (milestone=NAME reason=TEXT, session= where it has one) has not been seen so far.
 */
#pragma once
#include "record/macros.h"

#define MARK_ABSENT "probe.absent"
#define MARK_DETAIL_MAX_BYTES 700

struct mark_detail {
        char text[MARK_DETAIL_MAX_BYTES + 1];
        size_t used;
};
#define MARK_DETAIL_NULL ((struct mark_detail){ .used = 0 })

/**
 * mark_detail_add() - append one word
 *
 * A value longer than 200 bytes is cut; a word that no longer fits is left out whole.
 */
void mark_detail_add(struct mark_detail *d, const char *key, const char *format, ...)
        PRINTF_LIKE(3, 4);

/** mark_detail_append() - the words of @more as they are, as far as they fit; @more may be NULL */
void mark_detail_append(struct mark_detail *d, const struct mark_detail *more);

/**
 * mark_detail_get() - the value of @key, decoded
 * @detail: text of a mark; may be NULL
 *
 * Return: 0; -ENOENT; -ENOMEM. *ret is the caller's to free.
 */
int mark_detail_get(const char *detail, const char *key, char **ret);
