/* daemon/probes/proc_events.h - which programs start, told by the kernel's proc connector
 *
 * The kernel stamps each exec itself, with CLOCK_MONOTONIC. A filter in the kernel lets nothing but
 * execs through: unfiltered, forks and exits cost several times as much and crowd execs out of the
 * queue. What the queue could not hold is known as an instant only: then whoever listens has to
 * look at /proc, and knows since when it has been blind.
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

#define PROC_EVENTS_QUEUE_BYTES (4 * 1024 * 1024) /* some thousands of execs */

struct proc_events {
        int fd;
        int64_t last_ns; /* everything up to here has been told */
};
#define PROC_EVENTS_NULL ((struct proc_events){ .fd = -EBADF })

/**
 * proc_events_open() - ask for events
 * @queue_bytes: how much the kernel may keep for us; taken only as it is needed
 *
 * Return: 0; -EPERM without CAP_NET_ADMIN, -ECONNREFUSED in another network namespace
 * than the host's; -EOPNOTSUPP when the kernel has no proc connector (it never answers)
 */
int proc_events_open(struct proc_events *e, int queue_bytes, struct fault *fault);
void proc_events_close(struct proc_events *e);

struct proc_exec {
        pid_t pid;
        int64_t at_ns;
};

/**
 * proc_events_read() - one batch of what has come
 * @on_exec: for each
 *
 * Return: 1 when there may be more; 0 when nothing is there now; -ENOBUFS when events since
 * e->last_ns were lost; another negative errno.
 */
int proc_events_read(struct proc_events *e,
                     void (*on_exec)(void *userdata, const struct proc_exec *exec), void *userdata);
