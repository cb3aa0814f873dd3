/* witness/systemd.c - asks PID 1 over its bus and hands what it said to systemd_times.c
 *
 * As root over /run/systemd/private, which is there long before the system bus and does not depend
 * on it; else over the bus. Nothing is subscribed to. Every call has a deadline. */
#include "witness/systemd_times.h"
#include <fcntl.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include "record/macros.h"
#include "witness/bus.h"
#include "witness/witness.h"

#define PRIVATE_SOCKET "unix:path=/run/systemd/private"

static void systemd_timesp(struct systemd_times *t) { systemd_times_done(t); }

static int read_manager(sd_bus *bus, struct systemd_times *t, struct fault *fault)
{
        for (size_t i = 0; i < SYSTEMD_STAMPS; i++) {
                CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
                int r = sd_bus_get_property_trivial(
                        bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                        "org.freedesktop.systemd1.Manager", systemd_stamp_names[i], &error, 't',
                        &t->stamp[i]);

                if (r < 0)
                        return bus_fault(fault, r, &error, "systemd's %s", systemd_stamp_names[i]);
        }
        return 0;
}

static int read_unit(sd_bus *bus, const char *name, const char *path, struct systemd_times *t)
{
        struct systemd_unit u = { .name = NULL };

        for (size_t i = 0; i < UNIT_STAMPS; i++)
                if (sd_bus_get_property_trivial(bus, "org.freedesktop.systemd1", path,
                                                "org.freedesktop.systemd1.Unit",
                                                unit_stamp_names[i], NULL, 't', &u.stamp[i]) < 0)
                        return 0; /* gone since it was listed */
        return systemd_times_add_unit(t, name, &u);
}

static int read_units(sd_bus *bus, struct systemd_times *t, struct fault *fault)
{
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *name, *path;
        int r;

        r = sd_bus_call_method(bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                               "org.freedesktop.systemd1.Manager", "ListUnits", &error, &reply,
                               NULL);
        if (r < 0)
                return bus_fault(fault, r, &error, "systemd's list of units");
        r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "(ssssssouso)");
        while (r >= 0 && (r = sd_bus_message_read(reply, "(ssssssouso)", &name, NULL, NULL, NULL,
                                                  NULL, NULL, &path, NULL, NULL, NULL)) > 0)
                r = read_unit(bus, name, path, t);
        if (r < 0)
                return fault_errno(fault, r, "systemd's list of units");
        return 0;
}

static int ask_systemd(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(systemd_timesp) struct systemd_times t = SYSTEMD_TIMES_NULL;
        CLEANUP(sd_bus_flush_close_unrefp) sd_bus *bus = NULL;
        int code;

        /* What sd_booted() asks, of the given tree. */
        if (faccessat(ctx->root_fd, "run/systemd/system", F_OK, AT_SYMLINK_NOFOLLOW) < 0)
                return fault_set(fault, -ENOENT, "systemd is not PID 1");
        if (!ctx->is_live)
                return fault_set(fault, -ENOENT, "a recorded tree has no running systemd");
        /* PID 1 leaves its finding there for everybody. */
        ctx->is_container =
                faccessat(ctx->root_fd, "run/systemd/container", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        code = -EPERM;
        if (ctx->uid == 0)
                code = bus_open(PRIVATE_SOCKET, WITNESS_TIMEOUT_US, &bus, fault);
        if (code < 0)
                code = bus_open_system(WITNESS_TIMEOUT_US, &bus, fault);
        if (code < 0)
                return code;
        code = read_manager(bus, &t, fault);
        if (code < 0)
                return code;
        code = read_units(bus, &t, fault);
        if (code == 0)
                code = systemd_times_check_clock(&t, &ctx->now, &ctx->wall);
        if (code < 0)
                return code;
        ctx->systemd_firmware_us = t.stamp[STAMP_FIRMWARE_BEFORE_KERNEL];
        ctx->systemd_loader_us = t.stamp[STAMP_LOADER_BEFORE_KERNEL];
        return systemd_times_enter(&t, r);
}

static const char *const milestones[] = {
        "initrd.start", "userspace.start",   "sysinit.target",
        "basic.target", "multi-user.target", "graphical.target",
        NULL,
};

const struct witness witness_systemd = { "systemd", milestones, ask_systemd };

static int ask_before_kernel(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        (void) fault;
        return systemd_before_kernel_enter(ctx->systemd_firmware_us, ctx->systemd_loader_us, r);
}

static const char *const nothing_alone[] = { NULL };

const struct witness witness_systemd_loader = { "systemd's loader times", nothing_alone,
                                                ask_before_kernel };
