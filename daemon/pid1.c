/* daemon/pid1.c - see pid1.h. Three properties are asked for at once; the last reply ends it. */
#include "daemon/pid1.h"
#include <string.h>
#include <systemd/sd-bus.h>
#include "record/macros.h"

#define TIMEOUT_US 5000000 /* PID 1 may be busy: it is a boot */
#define SYSTEMD "org.freedesktop.systemd1"
#define OBJECT "/org/freedesktop/systemd1"
#define UNIT OBJECT "/unit/"

enum { ASK_LOCAL_FS, ASK_DISPLAY, ASK_FINISH, N_QUESTIONS };

static const struct {
        const char *path, *interface, *property;
} questions[N_QUESTIONS] = {
        [ASK_LOCAL_FS] = { UNIT "local_2dfs_2etarget", SYSTEMD ".Unit", "ActiveState" },
        [ASK_DISPLAY] = { UNIT "display_2dmanager_2eservice", SYSTEMD ".Unit", "ActiveState" },
        [ASK_FINISH] = { OBJECT, SYSTEMD ".Manager", "FinishTimestampMonotonic" },
};

struct reply {
        struct pid1 *p;
        size_t which;
        sd_bus_slot *slot;
};

struct pid1 {
        sd_bus *bus;
        struct reply replies[N_QUESTIONS];
        size_t n_open;
        struct pid1_answer answer;
        void (*on_answer)(void *userdata, const struct pid1_answer *answer, const char *reason);
        void *userdata;
};

/* hang_up() - no more replies, and no reference of the loop's to us */
static void hang_up(struct pid1 *p)
{
        for (size_t i = 0; i < N_QUESTIONS; i++)
                p->replies[i].slot = sd_bus_slot_unref(p->replies[i].slot);
        if (p->bus) {
                (void) sd_bus_detach_event(p->bus);
                p->bus = sd_bus_close_unref(p->bus);
        }
}

struct pid1 *pid1_free(struct pid1 *p)
{
        if (p) {
                hang_up(p);
                free(p);
        }
        return NULL;
}

void pid1_freep(struct pid1 **p) { *p = pid1_free(*p); }

static int read_reply(struct pid1 *p, size_t which, sd_bus_message *m)
{
        const char *text = "";
        int r;

        if (which == ASK_FINISH)
                return sd_bus_message_read(m, "v", "t", &p->answer.finish_us);
        r = sd_bus_message_read(m, "v", "s", &text);
        if (r < 0)
                return r;
        if (which == ASK_LOCAL_FS)
                p->answer.has_local_fs = strcmp(text, "active") == 0;
        else
                p->answer.display_manager = strcmp(text, "failed") == 0     ? DISPLAY_MANAGER_FAILED
                                            : strcmp(text, "inactive") == 0 ? DISPLAY_MANAGER_NONE
                                                                            : DISPLAY_MANAGER_RUNS;
        return 0;
}

static int on_reply(sd_bus_message *m, void *userdata, sd_bus_error *ret_error)
{
        struct reply *reply = userdata;
        struct pid1 *p = reply->p;
        const sd_bus_error *error = sd_bus_message_get_error(m);
        char reason[256] = "";
        int r;

        (void) ret_error;
        if (p->n_open == 0)
                return 0; /* failed already */
        p->n_open--;
        if (error) {
                (void) snprintf(reason, sizeof reason, "systemd: %s",
                                error->message ? error->message : error->name);
        } else {
                r = read_reply(p, reply->which, m);
                if (r < 0)
                        (void) snprintf(reason, sizeof reason, "systemd: %s", strerror(-r));
        }
        if (reason[0])
                p->n_open = 0;
        if (p->n_open == 0) {
                p->on_answer(p->userdata, reason[0] ? NULL : &p->answer, reason);
                hang_up(p); /* now: signals of every unit are on their way */
        }
        return 0;
}

static int ask(struct pid1 *p, size_t which)
{
        struct reply *reply = &p->replies[which];

        *reply = (struct reply){ .p = p, .which = which };
        return sd_bus_call_method_async(p->bus, &reply->slot, SYSTEMD, questions[which].path,
                                        "org.freedesktop.DBus.Properties", "Get", on_reply, reply,
                                        "ss", questions[which].interface,
                                        questions[which].property);
}

int pid1_ask(sd_event *event, const char *address,
             void (*on_answer)(void *userdata, const struct pid1_answer *answer,
                               const char *reason),
             void *userdata, struct pid1 **ret, struct fault *fault)
{
        CLEANUP(pid1_freep) struct pid1 *p = calloc(1, sizeof *p);
        int r;

        if (!p)
                return fault_set(fault, -ENOMEM, "no memory");
        p->on_answer = on_answer;
        p->userdata = userdata;
        r = sd_bus_new(&p->bus);
        if (r >= 0)
                r = sd_bus_set_address(p->bus, address);
        if (r >= 0)
                r = sd_bus_set_method_call_timeout(p->bus, TIMEOUT_US);
        if (r >= 0)
                r = sd_bus_start(p->bus);
        if (r >= 0)
                r = sd_bus_attach_event(p->bus, event, SD_EVENT_PRIORITY_NORMAL);
        for (size_t i = 0; r >= 0 && i < N_QUESTIONS; i++, p->n_open++)
                r = ask(p, i);
        if (r < 0)
                return fault_errno(fault, r, "systemd at %s", address);
        *ret = TAKE(p);
        return 0;
}
