/* witness/systemd_times.c - from systemd's stamps to milestones. See systemd_times.h. */
#include "witness/systemd_times.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "record/macros.h"
#include "record/cryptsetup_unit.h"
#include "witness/plausible.h"

#define UNITS_KEPT 50

const char *const systemd_stamp_names[SYSTEMD_STAMPS] = {
        [STAMP_FIRMWARE_BEFORE_KERNEL] = "FirmwareTimestampMonotonic",
        [STAMP_LOADER_BEFORE_KERNEL] = "LoaderTimestampMonotonic",
        [STAMP_INITRD] = "InitRDTimestampMonotonic",
        [STAMP_USERSPACE] = "UserspaceTimestampMonotonic",
        [STAMP_USERSPACE_REALTIME] = "UserspaceTimestamp",
        [STAMP_FINISH] = "FinishTimestampMonotonic",
};

const char *const unit_stamp_names[UNIT_STAMPS] = {
        [STAMP_INACTIVE_EXIT] = "InactiveExitTimestampMonotonic",
        [STAMP_ACTIVE_ENTER] = "ActiveEnterTimestampMonotonic",
        [STAMP_ACTIVE_EXIT] = "ActiveExitTimestampMonotonic",
};

int systemd_times_add_unit(struct systemd_times *t, const char *name, const struct systemd_unit *u)
{
        struct systemd_unit *grown = reallocarray(t->unit, t->n_units + 1, sizeof *grown);

        if (!grown)
                return -ENOMEM;
        t->unit = grown;
        grown[t->n_units] = *u;
        grown[t->n_units].name = strdup(name);
        if (!grown[t->n_units].name)
                return -ENOMEM;
        t->n_units++;
        return 0;
}

void systemd_times_done(struct systemd_times *t)
{
        for (size_t i = 0; i < t->n_units; i++)
                free(t->unit[i].name);
        free(t->unit);
        *t = SYSTEMD_TIMES_NULL;
}

int systemd_times_check_clock(const struct systemd_times *t, const struct clock_tuple *now,
                              struct wall_clock *w)
{
        uint64_t at = t->stamp[STAMP_USERSPACE], realtime = t->stamp[STAMP_USERSPACE_REALTIME];

        if (at > 0 && at < PLAUSIBLE_US_MAX && realtime > 0 && realtime < PLAUSIBLE_REALTIME_US_MAX)
                wall_clock_check(w, now, (int64_t) at, (int64_t) realtime, 0);
        return 0;
}

/* see_before_kernel() - a stamp that systemd keeps as a distance back. It takes the loader's end
 * for the kernel's start, and so leaves out the EFI stub and the initrd's loading, seconds on a
 * slow drive: no bound is known for its error. */
static int see_before_kernel(struct record *r, const char *name, uint64_t before_kernel_us)
{
        char implausible[160], detail[64];
        struct sighting s = { .error_us = RECORD_ERROR_UNKNOWN, .source = (char[]){ "systemd" } };

        if (before_kernel_us == 0)
                return 0;
        s.at_us = -plausible_clamp(before_kernel_us);
        if (before_kernel_us > PLAUSIBLE_US_MAX) {
                (void) snprintf(detail, sizeof detail, "says %" PRIu64 " us before the kernel",
                                before_kernel_us);
                s.detail = detail;
                (void) snprintf(implausible, sizeof implausible,
                                "a subtraction below zero, or %" PRIu64 " years",
                                before_kernel_us / US_PER_S / (365 * 86400 + 86400 / 4));
                s.implausible = implausible;
        } else if (plausible_firmware(s.at_us, implausible, sizeof implausible) < 0) {
                s.implausible = implausible;
        }
        return record_see(r, name, NULL, &s);
}

static int see_after_kernel(struct record *r, const char *name, uint64_t at_us)
{
        char implausible[64];
        struct sighting s = { .at_us = plausible_clamp(at_us), .source = (char[]){ "systemd" } };

        if (at_us > PLAUSIBLE_US_MAX) {
                (void) snprintf(implausible, sizeof implausible,
                                "%" PRIu64 " us is no time of a boot", at_us);
                s.implausible = implausible;
        }
        return record_see(r, name, NULL, &s);
}

static const struct systemd_unit *find_unit(const struct systemd_times *t, const char *name)
{
        for (size_t i = 0; i < t->n_units; i++)
                if (strcmp(t->unit[i].name, name) == 0)
                        return &t->unit[i];
        return NULL;
}

/* enter_target() - systemd keeps only the last time that a target was reached, and one that was
 * left and entered again long after the boot says nothing about the boot. */
static int enter_target(const struct systemd_times *t, struct record *r, const char *name)
{
        const struct systemd_unit *u = find_unit(t, name);
        uint64_t at = u ? u->stamp[STAMP_ACTIVE_ENTER] : 0, finish = t->stamp[STAMP_FINISH];

        if (at == 0)
                return record_add_absent(r, name, "systemd has not reached it in this boot");
        if (finish > 0 && at > finish)
                return record_add_absent(r, name,
                                         "entered again %.0f s after the boot finished; systemd "
                                         "keeps only the last time",
                                         (double) (at - finish) / US_PER_S);
        return see_after_kernel(r, name, at);
}

static uint64_t activation_us(const struct systemd_unit *u)
{
        uint64_t from = u->stamp[STAMP_INACTIVE_EXIT];

        if (from == 0)
                return 0;
        if (u->stamp[STAMP_ACTIVE_ENTER] >= from)
                return u->stamp[STAMP_ACTIVE_ENTER] - from;
        if (u->stamp[STAMP_ACTIVE_EXIT] >= from)
                return u->stamp[STAMP_ACTIVE_EXIT] - from;
        return 0;
}

static int slowest_first(const void *va, const void *vb)
{
        const struct systemd_unit *a = *(const struct systemd_unit *const *) va;
        const struct systemd_unit *b = *(const struct systemd_unit *const *) vb;
        uint64_t a_us = activation_us(a), b_us = activation_us(b);

        return a_us != b_us ? (a_us < b_us) - (a_us > b_us) : strcmp(a->name, b->name);
}

/* enter_units() - the slowest of those that were started by the boot, not by a timer hours later */
static int enter_units(const struct systemd_times *t, struct record *r)
{
        CLEANUP(freep) const struct systemd_unit **slow = NULL;
        uint64_t finish = t->stamp[STAMP_FINISH];
        size_t n = 0;
        int code = 0;

        slow = calloc(t->n_units ? t->n_units : 1, sizeof *slow);
        if (!slow)
                return -ENOMEM;
        for (size_t i = 0; i < t->n_units; i++) {
                const struct systemd_unit *u = &t->unit[i];
                uint64_t elapsed = activation_us(u);

                if (elapsed > 0 && elapsed < PLAUSIBLE_US_MAX &&
                    (finish == 0 || u->stamp[STAMP_INACTIVE_EXIT] <= finish))
                        slow[n++] = u;
        }
        qsort(slow, n, sizeof *slow, slowest_first);
        for (size_t i = 0; code == 0 && i < n && i < UNITS_KEPT; i++)
                code = record_add_unit(r, slow[i]->name,
                                       (int64_t) slow[i]->stamp[STAMP_INACTIVE_EXIT],
                                       (int64_t) activation_us(slow[i]));
        return code;
}

/* enter_initrd() - what an initrd with systemd in it did; its units live on across switch-root. A
 * systemd-cryptsetup unit that runs after it may find its disk open long since (initramfs-tools
 * opens root's), and tells nothing. Ends of units come after what they did, by an unknown time. */
static int enter_initrd(const struct systemd_times *t, struct record *r)
{
        uint64_t initrd = t->stamp[STAMP_INITRD], userspace = t->stamp[STAMP_USERSPACE];
        struct sighting s = { .error_us = RECORD_ERROR_UNKNOWN, .source = (char[]){ "systemd" } };
        int code = 0;

        for (size_t i = 0; code == 0 && initrd > 0 && i < t->n_units; i++) {
                const struct systemd_unit *u = &t->unit[i];
                uint64_t at = u->stamp[STAMP_ACTIVE_ENTER];
                char mapping[128];

                if (at < initrd || at > userspace || userspace > PLAUSIBLE_US_MAX)
                        continue;
                s.at_us = (int64_t) at;
                s.detail = u->name;
                if (strcmp(u->name, "initrd-root-fs.target") == 0)
                        code = record_see(r, "root.mounted", NULL, &s);
                else if (cryptsetup_unit_mapping(u->name, mapping, sizeof mapping))
                        code = record_see(r, "unlock.mapped", mapping, &s);
        }
        return code;
}

int systemd_before_kernel_enter(uint64_t firmware_us, uint64_t loader_us, struct record *r)
{
        int code = see_before_kernel(r, "power.on", firmware_us);

        return code == 0 ? see_before_kernel(r, "loader.start", loader_us) : code;
}

int systemd_times_enter(const struct systemd_times *t, struct record *r)
{
        static const char *const targets[] = { "sysinit.target", "basic.target",
                                               "multi-user.target", "graphical.target" };
        int code = 0;

        if (t->stamp[STAMP_INITRD] > 0)
                code = see_after_kernel(r, "initrd.start", t->stamp[STAMP_INITRD]);
        if (code == 0 && t->stamp[STAMP_USERSPACE] > 0)
                code = see_after_kernel(r, "userspace.start", t->stamp[STAMP_USERSPACE]);
        for (size_t i = 0; code == 0 && i < ELEMENTSOF(targets); i++)
                code = enter_target(t, r, targets[i]);
        if (code == 0)
                code = enter_initrd(t, r);
        if (code == 0 && t->stamp[STAMP_FINISH] == 0)
                code = record_add_warning(r, "systemd had not finished the boot when it was asked");
        return code == 0 ? enter_units(t, r) : code;
}
