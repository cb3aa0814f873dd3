/* collectors/load.h - something for the machine to do while something else is timed
 *
 * A load is a handful of processes that end with the collector, however that ends: the kernel kills
 * each when its parent goes (PR_SET_PDEATHSIG), an alarm does when it runs for longer than planned.
 * Their files have no name, so none can be left. They offer themselves first when memory runs out
 * (oom_score_adj), and can map no more than they were given.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

#define LOAD_MAX_PROCESSES 512

enum load_kind {
        LOAD_NONE,
        LOAD_SMALL_WRITE, /* 4 KiB here and there, then all of it to the drive, a process a CPU */
        LOAD_LARGE_WRITE, /* 1 MiB after the other */
        LOAD_READ,        /* 1 MiB after the other, from the drive */
        LOAD_CPU,         /* a process a CPU that computes */
        LOAD_SPAWN,       /* a process a CPU that starts and awaits small programs */
        LOAD_8_MEMORY,    /* 8 processes that hand each other a token and use memory in between */
        LOAD_2_MEMORY,    /* 2 of them */
};

struct load_plan {
        enum load_kind kind;
        const char *dir;       /* of the file system to write to; reads and writes only */
        uint64_t file_bytes;   /* each process's */
        uint64_t memory_bytes; /* of all processes together; memory loads only */
        unsigned n_processors;
        unsigned deadline_s;
};

struct load {
        pid_t workers[LOAD_MAX_PROCESSES];
        size_t n_workers;
        int status_fd; /* what they say: 0 when at work, a negative errno when they cannot go on */
};
#define LOAD_NULL ((struct load){ .status_fd = -EBADF })

/** load_processes() - how many @kind has on a machine of @n_processors */
size_t load_processes(enum load_kind kind, unsigned n_processors);

/**
 * load_start() - begin, and return when every process is at work (its memory touched, its first
 * bytes written)
 *
 * Return: 0; -ENOSPC, -ENOMEM, ... with the reason, and nothing left; -EINTR when interrupted.
 */
int load_start(struct load *l, const struct load_plan *p, struct fault *fault);

/** load_check() - -EIO, -ENOSPC, ... when one of its processes has ended, and why */
int load_check(struct load *l, struct fault *fault);

/** load_stop() - end it and wait for that; harmless on LOAD_NULL */
void load_stop(struct load *l);

/* ---- what the processes do (load_work.c) ---- */

struct load_worker {
        const struct load_plan *plan;
        size_t number;         /* from 0 */
        uint64_t memory_bytes; /* this one's */
        int ring_in, ring_out; /* memory loads: where the token comes from and goes to */
        int report_fd;
};

/** load_work() - until killed */
_Noreturn void load_work(const struct load_worker *w);

/** load_anonymous_file() - a file in @dir without a name, for writing; a negative errno */
int load_anonymous_file(const char *dir);
