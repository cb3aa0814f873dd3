/* daemon/probes/x11_display.h - one display number: which server listens there, and its child */
#pragma once
#include <stdbool.h>
#include "daemon/probes/loop.h"

struct x11_display {
        struct probe *probe;
        unsigned number;
        unsigned n_servers; /* that answered so far, on this number */
        int64_t socket_ns;  /* when the present socket appeared, 0 unknown */
        ino_t file_ino;     /* of the socket's file */
        bool present;       /* the file is there, as far as we know */
        bool ready;         /* the present server has answered */
        char reason[200];   /* last absence reported, so that a retry does not repeat it */
        int64_t ready_ns;
        pid_t child;
        int child_stdin_fd;
        size_t n_lines;
        struct line_buffer lines;
        uint64_t retry_us;
        sd_event_source *retry, *silent, *output, *exit;
};

#define X11_FOLDER "/tmp/.X11-unix"

/** x11_display_new() - a display that nothing is known of yet; NULL when out of memory */
struct x11_display *x11_display_new(struct probe *p, unsigned number);
struct x11_display *x11_display_free(struct x11_display *d);

/**
 * x11_display_found() - its socket's file is there
 * @watched: inotify said so just now; else it may have been there since the file's birth
 */
void x11_display_found(struct x11_display *d, bool watched);
