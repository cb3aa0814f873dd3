/* record/phases.h - what a boot's time went into, derived from its milestones
 *
 * Every span has two lengths: as it was, and as machine time, which is the span less the union of
 * the waits for a person inside it.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/record.h"

struct span {
        int64_t from_us, to_us;
        int64_t elapsed_us; /* to - from */
        int64_t machine_us; /* elapsed less the union of waits inside */
};

/** span_between() - the span of two instants of @r with its machine time */
struct span span_between(const struct record *r, int64_t from_us, int64_t to_us);

/** span_of() - the span of two milestones; false when either is absent or implausible */
bool span_of(const struct record *r, const char *from, const char *to, struct span *ret);

struct phase {
        const char *name;      /* "boot.kernel", "boot.initrd", ...; PHASE_UNACCOUNTED last */
        const char *from, *to; /* milestones; NULL for PHASE_UNACCOUNTED */
        struct span span;      /* of unaccounted only the lengths are set */
};
#define PHASE_UNACCOUNTED "unaccounted"
#define PHASES_MAX 16

struct phases {
        struct phase phase[PHASES_MAX];
        size_t n;
        const char *from, *to; /* the milestones that the total runs between */
        struct span total;
};

/**
 * phases_of() - split the boot from its first known start to its last milestone
 *
 * The chain is power.on, loader.start, loader.end, kernel.start, initrd.start, userspace.start,
 * then on a desktop x.ready or wayland.ready, wm.ready, desktop.windows, desktop.settled, else
 * graphical.target or multi-user.target. A link whose neighbour in the chain is missing belongs to
 * no phase: it is counted as unaccounted, so that phases plus unaccounted always add up to the
 * total, in both lengths. One exception: without initrd.start, kernel.start..userspace.start is the
 * phase "boot.kernel+initrd".
 *
 * Return: false when fewer than two links are known.
 */
bool phases_of(const struct record *r, struct phases *ret);

/* One link of the chain: a milestone, and the phase that starts there. */
struct phase_link {
        const char *milestone;
        const char *alternative; /* the same link by another name, or NULL */
        const char *phase;       /* NULL for the last */
};

/** phases_chain() - the links that a boot such as @r may have, in order; Return: how many */
size_t phases_chain(const struct record *r, const struct phase_link *ret[PHASES_MAX]);

/** phases_link_at() - when the boot passed a link, and by which name; false when it is not known */
bool phases_link_at(const struct record *r, const struct phase_link *l, const char **ret_name,
                    int64_t *ret_us);
