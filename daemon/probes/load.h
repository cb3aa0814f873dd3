/* daemon/probes/load.h - how busy CPUs and disks were between two readings, less what we did
 *
 * Files of the kernel are kept open and read again: a reading is to cost little, since it is itself
 * a load. Disks are those that are really there: dm-crypt, LVM and md only hand on to them, and
 * loop and zram devices to what is beneath or to the CPUs.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

#define LOAD_DISKS_MAX 64
#define LOAD_OWN_MAX 32
#define LOAD_NAME_BYTES 32

struct load_source {
        int fd;
        char name[LOAD_NAME_BYTES]; /* of the disk; of the process, its number */
        uint64_t count, before;     /* ms with requests in flight; ns on a CPU */
        bool has_count, has_before;
};

struct load_reader {
        int proc_fd, sys_block_fd, stat_fd;
        pid_t parent; /* whose processes are ours too; 0 for none */
        int64_t at_ns, sources_ns;
        uint64_t cpu_idle_ms;
        unsigned n_cpus;
        bool has_before;
        struct load_source disks[LOAD_DISKS_MAX], own[LOAD_OWN_MAX];
        size_t n_disks, n_own;
};

/* Shares of the time between two readings, 0 to 100. */
struct load {
        int64_t start_ns, end_ns;
        int cpu_percent;  /* of all CPUs together */
        int disk_percent; /* of the busiest disk */
        char disk[LOAD_NAME_BYTES];
};

/**
 * load_reader_init() - open what lies below @root_fd: "proc" and "sys/block"
 * @parent: the process whose children are part of the measuring, as it is itself; 0 for none
 *
 * Return: 0; -ENOENT and others when CPUs cannot be watched. A machine without disks is none.
 */
int load_reader_init(struct load_reader *r, int root_fd, pid_t parent, struct fault *fault);
void load_reader_done(struct load_reader *r);

/**
 * load_read() - read at @now_ns; @ret tells of the time since the reading before
 *
 * Return: 1 and *ret; 0 for the first reading; a negative errno when the kernel will not say.
 */
int load_read(struct load_reader *r, int64_t now_ns, struct load *ret, struct fault *fault);
