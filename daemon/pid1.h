/* daemon/pid1.h - one question to systemd, asked without waiting for it
 *
 * Over /run/systemd/private, which is there seconds before the system bus. The connection lives for
 * the question only: PID 1 sends everyone who stays connected a signal for every unit that changes,
 * and being told of a whole boot costs more than asking now and then.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>
#include "record/fault.h"

#define PID1_ADDRESS "unix:path=/run/systemd/private"

struct pid1_answer {
        bool has_local_fs; /* local-fs.target is active: every local mount is made */
        enum {
                DISPLAY_MANAGER_NONE, /* none runs, and none is about to */
                DISPLAY_MANAGER_RUNS, /* or starts, or is started again and again */
                DISPLAY_MANAGER_FAILED,
        } display_manager;
        uint64_t finish_us; /* when start-up was complete, CLOCK_MONOTONIC; 0 not yet */
};

struct pid1;

/**
 * pid1_ask() - begin to ask
 * @address: PID1_ADDRESS, or another's in tests
 * @on_answer: called once, from the loop: with the answer, or with NULL and the reason
 * @ret: to be freed with pid1_free(), also after the answer; not before the callback has returned
 *
 * Return: 0; a negative errno with the reason: nobody listens there.
 */
int pid1_ask(sd_event *event, const char *address,
             void (*on_answer)(void *userdata, const struct pid1_answer *answer,
                               const char *reason),
             void *userdata, struct pid1 **ret, struct fault *fault);

/** pid1_free() - take a question back, or clean up after it; NULL is fine */
struct pid1 *pid1_free(struct pid1 *p);
void pid1_freep(struct pid1 **p);
