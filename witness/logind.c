/* witness/logind.c - sessions of people at this machine's own screen
 *
 * A greeter's session is there before its window: a lower bound of login.prompt. A person's session
 * on seat0 is login.answered; sessions of serial lines, ssh, cron and user managers are none.
 * logind forgets a session when it ends. */
#include <fcntl.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include "record/macros.h"
#include "witness/bus.h"
#include "witness/logind.h"
#include "witness/plausible.h"
#include "witness/witness.h"

#define LOGIN "org.freedesktop.login1"
#define SESSION_INTERFACE LOGIN ".Session"
#define SESSIONS_MAX 256

/* shorten_wait() - who noticed the session did so after logind had made it */
static void shorten_wait(struct record *r, int64_t at_us)
{
        for (size_t i = 0; i < r->n_waits; i++)
                if (strcmp(r->waits[i].kind, "login") == 0 && r->waits[i].from_us <= at_us &&
                    r->waits[i].to_us > at_us)
                        r->waits[i].to_us = at_us;
}

int login_sessions_enter(struct record *r, const struct login_session *sessions, size_t n)
{
        const struct login_session *person = NULL, *greeter = NULL;
        struct sighting s = { .source = (char[]){ "logind" } };
        int code = 0;

        for (size_t i = 0; i < n; i++) {
                const struct login_session *l = &sessions[i];

                if (l->is_remote || strcmp(l->seat, "seat0") != 0 || l->at_us == 0 ||
                    l->at_us > PLAUSIBLE_US_MAX)
                        continue;
                if (strcmp(l->class, "user") == 0 && (!person || l->at_us < person->at_us))
                        person = l;
                if (strcmp(l->class, "greeter") == 0 && (!greeter || l->at_us < greeter->at_us))
                        greeter = l;
        }
        if (greeter) {
                s.at_us = (int64_t) greeter->at_us;
                s.error_us = RECORD_ERROR_UNKNOWN;
                s.bound = BOUND_LOWER;
                s.detail = (char *) (uintptr_t) greeter->service;
                code = record_see(r, "login.prompt", NULL, &s);
        }
        if (code == 0 && person) {
                s.at_us = (int64_t) person->at_us;
                s.error_us = 0;
                s.bound = BOUND_UPPER;
                s.detail = (char *) (uintptr_t) person->service;
                code = record_see(r, "login.answered", NULL, &s);
                shorten_wait(r, s.at_us);
        }
        return code;
}

static int read_text(sd_bus *bus, const char *path, const char *name, char *ret, size_t ret_bytes)
{
        CLEANUP(freep) char *text = NULL;
        int r = sd_bus_get_property_string(bus, LOGIN, path, SESSION_INTERFACE, name, NULL, &text);

        if (r < 0)
                return r;
        (void) snprintf(ret, ret_bytes, "%s", text);
        return 0;
}

static int read_seat(sd_bus *bus, const char *path, char *ret, size_t ret_bytes)
{
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *seat;
        int r = sd_bus_get_property(bus, LOGIN, path, SESSION_INTERFACE, "Seat", NULL, &reply,
                                    "(so)");

        if (r >= 0)
                r = sd_bus_message_read(reply, "(so)", &seat, NULL);
        if (r < 0)
                return r;
        (void) snprintf(ret, ret_bytes, "%s", seat);
        return 0;
}

static int read_session(sd_bus *bus, const char *path, struct login_session *ret)
{
        struct login_session l = { .at_us = 0 };
        int remote = 0, r;

        r = sd_bus_get_property_trivial(bus, LOGIN, path, SESSION_INTERFACE, "TimestampMonotonic",
                                        NULL, 't', &l.at_us);
        if (r >= 0)
                r = sd_bus_get_property_trivial(bus, LOGIN, path, SESSION_INTERFACE, "Remote", NULL,
                                                'b', &remote);
        if (r >= 0)
                r = read_text(bus, path, "Class", l.class, sizeof l.class);
        if (r >= 0)
                r = read_text(bus, path, "Service", l.service, sizeof l.service);
        if (r >= 0)
                r = read_seat(bus, path, l.seat, sizeof l.seat);
        if (r < 0)
                return r;
        l.is_remote = remote;
        *ret = l;
        return 0;
}

static int ask_logind(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        CLEANUP(sd_bus_error_free) sd_bus_error error = SD_BUS_ERROR_NULL;
        CLEANUP(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        CLEANUP(sd_bus_flush_close_unrefp) sd_bus *bus = NULL;
        struct login_session sessions[SESSIONS_MAX];
        const char *path;
        size_t n = 0;
        int code;

        if (!ctx->is_live)
                return fault_set(fault, -ENOENT, "a recorded tree has no running logind");
        if (faccessat(ctx->root_fd, "run/systemd/system", F_OK, AT_SYMLINK_NOFOLLOW) < 0)
                return fault_set(fault, -ENOENT, "systemd is not PID 1");
        code = bus_open_system(WITNESS_TIMEOUT_US, &bus, fault);
        if (code < 0)
                return code;
        code = sd_bus_call_method(bus, LOGIN, "/org/freedesktop/login1", LOGIN ".Manager",
                                  "ListSessions", &error, &reply, NULL);
        if (code < 0)
                return bus_fault(fault, code, &error, "logind's sessions");
        code = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "(susso)");
        while (code >= 0 && n < SESSIONS_MAX &&
               (code = sd_bus_message_read(reply, "(susso)", NULL, NULL, NULL, NULL, &path)) > 0)
                if (read_session(bus, path, &sessions[n]) >= 0) /* else it has just ended */
                        n++;
        if (code < 0)
                return fault_errno(fault, code, "logind's sessions");
        code = login_sessions_enter(r, sessions, n);
        if (code == 0)
                code = record_add_absent(r, "login.answered",
                                         "logind knows no person's session on seat0 now");
        return code;
}

static const char *const milestones[] = { "login.answered", NULL };

const struct witness witness_logind = { "logind", milestones, ask_logind };
