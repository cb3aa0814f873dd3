/* machine/hide.c - a whole record, before it is stored: no text in it names this machine or a
 * person
 *
 * Labels stay as they are: a person has typed them to be read. So do keys, ids and what bootlap
 * itself says (sources, units of measure). */
#include <string.h>
#include "machine/identifier.h"
#include "machine/machine.h"
#include "machine/names.h"
#include "record/json.h"

struct hiding {
        const struct machine_context *m;
        struct names names;
        int error;
};

/* hidden() - @text without names and identifiers; NULL when nothing in it has to change */
static char *hidden(struct hiding *h, const char *text)
{
        CLEANUP(freep) char *without_names = names_hide(&h->names, text);
        CLEANUP(freep) char *clean = NULL;
        struct text t = TEXT_NULL;

        if (without_names)
                identifier_hide_all(&t, h->m, without_names, strlen(without_names));
        clean = text_take(&t);
        if (!clean) {
                h->error = -ENOMEM;
                return NULL;
        }
        return strcmp(clean, text) == 0 ? NULL : TAKE(clean);
}

static void hide_text(struct hiding *h, char **text)
{
        char *clean = *text ? hidden(h, *text) : NULL;

        if (clean) {
                free(*text);
                *text = clean;
        }
}

static void hide_json(struct hiding *h, json_t *j);

/* hide_member() - what takes the place of @value, a new reference; NULL when nothing does */
static json_t *hide_member(struct hiding *h, json_t *value)
{
        CLEANUP(freep) char *clean = NULL;

        if (!json_is_string(value)) {
                hide_json(h, value);
                return NULL;
        }
        clean = hidden(h, json_string_value(value));
        return clean ? json_text(clean) : NULL;
}

static void hide_json(struct hiding *h, json_t *j)
{
        json_t *value, *clean;
        const char *key;
        size_t i;

        if (json_is_object(j))
                json_object_foreach(j, key, value)
                {
                        clean = hide_member(h, value);
                        if (clean && json_object_set_new(j, key, clean) < 0)
                                h->error = -ENOMEM;
                }
        if (json_is_array(j))
                json_array_foreach(j, i, value)
                {
                        clean = hide_member(h, value);
                        if (clean && json_array_set_new(j, i, clean) < 0)
                                h->error = -ENOMEM;
                }
}

/* is_settled() - a distribution called like the host is still that distribution; identifiers have
 * been hidden where they were entered, unless somebody asked to keep them */
static bool is_settled(const char *key)
{
        static const char *const ends[] = { ".serial", "fs.uuid" };
        size_t n = strlen(key);

        for (size_t i = 0; i < ELEMENTSOF(ends); i++)
                if (n >= strlen(ends[i]) && strcmp(key + n - strlen(ends[i]), ends[i]) == 0)
                        return true;
        return strncmp(key, "os.", 3) == 0;
}

static void hide_config(struct hiding *h, json_t *config)
{
        json_t *value, *clean;
        const char *key;

        json_object_foreach(config, key, value)
        {
                clean = is_settled(key) ? NULL : hide_member(h, value);
                if (clean && json_object_set_new(config, key, clean) < 0)
                        h->error = -ENOMEM;
        }
}

static void hide_sighting(struct hiding *h, struct sighting *s)
{
        hide_text(h, &s->detail);
        hide_text(h, &s->implausible);
        hide_json(h, s->extra);
}

static void hide_milestone(struct hiding *h, struct milestone *m)
{
        hide_text(h, &m->session);
        hide_sighting(h, &m->best);
        for (size_t i = 0; i < m->n_also; i++)
                hide_sighting(h, &m->also[i]);
        hide_json(h, m->extra);
}

static void hide_sample(struct hiding *h, struct sample *s)
{
        hide_json(h, s->parameters);
        hide_json(h, s->details);
        for (size_t i = 0; i < s->n_values; i++) {
                hide_text(h, &s->values[i].implausible);
                hide_json(h, s->values[i].extra);
        }
        hide_json(h, s->extra);
}

int machine_hide(const struct machine_context *m, struct record *r, struct fault *fault)
{
        struct hiding h = { .m = m, .names = NAMES_NULL };

        h.error = names_read(&h.names, m);
        if (h.error == 0) {
                hide_config(&h, r->config);
                hide_json(&h, r->cost);
                hide_json(&h, r->extra);
                hide_text(&h, &r->incomplete);
        }
        for (size_t i = 0; h.error == 0 && i < r->n_milestones; i++)
                hide_milestone(&h, &r->milestones[i]);
        for (size_t i = 0; h.error == 0 && i < r->n_waits; i++) {
                hide_text(&h, &r->waits[i].name);
                hide_json(&h, r->waits[i].extra);
        }
        for (size_t i = 0; h.error == 0 && i < r->n_absent; i++)
                hide_text(&h, &r->absent[i].reason);
        for (size_t i = 0; h.error == 0 && i < r->n_units; i++)
                hide_text(&h, &r->units[i].name);
        for (size_t i = 0; h.error == 0 && i < r->n_samples; i++)
                hide_sample(&h, &r->samples[i]);
        for (size_t i = 0; h.error == 0 && i < r->n_warnings; i++)
                hide_text(&h, &r->warnings[i]);
        names_done(&h.names);
        return h.error < 0 ? fault_errno(fault, h.error, "hiding names") : 0;
}
