/* daemon/measurement.h - the record of the boot that is running, as far as anything still knows it
 *
 * What 'bootlap measure' and bootlapd do alike: every witness is asked, the machine is read as
 * factors, and what an earlier record of this boot holds is kept.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "record/fault.h"
#include "record/record.h"

/**
 * measurement_ask() - ask all witnesses of the running machine
 *
 * Sets @r's start to when the asking began, and warns of a machine that has slept and of a wall
 * clock that was set. Return: 0; a negative errno with the reason.
 */
int measurement_ask(struct record *r, struct fault *fault);

/**
 * measurement_capture() - the machine as factors
 *
 * The key that hides identifiers and the kernel's config are kept with the store; when that cannot
 * be, a warning of the record says so.
 *
 * @keep_serials: serial numbers and UUIDs as they are, because the user asked for them
 */
int measurement_capture(struct record *r, const char *store_dir, bool keep_serials,
                        struct fault *fault);

/**
 * measurement_capture_used() - the stack beneath each path that collectors used
 * @first: of @r's samples, the first that came after the last such call; what they call "path"
 * among their details is looked up
 *
 * A path becomes factors below "path.maildir.", by the first word of the workload's name, and
 * a second path of the same collector's below "path.maildir-2."; the sample's detail "stack" says
 * which. Hides what measurement_store() would. Return: as measurement_capture().
 */
int measurement_capture_used(struct record *r, size_t first, const char *store_dir,
                             bool keep_serials, struct fault *fault);

/**
 * measurement_store() - sort, take out what names the machine or a person, and write
 * @ret_path: as store_write()'s
 */
int measurement_store(struct record *r, const char *store_dir, char **ret_path,
                      struct fault *fault);

/**
 * measurement_keep_earlier() - merge in what the store holds of this boot, labels that wait for it
 *                              included
 *
 * One that cannot be read is not replaced: it is a newer bootlap's, or a damaged file that a person
 * may still rescue. Return: 0, also when there is none; a negative errno with the reason.
 */
int measurement_keep_earlier(struct record *r, const char *store_dir, struct fault *fault);

/** measurement_note_clocks() - @r ends now; warn of what the clocks did since it began. Called
 * after each step: what was said before is not said again. Return: 0; -ENOMEM. */
int measurement_note_clocks(struct record *r);
