/* witness/x11.c - the window manager's name, from the X server that runs now
 *
 * Which manager it is, is a factor. When it became ready nobody knows any more: a manager that is
 * there now says nothing of its first second, so wm.ready and x.ready stay absent. */
#include <string.h>
#include "witness/cookie.h"
#include "witness/witness.h"
#include "witness/x11_ask.h"

/* choose() - $DISPLAY's if it is local, else the first that may be asked */
static const struct x_display *choose(const struct witness_context *ctx)
{
        const struct x_display *first = NULL;

        for (size_t i = 0; i < ctx->displays.n; i++) {
                const struct x_display *d = &ctx->displays.display[i];
                char name[16];
                size_t n;

                if (!d->may_connect)
                        continue;
                n = (size_t) snprintf(name, sizeof name, ":%u", d->number);
                if (ctx->display && strncmp(ctx->display, name, n) == 0 &&
                    (ctx->display[n] == '\0' || ctx->display[n] == '.'))
                        return d;
                if (!first || d->number < first->number)
                        first = d;
        }
        return first;
}

static int note_absent(struct record *r, const char *reason)
{
        static const char *const names[] = { "x.ready", "wm.ready", "wm.name" };
        int code = 0;

        for (size_t i = 0; code == 0 && i < ELEMENTSOF(names); i++)
                code = record_add_absent(r, names[i], "%s", reason);
        return code;
}

static int enter_answer(struct record *r, const struct x_display *d, const struct x11_answer *a)
{
        char reason[192];
        int code;

        (void) snprintf(reason, sizeof reason,
                        "came before measuring started; needs bootlapd (display :%u answers now)",
                        d->number);
        code = record_add_absent(r, "x.ready", "%s", reason);
        if (code == 0 && a->wm_by[0] == '\0') {
                (void) snprintf(reason, sizeof reason, "no window manager runs on display :%u",
                                d->number);
                code = record_add_absent(r, "wm.ready", "%s", reason);
                return code < 0 ? code : record_add_absent(r, "wm.name", "%s", reason);
        }
        (void) snprintf(reason, sizeof reason,
                        "came before measuring started; needs bootlapd (%s is there now)",
                        a->wm_by);
        if (code == 0)
                code = record_add_absent(r, "wm.ready", "%s", reason);
        if (code == 0)
                code = record_set_string(r->config, "wm.name",
                                         a->wm_name[0] ? a->wm_name : "without a name");
        return code;
}

static int ask_x11(struct witness_context *ctx, struct record *r, struct fault *fault)
{
        const struct x_display *d = choose(ctx);
        CLEANUP(freep) char *cookies = NULL;
        struct x11_answer answer;
        struct x11_question q;
        int code;

        if (!d)
                return ctx->displays.n ? note_absent(r, ctx->displays.display[0].why_not) : 0;
        cookies = cookie_path_for(d->pid);
        q = (struct x11_question){ .display = d->number,
                                   .path = d->path,
                                   .uid = d->uid,
                                   .cookies = cookies,
                                   .timeout_us = WITNESS_TIMEOUT_US };
        code = x11_ask(&q, &answer, fault);
        return code < 0 ? code : enter_answer(r, d, &answer);
}

static const char *const milestones[] = { "x.ready", "wm.ready", "wm.name", NULL };

const struct witness witness_x11 = { "x11", milestones, ask_x11 };
