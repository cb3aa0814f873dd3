/* daemon/probe_child.h - one probe, from its supervisor's side
 *
 * Starts the program, reads its marks and remarks, tells it the marks of others, starts it again
 * when it crashed, and ends it. The probe's own side of the contract is in daemon/probes/report.h.
 * Nothing here waits: a probe that hangs, floods or does not read is noticed and dealt with by
 * events. A probe ends by itself when its supervisor is gone, since its input ends then.
 */
#pragma once
#include <stdbool.h>
#include <sys/types.h>
#include <systemd/sd-event.h>
#include "daemon/line_buffer.h"
#include "record/fault.h"
#include "record/mark.h"

#define PROBE_MARKS_MAX 10000 /* from one probe; more is no boot's, and ends it */

enum probe_end {
        PROBE_DONE,   /* saw all there is to see */
        PROBE_UNABLE, /* cannot watch here */
        PROBE_FAILED, /* crashed or failed time and again, or flooded */
};

struct probe_child;

struct probe_handler {
        /** on_mark() - the probe @name has seen something */
        void (*on_mark)(void *userdata, const char *name, const struct mark *m);
        /** on_remark() - a line for a log; may be NULL */
        void (*on_remark)(void *userdata, const char *name, const char *text);
        /** on_end() - it ended, and is not started again; @reason is one line, "" when done */
        void (*on_end)(void *userdata, const char *name, enum probe_end end, const char *reason);
        /** on_start() - it was started once more, and knows nothing; may be NULL */
        void (*on_start)(void *userdata, struct probe_child *c);
        void *userdata;
};

/**
 * probe_child_start() - start the program at @path
 * @name: of the probe; copied
 * @handler: kept, and has to outlive the child
 *
 * Return: 0; a negative errno when it cannot be started, with the reason.
 */
int probe_child_start(sd_event *event, const char *name, const char *path,
                      const struct probe_handler *handler, struct probe_child **ret,
                      struct fault *fault);

const char *probe_child_name(const struct probe_child *c);

/** probe_child_is_over() - on_end() has been called */
bool probe_child_is_over(const struct probe_child *c);

/** probe_child_tell() - a mark that another has made; lost when the probe does not read */
void probe_child_tell(struct probe_child *c, const char *line, size_t n_bytes);

/** probe_child_close_input() - ask it to end; it has until PROBE_GRACE_US and is killed then. Marks
 * and on_end() still come. */
void probe_child_close_input(struct probe_child *c);
#define PROBE_GRACE_US (2 * (uint64_t) 1000000)

/** probe_child_free() - kill it if it runs, and wait for that; returns NULL */
struct probe_child *probe_child_free(struct probe_child *c);
