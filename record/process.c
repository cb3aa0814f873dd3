/* record/process.c - parents, from /proc/PID/stat */
#include "record/process.h"
#include <fcntl.h>
#include <string.h>
#include "record/procfile.h"

#define DEPTH_MAX 64 /* a tree that changes under us must not hold us up */

pid_t process_parent(const char *pid)
{
        CLEANUP(freep) char *line = NULL;
        char path[64], *after_name;
        int parent;

        (void) snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
        if (procfile_read_line(AT_FDCWD, path, &line) < 0)
                return -1;
        after_name = strrchr(line, ')'); /* the name may hold anything, ")" too */
        return after_name && sscanf(after_name, ") %*c %d", &parent) == 1 ? parent : -1;
}

bool process_is_below(pid_t pid, pid_t ancestor)
{
        for (int i = 0; i < DEPTH_MAX && pid > 1; i++) {
                char name[24];

                (void) snprintf(name, sizeof name, "%d", (int) pid);
                pid = process_parent(name);
                if (pid == ancestor)
                        return true;
        }
        return false;
}
