/* analyze/explain.c - sums of phases and units, in microseconds until the means are taken */
#include "analyze/explain.h"
#include <math.h>
#include <string.h>
#include "analyze/span.h"
#include "record/phases.h"

enum { STATUS_DONE = 0, STATUS_MISSING = 3 };

void explanation_done(struct explanation *e)
{
        for (size_t i = 0; i < e->n_parts; i++)
                free(e->parts[i].name);
        free(e->parts);
        for (size_t i = 0; i < e->n_units; i++)
                free(e->units[i].name);
        free(e->units);
        free(e->from);
        free(e->to);
        free(e->problem);
        *e = EXPLANATION_NULL;
}

/* Where the span of one boot ends, given the primary's name. */
struct ends {
        const struct goal *goal; /* NULL for A..B */
        char *from, *to;         /* of A..B, or from alone */
};

static void ends_done(struct ends *e)
{
        free(e->from);
        free(e->to);
}

static int ends_of(struct explanation *x, const struct boot_set *a, const struct boot_set *b,
                   const struct compare_options *options, struct ends *ret)
{
        const char *primary = options->primary ? options->primary : COMPARE_PRIMARY;
        CLEANUP(freep) const struct record **boots = calloc(a->n + b->n + 1, sizeof *boots);
        const char *from = options->from;

        if (!boots)
                return -ENOMEM;
        for (size_t i = 0; i < N_GOALS; i++)
                if (strcmp(goals[i].name, primary) == 0)
                        ret->goal = &goals[i];
        if (!ret->goal && !span_split(primary, &ret->from, &ret->to))
                return asprintf(
                               &x->problem,
                               "%s is no span that starts and ends at a milestone: boot.to_... and "
                               "A..B are",
                               primary) < 0
                               ? -ENOMEM
                               : 0;
        if (a->n > 0)
                memcpy(boots, a->boots, a->n * sizeof *boots);
        if (b->n > 0)
                memcpy(boots + a->n, b->boots, b->n * sizeof *boots);
        if (ret->goal) {
                if (!from)
                        from = span_common_start(boots, a->n + b->n);
                ret->from = strdup(from ? from : "kernel.start");
                ret->to = strdup(ret->goal->to);
        }
        return ret->from && ret->to ? 0 : -ENOMEM;
}

static bool boot_span(const struct record *r, const struct ends *ends, struct span *ret)
{
        const char *to = ends->goal ? span_goal_at(r, ends->goal) : ends->to;

        return to && span_of(r, ends->from, to, ret) && ret->elapsed_us >= 0;
}

/* A cut through all boots: the start of the span, a link of the chain, or the end. */
struct cut {
        const struct phase_link *link; /* NULL for an end that is no link */
        size_t position;               /* of the link in the chain */
};

struct cuts {
        struct cut cut[PHASES_MAX + 2];
        size_t n;
};

static int64_t cut_at(const struct record *r, const struct cut *c, const struct span *span,
                      bool last)
{
        const char *name;
        int64_t at_us = last ? span->to_us : span->from_us;

        if (c->link)
                (void) phases_link_at(r, c->link, &name, &at_us);
        return at_us;
}

/* passes() - does this boot pass the link within its span, and not before the cut that came last?
 */
static bool passes(const struct record *r, const struct ends *ends, const struct cuts *cuts,
                   const struct phase_link *link)
{
        struct span span;
        const char *name;
        int64_t at_us;

        if (!boot_span(r, ends, &span))
                return true; /* it is not among those that are split */
        return phases_link_at(r, link, &name, &at_us) && at_us <= span.to_us &&
               at_us >= cut_at(r, &cuts->cut[cuts->n - 1], &span, false);
}

static bool all_pass(const struct boot_set *set, const struct ends *ends, const struct cuts *cuts,
                     const struct phase_link *link)
{
        for (size_t i = 0; i < set->n; i++)
                if (!passes(set->boots[i], ends, cuts, link))
                        return false;
        return true;
}

static bool names(const struct phase_link *link, const char *milestone)
{
        return strcmp(link->milestone, milestone) == 0 ||
               (link->alternative && strcmp(link->alternative, milestone) == 0);
}

static void find_cuts(const struct explanation *e, const struct ends *ends, struct cuts *ret)
{
        const struct phase_link *chain[PHASES_MAX];
        const struct record *model = NULL;
        struct span span;
        size_t n;

        *ret = (struct cuts){ .n = 1 };
        for (size_t i = 0; i < e->a->n && !model; i++)
                if (boot_span(e->a->boots[i], ends, &span))
                        model = e->a->boots[i];
        n = model ? phases_chain(model, chain) : 0;
        for (size_t i = 0; i < n; i++) {
                if (names(chain[i], ends->from))
                        ret->cut[0] = (struct cut){ chain[i], i };
                else if (!names(chain[i], ends->to) && all_pass(e->a, ends, ret, chain[i]) &&
                         all_pass(e->b, ends, ret, chain[i]))
                        ret->cut[ret->n++] = (struct cut){ chain[i], i };
        }
        ret->cut[ret->n] = (struct cut){ .link = NULL };
        for (size_t i = 0; i < n; i++)
                if (names(chain[i], ends->to))
                        ret->cut[ret->n] = (struct cut){ chain[i], i };
        ret->n++;
}

/* name_part() - the one phase between two cuts, or what lies at both ends */
static char *name_part(const struct explanation *e, const struct cut *from, const struct cut *to,
                       bool first, bool last)
{
        const char *a = from->link ? from->link->milestone : e->from;
        const char *b = to->link ? to->link->milestone : e->to;
        char *name;

        if (from->link && to->link && to->position == from->position + 1 && from->link->phase)
                return strdup(from->link->phase);
        if (strcmp(a, "kernel.start") == 0 && strcmp(b, "userspace.start") == 0)
                return strdup("boot.kernel+initrd");
        return asprintf(&name, "%s..%s", first ? e->from : a, last ? e->to : b) < 0 ? NULL : name;
}

static int init_parts(struct explanation *e, const struct cuts *cuts)
{
        e->parts = calloc(cuts->n, sizeof *e->parts);
        if (!e->parts)
                return -ENOMEM;
        for (size_t i = 0; i + 1 < cuts->n; i++) {
                e->parts[i].name =
                        name_part(e, &cuts->cut[i], &cuts->cut[i + 1], i == 0, i + 2 == cuts->n);
                if (!e->parts[i].name)
                        return -ENOMEM;
                e->n_parts++;
        }
        return 0;
}

static void add_boot(struct explanation *e, const struct record *r, const struct span *span,
                     const struct cuts *cuts, bool in_b)
{
        int64_t from_us = span->from_us;

        *(in_b ? &e->n_b : &e->n_a) += 1;
        *(in_b ? &e->total_b_us : &e->total_a_us) += (double) span->machine_us;
        *(in_b ? &e->waited_b_us : &e->waited_a_us) +=
                (double) (span->elapsed_us - span->machine_us);
        for (size_t i = 0; i < e->n_parts; i++) {
                bool last = i + 1 == e->n_parts;
                int64_t to_us = last ? span->to_us : cut_at(r, &cuts->cut[i + 1], span, last);

                *(in_b ? &e->parts[i].b_us : &e->parts[i].a_us) +=
                        (double) span_between(r, from_us, to_us).machine_us;
                from_us = to_us;
        }
}

static int add_units(struct explanation *e, const struct record *r, bool in_b)
{
        for (size_t u = 0; u < r->n_units; u++) {
                struct unit_part *grown, *found = NULL;

                for (size_t i = 0; i < e->n_units && !found; i++)
                        if (strcmp(e->units[i].name, r->units[u].name) == 0)
                                found = &e->units[i];
                if (!found) {
                        grown = reallocarray(e->units, e->n_units + 1, sizeof *grown);
                        if (!grown)
                                return -ENOMEM;
                        e->units = grown;
                        found = &grown[e->n_units];
                        *found = (struct unit_part){ .name = strdup(r->units[u].name) };
                        if (!found->name)
                                return -ENOMEM;
                        e->n_units++;
                }
                *(in_b ? &found->n_b : &found->n_a) += 1;
                *(in_b ? &found->b_us : &found->a_us) += (double) r->units[u].elapsed_us;
        }
        return 0;
}

static int add_set(struct explanation *e, const struct boot_set *set, const struct ends *ends,
                   const struct cuts *cuts, bool in_b)
{
        for (size_t i = 0; i < set->n; i++) {
                struct span span;

                if (!boot_span(set->boots[i], ends, &span))
                        continue;
                add_boot(e, set->boots[i], &span, cuts, in_b);
                if (add_units(e, set->boots[i], in_b) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static void take_means(struct explanation *e)
{
        double n_a = (double) e->n_a, n_b = (double) e->n_b;

        e->total_a_us /= n_a;
        e->total_b_us /= n_b;
        e->waited_a_us /= n_a;
        e->waited_b_us /= n_b;
        for (size_t i = 0; i < e->n_parts; i++) {
                e->parts[i].a_us /= n_a;
                e->parts[i].b_us /= n_b;
        }
}

static int compare_units(const void *va, const void *vb)
{
        const struct unit_part *a = va, *b = vb;
        double by_a = fabs(a->b_us - a->a_us), by_b = fabs(b->b_us - b->a_us);

        if (by_a > by_b || by_a < by_b)
                return by_a > by_b ? -1 : 1;
        return strcmp(a->name, b->name);
}

/* keep_common_units() - only the slowest are recorded, so one that a set lacks was not 0 there */
static void keep_common_units(struct explanation *e)
{
        size_t kept = 0;

        for (size_t i = 0; i < e->n_units; i++) {
                struct unit_part u = e->units[i];

                if (u.n_a == 0 || u.n_b == 0) {
                        free(u.name);
                        continue;
                }
                u.a_us /= (double) u.n_a;
                u.b_us /= (double) u.n_b;
                e->units[kept++] = u;
        }
        e->n_units = kept;
        if (kept > 1)
                qsort(e->units, kept, sizeof *e->units, compare_units);
}

static int set_problem(struct explanation *e)
{
        const char *which = e->n_a > 0 ? "B" : e->n_b > 0 ? "A" : "either set";

        return asprintf(&e->problem, "no complete boot of %s has both %s and %s", which, e->from,
                        e->to) < 0
                       ? -ENOMEM
                       : 0;
}

static int split(struct explanation *e, const struct ends *ends)
{
        struct cuts cuts;

        e->from = strdup(ends->from);
        e->to = strdup(ends->to);
        if (!e->from || !e->to)
                return -ENOMEM;
        find_cuts(e, ends, &cuts);
        if (init_parts(e, &cuts) < 0 || add_set(e, e->a, ends, &cuts, false) < 0 ||
            add_set(e, e->b, ends, &cuts, true) < 0)
                return -ENOMEM;
        if (e->n_a == 0 || e->n_b == 0)
                return set_problem(e);
        take_means(e);
        keep_common_units(e);
        return 0;
}

int explain_sets(const struct boot_set *a, const struct boot_set *b,
                 const struct compare_options *options, struct explanation *ret)
{
        CLEANUP(explanation_done) struct explanation e = { .a = a, .b = b };
        CLEANUP(ends_done) struct ends ends = { .goal = NULL };

        if (ends_of(&e, a, b, options, &ends) < 0 || (!e.problem && split(&e, &ends) < 0))
                return -ENOMEM;
        *ret = e;
        e = EXPLANATION_NULL;
        return 0;
}

int explain_status(const struct explanation *e)
{
        return e->problem ? STATUS_MISSING : STATUS_DONE;
}
