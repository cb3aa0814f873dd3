/* daemon/probe_set.h - all probes of this machine, run side by side
 *
 * Those in record/programs.h's folders. Each is told what the others see.
 */
#pragma once
#include "daemon/probe_child.h"

struct probe_set;

enum probe_set_when {
        PROBE_SET_AT_ONCE,
        PROBE_SET_WHEN_WANTED, /* each when what its probe_wants.h file names has come; all when one
                                  of those that run cannot watch */
};

/**
 * probe_set_start() - find and start every probe
 * @handler: copied; on_end() also comes for one that may not be run, or cannot be started
 * @names: only these, ended by NULL; or NULL for all
 *
 * SIGCHLD has to be blocked; SIGPIPE ignored.
 * Return: 0; -ENOENT there is none, or one of @names is not there; -ENOMEM.
 */
int probe_set_start(sd_event *event, const struct probe_handler *handler, const char *const *names,
                    enum probe_set_when when, struct probe_set **ret, struct fault *fault);

/** probe_set_tell() - a mark that is none of the probes' own */
void probe_set_tell(struct probe_set *s, const struct mark *m);

/** probe_set_stop() - ask all to end; on_end() comes for each that was started, and no other starts
 */
void probe_set_stop(struct probe_set *s);

/** probe_set_is_over() - none runs, or will run again */
bool probe_set_is_over(const struct probe_set *s);

/** probe_set_free() - kill those that run; returns NULL */
struct probe_set *probe_set_free(struct probe_set *s);
