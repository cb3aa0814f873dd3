/* witness/counter.c - the time before the kernel, from the CPU's counter
 *
 * counter / hz - CLOCK_MONOTONIC_RAW is the time from the counter's reset to the kernel's start.
 * The rate is measured against the same raw clock, between the reading taken when the asking began
 * and one taken now, so that both halves of the difference share one notion of a second; what the
 * CPU states is only compared. Plenty of machines do not reset the counter when they should: see
 * counter_judge(). */
#include "witness/counter.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "record/procfile.h"
#include "witness/plausible.h"
#include "witness/witness.h"

/* The longer between the two readings, the better the rate: 1 us of jitter in 1 s is 3.6 ms in an
 * hour of uptime. The short one does where the kernel's own figure only has to be confirmed. */
#define WINDOW_NS ((int64_t) 1000 * 1000 * 1000)
#define SHORT_WINDOW_NS ((int64_t) 100 * 1000 * 1000)
/* The kernel scales by an integer of at least 22 bits. */
#define KERNEL_SCALE_ERROR 1.2e-7
#define SLEPT_US (10 * 1000)
#define STATED_DIFFERS_PERCENT 1
#define KEXEC_LOADER_TYPE 0xd /* the x86 boot protocol's number for kexec, in the upper half */

struct counter_rate counter_measure_rate(const struct counter_reading *a,
                                         const struct counter_reading *b)
{
        double elapsed_ns = (double) (b->raw_ns - a->raw_ns);

        return (struct counter_rate){
                .hz = (double) (b->ticks - a->ticks) / elapsed_ns * NS_PER_S,
                .error = (double) (a->width_ns + b->width_ns) / 2 / elapsed_ns,
        };
}

struct counter_rate counter_choose_rate(struct counter_rate measured, int64_t kernel_khz)
{
        double hz = (double) kernel_khz * 1000;
        struct counter_rate kernel = { .hz = hz, .error = 500 / hz + KERNEL_SCALE_ERROR };

        if (kernel_khz <= 0 || measured.error <= kernel.error ||
            fabs(measured.hz / hz - 1) > measured.error + kernel.error)
                return measured;
        return kernel;
}

int64_t counter_span_us(const struct counter_reading *r, struct counter_rate rate,
                        int64_t *ret_error_us)
{
        double counter_us = (double) r->ticks / rate.hz * US_PER_S;

        *ret_error_us = (int64_t) (counter_us * rate.error) + us_from_ns(r->width_ns) + 1;
        return (int64_t) (counter_us - (double) r->raw_ns / NS_PER_US);
}

int counter_judge(const struct counter_facts *f, char *reason, size_t reason_bytes)
{
        double differs_percent = f->stated_hz > 0 ? 100 * (f->hz / f->stated_hz - 1) : 0;

        if (f->was_kexec)
                (void) snprintf(
                        reason, reason_bytes,
                        "the kernel was started by kexec: the counter runs since before that");
        else if (f->slept_us > SLEPT_US)
                (void) snprintf(
                        reason, reason_bytes,
                        "the machine has slept for %.0f s since boot, which the counter may or "
                        "may not have counted",
                        s_from_us(f->slept_us));
        else if (differs_percent > STATED_DIFFERS_PERCENT ||
                 differs_percent < -STATED_DIFFERS_PERCENT)
                (void) snprintf(
                        reason, reason_bytes,
                        "the counter runs at %.0f Hz where the CPU states %.0f: it is scaled",
                        f->hz, f->stated_hz);
        else if (f->elapsed_us < 0)
                (void) snprintf(reason, reason_bytes,
                                "the counter is %.3f s younger than the kernel%s",
                                -s_from_us(f->elapsed_us),
                                f->has_hypervisor ? ": the hypervisor set it" : "");
        else if (f->earlier_end_before_us >= 0 &&
                 f->elapsed_us > f->earlier_end_before_us + US_PER_S)
                (void) snprintf(
                        reason, reason_bytes,
                        "the boot before this one ended only %.0f s before the kernel started: "
                        "a warm reboot that did not reset the counter",
                        s_from_us(f->earlier_end_before_us));
        else if (f->elapsed_us > PLAUSIBLE_FIRMWARE_US_MAX)
                (void) snprintf(
                        reason, reason_bytes,
                        "%.0f s before the kernel are no firmware's: a warm reboot that did not "
                        "reset the counter%s",
                        s_from_us(f->elapsed_us),
                        f->has_hypervisor ? ", or a hypervisor that offset it" : "");
        else
                return 0;
        return -ERANGE;
}

static bool was_kexec(int root_fd)
{
        int64_t type;

        return procfile_read_int(root_fd, "proc/sys/kernel/bootloader_type", &type) == 0 &&
               type >> 4 == KEXEC_LOADER_TYPE;
}

static struct counter_reading read_after_window(const struct counter_reading *first,
                                                int64_t window_ns)
{
        struct counter_reading second = counter_read();
        int64_t missing_ns = window_ns - (second.raw_ns - first->raw_ns);
        struct timespec ts = { .tv_sec = (time_t) (missing_ns / NS_PER_S),
                               .tv_nsec = (long) (missing_ns % NS_PER_S) };

        if (!second.is_read || missing_ns <= 0)
                return second;
        while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
                ;
        return counter_read();
}

/* kernel_khz() - the rate in the kernel log is the raw clock's only while that runs on the counter
 */
static int64_t kernel_khz(const struct witness_context *ctx)
{
        CLEANUP(freep) char *source = NULL;

        if (procfile_read_line(ctx->root_fd,
                               "sys/devices/system/clocksource/clocksource0/current_clocksource",
                               &source) < 0 ||
            strcmp(source, "tsc") != 0)
                return 0;
        return ctx->kernel_counter_khz;
}

/* earlier_end_before_us() - from the end of the boot before this one to the kernel's start; -1 when
 * the journal does not tell */
static int64_t earlier_end_before_us(const struct witness_context *ctx)
{
        int64_t kernel_realtime_us =
                ctx->now.realtime_us - ctx->now.boottime_us - ctx->wall.step_us;

        if (ctx->earlier_end_realtime_us == 0 || ctx->earlier_end_realtime_us > kernel_realtime_us)
                return -1;
        return kernel_realtime_us - ctx->earlier_end_realtime_us;
}

static int ask_counter(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        struct sighting s = { .source = (char[]){ "counter" } };
        struct counter_facts facts = { .elapsed_us = 0 };
        struct counter_rate measured, rate;
        struct counter_reading last;
        int64_t khz;
        char detail[128];

        if (was_kexec(ctx->root_fd) && !r->boot_kind) {
                r->boot_kind = strdup("kexec");
                if (!r->boot_kind)
                        return -ENOMEM;
        }
        if (!ctx->is_live)
                return fault_set(fault, -ENOENT, "a recorded tree has no running counter");
        if (!ctx->counter.is_read)
                return fault_set(fault, -ENOENT, "this CPU has no counter that a program may read");
        khz = kernel_khz(ctx);
        last = read_after_window(&ctx->counter, khz ? SHORT_WINDOW_NS : WINDOW_NS);
        measured = counter_measure_rate(&ctx->counter, &last);
        rate = counter_choose_rate(measured, khz);
        facts.elapsed_us = counter_span_us(&last, rate, &s.error_us);
        facts.hz = measured.hz;
        facts.stated_hz = (double) counter_stated_hz();
        facts.slept_us = ctx->now.boottime_us - ctx->now.monotonic_us;
        facts.was_kexec = was_kexec(ctx->root_fd);
        facts.has_hypervisor = counter_has_hypervisor();
        facts.earlier_end_before_us = earlier_end_before_us(ctx);

        ctx->pre_kernel = (struct pre_kernel){ .is_known = true,
                                               .elapsed_us = facts.elapsed_us,
                                               .error_us = s.error_us };
        s.at_us = -facts.elapsed_us;
        if (counter_judge(&facts, ctx->pre_kernel.implausible, sizeof ctx->pre_kernel.implausible) <
            0)
                s.implausible = ctx->pre_kernel.implausible;
        if (rate.hz != measured.hz)
                (void) snprintf(detail, sizeof detail, "%.0f Hz, the kernel's%s", rate.hz,
                                facts.has_hypervisor ? "; virtual machine" : "");
        else
                (void) snprintf(detail, sizeof detail, "%.0f Hz, measured over %.2f s%s", rate.hz,
                                (double) (last.raw_ns - ctx->counter.raw_ns) / NS_PER_S,
                                facts.has_hypervisor ? "; virtual machine" : "");
        s.detail = detail;
        return record_see(r, "power.on", NULL, &s);
}

static const char *const milestones[] = { "power.on", NULL };

const struct witness witness_counter = { "counter", milestones, ask_counter };
