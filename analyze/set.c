/* analyze/set.c - reads the little language of SETs and collects the boots; terms are evaluated in
 * set_term.c */
#include "analyze/set.h"
#include <string.h>
#include <sys/stat.h>
#include "analyze/set_term.h"
#include "record/json.h"

void shelf_done(struct shelf *s)
{
        for (size_t i = 0; i < s->n_lists; i++) {
                store_list_done(&s->lists[i]);
                free(s->paths[i]);
        }
        free(s->lists);
        free(s->paths);
        *s = SHELF_NULL;
}

void set_done(struct boot_set *s)
{
        free(s->name);
        free(s->boots);
        for (size_t i = 0; i < s->n_keys; i++)
                free(s->keys[i]);
        free(s->keys);
        *s = BOOT_SET_NULL;
}

/* read_one() - a single file as a list of one; that it cannot be read is the caller's error */
static int read_one(const char *path, struct store_list *ret, struct fault *fault)
{
        struct store_entry *e = calloc(1, sizeof *e);
        int r;

        if (!e)
                return fault_set(fault, -ENOMEM, "no memory");
        *ret = (struct store_list){ .entries = e, .n_entries = 1 };
        e->path = strdup(path);
        r = e->path ? store_read(path, &e->record, NULL, fault)
                    : fault_set(fault, -ENOMEM, "no memory");
        if (r < 0)
                store_list_done(ret);
        return r == -EINVAL ? -EBADMSG : r; /* the expression was well formed */
}

/* shelf_take() - the list that was read from @path, reading it if need be */
static int shelf_take(struct shelf *shelf, const char *path, const struct store_list **ret,
                      struct fault *fault)
{
        struct store_list list = STORE_LIST_NULL, *lists;
        struct stat st;
        char **paths;
        int r;

        for (size_t i = 0; i < shelf->n_lists; i++)
                if (strcmp(shelf->paths[i], path) == 0) {
                        *ret = &shelf->lists[i];
                        return 0;
                }
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
                r = read_one(path, &list, fault);
        else
                r = store_list(path, &list, fault);
        if (r < 0)
                return r;
        lists = reallocarray(shelf->lists, shelf->n_lists + 1, sizeof *lists);
        if (lists)
                shelf->lists = lists;
        paths = reallocarray(shelf->paths, shelf->n_lists + 1, sizeof *paths);
        if (paths)
                shelf->paths = paths;
        if (lists && paths)
                paths[shelf->n_lists] = strdup(path);
        if (!lists || !paths || !paths[shelf->n_lists]) {
                store_list_done(&list);
                return fault_set(fault, -ENOMEM, "no memory");
        }
        lists[shelf->n_lists] = list;
        *ret = &lists[shelf->n_lists++];
        return 0;
}

int set_compare_boots(const void *va, const void *vb)
{
        const struct record *a = *(const struct record *const *) va;
        const struct record *b = *(const struct record *const *) vb;
        int order;

        if (a->start.realtime_us != b->start.realtime_us)
                return a->start.realtime_us < b->start.realtime_us ? -1 : 1;
        order = strcmp(a->id ? a->id : "", b->id ? b->id : "");
        if (order != 0)
                return order;
        return a->boot_number < b->boot_number ? -1 : a->boot_number > b->boot_number;
}

/* compare_copies() - of several records of one boot the fullest comes first: complete before what
 * was written while it still ran, whatever order the files were read in */
static int compare_copies(const void *va, const void *vb)
{
        const struct record *a = *(const struct record *const *) va;
        const struct record *b = *(const struct record *const *) vb;
        int order = set_compare_boots(va, vb);

        if (order != 0 || a == b)
                return order;
        if (a->incomplete != b->incomplete)
                return a->incomplete ? 1 : -1;
        if (a->n_milestones != b->n_milestones)
                return a->n_milestones > b->n_milestones ? -1 : 1;
        if (a->n_samples != b->n_samples)
                return a->n_samples > b->n_samples ? -1 : 1;
        if (a->end.monotonic_us != b->end.monotonic_us)
                return a->end.monotonic_us > b->end.monotonic_us ? -1 : 1;
        return 0;
}

/* sort_unique() - the same boot may lie in two of the places that were named */
static size_t sort_unique(const struct record **boots, size_t n)
{
        size_t kept = 0;

        if (n > 1)
                qsort(boots, n, sizeof *boots, compare_copies);
        for (size_t i = 0; i < n; i++)
                if (kept == 0 || set_compare_boots(&boots[kept - 1], &boots[i]) != 0)
                        boots[kept++] = boots[i];
        return kept;
}

static int collect(const struct store_list *list, const struct set_terms *terms,
                   struct boot_set *ret, struct fault *fault)
{
        size_t n = 0, kept = 0;

        ret->boots = reallocarray(NULL, list->n_entries + 1, sizeof *ret->boots);
        if (!ret->boots)
                return fault_set(fault, -ENOMEM, "no memory");
        for (size_t i = 0; i < list->n_entries; i++) {
                const struct store_entry *e = &list->entries[i];

                if (!e->record) {
                        if (ret->n_unreadable++ == 0)
                                ret->unreadable = &e->fault;
                } else if (set_terms_hold(terms, e->record)) {
                        ret->boots[n++] = e->record;
                }
        }
        n = sort_unique(ret->boots, n);
        for (size_t i = 0; i < n; i++)
                if (ret->boots[i]->incomplete)
                        ret->n_incomplete++;
                else
                        ret->boots[kept++] = ret->boots[i];
        ret->n = kept;
        if (terms->last > 0 && ret->n > terms->last) {
                memmove(ret->boots, ret->boots + (ret->n - terms->last),
                        terms->last * sizeof *ret->boots);
                ret->n = terms->last;
        }
        return 0;
}

/* name_keys() - remember which factors the expression asks for */
static int name_keys(const struct set_terms *terms, struct boot_set *ret)
{
        ret->keys = calloc(terms->n + 1, sizeof *ret->keys);
        if (!ret->keys)
                return -ENOMEM;
        for (size_t i = 0; i < terms->n; i++) {
                if (terms->term[i].kind != SET_TERM_FACTOR)
                        continue;
                ret->keys[ret->n_keys] = strdup(terms->term[i].key);
                if (!ret->keys[ret->n_keys])
                        return -ENOMEM;
                ret->n_keys++;
        }
        return 0;
}

int set_find(struct shelf *shelf, const char *expression, struct boot_set *ret, struct fault *fault)
{
        CLEANUP(set_done) struct boot_set s = BOOT_SET_NULL;
        CLEANUP(set_terms_done) struct set_terms terms = SET_TERMS_NULL;
        const char *path = shelf->store_dir;
        const struct store_list *list = NULL;
        struct stat st;
        int r = 0;

        if (expression && stat(expression, &st) == 0)
                path = expression;
        else if (expression && strchr(expression, '/') && !strchr(expression, '='))
                return fault_errno(fault, -errno, "%s", expression);
        else if (expression)
                r = set_terms_parse(expression, &terms, fault);
        if (r < 0)
                return r;
        s.name = strdup(expression ? expression : "all records");
        if (!s.name || name_keys(&terms, &s) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        r = shelf_take(shelf, path, &list, fault);
        if (r == 0)
                r = collect(list, &terms, &s, fault);
        if (r < 0)
                return r;
        if (set_terms_name_an_id(&terms) && s.n + s.n_incomplete == 0)
                return fault_set(fault, -ENOENT,
                                 "%s: no such file, and no record in %s has such an id", expression,
                                 path);
        *ret = s;
        s = BOOT_SET_NULL;
        return 0;
}

static int note_machines(json_t *machines, const struct boot_set *s)
{
        for (size_t i = 0; i < s->n; i++)
                if (json_put(machines, s->boots[i]->machine ? s->boots[i]->machine : "",
                             json_true()) < 0)
                        return -ENOMEM;
        return 0;
}

int shelf_pool(const struct shelf *shelf, const struct boot_set *a, const struct boot_set *b,
               const struct record ***ret, size_t *ret_n)
{
        CLEANUP(json_decrefp) json_t *machines = json_object();
        CLEANUP(freep) const struct record **pool = NULL;
        size_t n = 0, room = 1;

        for (size_t l = 0; l < shelf->n_lists; l++)
                room += shelf->lists[l].n_entries;
        pool = reallocarray(NULL, room, sizeof *pool);
        if (!machines || !pool || note_machines(machines, a) < 0 || note_machines(machines, b) < 0)
                return -ENOMEM;
        for (size_t l = 0; l < shelf->n_lists; l++)
                for (size_t i = 0; i < shelf->lists[l].n_entries; i++) {
                        const struct record *r = shelf->lists[l].entries[i].record;

                        if (r && !r->incomplete &&
                            json_object_get(machines, r->machine ? r->machine : ""))
                                pool[n++] = r;
                }
        *ret_n = sort_unique(pool, n);
        *ret = TAKE(pool);
        return 0;
}

/* join() - take the boots of @more into @s */
static int join(struct boot_set *s, struct boot_set *more)
{
        const struct record **grown = reallocarray(s->boots, s->n + more->n + 1, sizeof *grown);
        char *name;

        if (!grown)
                return -ENOMEM;
        s->boots = grown;
        if (more->n > 0)
                memcpy(grown + s->n, more->boots, more->n * sizeof *grown);
        s->n = sort_unique(grown, s->n + more->n);
        s->n_incomplete += more->n_incomplete;
        s->n_unreadable += more->n_unreadable;
        if (!s->unreadable)
                s->unreadable = more->unreadable;
        if (asprintf(&name, "%s + %s", s->name, more->name) < 0)
                return -ENOMEM;
        free(s->name);
        s->name = name;
        return 0;
}

int set_find_all(struct shelf *shelf, const char *const *expressions, size_t n,
                 struct boot_set *ret, struct fault *fault)
{
        CLEANUP(set_done) struct boot_set s = BOOT_SET_NULL;
        int r = set_find(shelf, n > 0 ? expressions[0] : NULL, &s, fault);

        for (size_t i = 1; r == 0 && i < n; i++) {
                CLEANUP(set_done) struct boot_set more = BOOT_SET_NULL;

                r = set_find(shelf, expressions[i], &more, fault);
                if (r == 0 && join(&s, &more) < 0)
                        r = fault_set(fault, -ENOMEM, "no memory");
        }
        if (r < 0)
                return r;
        *ret = s;
        s = BOOT_SET_NULL;
        return 0;
}

const struct record *set_common(const struct boot_set *a, const struct boot_set *b)
{
        for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
                int order = set_compare_boots(&a->boots[i], &b->boots[k]);

                if (order == 0)
                        return a->boots[i];
                if (order < 0)
                        i++;
                else
                        k++;
        }
        return NULL;
}
