/* daemon/probes/user_manager.c - see user_manager.h. The manager's own socket is there before the
 * user's bus, and tells of changes without being asked to. */
#include "daemon/probes/user_manager.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <systemd/sd-bus.h>
#include "daemon/probes/child.h"
#include "record/macros.h"
#include "witness/bus.h"
#include "witness/rights.h"

#define TIMEOUT_US 10000000 /* it starts a session meanwhile */
#define SYSTEMD "org.freedesktop.systemd1"
#define UNIT_INTERFACE SYSTEMD ".Unit"
#define TARGET "/org/freedesktop/systemd1/unit/graphical_2dsession_2etarget"

static int connect_as(uid_t uid, struct fault *fault)
{
        CLEANUP(closep) int fd = -EBADF;
        struct ucred peer = { .uid = 0 };
        socklen_t n = sizeof peer;
        char path[64];
        int r = geteuid() == uid ? 0 : rights_switch(uid, RIGHTS_NOBODY, fault);

        (void) snprintf(path, sizeof path, "/run/user/%ld/systemd/private", (long) uid);
        if (r == 0)
                r = fd = child_connect(path, fault);
        if (r >= 0 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) < 0)
                r = fault_errno(fault, -errno, "%s", path);
        if (r >= 0 && peer.uid != uid)
                r = fault_set(fault, -EPERM, "%s is another user's", path);
        return r < 0 ? r : TAKE_FD(fd);
}

/* read_target() - 1 and *ret_at_us when it is active, 0 when it is not */
static int read_target(sd_bus *bus, int64_t *ret_at_us, struct fault *fault)
{
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        CLEANUP(freep) char *state = NULL;
        uint64_t at_us = 0;
        int r = sd_bus_get_property_string(bus, SYSTEMD, TARGET, UNIT_INTERFACE, "ActiveState",
                                           &error, &state);

        if (r >= 0 && strcmp(state, "active") != 0)
                return 0;
        if (r >= 0)
                r = sd_bus_get_property_trivial(bus, SYSTEMD, TARGET, UNIT_INTERFACE,
                                                "ActiveEnterTimestampMonotonic", &error, 't',
                                                &at_us);
        if (r < 0)
                return bus_fault(fault, r, &error, "graphical-session.target");
        if (at_us == 0 || at_us > INT64_MAX)
                return fault_set(fault, -ERANGE, "graphical-session.target has no time");
        *ret_at_us = (int64_t) at_us;
        return 1;
}

static int on_changed(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
        bool *changed = userdata;

        (void) m;
        (void) ret_error;
        *changed = true;
        return 0;
}

static int await_change(sd_bus *bus, const bool *changed)
{
        int r = 0;

        while (r >= 0 && !*changed) {
                r = sd_bus_process(bus, NULL);
                if (r == 0)
                        r = sd_bus_wait(bus, UINT64_MAX);
        }
        return r;
}

/* open_bus() - with nothing more to be opened or asked of the kernel from the first answer on */
static int open_bus(uid_t uid, sd_bus **ret, struct fault *fault)
{
        CLEANUP(sd_bus_close_unrefp) sd_bus *bus = NULL;
        int fd = connect_as(uid, fault), r;

        if (fd < 0)
                return fd;
        r = sd_bus_new(&bus);
        if (r >= 0)
                r = sd_bus_set_fd(bus, fd, fd);
        if (r < 0)
                (void) close(fd);
        if (r >= 0)
                r = sd_bus_set_method_call_timeout(bus, TIMEOUT_US);
        if (r >= 0)
                r = sd_bus_start(bus);
        if (r < 0)
                return fault_errno(fault, r, "the user manager of uid %ld", (long) uid);
        r = rights_confine(fault);
        if (r < 0)
                return r;
        *ret = TAKE(bus);
        return 0;
}

int user_manager_await(uid_t uid, int64_t *ret_at_us, struct fault *fault)
{
        CLEANUP(sd_bus_close_unrefp) sd_bus *bus = NULL;
        bool changed = true;
        int r = open_bus(uid, &bus, fault);

        if (r < 0)
                return r;
        /* First listen, then look. */
        r = sd_bus_match_signal(bus, NULL, NULL, TARGET, "org.freedesktop.DBus.Properties",
                                "PropertiesChanged", on_changed, &changed);
        while (r >= 0) {
                changed = false;
                r = read_target(bus, ret_at_us, fault);
                if (r != 0)
                        return r < 0 ? r : 0;
                r = await_change(bus, &changed);
        }
        return fault_errno(fault, r, "the user manager of uid %ld", (long) uid);
}
