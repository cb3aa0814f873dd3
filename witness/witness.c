/* witness/witness.c - the table of witnesses and the loop over it. */
#include "witness/witness.h"
#include <string.h>

/* The order matters twice: facts that later witnesses build on come first (the wall clock's check,
 * the counter's time before the kernel, the displays), and of several reasons for one absence the
 * first is kept, which is that of the witness one would turn to first. Of two that do not know how
 * far they are off the first is believed: for what came before the kernel that is systemd last,
 * which leaves the handover out. */
static const struct witness *const witnesses[] = {
        &witness_marks,      &witness_systemd,  &witness_logind,         &witness_device_nodes,
        &witness_kernel_log, &witness_journal,  &witness_counter,        &witness_grub,
        &witness_efi,        &witness_fpdt,     &witness_systemd_loader, &witness_sockets,
        &witness_x11,        &witness_xorg_log, &witness_processes,
};

/* What no memory of the machine holds: it has to be watched while it happens. */
static const char *const only_watched[] = {
        "unlock.prompt", "unlock.answered", "login.prompt",    "login.answered",  "x.ready",
        "wayland.ready", "wm.ready",        "desktop.windows", "desktop.settled", NULL,
};

void witness_context_init(struct witness_context *ctx, int root_fd, bool is_live)
{
        *ctx = (struct witness_context){
                .root_fd = root_fd, .is_live = is_live, .uid = geteuid(), .now = clock_tuple_now()
        };
        if (is_live) {
                ctx->counter = counter_read();
                ctx->display = getenv("DISPLAY");
        }
        wall_clock_check_devices(&ctx->wall, &ctx->now, root_fd);
}

void witness_context_done(struct witness_context *ctx)
{
        process_table_done(&ctx->processes);
        free(ctx->displays.display);
        *ctx = (struct witness_context){ .root_fd = -EBADF };
}

static int note_absent(struct record *r, const char *const *milestones, const char *reason)
{
        for (size_t i = 0; milestones[i]; i++) {
                int code = record_add_absent(r, milestones[i], "%s", reason);

                if (code < 0)
                        return code;
        }
        return 0;
}

static int disown(struct sighting *s)
{
        if (!s->implausible)
                s->implausible = strdup("the host's: systemd runs in a container");
        return s->implausible ? 0 : -ENOMEM;
}

/* disown_host() - a container boots when its systemd starts; what lies before is the host's kernel,
 * and a total from there would be the host's uptime. */
static int disown_host(struct record *r)
{
        int64_t start_us;

        if (!record_at(r, "userspace.start", &start_us))
                return 0;
        for (size_t i = 0; i < r->n_milestones; i++) {
                struct milestone *m = &r->milestones[i];

                if (m->best.at_us < start_us && disown(&m->best) < 0)
                        return -ENOMEM;
                for (size_t k = 0; k < m->n_also; k++)
                        if (m->also[k].at_us < start_us && disown(&m->also[k]) < 0)
                                return -ENOMEM;
        }
        return 0;
}

int witness_ask_all(struct witness_context *ctx, struct record *r)
{
        int code;

        /* By definition, and so by nobody. */
        code = record_see_at(r, "kernel.start", 0, 0, "definition", NULL);
        for (size_t i = 0; code == 0 && i < ELEMENTSOF(witnesses); i++) {
                const struct witness *w = witnesses[i];
                struct fault fault = FAULT_NULL;
                int asked = w->ask(ctx, r, &fault);

                if (asked == -ENOMEM)
                        return asked;
                if (asked < 0)
                        code = note_absent(r, w->milestones,
                                           fault.text[0] ? fault.text : strerror(-asked));
        }
        if (code == 0 && ctx->is_container)
                code = disown_host(r);
        if (code == 0)
                code = note_absent(r, only_watched,
                                   record_find(r, "bootlapd.start")
                                           ? "was not seen while bootlapd watched this boot"
                                           : "came before measuring started; needs bootlapd");
        return code;
}
