/* record/procfile.h - small files of /proc and /sys, read whole through a folder's descriptor
 *
 * Callers pass the descriptor of the root to read below ("/" or a recorded tree), so that the code
 * that reads a live machine is the code that tests run.
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include "record/fault.h"

/**
 * procfile_read() - a whole file as a NUL-terminated string
 * @dir_fd: folder that @path is relative to (AT_FDCWD for an ordinary path)
 * @max_bytes: more than this is -EFBIG; sizes of /proc files are not known before
 * @ret_bytes: length without the NUL; may be NULL
 *
 * Never blocks on a FIFO (O_NONBLOCK, and only regular files are read: -EINVAL for others).
 * Return: 0 or a negative errno; *ret is the caller's to free.
 */
int procfile_read(int dir_fd, const char *path, size_t max_bytes, char **ret, size_t *ret_bytes);

/** procfile_read_fd() - the same for a file that is open already; the descriptor stays the caller's
 */
int procfile_read_fd(int fd, size_t max_bytes, char **ret, size_t *ret_bytes);

/** procfile_drain() - the same for whatever can be read to an end, a pipe too; may block */
int procfile_drain(int fd, size_t max_bytes, char **ret, size_t *ret_bytes);

/** procfile_read_line() - the first line without trailing blanks and newline */
int procfile_read_line(int dir_fd, const char *path, char **ret);

/** procfile_read_int() - a file that holds one decimal integer; -EINVAL when it does not */
int procfile_read_int(int dir_fd, const char *path, int64_t *ret);

/** parse_int() - a whole string as a decimal integer: no blanks, "+", or rest; -EINVAL, -ERANGE */
int parse_int(const char *text, int64_t *ret);
