/* daemon/probes/child.c - see child.h */
#include "daemon/probes/child.h"
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include "daemon/probes/report.h"
#include "record/clock.h"

#define WAITED_NS (20 * (int64_t) 1000000)

static void add_whose(struct mark_detail *d, const struct child *c, unsigned screen)
{
        if (screen)
                mark_detail_add(d, SERVED_SCREEN_KEY, "%u", screen);
        mark_detail_add(d, SERVED_ROLE_KEY, "%c", seat_role_letter(c->role));
}

void child_report(const struct child *c, unsigned screen, const char *name, int64_t at_ns,
                  int64_t error_us, const struct mark_detail *more)
{
        struct mark_detail d = MARK_DETAIL_NULL;
        int64_t late_us = lateness_us(&c->lateness, at_ns);

        add_whose(&d, c, screen);
        mark_detail_add(&d, "error_us", "%lld",
                        (long long) (error_us > late_us ? error_us : late_us));
        mark_detail_append(&d, more);
        if (report_mark(name, at_ns, c->source, &d) < 0)
                _exit(EXIT_FAILURE);
}

void child_absent(const struct child *c, unsigned screen, const char *milestone, const char *reason)
{
        struct mark_detail d = MARK_DETAIL_NULL;

        add_whose(&d, c, screen);
        mark_detail_add(&d, "milestone", "%s", milestone);
        mark_detail_add(&d, "reason", "%s", reason);
        if (report_mark(MARK_ABSENT, monotonic_ns(), c->source, &d) < 0)
                _exit(EXIT_FAILURE);
}

int child_connect(const char *path, struct fault *fault)
{
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        (void) snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
        if (fd < 0 || connect(fd, (const struct sockaddr *) &address, sizeof address) < 0)
                return fault_errno(fault, -errno, "%s", path);
        return TAKE_FD(fd);
}

int64_t child_error_of_answer(const struct served_target *t, int64_t asked_ns, int64_t at_ns)
{
        if (at_ns - asked_ns >= WAITED_NS || !t->socket_ns)
                return 0;
        return us_from_ns(at_ns - t->socket_ns);
}

struct timespec child_until(int64_t at_ns)
{
        int64_t left_ns = at_ns - monotonic_ns();

        left_ns = left_ns < 0 ? 0 : left_ns;
        return (struct timespec){ .tv_sec = (time_t) (left_ns / NS_PER_S),
                                  .tv_nsec = (long) (left_ns % NS_PER_S) };
}
