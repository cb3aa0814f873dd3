/* daemon/probes/watched.h - files that appear, by pattern, wherever their folders come from
 *
 * libinotifytools keeps one set of watches a process and gives no descriptor away, so whoever uses
 * this is a process for itself. A pattern is an absolute path whose parts may hold wildcards, which
 * do not match slashes. The nearest folder that exists is watched; each folder that comes is
 * watched and then listed, since what is made in it before the watch makes no event. What is found
 * by listing came since the folder's own event.
 */
#pragma once
#include <stdint.h>
#include "daemon/probes/file_time.h"
#include "record/fault.h"

#define WATCHED_MAX 64

struct watched_handler {
        /**
         * on_file() - a file that fits pattern @index is there, for the first time; it came since
         * the last wait, but for one that was there when watching began
         */
        void (*on_file)(void *userdata, unsigned index, const char *path, enum file_how how);
        /** on_gone() - one that was there is no more, since the last wait */
        void (*on_gone)(void *userdata, unsigned index, const char *path);
        /** on_sleep() and on_wake() - around each wait; may be NULL */
        void (*on_sleep)(void *userdata);
        void (*on_wake)(void *userdata);
        void *userdata;
};

/**
 * watched_check() - may this pattern be watched?
 *
 * Return: 0; -EINVAL: not absolute, a part is empty, "." or "..", or it leads below a user's own
 * folder in /run/user (what is mounted there may never answer), with the reason.
 */
int watched_check(const char *pattern, struct fault *fault);

/**
 * watched_run() - watch until something fails
 * @patterns: checked ones, at most WATCHED_MAX
 */
int watched_run(const char *const *patterns, unsigned n_patterns,
                const struct watched_handler *handler, struct fault *fault);
