/* daemon/probes/loop.h - the event loop of a probe, with its side of the contract (report.h)
 *
 * Ends when stdin does, at SIGTERM and SIGINT, and when nobody reads the marks any more. Keeps
 * account of how late each wake-up was.
 */
#pragma once
#include <systemd/sd-event.h>
#include "daemon/line_buffer.h"
#include "daemon/probes/lateness.h"
#include "record/mark.h"
#include "record/mark_detail.h"

struct probe {
        const char *source; /* "probe x11": the third field of its marks */
        sd_event *event;
        struct lateness lateness;
        /** on_mark() - a mark that someone else has made; NULL when they do not matter */
        void (*on_mark)(void *userdata, const struct mark *m);
        void *userdata;
        struct line_buffer input;
};

/** probe_init() - SIGCHLD, SIGTERM and SIGINT are blocked from then on and come as events */
int probe_init(struct probe *p, const char *source, struct fault *fault);

/** probe_run() - until it is over; returns the exit status */
int probe_run(struct probe *p);
void probe_done(struct probe *p);

/** probe_mark() - report_mark() with the bound put before @more (may be NULL); @error_us less than
 * the lateness of the last wake-up is raised to that. Ends the loop when nobody reads. */
void probe_mark(struct probe *p, const char *name, const char *session, int64_t at_ns,
                int64_t error_us, const struct mark_detail *more);

/** probe_absent() - report_absent() likewise */
void probe_absent(struct probe *p, const char *milestone, const char *session, const char *reason);
