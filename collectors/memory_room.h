/* collectors/memory_room.h - how much memory a load may take without pushing anybody out
 *
 * The machine's memory, or that of the cgroups that we are in, whichever is less.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/fault.h"

#define MEMORY_STEP_BYTES (UINT64_C(64) << 20)

struct memory_room {
        uint64_t total_bytes;     /* that there is, for us */
        uint64_t available_bytes; /* that could be had now without swapping */
};

/**
 * memory_room_now() - from /proc/meminfo and the memory limits of the cgroups above us (v1 and v2)
 * @root_fd: "/" or a recorded tree
 * Return: 0 or a negative errno, with the reason.
 */
int memory_room_now(int root_fd, struct memory_room *ret, struct fault *fault);

/**
 * memory_room_for_load() - half of the total, but no more than three quarters of what is available,
 * in steps of MEMORY_STEP_BYTES
 *
 * A part of the total and not of what happens to be free: the loads of two boots should be alike.
 * Return: the bytes; 0 when there is not even one step.
 */
uint64_t memory_room_for_load(const struct memory_room *m);

/** memory_room_is_low() - less than a twentieth is left: a load has to be stopped */
bool memory_room_is_low(const struct memory_room *m);
