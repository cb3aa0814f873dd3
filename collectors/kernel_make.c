/* collectors/kernel_make.c - make, as "time make -jN" would run it, with an ear at its output */
#include "collectors/kernel_make.h"
#include <inttypes.h>
#include "collectors/interrupt.h"
#include "record/supervise.h"

#define SIGNAL_STATUS 128 /* as shells count */

static void hear(void *userdata, const char *bytes, size_t n)
{
        struct kernel_make *m = userdata;

        build_log_feed(&m->log, bytes, n);
        if (m->copy)
                (void) fwrite(bytes, 1, n, m->copy);
        if (m->progress)
                progress_step(m->progress, m->log.n_objects);
}

static int supervise_make(struct kernel_make *m, const struct supervise_job *job,
                          struct fault *fault)
{
        CLEANUP(supervised_done) struct supervised s = SUPERVISED_NULL;
        int r = supervise(job, &s, fault);

        build_log_end(&m->log);
        if (r < 0)
                return r;
        if (s.end == SUPERVISE_INTERRUPTED) {
                interrupt_repeat(s.status);
                return fault_set(fault, -EINTR, "interrupted");
        }
        m->status = s.end == SUPERVISE_EXITED ? s.status : SIGNAL_STATUS + s.status;
        m->peak_rss_bytes = s.max_rss_bytes;
        return 0;
}

int kernel_make_run(struct kernel_make *m, unsigned jobs, const char *target, struct fault *fault)
{
        CLEANUP(freep) char *output = NULL;
        char name[] = "make", parallel[32];
        char *argv[5] = { name };
        const struct supervise_job job = { .path = m->make,
                                           .argv = argv,
                                           .environment = m->environment,
                                           .bare_environment = true,
                                           .folder = m->tree,
                                           .merge_output = true,
                                           .on_stderr = hear,
                                           .userdata = m };
        size_t n = 1;

        if (asprintf(&output, "O=%s", m->objects) < 0) {
                output = NULL;
                return fault_set(fault, -ENOMEM, "no memory");
        }
        argv[n++] = output;
        if (jobs > 0) {
                (void) snprintf(parallel, sizeof parallel, "-j%u", jobs);
                argv[n++] = parallel;
        }
        if (target) /* argv is char * for history's sake; nobody writes to it */
                argv[n++] = (char *) (uintptr_t) target;
        m->log = BUILD_LOG_NULL;
        return supervise_make(m, &job, fault);
}

int kernel_make_explain(const struct kernel_make *m, const char *what, struct fault *fault)
{
        const char *tool = build_log_missing_tool(&m->log);
        const char *reason = build_log_reason(&m->log);

        if (tool)
                return fault_set(fault, -ENOPKG, "%s: the build wants %s, which is not installed",
                                 what, tool);
        if (m->log.disk_is_full)
                return fault_set(fault, -ENOSPC,
                                 "%s is incomplete: the disk of %s was full after %" PRIu64
                                 " objects: %s",
                                 what, m->objects, m->log.n_objects, reason);
        if (m->status > SIGNAL_STATUS)
                return fault_set(fault, -EIO,
                                 "%s is incomplete: make was killed by signal %d after %" PRIu64
                                 " objects: %s",
                                 what, m->status - SIGNAL_STATUS, m->log.n_objects, reason);
        return fault_set(fault, -EIO,
                         "%s is incomplete: make ended with status %d after %" PRIu64
                         " objects: %s",
                         what, m->status, m->log.n_objects, reason);
}
