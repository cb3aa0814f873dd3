/* witness/grub.c - when GRUB began and handed over, by the machine's real-time clock
 *
 * hooks/grub passes both on the kernel's command line, as bootlap.grub=START,END: what the RTC
 * said, to the second and without leading zeros ("2026-11-30T22:5:45"). The kernel reads the same
 * clock and logs what it says, which places them on the record's axis, whatever zone that clock is
 * in and however wrong it is. Both readings are cut to a second, so a stamp may be off by one
 * either way.
 */
#include <ctype.h>
#include <string.h>
#include <time.h>
#include "record/procfile.h"
#include "witness/plausible.h"
#include "witness/witness.h"

#define CMDLINE_MAX_BYTES (64 * 1024)
#define PARAMETER "bootlap.grub="

/* parse_number() - digits and then @end; -EINVAL when there is something else or it is too large */
static int parse_number(const char **p, char end, int max, int *ret)
{
        int n = 0;

        if (!isdigit((unsigned char) **p))
                return -EINVAL;
        for (; isdigit((unsigned char) **p); (*p)++) {
                n = n * 10 + (**p - '0');
                if (n > max)
                        return -EINVAL;
        }
        if (**p != end)
                return -EINVAL;
        *p += end != '\0';
        *ret = n;
        return 0;
}

static int parse_stamp(const char *text, int64_t *ret_s)
{
        struct tm t = { .tm_isdst = 0 };

        if (parse_number(&text, '-', 9999, &t.tm_year) < 0 ||
            parse_number(&text, '-', 12, &t.tm_mon) < 0 ||
            parse_number(&text, 'T', 31, &t.tm_mday) < 0 ||
            parse_number(&text, ':', 23, &t.tm_hour) < 0 ||
            parse_number(&text, ':', 59, &t.tm_min) < 0 ||
            parse_number(&text, '\0', 60, &t.tm_sec) < 0 || t.tm_year < 1970 || t.tm_mon < 1 ||
            t.tm_mday < 1)
                return -EINVAL;
        t.tm_year -= 1900;
        t.tm_mon -= 1;
        *ret_s = timegm(&t);
        return 0;
}

/* judge() - as near to the truth as is known: the loader runs between the machine's start, where
 * that is known, and the kernel's. NULL, or why it cannot have been then. */
static const char *judge(const struct witness_context *ctx, int64_t *at_us, char *reason,
                         size_t reason_bytes)
{
        const struct pre_kernel *p = &ctx->pre_kernel;
        int64_t reset_us = p->is_known && !p->implausible[0] ? -p->elapsed_us : INT64_MIN;

        if (*at_us > 0 && *at_us <= US_PER_S)
                *at_us = 0;
        if (*at_us < reset_us && *at_us + US_PER_S >= reset_us)
                *at_us = reset_us;
        if (*at_us < reset_us) {
                (void) snprintf(reason, reason_bytes, "lies %.0f s before the machine's start",
                                s_from_us(reset_us - *at_us));
                return reason;
        }
        return plausible_firmware(*at_us, reason, reason_bytes) < 0 ? reason : NULL;
}

static int see(const struct witness_context *ctx, struct record *r, const char *name, char *stamp)
{
        struct sighting s = { .error_us = US_PER_S, .source = (char[]){ "grub" }, .detail = stamp };
        char reason[128];
        int64_t stamp_s;

        if (parse_stamp(stamp, &stamp_s) < 0)
                return record_add_absent(r, name, "GRUB did not tell the time, but '%.40s'", stamp);
        s.at_us = ctx->rtc.at_us + (stamp_s - ctx->rtc.epoch_s) * US_PER_S;
        if (s.at_us > (int64_t) PLAUSIBLE_US_MAX) /* no less wrong, and a number that JSON holds */
                s.at_us = (int64_t) PLAUSIBLE_US_MAX;
        if (s.at_us < -(int64_t) PLAUSIBLE_US_MAX)
                s.at_us = -(int64_t) PLAUSIBLE_US_MAX;
        s.implausible = (char *) (uintptr_t) judge(ctx, &s.at_us, reason, sizeof reason);
        return record_see(r, name, NULL, &s);
}

static const char *const milestones[] = { "loader.start", "loader.end", NULL };

static int ask_grub(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(freep) char *cmdline = NULL;
        char *start, *end;
        int code = procfile_read(ctx->root_fd, "proc/cmdline", CMDLINE_MAX_BYTES, &cmdline, NULL);

        if (code < 0)
                return fault_errno(fault, code, "/proc/cmdline");
        start = strstr(cmdline, PARAMETER);
        if (!start || (start != cmdline && start[-1] != ' '))
                return 0; /* another loader, or without the hook */
        start += strlen(PARAMETER);
        start[strcspn(start, " \n")] = '\0';
        end = strchr(start, ',');
        if (!end)
                return fault_set(fault, -EINVAL, "%s%.80s: want two times", PARAMETER, start);
        *end++ = '\0';
        if (ctx->rtc.epoch_s == 0)
                return fault_set(fault, -ENODATA,
                                 "GRUB told the time by a clock that the kernel log does not show");
        code = see(ctx, r, "loader.start", start);
        return code == 0 ? see(ctx, r, "loader.end", end) : code;
}

const struct witness witness_grub = { "grub", milestones, ask_grub };
