/* daemon/probes/seat.h - whose session a display belongs to, by logind
 *
 * Read from the files that logind keeps in /run/systemd, through sd-login: no bus is asked. Only
 * sessions on seat0 count, and of these only people's and greeters': ssh, serial lines, cron and
 * user managers have none there.
 */
#pragma once
#include <stdbool.h>
#include <systemd/sd-event.h>
#include "record/fault.h"
#include "witness/listener.h"

enum seat_role {
        SEAT_UNKNOWN, /* logind does not run, or no session claims the display (yet) */
        SEAT_PERSON,
        SEAT_GREETER,
        SEAT_OTHER, /* a server on the side: of a service, of a job, inside another */
};

struct seat;

/**
 * seat_new() - without logind it knows nothing, until logind is there
 * @on_change: sessions have come, gone or changed
 */
int seat_new(sd_event *event, void (*on_change)(void *userdata), void *userdata, struct seat **ret,
             struct fault *fault);
struct seat *seat_free(struct seat *s);

/** seat_role_of() - of the server behind @l; @x_display: ":0", or NULL for a compositor */
enum seat_role seat_role_of(const struct seat *s, const struct listener *l, const char *x_display);

/** seat_has_user() - has @uid a session on seat0, as a person or as a greeter? */
bool seat_has_user(const struct seat *s, uid_t uid);

/** seat_role_letter() and its reverse - how parent and child tell each other */
char seat_role_letter(enum seat_role role);
enum seat_role seat_role_from_letter(char letter);
