/* daemon/start_record.h - what survives of a boot that is cut off
 *
 * As soon as /var can be written, bootlapd leaves one small file there: a record of the boot so
 * far, incomplete, in a folder of its own beside the store. When the boot's real record is stored,
 * the file goes. A file that is still there at the end of a later boot is of a boot that was cut
 * off, and becomes its record.
 */
#pragma once
#include "record/fault.h"
#include "record/record.h"

#define START_RECORD_MAX_BYTES 4096

/**
 * start_record_write() - keep @boot, as far as it fits into START_RECORD_MAX_BYTES
 * @dir: the folder of start records
 * @boot: identity, clocks and what was seen so far; its last milestones go when there are too many
 * @ret_bytes: written; may be NULL
 *
 * Return: 0 or a negative errno, with the reason.
 */
int start_record_write(const char *dir, const struct record *boot, size_t *ret_bytes,
                       struct fault *fault);

/**
 * start_record_remove() - the record of this boot is stored
 * Return: 0, also when there is no start record of it; a negative errno.
 */
int start_record_remove(const char *dir, const char *machine, const char *id, struct fault *fault);

/**
 * start_record_recover() - make records of the boots that were cut off
 * @id: this boot, which is left alone
 * @warn: told in one line of each file that could not be read or stored; may be NULL
 *
 * Return: how many records were made; a negative errno when @dir cannot be read.
 */
int start_record_recover(const char *dir, const char *store_dir, const char *id,
                         void (*warn)(void *userdata, const char *text), void *userdata,
                         struct fault *fault);
