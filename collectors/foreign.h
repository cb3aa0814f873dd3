/* collectors/foreign.h - other people's benchmarks: found, run, and their output read
 *
 * What they print goes through the grammar of "bootlap import", so a figure that was measured here
 * and one from an old post have the same name, unit and checks.
 */
#pragma once
#include "collectors/harness.h"
#include "record/supervise.h"

/**
 * foreign_find() - a program by its name in PATH
 * Return: 0; HARNESS_UNAVAILABLE with the reason, which ends with @advice.
 */
int foreign_find(const char *name, const char *advice, char **ret, struct fault *fault);

/**
 * foreign_run() - to its end, with LC_ALL=C
 * @what: "sysbench cpu", for faults
 * @folder: where it works, or NULL
 * @environment: to be added, ended by NULL; or NULL
 * @ret: its output; release with supervised_done()
 *
 * Return: 0 when it ended well; -EINTR; -ENOSPC when a disk was full; -EIO otherwise. The reason
 * holds the program's own words.
 */
int foreign_run(const char *what, char *const *argv, const char *folder, char *const *environment,
                struct supervised *ret, struct fault *fault);

/**
 * foreign_enter() - every sample that the grammar @format finds in the output
 * @number: of the run
 * @decorate: adds parameters to a sample; 0 or a negative errno
 *
 * What cannot be read, or does not fit together, becomes a warning of the result.
 * Return: 0; -ENOMSG when there is no sample in it; -ENOMEM.
 */
int foreign_enter(struct harness *h, const char *format, const struct supervised *output,
                  unsigned number, int (*decorate)(struct sample *s, void *userdata),
                  void *userdata, struct fault *fault);
