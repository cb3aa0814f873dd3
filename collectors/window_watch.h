/* collectors/window_watch.h - wait for a program's first window
 *
 * Whose a window is, the X server tells by its client's process (X-Resource): a property can say
 * anything, and most programs start as another process than the one that makes their windows.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/fault.h"

struct window_watch;

/**
 * window_watch_open() - listen at $DISPLAY from now on
 * Return: 0; -ENODEV without a display, or one that does not let us in or tell; -ENOMEM.
 */
int window_watch_open(struct window_watch **ret, struct fault *fault);
void window_watch_freep(struct window_watch **w);

int window_watch_fd(const struct window_watch *w);

/** window_watch_begin() - forget what was seen: the next program is about to start */
void window_watch_begin(struct window_watch *w);

/**
 * window_watch_look() - read what the server has to say
 *
 * Return: true when a window of a process below ours is viewable: mapped, and so is all above it;
 * also when the server is gone (window_watch_is_lost()).
 */
bool window_watch_look(struct window_watch *w);

/** window_watch_seen_us() - CLOCK_MONOTONIC of when its notice was read; 0 for not yet */
int64_t window_watch_seen_us(const struct window_watch *w);
bool window_watch_is_lost(const struct window_watch *w);
