/* record/process.h - who started whom */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/** process_parent() - of a process named as in /proc; -1 when there is none of that name */
pid_t process_parent(const char *pid);

/** process_is_below() - is @pid started by @ancestor, or by one that was, and so on? */
bool process_is_below(pid_t pid, pid_t ancestor);
