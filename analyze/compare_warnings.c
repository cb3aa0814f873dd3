/* analyze/compare_warnings.c - each function looks for one thing that weakens a comparison and says
 * it in a sentence */
#include "analyze/compare_warnings.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "analyze/factor_level.h"
#include "analyze/idle.h"
#include "analyze/left_out.h"
#include "record/json.h"

#define GROUPS_NAMED 8
#define SUGGESTED 6 /* metrics named when the primary is missing */

static int warn(struct comparison *c, const char *format, ...) PRINTF_LIKE(2, 3);

static int warn(struct comparison *c, const char *format, ...)
{
        char **grown = reallocarray(c->warnings, c->n_warnings + 1, sizeof *grown);
        va_list ap;
        int n;

        if (!grown)
                return -ENOMEM;
        c->warnings = grown;
        va_start(ap, format);
        n = vasprintf(&grown[c->n_warnings], format, ap);
        va_end(ap);
        if (n < 0)
                return -ENOMEM;
        c->n_warnings++;
        return 0;
}

static const struct record *boot_at(const struct comparison *c, size_t i)
{
        return i < c->a->n ? c->a->boots[i] : c->b->boots[i - c->a->n];
}

static const struct metric *find_metric(const struct comparison *c, const char *name)
{
        for (size_t i = 0; i < c->metrics.n; i++)
                if (metric_has_name(&c->metrics.metric[i], name))
                        return &c->metrics.metric[i];
        return NULL;
}

static void suggest(const struct comparison *c, FILE *f)
{
        size_t n = 0;

        for (size_t i = 0; i < c->n_rows; i++)
                if (!c->rows[i].incomparable && n++ < SUGGESTED)
                        (void) fprintf(f, "%s%s", n == 1 ? "; --primary could be " : ", ",
                                       c->rows[i].metric->name);
        if (n > SUGGESTED)
                (void) fprintf(f, " or another %zu", n - SUGGESTED);
}

static bool any_value(const struct metric *m, size_t from, size_t to)
{
        for (size_t i = from; m && i < to; i++)
                if (!isnan(m->values[i]))
                        return true;
        return false;
}

static void explain_missing(const struct comparison *c, FILE *f)
{
        const struct metric *m = find_metric(c, c->primary);
        size_t n_a = c->a->n;
        bool in_a = any_value(m, 0, n_a), in_b = any_value(m, n_a, n_a + c->b->n);

        if (!m) {
                (void) fprintf(f, "no boot has a metric %s", c->primary);
        } else if (m->to && !c->metrics.from && strncmp(m->name, "boot.to_", 8) == 0) {
                (void) fputs(
                        "the boots share no start: some lack kernel.start and some loader.start; "
                        "--from names another milestone",
                        f);
        } else {
                (void) fprintf(f, "%s is missing in every boot of %s", c->primary,
                               in_a   ? "B"
                               : in_b ? "A"
                                      : "both sets");
                if (m->n_implausible > 0)
                        (void) fprintf(f, " (%zu implausible value%s left out)", m->n_implausible,
                                       m->n_implausible == 1 ? "" : "s");
        }
        suggest(c, f);
}

char *compare_problem(const struct comparison *c)
{
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        if (c->a->n == 0 || c->b->n == 0)
                (void) fprintf(f, "%s no complete boot",
                               c->a->n > 0   ? "set B holds"
                               : c->b->n > 0 ? "set A holds"
                                             : "the sets A and B hold");
        else if (c->n_rows > 0 && c->rows[0].incomparable &&
                 metric_has_name(c->rows[0].metric, c->primary))
                (void) fprintf(f, "%s was not measured alike in both sets: %s", c->primary,
                               c->rows[0].incomparable);
        else
                explain_missing(c, f);
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}

static int warn_of_set(struct comparison *c, const struct boot_set *s, const char *letter)
{
        CLEANUP(freep) char *incomplete = NULL, *unreadable = NULL;

        if (left_out_incomplete(s, &incomplete) < 0 || left_out_unreadable(s, &unreadable) < 0 ||
            (incomplete && warn(c, "%s: %s", letter, incomplete) < 0) ||
            (unreadable && warn(c, "%s: %s", letter, unreadable) < 0))
                return -ENOMEM;
        return 0;
}

static int warn_of_values(struct comparison *c)
{
        size_t n_implausible = 0, n_unversioned = 0;
        const struct metric *implausible = NULL, *unversioned = NULL;

        for (size_t i = 0; i < c->metrics.n; i++) {
                const struct metric *m = &c->metrics.metric[i];

                if (m->n_implausible > 0 && n_implausible++ == 0)
                        implausible = m;
                if (m->n_unversioned > 0 && n_unversioned++ == 0)
                        unversioned = m;
        }
        if (implausible &&
            warn(c, "%zu metric%s implausible values, which are left out: %s %zu%s", n_implausible,
                 n_implausible == 1 ? " has" : "s have", implausible->name,
                 implausible->n_implausible, n_implausible == 1 ? "." : ", ...") < 0)
                return -ENOMEM;
        if (unversioned &&
            warn(c,
                 "The tool's version is not said in all boots (%s%s): a change of the tool would "
                 "go unseen.",
                 unversioned->name, n_unversioned == 1 ? "" : " and others") < 0)
                return -ENOMEM;
        return 0;
}

/* warn_of_manners() - a metric was measured in several ways and not all of them are in both sets */
static int warn_of_manners(struct comparison *c)
{
        for (size_t i = 0; i < c->n_rows; i++) {
                const struct row *r = &c->rows[i];
                size_t n_left = 0, n_boots = c->a->n + c->b->n;

                if (r->incomparable)
                        continue;
                for (size_t k = 0; k < c->metrics.n; k++) {
                        const struct metric *m = &c->metrics.metric[k];

                        if (m == r->metric || strcmp(m->name, r->metric->name) != 0)
                                continue;
                        for (size_t b = 0; b < n_boots; b++)
                                n_left += !isnan(m->values[b]) && isnan(r->metric->values[b]);
                }
                if (n_left > 0 && warn(c, "%s: %zu boot%s measured otherwise and left out.",
                                       r->name, n_left, n_left == 1 ? " was" : "s were") < 0)
                        return -ENOMEM;
        }
        return 0;
}

/* warn_of_idle() - a load that beat the idle baseline makes every ratio to it doubtful */
static int warn_of_idle(struct comparison *c)
{
        CLEANUP(freep) char *first = NULL;
        size_t n = 0;

        for (size_t i = 0; i < c->a->n + c->b->n; i++) {
                CLEANUP(freep) struct idle_ratio *ratios = NULL;
                int n_ratios = idle_ratios(boot_at(c, i), &ratios);
                bool suspect = false;

                for (int k = 0; k < n_ratios; k++) {
                        if (!ratios[k].suspect)
                                continue;
                        suspect = true;
                        if (!first)
                                first = strdup(ratios[k].load);
                }
                if (n_ratios < 0 || (suspect && !first))
                        return -ENOMEM;
                n += suspect;
        }
        if (n == 0)
                return 0;
        return warn(c,
                    "Idle baseline suspect in %zu boot%s: a load (%s) responded faster than none.",
                    n, n == 1 ? "" : "s", first);
}

static bool waited_for_unlock(const struct record *r)
{
        for (size_t i = 0; i < r->n_waits; i++)
                if (strcmp(r->waits[i].kind, "unlock") == 0)
                        return true;
        return record_find(r, "unlock.prompt") != NULL;
}

/* warn_of_typing() - an encrypted boot without unlock marks: a passphrase may have been typed in it
 */
static int warn_of_typing(struct comparison *c)
{
        size_t n[2] = { 0, 0 };

        for (size_t i = 0; i < c->a->n + c->b->n; i++) {
                const struct record *r = boot_at(c, i);
                CLEANUP(freep) char *type = factor_level_text(r, "crypt.type");

                if (type && strcmp(type, "none") != 0 && strcmp(type, "false") != 0 &&
                    !waited_for_unlock(r))
                        n[i >= c->a->n]++;
        }
        if (n[0] + n[1] == 0)
                return 0;
        return warn(c,
                    "%zu of %zu boots of A and %zu of %zu of B are encrypted but have no unlock "
                    "marks: their times may contain the typing of a passphrase.",
                    n[0], c->a->n, n[1], c->b->n);
}

/* sources_of() - who saw milestone @name in one set, each once */
static json_t *sources_of(const struct boot_set *s, const char *name)
{
        CLEANUP(json_decrefp) json_t *seen = json_object();

        for (size_t i = 0; i < s->n; i++) {
                const struct milestone *m = record_find(s->boots[i], name);

                if (m && json_put(seen, m->best.source, json_true()) < 0)
                        return NULL;
        }
        return TAKE(seen);
}

/* warn_of_sources() - a milestone that different witnesses saw may not mean the same */
static int warn_of_sources(struct comparison *c)
{
        const struct row *r = compare_primary(c);
        CLEANUP(json_decrefp) json_t *in_a = NULL, *in_b = NULL;
        const char *source;
        json_t *value;

        if (!r || !r->metric->to)
                return 0;
        in_a = sources_of(c->a, r->metric->to);
        in_b = sources_of(c->b, r->metric->to);
        if (!in_a || !in_b)
                return -ENOMEM;
        json_object_foreach(in_a, source, value) if (json_object_get(in_b, source)) return 0;
        if (json_object_size(in_a) == 0 || json_object_size(in_b) == 0)
                return 0;
        return warn(c, "%s was seen by %s in A and by %s in B: it may not mean the same.",
                    r->metric->to, json_object_iter_key(json_object_iter(in_a)),
                    json_object_iter_key(json_object_iter(in_b)));
}

/* warn_of_time() - sets that follow one another share no conditions but those that stayed */
static int warn_of_time(struct comparison *c)
{
        const struct boot_set *a = c->a, *b = c->b;

        const struct row *r = compare_primary(c);

        if (a->n == 0 || b->n == 0)
                return 0;
        if (a->boots[0]->start.realtime_us <= 0 || b->boots[0]->start.realtime_us <= 0)
                return warn(c,
                            "Not all boots are dated: whether the sets overlap in time, or drift, "
                            "is not known.");
        if (compare_overlap_in_time(a, b)) {
                if (!r || !r->contrast.drift.one_sided)
                        return 0;
                return warn(c, "One set was mostly measured before the other: a drift meanwhile "
                               "counts as the difference. Boots of both in turn would tell.");
        }
        return warn(c, "The sets do not overlap in time: whatever else changed meanwhile counts as "
                       "the difference. A block of boots back on the first setting would tell.");
}

/* machines_of() - each machine of a set once */
static json_t *machines_of(const struct boot_set *s)
{
        CLEANUP(json_decrefp) json_t *seen = json_object();

        for (size_t i = 0; i < s->n; i++)
                if (json_put(seen, s->boots[i]->machine ? s->boots[i]->machine : "", json_true()) <
                    0)
                        return NULL;
        return TAKE(seen);
}

/* warn_of_machines() - one machine's id is no factor of another's: a reinstalled system has a new
 * one
 */
static int warn_of_machines(struct comparison *c)
{
        CLEANUP(json_decrefp) json_t *in_a = machines_of(c->a), *in_b = machines_of(c->b);
        bool shared = false;
        const char *machine;
        json_t *value;

        if (!in_a || !in_b)
                return -ENOMEM;
        json_object_foreach(in_a, machine, value) shared = shared || json_object_get(in_b, machine);
        if (c->a->n == 0 || c->b->n == 0 ||
            (shared && json_object_size(in_a) == 1 && json_object_size(in_b) == 1))
                return 0;
        if (!shared)
                return warn(c, "The sets come from different machines or installations: whatever "
                               "else differs between these counts as the difference.");
        return warn(c, "The boots are of several machines or installations: what these differ in "
                       "is part of the spread, or of the difference where their shares do.");
}

/* warn_of_unbalanced() - groups of which both sets hold the same values, in other shares */
static int warn_of_unbalanced(struct comparison *c)
{
        CLEANUP(freep) char *text = NULL;
        size_t size, n = 0;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return -ENOMEM;
        for (size_t i = 0; i < c->changes.n; i++) {
                const struct change *g = &c->changes.change[i];

                if (g->kind == CHANGE_UNBALANCED && ++n <= GROUPS_NAMED)
                        (void) fprintf(f, "%s%s", n == 1 ? "" : ", ", g->group);
        }
        if (n > GROUPS_NAMED)
                (void) fprintf(f, " and %zu more", n - GROUPS_NAMED);
        if (fclose(f) != 0)
                return -ENOMEM;
        if (n == 0)
                return 0;
        return warn(c,
                    "Unbalanced: %s. What A and B hold in different shares is part of the "
                    "difference; --by compares only boots that are alike in it.",
                    text);
}

/* warn_of_names() - what the sets were chosen by may be a change of its own */
static int warn_of_names(struct comparison *c)
{
        const char *name = NULL, *group = NULL;

        for (size_t i = 0; i < c->changes.n; i++) {
                const struct change *g = &c->changes.change[i];

                if (g->kind == CHANGE_DISJOINT && g->is_name && !name)
                        name = g->group;
                else if (g->kind == CHANGE_DISJOINT && !g->is_name && !group)
                        group = g->group;
        }
        if (!name || !group || c->changes.confounded)
                return 0;
        return warn(c,
                    "The sets were chosen by %s, and %s changed with it: unless the one is a name "
                    "for the other, they are confounded.",
                    name, group);
}

static int warn_of_resolution(struct comparison *c)
{
        const struct row *r = compare_primary(c);

        if (!r || !r->metric->resolution_unknown)
                return 0;
        return warn(c, "How late the stamps of %s or %s may be is not known in most boots.",
                    r->metric->from, r->metric->to);
}

int compare_add_warnings(struct comparison *c)
{
        if (warn_of_set(c, c->a, "A") < 0 || warn_of_set(c, c->b, "B") < 0 ||
            warn_of_values(c) < 0 || warn_of_manners(c) < 0 || warn_of_typing(c) < 0 ||
            warn_of_sources(c) < 0 || warn_of_time(c) < 0 || warn_of_resolution(c) < 0 ||
            warn_of_idle(c) < 0 || warn_of_machines(c) < 0 || warn_of_names(c) < 0 ||
            warn_of_unbalanced(c) < 0)
                return -ENOMEM;
        return 0;
}
