/* daemon/daemon.h - the loop that watches one boot until it has settled
 *
 * It waits for marks, and asks itself once a second what no mark tells: may the start record be
 * written, is a desktop to be waited for at all, has the boot had its time. Nothing in here waits
 * for anyone: a boot that is measured must not be one that hangs.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-event.h>
#include "daemon/login_watch.h"
#include "daemon/mark_socket.h"
#include "daemon/marks_file.h"
#include "daemon/pid1.h"
#include "daemon/probe_set.h"
#include "daemon/settings.h"
#include "record/fault.h"
#include "record/mark.h"
#include "record/questions.h"

/* Marks of bootlapd's own, beside the milestones. */
#define MARK_DAEMON_START "bootlapd.start"
#define MARK_DAEMON_DONE "bootlapd.done"
#define DAEMON_SOURCE "bootlapd"

enum daemon_end {
        DAEMON_WATCHING,       /* not yet */
        DAEMON_SETTLED,        /* "desktop.settled" came */
        DAEMON_NO_DESKTOP,     /* start-up is complete, and no desktop is to come */
        DAEMON_NEVER_SETTLED,  /* the deadline passed */
        DAEMON_DISPLAY_FAILED, /* systemd has given the display manager up */
        DAEMON_STOPPED,        /* SIGTERM: the machine goes down */
        DAEMON_TOO_LATE,       /* the boot was over before anyone watched it */
        DAEMON_DONE_BEFORE,    /* this boot has its record */
};

struct daemon {
        const struct settings *settings;
        const char *run_dir;
        const char *started_dir; /* of start records */
        const char *pid1_address;
        int run_dir_fd;
        int64_t started_us; /* CLOCK_MONOTONIC */
        bool has_systemd;
        sd_event *event;
        sd_event_source *tick, *marks_source, *socket_source;
        struct marks_file marks;
        struct mark_socket socket;
        struct questions questions;
        struct login_watch *login;
        struct probe_set *probes; /* NULL when there are none */
        struct pid1 *question;    /* that PID 1 has not answered, or whose answer was taken */
        bool asking;
        struct pid1_answer pid1; /* the last one */
        unsigned ticks_since_asked;
        unsigned n_starts; /* of bootlapd in this boot, this one included */
        bool has_display;  /* a display server's socket was seen */
        bool has_start_record;
        bool said_no_start_record;
        size_t start_record_bytes;
        enum daemon_end end;
        struct fault trouble; /* the first thing that went wrong and is worth a warning */
};

/**
 * daemon_init() - take over the run folder and what is in it
 * Return: 0; -EWOULDBLOCK another bootlapd watches this boot; another negative errno.
 */
int daemon_init(struct daemon *d, const struct settings *settings, const char *run_dir,
                const char *started_dir, struct fault *fault);
void daemon_done(struct daemon *d);

/** daemon_run() - until d->end is told; 0 or a negative errno of the loop itself */
int daemon_run(struct daemon *d, struct fault *fault);

/** daemon_stop_probes() - ask them to end, and wait for it: a stuck one is killed */
void daemon_stop_probes(struct daemon *d);

/** daemon_mark() - a mark of bootlapd's own, now */
int daemon_mark(struct daemon *d, const char *name, const char *detail, struct fault *fault);

/** daemon_end_text() - why the boot's record is not whole, or NULL when it is */
const char *daemon_end_text(const struct daemon *d);
