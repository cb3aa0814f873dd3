/* collectors/window_task.h - uncover a window, and wait until it is drawn again
 *
 * What a person waits for when a window goes away: the X server tells the one below that a part of
 * it has become visible, and that one draws. Both windows are ours and no window manager's.
 */
#pragma once
#include <stdbool.h>
#include "record/fault.h"

struct window_task;

/**
 * window_task_open() - put the two windows up
 *
 * Return: 0; -ENODEV when there is no display, or it does not let us in; -ETIME when nothing is
 * drawn there; another negative errno. With the reason.
 */
int window_task_open(struct window_task **ret, struct fault *fault);
void window_task_freep(struct window_task **t);

/**
 * window_task_how() - "uncover"; or "map" where a compositing window manager keeps the picture of
 * what is covered, so that only a window that comes anew has to be drawn
 */
const char *window_task_how(const struct window_task *t);

/** window_task_run() - once; -ETIME when the server says nothing, -EIO when it is gone */
int window_task_run(struct window_task *t, double *ret_ms, struct fault *fault);
