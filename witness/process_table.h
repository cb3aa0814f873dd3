/* witness/process_table.h - the running processes, read once for all who look for one by name */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

#define PROCESS_NAME_BYTES 64

struct process {
        pid_t pid;
        pid_t parent;
        uid_t uid;
        char name[PROCESS_NAME_BYTES]; /* comm: the program's name, cut at 15 bytes by the kernel */
        int64_t forked_us;             /* CLOCK_BOOTTIME, rounded down to a clock tick */
};

struct process_table {
        bool is_read;
        struct process *process; /* by pid */
        size_t n;
};

/**
 * process_parse_stat() - what /proc/PID/stat says
 * @ticks_per_s: of the machine that wrote it
 *
 * The name is whatever the program chose, blanks and parentheses included: it ends at the last ')'.
 * Return: 0; -EINVAL.
 */
int process_parse_stat(const char *stat, long ticks_per_s, struct process *ret);

/** process_table_read() - all of "proc" below @root_fd that can still be read; 0, -errno */
int process_table_read(struct process_table *t, int root_fd, struct fault *fault);
void process_table_done(struct process_table *t);

const struct process *process_find(const struct process_table *t, pid_t pid);

/** process_arguments() - argv[] of a process, NUL-separated with a NUL after the last; 0, -errno */
int process_arguments(int root_fd, pid_t pid, char **ret, size_t *ret_bytes);

/* An X display whose listener is a real X server, so that connecting starts nothing. */
struct x_display {
        unsigned number;
        char path[128]; /* of its socket */
        pid_t pid;      /* the server */
        uid_t uid;
        bool may_connect;
        bool is_xwayland;
        char why_not[128]; /* reason when it may not be connected to */
};

struct x_display_list {
        struct x_display *display;
        size_t n;
};
