/* witness/processes.c - start times of what draws the screen, as lower bounds
 *
 * /proc keeps when a process was forked, on CLOCK_BOOTTIME and cut to a clock tick. Its exec, let
 * alone its being ready, comes later: these are never more than lower bounds, and never wm.ready. A
 * program that was restarted since is placed where it was restarted: also not earlier than its
 * first start. */
#include <string.h>
#include "record/procfile.h"
#include "witness/witness.h"

static const struct program {
        const char *name; /* comm */
        const char *milestone;
} programs[] = {
        { "Xorg", "display.exec" },
        { "Xorg.bin", "display.exec" },
        { "X", "display.exec" },
        { "Xvfb", "display.exec" },
        { "Xephyr", "display.exec" },
        { "Xtigervnc", "display.exec" },
        { "Xvnc", "display.exec" },
        { "gnome-shell", "display.exec" },
        { "kwin_wayland", "display.exec" },
        { "weston", "display.exec" },
        { "sway", "display.exec" },
        { "labwc", "display.exec" },
        { "cage", "display.exec" },
        { "wayfire", "display.exec" },
        { "Hyprland", "display.exec" },
        { "river", "display.exec" },
        { "mutter", "wm.exec" },
        { "kwin_x11", "wm.exec" },
        { "xfwm4", "wm.exec" },
        { "openbox", "wm.exec" },
        { "icewm", "wm.exec" },
        { "fvwm3", "wm.exec" },
        { "fvwm2", "wm.exec" },
        { "twm", "wm.exec" },
        { "i3", "wm.exec" },
        { "enlightenment", "wm.exec" },
        { "marco", "wm.exec" },
        { "metacity", "wm.exec" },
        { "muffin", "wm.exec" },
        { "cinnamon", "wm.exec" },
        { "awesome", "wm.exec" },
        { "bspwm", "wm.exec" },
        { "dwm", "wm.exec" },
        { "fluxbox", "wm.exec" },
        { "blackbox", "wm.exec" },
        { "jwm", "wm.exec" },
        { "wmaker", "wm.exec" },
        { "xmonad", "wm.exec" },
        { "qtile", "wm.exec" },
        { "gdm3", "login.exec" },
        { "gdm", "login.exec" },
        { "lightdm", "login.exec" },
        { "sddm", "login.exec" },
        { "greetd", "login.exec" },
        { "xdm", "login.exec" },
        { "lxdm", "login.exec" },
        { "wdm", "login.exec" },
        { "slim", "login.exec" },
};

static const struct program *find_program(const char *name)
{
        for (size_t i = 0; i < ELEMENTSOF(programs); i++)
                if (strcmp(programs[i].name, name) == 0)
                        return &programs[i];
        return NULL;
}

static int see_process(struct witness_context *ctx, struct record *r, const struct program *program,
                       const struct process *p)
{
        struct sighting s = { .at_us = p->forked_us,
                              .error_us = RECORD_ERROR_UNKNOWN,
                              .bound = BOUND_LOWER,
                              .source = (char[]){ "process start" } };
        char session[32] = "", name[PROCESS_NAME_BYTES];

        (void) snprintf(name, sizeof name, "%s", p->name);
        s.detail = name;
        for (size_t i = 0; i < ctx->displays.n; i++)
                if (ctx->displays.display[i].pid == p->pid)
                        (void) snprintf(session, sizeof session, ":%u",
                                        ctx->displays.display[i].number);
        return record_see(r, program->milestone, *session ? session : NULL, &s);
}

static int ask_processes(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        int code = process_table_read(&ctx->processes, ctx->root_fd, fault);

        if (code < 0)
                return code;
        for (size_t i = 0; i < ctx->processes.n; i++) {
                const struct program *program = find_program(ctx->processes.process[i].name);

                if (!program)
                        continue;
                code = see_process(ctx, r, program, &ctx->processes.process[i]);
                if (code < 0)
                        return code;
        }
        return record_add_absent(r, "display.exec", "no display server or compositor is running");
}

static const char *const milestones[] = { "display.exec", NULL };

const struct witness witness_processes = { "processes", milestones, ask_processes };
