/* daemon/probes/served.h - a display server's socket, and the child that talks to who listens there
 *
 * What the x11 and the wayland probe have in common: the socket's file appears, who listens is
 * asked without connecting, a child with that user's rights does the talking, and what it says is
 * checked and passed on under the session's name. Nothing here waits for a server. What cannot be
 * watched now is looked at again, ever more rarely: the file of a socket is there before anyone
 * listens, and a session may make an owner legitimate.
 */
#pragma once
#include <stdbool.h>
#include "daemon/desktop_conf.h"
#include "daemon/probes/loop.h"
#include "daemon/probes/seat.h"
#include "witness/listener.h"

#define SERVED_SCREEN_KEY "screen" /* detail words of a child, for its parent: screen's number, */
#define SERVED_ROLE_KEY "role"     /* and whose session it took the server for */

/* All that a child needs to know; it is forked with it. */
struct served_target {
        const char *path;
        unsigned display; /* X's number */
        struct listener listener;
        int64_t socket_ns;       /* when the socket appeared, on CLOCK_MONOTONIC; 0 unknown */
        const char *cookie_path; /* or NULL: connect without */
        const struct desktop_conf *desktop;
        enum seat_role role;
};

struct served_kind {
        const char *socket_mark, *ready_mark, *gone_mark;
        const char *const *child_marks; /* what a child may say, ended by NULL */
        bool is_x;
        /** serve() - the child's life; its exit status */
        int (*serve)(const struct served_target *t);
};

struct served {
        const struct served_kind *kind;
        struct probe *probe;
        struct seat *seat;
        const struct desktop_conf *desktop;
        char path[108], name[48]; /* of the socket; of the display (":0", "wayland-0@1000") */
        unsigned display;
        unsigned n_servers; /* that answered so far, at this socket */
        struct listener listener;
        enum seat_role role;
        int64_t socket_ns;
        ino_t file_ino;
        bool present; /* the file is there, as far as we know */
        bool ready;   /* the present server has answered */
        int64_t ready_ns;
        char reason[200]; /* last absence reported, so that a retry does not repeat it */
        pid_t child;
        int child_stdin_fd;
        size_t n_lines;
        struct line_buffer lines;
        uint64_t retry_us;
        int64_t look_cost_ns; /* processor time of the last look for who holds it */
        sd_event_source *retry, *silent, *output, *exit;
};

/** served_new() - a socket that nothing is known of yet; NULL when out of memory */
struct served *served_new(struct probe *p, const struct served_kind *kind, struct seat *seat,
                          const struct desktop_conf *desktop, const char *path, const char *name,
                          unsigned display);
struct served *served_free(struct served *s);

/**
 * served_found() - the socket's file is there
 * @watched: inotify said so just now; else it may have been there since the file's birth
 */
void served_found(struct served *s, bool watched);

/** served_seat_changed() - sessions have come or gone */
void served_seat_changed(struct served *s);
