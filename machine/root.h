/* machine/root.h - files below the root that is read
 *
 * Paths are formatted, relative ("proc/cpuinfo", "sys/dev/block/8:1/size"). In a recorded tree
 * absolute symbolic links stay inside the tree.
 */
#pragma once
#include <dirent.h>
#include "machine/machine.h"

/** root_open() - openat() below the root; a descriptor or a negative errno */
int root_open(const struct machine_context *m, int flags, const char *format, ...)
        PRINTF_LIKE(3, 4);

/** root_read() - a whole file of at most @max_bytes; see procfile_read() */
int root_read(const struct machine_context *m, size_t max_bytes, char **ret, size_t *ret_bytes,
              const char *format, ...) PRINTF_LIKE(5, 6);

/** root_line() - the first line, without blanks at either end */
int root_line(const struct machine_context *m, char **ret, const char *format, ...)
        PRINTF_LIKE(3, 4);

/** root_integer() - a file that holds one decimal integer; -EINVAL when it does not */
int root_integer(const struct machine_context *m, int64_t *ret, const char *format, ...)
        PRINTF_LIKE(3, 4);

/** root_exists() - whether there is anything of that name */
bool root_exists(const struct machine_context *m, const char *format, ...) PRINTF_LIKE(2, 3);

/** root_link() - where a symbolic link points, as it is spelled */
int root_link(const struct machine_context *m, char **ret, const char *format, ...)
        PRINTF_LIKE(3, 4);

/** root_link_base() - the last part of where it points: the driver's name of ".../driver" */
int root_link_base(const struct machine_context *m, char **ret, const char *format, ...)
        PRINTF_LIKE(3, 4);

/**
 * root_list() - the names in a folder, sorted, without dot files
 * @ret: an array that ends with NULL; release with root_list_freep()
 */
int root_list(const struct machine_context *m, char ***ret, const char *format, ...)
        PRINTF_LIKE(3, 4);
void root_list_freep(char ***names);
