/* record/programs.h - the programs that bootlap runs: collectors and probes, wherever they lie
 *
 * They are looked for in a build tree that the environment names, in the administrator's own folder
 * (folder and program must be root's and writable by nobody else) and where bootlap installs its
 * own. Adding one is adding a file: no list anywhere has to change.
 */
#pragma once
#include <stddef.h>
#include "record/fault.h"

struct program_folders {
        const char *what;        /* "collector", for messages */
        const char *environment; /* variable that names a build tree's folder */
        const char *user;        /* "/etc/bootlap/collectors.d" */
        const char *installed;
};

extern const struct program_folders program_folders_collectors, program_folders_probes;

/**
 * program_find() - the program called @name
 * Return: 0; -ENOENT; -EINVAL for a name that is none; -EPERM for one in the user's folder that
 * others may change; with the reason.
 */
int program_find(const struct program_folders *folders, const char *name, char **ret_path,
                 struct fault *fault);

/**
 * program_names() - all that lies in the folders, sorted; free each and the array
 * @refused: when not NULL, called for each that program_find() would not give out, with the reason
 */
int program_names(const struct program_folders *folders, char ***ret, size_t *ret_n,
                  void (*refused)(void *userdata, const char *reason), void *userdata,
                  struct fault *fault);
