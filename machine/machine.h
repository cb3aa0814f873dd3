/* machine/machine.h - the machine as factors: what could explain a boot's times
 *
 * Fills a record's config with flat keys (docs/factors.md lists them), and says of each thing that
 * could not be read why. Nothing here waits for a device or wakes one: everything comes from /proc,
 * /sys, /run, /etc and kernel interfaces that answer from memory.
 *
 * All files are read below one root. That is "/" for the machine that runs, or a folder that holds
 * another machine's files or a recorded tree; then nothing is asked of the running system, and what
 * only a running system can tell is absent.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "record/fault.h"
#include "record/record.h"

#define MACHINE_KEY_BYTES 32

struct machine_context {
        int root_fd;  /* the root that is read; owned */
        bool is_live; /* it is this running system's own root */
        bool has_key;
        bool keep_serials; /* serial numbers and UUIDs as they are: the user asked for them */
        uint8_t key[MACHINE_KEY_BYTES]; /* hides identifiers; without it they are left out */
        int64_t now_realtime_us;        /* what ages are counted to */
};
#define MACHINE_CONTEXT_NULL ((struct machine_context){ .root_fd = -EBADF })

/**
 * machine_open() - choose the root to read
 * @sysroot: a folder, or NULL for the running system
 * Return: 0 or a negative errno; close with machine_close()
 */
int machine_open(struct machine_context *ret, const char *sysroot, struct fault *fault);
void machine_close(struct machine_context *m);

/**
 * machine_load_key() - the key that hides identifiers, made on first use beside the store
 *
 * STORE/../bootlap-identity.key, mode 0600. Return: 0; a negative errno with the reason, after
 * which identifiers are left out.
 */
int machine_load_key(struct machine_context *m, const char *store_dir, struct fault *fault);

/**
 * machine_hide() - take out of a record's texts what names this machine or a person
 *
 * Host and user names, serial numbers, and whatever has the shape of a UUID or an address; labels
 * stay as they were typed. For the last moment before a record is stored. Return: 0; -ENOMEM.
 */
int machine_hide(const struct machine_context *m, struct record *r, struct fault *fault);

/**
 * machine_capture() - every factor of the machine and of the stack beneath "/"
 *
 * Return: 0, also when nothing could be read (record_absent_reason() then says why of each); only
 * -ENOMEM is a failure.
 */
int machine_capture(const struct machine_context *m, struct record *r, struct fault *fault);

/**
 * machine_keep_kernel_config() - the running kernel's config into the store, once for each hash
 * @r: holds kernel.config_sha256; without it there is nothing to keep
 */
int machine_keep_kernel_config(const struct machine_context *m, const struct record *r,
                               const char *store_dir, struct fault *fault);

/**
 * machine_capture_path() - the storage stack beneath a path that a collector used
 * @name: the collector's word for it: keys are "path.<name>.drive.model" and so on
 * @path: absolute; a file, a folder or a device below the context's root
 *
 * What an earlier capture of that name entered is replaced.
 *
 * Return: as machine_capture().
 */
int machine_capture_path(const struct machine_context *m, struct record *r, const char *name,
                         const char *path, struct fault *fault);
