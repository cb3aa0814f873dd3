/* witness/counter_reading.c - rdtsc and cntvct. Both run on from the machine's reset (or from where
 * a hypervisor set them), which is what makes them a witness of the time before the kernel. */
#include "witness/counter_reading.h"
#include <time.h>
#include "record/clock.h"

#define READINGS 32

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <x86intrin.h>

static bool counter_ticks(uint64_t *ret)
{
        unsigned a, b, c, d;

        /* rdtsc does not wait for what stands before it, but cpuid does. */
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(d & (1u << 4)))
                return false;
        *ret = __rdtsc();
        return true;
}

uint64_t counter_stated_hz(void)
{
        unsigned denominator = 0, numerator = 0, crystal_hz = 0, unused = 0;

        if (__get_cpuid_max(0, NULL) < 0x15)
                return 0;
        __cpuid(0x15, denominator, numerator, crystal_hz, unused);
        if (!denominator || !numerator || !crystal_hz)
                return 0;
        return (uint64_t) crystal_hz * numerator / denominator;
}

bool counter_has_hypervisor(void)
{
        unsigned a, b, c = 0, d;

        return __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 31));
}

#elif defined(__aarch64__)

static bool counter_ticks(uint64_t *ret)
{
        __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(*ret)::"memory");
        return true;
}

uint64_t counter_stated_hz(void)
{
        uint64_t hz;

        __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
        return hz;
}

bool counter_has_hypervisor(void) { return false; /* nothing that a program may read tells */ }

#else

static bool counter_ticks(uint64_t *ret)
{
        (void) ret;
        return false;
}

uint64_t counter_stated_hz(void) { return 0; }

bool counter_has_hypervisor(void) { return false; }
#endif

static int64_t raw_ns(void)
{
        struct timespec ts;

        if (clock_gettime(CLOCK_MONOTONIC_RAW, &ts) < 0)
                return -1;
        return (int64_t) ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

struct counter_reading counter_read(void)
{
        struct counter_reading best = { .is_read = false };

        /* The process may be interrupted between the two clocks: the tightest bracket wins. */
        for (int i = 0; i < READINGS; i++) {
                uint64_t ticks;
                int64_t before = raw_ns(), after;

                if (before < 0 || !counter_ticks(&ticks))
                        return best;
                after = raw_ns();
                if (!best.is_read || after - before < best.width_ns)
                        best = (struct counter_reading){ .is_read = true,
                                                         .ticks = ticks,
                                                         .raw_ns = before + (after - before) / 2,
                                                         .width_ns = after - before };
        }
        return best;
}
