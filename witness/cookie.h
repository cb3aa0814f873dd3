/* witness/cookie.h - the key to an X server, read without trusting the path to it
 *
 * The path stands in the server's command line, which the server's user chose. So it is opened with
 * that user's rights (the caller has switched already), never through a symbolic link in its last
 * part, never waited for as a FIFO or device would want, and only so many bytes of it are read.
 */
#pragma once
#include <sys/types.h>
#include "record/fault.h"

#define COOKIE_FILE_MAX_BYTES (64 * 1024)

struct cookie {
        char name[32]; /* "MIT-MAGIC-COOKIE-1"; "" for none */
        unsigned char data[64];
        size_t n_bytes;
};
#define COOKIE_NULL ((struct cookie){ .n_bytes = 0 })

/**
 * cookie_read() - the cookie for local display @display
 * Return: 0; -ENOENT no such file, or no cookie in it for this display; -EINVAL not a regular file;
 * -EFBIG; -ELOOP a symbolic link; another negative errno.
 */
int cookie_read(const char *path, unsigned display, struct cookie *ret, struct fault *fault);

/** cookie_path_of_server() - what follows "-auth" in @pid's command line: 0, or a negative errno
 * (-ENOENT when it has no such option). *ret is the caller's to free. */
int cookie_path_of_server(pid_t pid, char **ret, struct fault *fault);

/**
 * cookie_path_for() - where the cookie for the server @pid lies
 * @pid: 0 when it is not known
 *
 * Root believes the server's command line only; a person also has a file of one's own.
 * Return: the caller's, or NULL for none.
 */
char *cookie_path_for(pid_t pid);

/**
 * cookie_take() - become who may talk to a server, for good, with its cookie read on the way
 * @path: cookie_path_for(), or NULL: then there is none to read
 * @server_uid: whose server it is
 * @ret: COOKIE_NULL when there is none; the server may still let us in
 * @why_none: says why there is none; may be NULL
 *
 * For a child process that root has forked: it becomes the server's user before it opens anything;
 * root's own servers are talked to by nobody. Not waited for longer than some seconds, since a file
 * system may never answer either: then SIGALRM ends the process.
 * Return: 0; a negative errno when rights could not be given up, with the reason.
 */
int cookie_take(const char *path, unsigned display, uid_t server_uid, struct cookie *ret,
                struct fault *why_none, struct fault *fault);
