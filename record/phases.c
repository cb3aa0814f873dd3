/* record/phases.c - the chain of a boot as disjoint phases, and machine time
 *
 * The union of waits is built by sweeping over the waits in order of their start, so waits that
 * overlap (two disks asked for at once) are subtracted once. */
#include "record/phases.h"
#include <string.h>

static int compare_waits(const void *va, const void *vb)
{
        const struct wait *a = va, *b = vb;

        return a->from_us < b->from_us ? -1 : a->from_us > b->from_us;
}

/* waited_us() - length of the union of the waits of @r inside [from, to] */
static int64_t waited_us(const struct record *r, int64_t from_us, int64_t to_us)
{
        CLEANUP(freep) struct wait *sorted = NULL;
        int64_t total_us = 0, covered_to_us = from_us;

        if (r->n_waits == 0)
                return 0;
        sorted = reallocarray(NULL, r->n_waits, sizeof *sorted);
        if (!sorted)
                return 0;
        memcpy(sorted, r->waits, r->n_waits * sizeof *sorted);
        qsort(sorted, r->n_waits, sizeof *sorted, compare_waits);
        for (size_t i = 0; i < r->n_waits; i++) {
                int64_t start_us =
                        sorted[i].from_us > covered_to_us ? sorted[i].from_us : covered_to_us;
                int64_t end_us = sorted[i].to_us < to_us ? sorted[i].to_us : to_us;

                if (end_us <= start_us)
                        continue;
                total_us += end_us - start_us;
                covered_to_us = end_us;
        }
        return total_us;
}

struct span span_between(const struct record *r, int64_t from_us, int64_t to_us)
{
        struct span s = { .from_us = from_us, .to_us = to_us, .elapsed_us = to_us - from_us };

        s.machine_us = s.elapsed_us - waited_us(r, from_us, to_us);
        return s;
}

bool span_of(const struct record *r, const char *from, const char *to, struct span *ret)
{
        int64_t from_us, to_us;

        if (!record_at(r, from, &from_us) || !record_at(r, to, &to_us))
                return false;
        *ret = span_between(r, from_us, to_us);
        return true;
}

static const struct phase_link before_userspace[] = {
        { "power.on", NULL, "boot.firmware" },   { "loader.start", NULL, "boot.loader" },
        { "loader.end", NULL, "boot.handover" }, { "kernel.start", NULL, "boot.kernel" },
        { "initrd.start", NULL, "boot.initrd" }, { "userspace.start", NULL, "boot.userspace" },
};

static const struct phase_link desktop[] = {
        { "x.ready", "wayland.ready", "boot.session" },
        { "wm.ready", NULL, "boot.desktop" },
        { "desktop.windows", NULL, "boot.settling" },
        { "desktop.settled", NULL, NULL },
};

static const struct phase_link no_desktop[] = {
        { "graphical.target", "multi-user.target", NULL },
};

bool phases_link_at(const struct record *r, const struct phase_link *l, const char **ret_name,
                    int64_t *ret_us)
{
        *ret_name = l->milestone;
        if (record_at(r, l->milestone, ret_us))
                return true;
        *ret_name = l->alternative;
        return l->alternative && record_at(r, l->alternative, ret_us);
}

struct chain {
        const struct phase_link *link[ELEMENTSOF(before_userspace) + ELEMENTSOF(desktop)];
        size_t n;
};

static void chain_append(struct chain *c, const struct phase_link *links, size_t n)
{
        for (size_t i = 0; i < n; i++)
                c->link[c->n++] = &links[i];
}

static bool has_any(const struct record *r, const struct phase_link *links, size_t n)
{
        const char *name;
        int64_t at_us;

        for (size_t i = 0; i < n; i++)
                if (phases_link_at(r, &links[i], &name, &at_us))
                        return true;
        return false;
}

static struct chain chain_of(const struct record *r)
{
        struct chain c = { .n = 0 };

        chain_append(&c, before_userspace, ELEMENTSOF(before_userspace));
        if (has_any(r, desktop, ELEMENTSOF(desktop)))
                chain_append(&c, desktop, ELEMENTSOF(desktop));
        else
                chain_append(&c, no_desktop, ELEMENTSOF(no_desktop));
        return c;
}

size_t phases_chain(const struct record *r, const struct phase_link *ret[PHASES_MAX])
{
        struct chain c = chain_of(r);

        for (size_t i = 0; i < c.n; i++)
                ret[i] = c.link[i];
        return c.n;
}

bool phases_of(const struct record *r, struct phases *ret)
{
        struct chain c = chain_of(r);
        struct phases p = { .n = 0 };
        struct span unaccounted = { .elapsed_us = 0 };
        size_t last_link = 0;
        int64_t last_us = 0;

        for (size_t i = 0; i < c.n; i++) {
                const char *name, *phase;
                struct span span;
                int64_t at_us;

                if (!phases_link_at(r, c.link[i], &name, &at_us))
                        continue;
                if (!p.from) {
                        p.from = p.to = name;
                        last_link = i;
                        p.total.from_us = last_us = at_us;
                        continue;
                }
                /* Stamps of two witnesses may cross by their errors; a link that lies before its
                 * predecessor would make a negative phase, so it is passed over. */
                if (at_us < last_us)
                        continue;
                span = span_between(r, last_us, at_us);
                phase = last_link + 1 == i ? c.link[last_link]->phase : NULL;
                if (last_link + 2 == i && strcmp(c.link[last_link]->milestone, "kernel.start") == 0)
                        phase = "boot.kernel+initrd";
                if (phase) {
                        p.phase[p.n++] = (struct phase){ phase, p.to, name, span };
                } else {
                        unaccounted.elapsed_us += span.elapsed_us;
                        unaccounted.machine_us += span.machine_us;
                }
                p.to = name;
                last_link = i;
                last_us = at_us;
        }
        if (!p.from || p.from == p.to)
                return false;
        p.phase[p.n++] = (struct phase){ PHASE_UNACCOUNTED, NULL, NULL, unaccounted };
        p.total = span_between(r, p.total.from_us, last_us);
        *ret = p;
        return true;
}
