/* record/mark_send.h - hand a mark over to whoever makes this boot's record
 *
 * Root appends to RUN_DIR/marks, which needs no daemon and outlives one. Anyone else sends one
 * datagram to RUN_DIR/socket, where bootlapd makes "user.<name>" of it. Neither waits for anything:
 * a mark that cannot be handed over now is lost, and the caller is told why.
 */
#pragma once
#include "record/fault.h"
#include "record/mark.h"

#define MARK_RUN_DIR "/run/bootlap" /* unless $BOOTLAP_RUN_DIR names another */
#define MARK_FILE "marks"
#define MARK_SOCKET "socket"
#define MARK_FILE_MAX_BYTES (512 * 1024) /* a loop that marks for ever must not fill /run */

/** mark_run_dir() - $BOOTLAP_RUN_DIR, else MARK_RUN_DIR */
const char *mark_run_dir(void);

/**
 * mark_append() - one line into the marks file of the folder @dir_fd, in one O_APPEND write
 *
 * Return: 0; -EFBIG when the file has reached MARK_FILE_MAX_BYTES; -EINVAL when it is no regular
 * file or @m has a bad name; another negative errno.
 */
int mark_append(int dir_fd, const struct mark *m, struct fault *fault);

/**
 * mark_send() - by file, or by socket where the file is not ours to write
 * @run_dir: made when it is missing and may be made
 *
 * Return: 0 or a negative errno.
 */
int mark_send(const char *run_dir, const struct mark *m, struct fault *fault);
