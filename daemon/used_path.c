/* daemon/used_path.c - what lies beneath the paths that collectors used; see measurement.h
 *
 * A sample's details name the path. It may hold a person's name, so that it is looked up before the
 * record is hidden and told from the others after. */
#include <string.h>
#include "daemon/measurement.h"
#include "machine/machine.h"
#include "record/json.h"
#include "record/procfile.h"

#define STACKS_MAX 1000 /* of one collector */

static const char *detail(const struct sample *s, const char *name)
{
        return json_string_value(json_object_get(s->details, name));
}

/* stack_number() - 1 of "maildir", 2 of "maildir-2"; 0 when it is none of this collector's
 * @collector: n_bytes of it */
static int64_t stack_number(const char *stack, const char *collector, size_t n_bytes)
{
        int64_t n;

        if (!stack || strncmp(stack, collector, n_bytes) != 0)
                return 0;
        if (stack[n_bytes] == '\0')
                return 1;
        return stack[n_bytes] == '-' && parse_int(stack + n_bytes + 1, &n) == 0 && n > 1 &&
                               n < STACKS_MAX
                       ? n
                       : 0;
}

/* name_stack() - enter the detail "stack" of sample @i: that of an earlier sample with this path
 * and collector, or the next
 * Return: 1 when it was named by a sample from @first on, which has been looked up; 0; -ENOMEM. */
static int name_stack(struct record *r, size_t i, size_t first)
{
        struct sample *s = &r->samples[i];
        const char *path = detail(s, "path");
        size_t n_bytes = strcspn(s->workload, ".");
        int64_t last = 0;
        char name[256];

        for (size_t k = 0; k < i; k++) {
                const char *other = detail(&r->samples[k], "path");
                const char *stack = detail(&r->samples[k], "stack");
                int64_t n = stack_number(stack, s->workload, n_bytes);

                if (n > 0 && other && strcmp(other, path) == 0)
                        return record_set_string(s->details, "stack", stack) < 0 ? -ENOMEM
                                                                                 : k >= first;
                last = n > last ? n : last;
        }
        if (last == 0)
                (void) snprintf(name, sizeof name, "%.*s", (int) n_bytes, s->workload);
        else
                (void) snprintf(name, sizeof name, "%.*s-%lld", (int) n_bytes, s->workload,
                                (long long) last + 1);
        return record_set_string(s->details, "stack", name) < 0 ? -ENOMEM : 0;
}

/* copy_paths() - as they are, of the samples from @first on; NULL for one that names none that is
 * absolute */
static char **copy_paths(const struct record *r, size_t first, size_t *ret_n)
{
        char **paths = calloc(r->n_samples - first + 1, sizeof *paths);

        *ret_n = 0;
        for (size_t i = first; paths && i < r->n_samples; i++) {
                const char *path = detail(&r->samples[i], "path");

                if (!path || *path != '/')
                        continue;
                paths[i - first] = strdup(path);
                *ret_n += paths[i - first] != NULL;
        }
        return paths;
}

static int capture_all(struct machine_context *m, struct record *r, size_t first, char **paths,
                       bool keep_serials, struct fault *fault)
{
        int code = machine_hide(m, r, fault);

        m->keep_serials = keep_serials;
        for (size_t i = first; code == 0 && i < r->n_samples; i++) {
                int named = paths[i - first] ? name_stack(r, i, first) : 1;

                if (named < 0)
                        code = fault_set(fault, -ENOMEM, "no memory");
                else if (named == 0)
                        code = machine_capture_path(m, r, detail(&r->samples[i], "stack"),
                                                    paths[i - first], fault);
        }
        return code;
}

int measurement_capture_used(struct record *r, size_t first, const char *store_dir,
                             bool keep_serials, struct fault *fault)
{
        CLEANUP(machine_close) struct machine_context m = MACHINE_CONTEXT_NULL;
        size_t n_paths;
        char **paths = copy_paths(r, first, &n_paths);
        int code = paths ? 0 : fault_set(fault, -ENOMEM, "no memory");

        if (code == 0 && n_paths > 0)
                code = machine_open(&m, NULL, fault);
        if (code == 0 && n_paths > 0) {
                (void) machine_load_key(&m, store_dir, NULL); /* the record says why not */
                code = capture_all(&m, r, first, paths, keep_serials, fault);
        }
        for (size_t i = first; paths && i < r->n_samples; i++)
                free(paths[i - first]);
        free(paths);
        return code;
}
