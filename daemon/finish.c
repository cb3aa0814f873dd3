/* daemon/finish.c - see finish.h. From here on the machine is the person's again, and calls may
 * wait: each has a deadline of its own. */
#include "daemon/finish.h"
#include <string.h>
#include "daemon/cost.h"
#include "daemon/measurement.h"
#include "daemon/start_record.h"
#include "record/collect.h"
#include "witness/identity.h"

/* enter_cost() - memory while the probes live, work when they have ended */
static int enter_cost(struct daemon *d, struct record *r)
{
        int code = cost_enter_memory(r, getpid());

        daemon_stop_probes(d);
        if (code == 0)
                code = cost_enter_work(r);
        if (code == 0 && d->has_start_record)
                code = record_set_integer(r->cost, "start_record_bytes",
                                          (int64_t) d->start_record_bytes);
        return code;
}

static int enter_remarks(struct daemon *d, struct record *r)
{
        const char *incomplete = daemon_end_text(d);
        int code = 0;

        if (incomplete && !(r->incomplete = strdup(incomplete)))
                return -ENOMEM;
        if (d->n_starts > 1)
                code = record_add_warning(
                        r,
                        "bootlapd was started %u times in this boot: what happened "
                        "in between has no witness, and what the earlier ones cost "
                        "is not counted",
                        d->n_starts);
        if (code == 0 && d->socket.n_dropped > 0)
                code = record_add_warning(r, "%zu marks sent by programs were dropped",
                                          d->socket.n_dropped);
        if (code == 0 && d->trouble.text[0])
                code = record_add_warning(r, "%s", d->trouble.text);
        return code;
}

static int absent_because(struct record *r, const char *reason)
{
        static const char *const milestones[] = {
                "x.socket", "x.ready",         "wayland.socket",  "wayland.ready",
                "wm.ready", "desktop.windows", "desktop.settled",
        };
        int code = 0;

        for (size_t i = 0; code == 0 && i < ELEMENTSOF(milestones); i++)
                code = record_add_absent(r, milestones[i], "%s", reason);
        return code;
}

static int make_record(struct daemon *d, const char *store_dir, struct record **ret,
                       struct fault *fault)
{
        CLEANUP(record_freep) struct record *r = record_new();
        int code;

        if (!r)
                return fault_set(fault, -ENOMEM, "no memory");
        code = enter_cost(d, r);
        if (code == 0)
                code = identity_enter(r, fault);
        if (code == 0 && d->end == DAEMON_NO_DESKTOP)
                code = absent_because(r, "no display server was started in this boot");
        if (code == 0)
                code = measurement_ask(r, fault);
        if (code == 0)
                code = measurement_capture(r, store_dir, false, fault);
        if (code == 0)
                code = measurement_keep_earlier(r, store_dir, fault);
        if (code == 0 && (enter_remarks(d, r) < 0 || measurement_note_clocks(r) < 0))
                code = -ENOMEM;
        if (code == -ENOMEM)
                return fault_set(fault, code, "no memory");
        if (code == 0)
                *ret = TAKE(r);
        return code;
}

static int run_plan(struct daemon *d, const char *store_dir, struct record *r, struct fault *fault)
{
        const struct settings *s = d->settings;

        for (size_t i = 0; i < s->n_plan; i++) {
                size_t n_before = r->n_samples;
                int code, collected = collect_into(r, &s->plan[i], 1, NULL, NULL, fault);

                if (collected == -ENOMEM || measurement_note_clocks(r) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                code = measurement_capture_used(r, n_before, store_dir, false, fault);
                if (code == 0)
                        code = measurement_store(r, store_dir, NULL, fault);
                if (code < 0 || collected < 0) /* interrupted: what was measured is stored */
                        return code;
        }
        return 0;
}

static void warn(void *userdata, const char *text)
{
        (void) userdata;
        (void) fprintf(stderr, "bootlapd: %s\n", text);
}

int finish(struct daemon *d, const char *store_dir, struct fault *fault)
{
        CLEANUP(record_freep) struct record *r = NULL;
        struct fault why = FAULT_NULL;
        int code = make_record(d, store_dir, &r, fault);

        if (code == 0)
                code = measurement_store(r, store_dir, NULL, fault);
        if (code < 0)
                return code;
        if (start_record_remove(d->started_dir, r->machine, r->id, &why) < 0)
                warn(NULL, why.text);
        if (d->end == DAEMON_STOPPED)
                return 0; /* there is no time for more */
        if (d->end == DAEMON_SETTLED || d->end == DAEMON_NO_DESKTOP)
                code = run_plan(d, store_dir, r, fault);
        if (start_record_recover(d->started_dir, store_dir, r->id, warn, NULL, &why) < 0)
                warn(NULL, why.text);
        return code;
}
