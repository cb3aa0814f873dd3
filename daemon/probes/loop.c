/* daemon/probes/loop.c - sd-event with an account of each wake-up's lateness */
#include "daemon/probes/loop.h"
#include <signal.h>
#include <string.h>
#include "daemon/probes/report.h"

static void on_input_line(void *userdata, char *line)
{
        CLEANUP(mark_done) struct mark m = MARK_NULL;
        struct probe *p = userdata;

        if (p->on_mark && mark_parse_line(line, &m, NULL) == 0)
                p->on_mark(p->userdata, &m);
}

static int on_input(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct probe *p = userdata;
        int r = line_buffer_read(&p->input, fd, on_input_line, p);

        (void) source;
        (void) revents;
        return r == 0 || (r < 0 && r != -EAGAIN) ? sd_event_exit(p->event, EXIT_SUCCESS) : 0;
}

int probe_init(struct probe *p, const char *source, struct fault *fault)
{
        sigset_t handled;
        int r;

        *p = (struct probe){ .source = source };
        lateness_init(&p->lateness);
        (void) sigemptyset(&handled);
        (void) sigaddset(&handled, SIGCHLD);
        (void) sigaddset(&handled, SIGTERM);
        (void) sigaddset(&handled, SIGINT);
        if (sigprocmask(SIG_BLOCK, &handled, NULL) < 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
                return fault_errno(fault, -errno, "signals");
        r = sd_event_new(&p->event);
        if (r >= 0)
                r = sd_event_add_signal(p->event, NULL, SIGTERM, NULL, NULL);
        if (r >= 0)
                r = sd_event_add_signal(p->event, NULL, SIGINT, NULL, NULL);
        if (r >= 0)
                r = sd_event_add_io(p->event, NULL, STDIN_FILENO, EPOLLIN, on_input, p);
        if (r == -EPERM) /* /dev/null or a file: nothing will be said, and no end of it either */
                r = 0;
        return r < 0 ? fault_errno(fault, r, "the event loop") : 0;
}

int probe_run(struct probe *p)
{
        int r = 0, status = EXIT_FAILURE;

        while (sd_event_get_state(p->event) != SD_EVENT_FINISHED) {
                r = sd_event_prepare(p->event);
                if (r == 0) {
                        lateness_sleep(&p->lateness);
                        r = sd_event_wait(p->event, UINT64_MAX);
                        lateness_woke(&p->lateness);
                }
                if (r > 0)
                        r = sd_event_dispatch(p->event);
                if (r < 0)
                        break;
        }
        if (sd_event_get_exit_code(p->event, &status) < 0) {
                report_remark("the event loop: %s", strerror(-r));
                status = EXIT_FAILURE;
        }
        return status;
}

void probe_done(struct probe *p)
{
        p->event = sd_event_unref(p->event);
        lateness_done(&p->lateness);
}

void probe_mark(struct probe *p, const char *name, const char *session, int64_t at_ns,
                int64_t error_us, const struct mark_detail *more)
{
        struct mark_detail d = MARK_DETAIL_NULL;
        int64_t late_us = lateness_us(&p->lateness, at_ns);

        if (session)
                mark_detail_add(&d, "session", "%s", session);
        mark_detail_add(&d, "error_us", "%lld",
                        (long long) (error_us > late_us ? error_us : late_us));
        mark_detail_append(&d, more);
        if (report_mark(name, at_ns, p->source, &d) < 0)
                (void) sd_event_exit(p->event, EXIT_SUCCESS);
}

void probe_absent(struct probe *p, const char *milestone, const char *session, const char *reason)
{
        if (report_absent(milestone, session, p->source, "%s", reason) < 0)
                (void) sd_event_exit(p->event, EXIT_SUCCESS);
}
