/* daemon/probes/seat.c - see seat.h. The list of sessions is short and read anew at each change. */
#include "daemon/probes/seat.h"
#include <string.h>
#include <systemd/sd-login.h>
#include "daemon/probes/report.h"
#include "record/clock.h"

#define SEAT "seat0"
#define SESSIONS_MAX 64
#define RETRY_US (1 * US_PER_S) /* for logind itself to start */

struct seat_session {
        char id[64], display[32];
        uid_t uid;
        bool is_greeter;
};

struct seat {
        sd_event *event;
        sd_login_monitor *monitor;
        sd_event_source *changes, *retry;
        void (*on_change)(void *userdata);
        void *userdata;
        struct seat_session sessions[SESSIONS_MAX];
        size_t n;
        bool has_logind;
};

static const char letters[] = {
        [SEAT_UNKNOWN] = '?', [SEAT_PERSON] = 'p', [SEAT_GREETER] = 'g', [SEAT_OTHER] = 'o'
};

char seat_role_letter(enum seat_role role) { return letters[role]; }

enum seat_role seat_role_from_letter(char letter)
{
        for (size_t i = 0; i < sizeof letters; i++)
                if (letters[i] == letter)
                        return (enum seat_role) i;
        return SEAT_UNKNOWN;
}

/* take_session() - false for one that is of no matter here, or has just ended */
static bool take_session(const char *id, struct seat_session *ret)
{
        CLEANUP(freep) char *seat = NULL, *class = NULL, *display = NULL, *state = NULL;
        struct seat_session s = { .uid = 0 };

        if (sd_session_get_seat(id, &seat) < 0 || strcmp(seat, SEAT) != 0 ||
            sd_session_get_class(id, &class) < 0 || sd_session_get_uid(id, &s.uid) < 0 ||
            sd_session_is_remote(id) != 0)
                return false;
        s.is_greeter = strcmp(class, "greeter") == 0;
        if (!s.is_greeter && strcmp(class, "user") != 0)
                return false;
        /* One that is closing has left the screen to its successor. */
        if (sd_session_get_state(id, &state) >= 0 && strcmp(state, "closing") == 0)
                return false;
        if (sd_session_get_display(id, &display) >= 0)
                (void) snprintf(s.display, sizeof s.display, "%s", display);
        (void) snprintf(s.id, sizeof s.id, "%s", id);
        *ret = s;
        return true;
}

static void read_sessions(struct seat *s)
{
        char **ids = NULL;
        int n = sd_get_sessions(&ids);

        s->n = 0;
        for (int i = 0; i < n; i++) {
                if (s->n < SESSIONS_MAX && take_session(ids[i], &s->sessions[s->n]))
                        s->n++;
                free(ids[i]);
        }
        free(ids);
}

static int on_monitor(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct seat *s = userdata;

        (void) source;
        (void) fd;
        (void) revents;
        (void) sd_login_monitor_flush(s->monitor);
        read_sessions(s);
        s->on_change(s->userdata);
        return 0;
}

static int on_retry(sd_event_source *source, uint64_t usec, void *userdata);

/* connect_logind() - -ENOENT while it has not started: its folders are not there to be watched */
static int connect_logind(struct seat *s)
{
        int r = sd_login_monitor_new("session", &s->monitor);

        if (r >= 0)
                r = sd_event_add_io(s->event, &s->changes, sd_login_monitor_get_fd(s->monitor),
                                    (uint32_t) sd_login_monitor_get_events(s->monitor), on_monitor,
                                    s);
        s->has_logind = r >= 0;
        if (r >= 0)
                read_sessions(s); /* after the watch: what came between is told once more */
        else
                s->monitor = sd_login_monitor_unref(s->monitor);
        return r;
}

static int try_logind(struct seat *s)
{
        if (connect_logind(s) >= 0)
                return 1;
        s->retry = sd_event_source_disable_unref(s->retry);
        return sd_event_add_time_relative(s->event, &s->retry, CLOCK_MONOTONIC, RETRY_US,
                                          RETRY_US / 4, on_retry, s) < 0
                       ? -ENOMEM
                       : 0;
}

static int on_retry(sd_event_source *source, uint64_t usec, void *userdata)
{
        struct seat *s = userdata;

        (void) source;
        (void) usec;
        if (try_logind(s) == 1)
                s->on_change(s->userdata);
        return 0;
}

int seat_new(sd_event *event, void (*on_change)(void *userdata), void *userdata, struct seat **ret,
             struct fault *fault)
{
        struct seat *s = calloc(1, sizeof *s);

        if (!s)
                return fault_set(fault, -ENOMEM, "no memory");
        s->event = sd_event_ref(event);
        s->on_change = on_change;
        s->userdata = userdata;
        if (try_logind(s) < 0) {
                (void) seat_free(s);
                return fault_set(fault, -ENOMEM, "no memory");
        }
        *ret = s;
        return 0;
}

struct seat *seat_free(struct seat *s)
{
        if (s) {
                (void) sd_event_source_disable_unref(s->changes);
                (void) sd_event_source_disable_unref(s->retry);
                (void) sd_login_monitor_unref(s->monitor);
                (void) sd_event_unref(s->event);
                free(s);
        }
        return NULL;
}

static enum seat_role role_of(const struct seat_session *session)
{
        return session->is_greeter ? SEAT_GREETER : SEAT_PERSON;
}

/* is_screen_server() - one that drives the machine's own screen; Xvfb, Xephyr and Xvnc do not */
static bool is_screen_server(const char *program)
{
        return strcmp(program, "Xorg") == 0 || strcmp(program, "X") == 0 || !*program;
}

/* by_display() - the session that names this X display as its own, a person's before a greeter's:
 * a display manager may hand the greeter's server on */
static const struct seat_session *by_display(const struct seat *s, const char *x_display)
{
        const struct seat_session *found = NULL;

        for (size_t i = 0; i < s->n; i++)
                if (strcmp(s->sessions[i].display, x_display) == 0 && (!found || found->is_greeter))
                        found = &s->sessions[i];
        return found;
}

static const struct seat_session *by_process(const struct seat *s, pid_t pid)
{
        CLEANUP(freep) char *id = NULL;

        if (pid <= 0 || sd_pid_get_session(pid, &id) < 0)
                return NULL;
        for (size_t i = 0; i < s->n; i++)
                if (strcmp(s->sessions[i].id, id) == 0)
                        return &s->sessions[i];
        return NULL;
}

static const struct seat_session *by_user(const struct seat *s, uid_t uid)
{
        for (size_t i = 0; i < s->n; i++)
                if (s->sessions[i].uid == uid)
                        return &s->sessions[i];
        return NULL;
}

enum seat_role seat_role_of(const struct seat *s, const struct listener *l, const char *x_display)
{
        const struct seat_session *session = NULL;

        if (!s->has_logind || s->n == 0)
                return SEAT_UNKNOWN;
        if (x_display)
                session = by_display(s, x_display);
        if (!session && (!x_display || is_screen_server(l->program)))
                session = by_process(s, l->pid);
        if (!session && !x_display)
                session = by_user(s, l->uid);
        if (session)
                return role_of(session);
        return x_display && is_screen_server(l->program) ? SEAT_UNKNOWN : SEAT_OTHER;
}

bool seat_has_user(const struct seat *s, uid_t uid) { return by_user(s, uid) != NULL; }
