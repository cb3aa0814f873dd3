/* collectors/toolchain.h - the programs that a kernel build runs, and that they are the real ones
 *
 * A compiler cache answers from its memory and a distributing compiler uses other machines: both
 * make a build time that says nothing of this machine, so both are refused rather than worked
 * around.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <jansson.h>
#include "record/fault.h"

/** toolchain_find() - @name in @path_list (as $PATH), absolute; -ENOENT, -ENOMEM */
int toolchain_find(const char *path_list, const char *name, char **ret);

/**
 * toolchain_find_wrapper() - is one of the compilers found in @path_list a cache or a distributor?
 * @ret: words that say which and how it was known ("/usr/lib/ccache/gcc is ccache")
 *
 * Known by the end of its symbolic links, by being the same file, or by its name in a script.
 * Return: 1 when there is one; 0; -ENOMEM.
 */
int toolchain_find_wrapper(const char *path_list, char **ret);

/** toolchain_wrapper_in() - the wrapper's name when @text (a $CC, a script) speaks of one, or NULL
 */
const char *toolchain_wrapper_in(const char *text);

/**
 * toolchain_environment() - all that make and its children get: PATH, HOME, TMPDIR and LC_ALL=C
 * Return: NULL-terminated, to be freed with toolchain_environment_free(); NULL without memory.
 */
char **toolchain_environment(const char *path_list, const char *folder);
void toolchain_environment_free(char **environment);
void toolchain_environment_freep(char ***environment);

/**
 * toolchain_ignored() - names in @environment that would change a build, and do not reach it
 * Return: a JSON array, sorted; NULL without memory.
 */
json_t *toolchain_ignored(char *const *environment);

/**
 * toolchain_run() - a short question to one of the programs
 * @argv: NULL-terminated, from argv[0]
 * @ret_status: its exit status, or 128 + the signal that killed it
 * @ret_line: the first line of its stdout, maybe empty; may be NULL
 *
 * Return: 0 whatever it answered; -EINTR when interrupted; another negative errno, with the reason.
 */
int toolchain_run(const char *program, const char *const *argv, char *const *environment,
                  int *ret_status, char **ret_line, struct fault *fault);

/** toolchain_version() - the first line of "PROGRAM --version" */
int toolchain_version(const char *program, char *const *environment, char **ret,
                      struct fault *fault);
