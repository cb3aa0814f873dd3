/* daemon/probes/lateness.c - a stamp's own bound, from the kernel's count of waiting for a CPU */
#include "daemon/probes/lateness.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include "record/clock.h"
#include "record/macros.h"

/* From the event's own instant to the wake-up: socket, inotify queue, timer slack (50 us), and the
 * grain of the kernel's count. */
#define DELIVERY_NS 100000

int64_t monotonic_ns(void)
{
        struct timespec ts;

        (void) clock_gettime(CLOCK_MONOTONIC, &ts);
        return (int64_t) ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static uint64_t read_run_delay_ns(const struct lateness *l)
{
        char text[96], *end;
        ssize_t n;

        if (l->schedstat_fd < 0)
                return 0;
        n = pread(l->schedstat_fd, text, sizeof text - 1, 0);
        if (n <= 0)
                return 0;
        text[n] = '\0';
        (void) strtoull(text, &end, 10);
        return strtoull(end, NULL, 10);
}

static long n_sleeps_so_far(void)
{
        struct rusage u;

        (void) getrusage(RUSAGE_SELF, &u);
        return u.ru_nvcsw;
}

void lateness_init(struct lateness *l)
{
        *l = (struct lateness){ .schedstat_fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC),
                                .woke_ns = monotonic_ns() };
        l->run_delay_ns = read_run_delay_ns(l);
}

void lateness_done(struct lateness *l)
{
        closep(&l->schedstat_fd);
        l->schedstat_fd = -EBADF;
}

void lateness_sleep(struct lateness *l)
{
        l->run_delay_ns = read_run_delay_ns(l);
        l->n_sleeps = n_sleeps_so_far();
}

void lateness_woke(struct lateness *l)
{
        bool has_slept = n_sleeps_so_far() != l->n_sleeps;
        uint64_t total_ns = read_run_delay_ns(l);

        if (!has_slept)
                return;
        l->woke_ns = monotonic_ns();
        l->wake_delay_ns = total_ns > l->run_delay_ns ? total_ns - l->run_delay_ns : 0;
}

int64_t lateness_us(const struct lateness *l, int64_t at_ns)
{
        int64_t busy_ns = at_ns > l->woke_ns ? at_ns - l->woke_ns : 0;

        return us_from_ns(busy_ns + (int64_t) l->wake_delay_ns + DELIVERY_NS) + 1;
}
