/* analyze/span.c - from a span's name to microseconds */
#include "analyze/span.h"
#include <string.h>
#include "record/phases.h"

const struct goal goals[N_GOALS] = {
        { "boot.to_x", "x.ready", "wayland.ready" },
        { "boot.to_wm", "wm.ready", NULL },
        { "boot.to_desktop", "desktop.windows", NULL },
        { "boot.to_settled", "desktop.settled", NULL },
};

const char *span_goal_at(const struct record *r, const struct goal *g)
{
        int64_t at_us;

        if (record_at(r, g->to, &at_us))
                return g->to;
        return g->alternative && record_at(r, g->alternative, &at_us) ? g->alternative : NULL;
}

bool span_machine_us(const struct record *r, const char *from, const char *to, int64_t *ret_us)
{
        struct span span;

        if (!span_of(r, from, to, &span) || span.elapsed_us < 0)
                return false;
        *ret_us = span.machine_us;
        return true;
}

bool span_split(const char *name, char **ret_from, char **ret_to)
{
        const char *dots = strstr(name, "..");

        if (!dots || dots == name || dots[2] == '\0' || strchr(name, '#'))
                return false;
        *ret_from = strndup(name, (size_t) (dots - name));
        *ret_to = strdup(dots + 2);
        if (*ret_from && *ret_to)
                return true;
        free(TAKE(*ret_from));
        free(TAKE(*ret_to));
        return false;
}

static bool phase_us(const struct record *r, const char *name, int64_t *ret_us)
{
        struct phases p;

        if (!phases_of(r, &p))
                return false;
        for (size_t i = 0; i < p.n; i++)
                if (strcmp(p.phase[i].name, name) == 0) {
                        *ret_us = p.phase[i].span.machine_us;
                        return true;
                }
        return false;
}

/* unlock_wait_us() - all waits for a passphrase of the boot; they may overlap, so by their union:
 * what the span over the whole axis loses to them, were they the only waits */
static bool unlock_wait_us(const struct record *r, int64_t *ret_us)
{
        struct record only = { .n_waits = 0 };
        CLEANUP(freep) struct wait *unlocks = reallocarray(NULL, r->n_waits + 1, sizeof *unlocks);
        struct span span;

        if (!unlocks)
                return false;
        for (size_t i = 0; i < r->n_waits; i++)
                if (strcmp(r->waits[i].kind, "unlock") == 0)
                        unlocks[only.n_waits++] = r->waits[i];
        if (only.n_waits == 0)
                return false;
        only.waits = unlocks;
        span = span_between(&only, INT64_MIN / 4, INT64_MAX / 4);
        *ret_us = span.elapsed_us - span.machine_us;
        return true;
}

bool span_named_us(const struct record *r, const char *name, int64_t *ret_us)
{
        CLEANUP(freep) char *from = NULL, *to = NULL;

        if (strcmp(name, "boot.unlock.wait") == 0)
                return unlock_wait_us(r, ret_us);
        if (strcmp(name, "boot.unlock.work") == 0)
                return span_machine_us(r, "unlock.answered", "unlock.mapped", ret_us);
        if (span_split(name, &from, &to))
                return span_machine_us(r, from, to, ret_us);
        return phase_us(r, name, ret_us);
}

const char *span_common_start(const struct record *const *boots, size_t n_boots)
{
        static const char *const starts[] = { "kernel.start", "loader.start" };

        for (size_t s = 0; s < ELEMENTSOF(starts) && n_boots > 0; s++) {
                size_t n_have = 0;
                int64_t at_us;

                for (size_t i = 0; i < n_boots; i++)
                        n_have += record_at(boots[i], starts[s], &at_us);
                if (n_have == n_boots)
                        return starts[s];
        }
        return NULL;
}
