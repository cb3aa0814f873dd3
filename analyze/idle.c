/* analyze/idle.c - mean and median side by side: a few long delays raise the one, not the other */
#include "analyze/idle.h"
#include <string.h>
#include "analyze/table.h"
#include "analyze/view_json.h"
#include "record/json.h"

#define WORKLOAD "response"
#define NO_LOAD "noload"
#define NO_LOAD_AFTER "noload_after"

bool response_name_parse(const char *workload, struct response_name *ret)
{
        struct response_name n = { .task = "" };
        const char *at = workload + strlen(WORKLOAD);

        if (strncmp(workload, WORKLOAD, strlen(WORKLOAD)) != 0 || (*at != '.' && *at != '-'))
                return false;
        if (*at == '-') {
                n.task = at + 1;
                n.n_task = strcspn(n.task, ".");
                at += 1 + n.n_task;
        }
        if (*at != '.' || at[1] == '\0')
                return false;
        n.load = at + 1;
        n.n_load = strcspn(n.load, ".");
        n.name = n.load + n.n_load;
        *ret = n;
        return true;
}

bool response_name_is_alike(const struct response_name *a, const struct response_name *b)
{
        return a->n_task == b->n_task && strncmp(a->task, b->task, a->n_task) == 0 &&
               strcmp(a->name, b->name) == 0;
}

static bool is_load(const struct response_name *n, const char *load)
{
        return n->n_load == strlen(load) && strncmp(n->load, load, n->n_load) == 0;
}

/* find_idle() - the baseline of the same run, else of any */
static const struct sample *find_idle(const struct record *r, const struct response_name *of,
                                      unsigned run)
{
        const struct sample *any = NULL;

        for (size_t i = 0; i < r->n_samples; i++) {
                struct response_name name;

                if (!response_name_parse(r->samples[i].workload, &name) ||
                    !response_name_is_alike(&name, of) || !is_load(&name, NO_LOAD))
                        continue;
                if (r->samples[i].run == run)
                        return &r->samples[i];
                if (!any)
                        any = &r->samples[i];
        }
        return any;
}

static double ratio_of(const struct sample *loaded, const struct sample *idle, const char *field)
{
        const struct sample_value *a = sample_find(loaded, field), *b = sample_find(idle, field);

        if (!a || !b || a->implausible || b->implausible || strcmp(a->unit, b->unit) != 0 ||
            !(a->value > 0) || !(b->value > 0))
                return 0;
        return a->value / b->value;
}

static bool is_below(double ratio) { return ratio > 0 && ratio < IDLE_SUSPECT_BELOW; }

int idle_ratios(const struct record *r, struct idle_ratio **ret)
{
        struct idle_ratio *ratios = calloc(r->n_samples + 1, sizeof *ratios);
        int n = 0;

        *ret = NULL;
        if (!ratios)
                return -ENOMEM;
        for (size_t i = 0; i < r->n_samples; i++) {
                const struct sample *s = &r->samples[i], *idle;
                struct idle_ratio one = { .run = s->run };
                struct response_name name;

                if (!response_name_parse(s->workload, &name) || is_load(&name, NO_LOAD) ||
                    is_load(&name, NO_LOAD_AFTER))
                        continue;
                idle = find_idle(r, &name, s->run);
                if (!idle)
                        continue;
                one.load = name.n_task ? name.task : name.load;
                one.by_mean = ratio_of(s, idle, "average");
                one.by_median = ratio_of(s, idle, "median");
                one.suspect = is_below(one.by_mean) || is_below(one.by_median);
                if (one.by_mean > 0 || one.by_median > 0)
                        ratios[n++] = one;
        }
        if (n > 0)
                *ret = ratios;
        else
                free(ratios);
        return n;
}

static int add_ratio(struct table *t, double ratio)
{
        return ratio > 0 ? table_addf(t, "%.3f", ratio) : table_add(t, "");
}

int idle_print(const struct record *r, FILE *f, bool color)
{
        static const struct table_column columns[] = { { "response under load", TABLE_LEFT },
                                                       { "run", TABLE_RIGHT },
                                                       { "mean ratio", TABLE_RIGHT },
                                                       { "median ratio", TABLE_RIGHT },
                                                       { "", TABLE_LEFT } };
        CLEANUP(table_freep) struct table *t = table_new(columns, ELEMENTSOF(columns));
        CLEANUP(freep) struct idle_ratio *ratios = NULL;
        int n = idle_ratios(r, &ratios);

        if (!t || n < 0)
                return -ENOMEM;
        for (int i = 0; i < n; i++)
                if (table_add(t, ratios[i].load) < 0 || table_addf(t, "#%u", ratios[i].run) < 0 ||
                    add_ratio(t, ratios[i].by_mean) < 0 || add_ratio(t, ratios[i].by_median) < 0 ||
                    table_add(t, ratios[i].suspect ? "idle baseline suspect" : "") < 0)
                        return -ENOMEM;
        if (n == 0)
                return 0;
        (void) fputc('\n', f);
        return table_print(t, f, color);
}

json_t *idle_json(const struct record *r)
{
        CLEANUP(json_decrefp) json_t *array = json_array();
        CLEANUP(freep) struct idle_ratio *ratios = NULL;
        int n = idle_ratios(r, &ratios);

        if (n < 0)
                return NULL;
        for (int i = 0; i < n; i++) {
                json_t *one = json_object();

                if (json_array_append_new(array, one) < 0 ||
                    json_put(one, "load", json_text(ratios[i].load)) < 0 ||
                    json_put(one, "run", json_integer(ratios[i].run)) < 0 ||
                    (ratios[i].by_mean > 0 &&
                     view_json_real(one, "mean_ratio", ratios[i].by_mean) < 0) ||
                    (ratios[i].by_median > 0 &&
                     view_json_real(one, "median_ratio", ratios[i].by_median) < 0) ||
                    json_put(one, "idle_baseline_suspect", json_boolean(ratios[i].suspect)) < 0)
                        return NULL;
        }
        return TAKE(array);
}
