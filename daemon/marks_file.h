/* daemon/marks_file.h - the marks file as it grows
 *
 * Everything that bootlapd learns goes through this file: what hooks wrote before it started, what
 * its probes and its socket bring, what it marks itself. So a bootlapd that is killed and started
 * again knows what the first one knew, and so does 'bootlap measure'.
 */
#pragma once
#include <stddef.h>
#include <sys/types.h>
#include "record/fault.h"
#include "record/mark.h"

struct marks_file {
        int fd;
        off_t offset; /* behind the last whole line that was handed over */
        off_t end;    /* not read beyond; 0 for as far as it goes */
        size_t n_bad; /* lines that are no marks */
};
#define MARKS_FILE_NULL ((struct marks_file){ .fd = -EBADF })

/**
 * marks_file_open() - open it below @dir_fd, an empty one being made
 * Return: 0; -EINVAL when it is no regular file; another negative errno, with the reason.
 */
int marks_file_open(struct marks_file *f, int dir_fd, struct fault *fault);
void marks_file_done(struct marks_file *f);

/**
 * marks_file_read() - hand over each mark that has come since the last call
 *
 * A line that is not whole yet is left for the next call; one that is no mark is counted.
 * Return: 0; a negative errno from reading, or the first one that @on_mark returned.
 */
int marks_file_read(struct marks_file *f, int (*on_mark)(void *userdata, const struct mark *m),
                    void *userdata);
