/* daemon/login_watch.c - see login_watch.h */
#include "daemon/login_watch.h"
#include <string.h>
#include <systemd/sd-login.h>
#include "record/macros.h"

struct login_watch {
        sd_login_monitor *monitor;
        sd_event_source *source;
        void (*on_login)(void *userdata);
        void *userdata;
        bool seen;
};

static void strv_freep(char ***list)
{
        for (size_t i = 0; *list && (*list)[i]; i++)
                free((*list)[i]);
        free(*list);
}

/* is_at_screen() - false also for one that has just ended, or is not written yet */
static bool is_at_screen(const char *session)
{
        CLEANUP(freep) char *class = NULL, *seat = NULL;

        return sd_session_get_class(session, &class) >= 0 && strcmp(class, "user") == 0 &&
               sd_session_get_seat(session, &seat) >= 0 && strcmp(seat, "seat0") == 0 &&
               sd_session_is_remote(session) == 0;
}

static void look(struct login_watch *w)
{
        CLEANUP(strv_freep) char **sessions = NULL;
        int n = sd_get_sessions(&sessions);

        for (int i = 0; i < n && !w->seen; i++) {
                w->seen = is_at_screen(sessions[i]);
                if (w->seen)
                        w->on_login(w->userdata);
        }
}

static int on_change(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
        struct login_watch *w = userdata;

        (void) fd;
        (void) revents;
        (void) sd_login_monitor_flush(w->monitor);
        look(w);
        return w->seen ? sd_event_source_set_enabled(source, SD_EVENT_OFF) : 0;
}

struct login_watch *login_watch_free(struct login_watch *w)
{
        if (w) {
                w->source = sd_event_source_disable_unref(w->source);
                w->monitor = sd_login_monitor_unref(w->monitor);
                free(w);
        }
        return NULL;
}

static void login_watch_freep(struct login_watch **w) { *w = login_watch_free(*w); }

int login_watch_start(sd_event *event, void (*on_login)(void *userdata), void *userdata,
                      struct login_watch **ret, struct fault *fault)
{
        CLEANUP(login_watch_freep) struct login_watch *w = calloc(1, sizeof *w);
        int r;

        if (!w)
                return fault_set(fault, -ENOMEM, "no memory");
        w->on_login = on_login;
        w->userdata = userdata;
        r = sd_login_monitor_new("session", &w->monitor);
        if (r >= 0)
                r = sd_event_add_io(event, &w->source, sd_login_monitor_get_fd(w->monitor),
                                    (uint32_t) sd_login_monitor_get_events(w->monitor), on_change,
                                    w);
        if (r < 0)
                return fault_errno(fault, r, "logind's sessions");
        look(w); /* those that were there before we watched */
        *ret = TAKE(w);
        return 0;
}
