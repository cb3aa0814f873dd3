/* daemon/probes/tally.h - are all windows of the configuration there? Asked by x11 and wayland
 * alike */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "daemon/desktop_conf.h"

struct tally_window {
        int line; /* of the configuration; -1: none */
        bool is_mapped, is_drawn;
        int64_t drawn_ns;
};

/* What is waited for: the configuration's lines, or (NULL, or without lines) one window of line 0.
 */
struct tally {
        const struct desktop_conf *wanted;
        const struct tally_window *windows;
        size_t n_windows;
};

/** tally_count() - how many windows are wanted altogether */
unsigned tally_count(const struct tally *t);

/** tally_is_complete() - *ret_last: the window that made it so */
bool tally_is_complete(const struct tally *t, size_t *ret_last);

/** tally_lack() - what the first incomplete line lacks: "class=XTerm count=3: 2 mapped, 1 of them
 * drawn into" */
void tally_lack(const struct tally *t, char *ret, size_t size);
