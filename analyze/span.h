/* analyze/span.h - the spans of a boot that have names, and their machine time */
#pragma once
#include <stdbool.h>
#include "record/record.h"

/* Where the to_ spans of one comparison end; the second milestone when a boot lacks the first. */
struct goal {
        const char *name; /* "boot.to_desktop" */
        const char *to, *alternative;
};

#define N_GOALS 4
extern const struct goal goals[N_GOALS];

/** span_goal_at() - the milestone of @g that boot @r reached, or NULL */
const char *span_goal_at(const struct record *r, const struct goal *g);

/**
 * span_named_us() - machine time of a span by name
 * @name: a phase ("boot.kernel"), "boot.unlock.wait", "boot.unlock.work" or "A..B"
 *
 * Return: false when the boot has no such span, or it would end before it starts.
 */
bool span_named_us(const struct record *r, const char *name, int64_t *ret_us);

/** span_machine_us() - machine time between two milestones; false as above */
bool span_machine_us(const struct record *r, const char *from, const char *to, int64_t *ret_us);

/** span_split() - "A..B" into its milestones; false when @name is no such thing; free both */
bool span_split(const char *name, char **ret_from, char **ret_to);

/** span_common_start() - the later of kernel.start and loader.start that every boot has, or NULL */
const char *span_common_start(const struct record *const *boots, size_t n_boots);
