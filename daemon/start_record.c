/* daemon/start_record.c - see start_record.h. A start record has the form of any record, so the
 * store's own code writes and reads it, checksum and all. */
#include "daemon/start_record.h"
#include <string.h>
#include "daemon/measurement.h"
#include "record/json.h"
#include "record/store.h"

#define CHECKSUM_BYTES 96 /* what the store adds */

static size_t bytes_of(const struct record *r)
{
        CLEANUP(json_decrefp) json_t *j = record_to_json(r);

        return j ? json_dumpb(j, NULL, 0, JSON_INDENT(1)) + CHECKSUM_BYTES : SIZE_MAX;
}

/* digest_of() - identity, clocks and the milestones' best sightings of @boot, @n of them */
static int digest_of(const struct record *boot, size_t n, struct record **ret)
{
        CLEANUP(record_freep) struct record *r = record_new();

        if (!r || !(r->id = strdup(boot->id)) || !(r->machine = strdup(boot->machine)) ||
            !(r->tool_version = strdup(boot->tool_version)))
                return -ENOMEM;
        r->boot_number = boot->boot_number;
        r->start = boot->start;
        r->end = boot->end;
        for (size_t i = 0; i < n; i++)
                if (record_see(r, boot->milestones[i].name, boot->milestones[i].session,
                               &boot->milestones[i].best) < 0)
                        return -ENOMEM;
        for (size_t i = 0; i < boot->n_waits; i++) {
                const struct wait *w = &boot->waits[i];

                if (record_add_wait(r, w->kind, w->name, w->from_us, w->to_us, w->attempts) < 0)
                        return -ENOMEM;
        }
        if (asprintf(&r->incomplete, "cut off: nothing is known after %.1f s",
                     s_from_us(boot->end.monotonic_us)) < 0) {
                r->incomplete = NULL;
                return -ENOMEM;
        }
        *ret = TAKE(r);
        return 0;
}

int start_record_write(const char *dir, const struct record *boot, size_t *ret_bytes,
                       struct fault *fault)
{
        for (size_t n = boot->n_milestones;; n--) {
                CLEANUP(record_freep) struct record *r = NULL;
                size_t n_bytes;
                int code = digest_of(boot, n, &r);

                if (code < 0)
                        return fault_set(fault, code, "no memory");
                n_bytes = bytes_of(r);
                if (n_bytes > START_RECORD_MAX_BYTES && n > 0)
                        continue;
                code = store_write(dir, r, NULL, fault);
                if (code == 0 && ret_bytes)
                        *ret_bytes = n_bytes;
                return code;
        }
}

int start_record_remove(const char *dir, const char *machine, const char *id, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        int code = store_find(dir, machine, id, &path, NULL);

        if (code == -ENOENT)
                return 0;
        if (code == 0 && unlink(path) < 0)
                code = -errno;
        return code < 0 ? fault_errno(fault, code, "%s: this boot's start record", dir) : 0;
}

/* recover() - Return: 1 when a record was made, 0 when there was one already */
static int recover(const struct store_entry *e, const char *store_dir, struct fault *fault)
{
        CLEANUP(freep) char *path = NULL;
        int code = store_find(store_dir, e->record->machine, e->record->id, &path, fault);

        if (code == -ENOENT) {
                code = measurement_store(e->record, store_dir, NULL, fault);
                if (code == 0)
                        code = 1;
        }
        return code;
}

int start_record_recover(const char *dir, const char *store_dir, const char *id,
                         void (*warn)(void *userdata, const char *text), void *userdata,
                         struct fault *fault)
{
        CLEANUP(store_list_done) struct store_list l = STORE_LIST_NULL;
        int n = 0, code = store_list(dir, &l, fault);

        if (code < 0)
                return code;
        for (size_t i = 0; i < l.n_entries; i++) {
                const struct store_entry *e = &l.entries[i];
                struct fault why = e->fault;

                if (e->record && strcmp(e->record->id, id) == 0)
                        continue;
                /* A damaged one tells nothing, and would be complained about for ever. */
                code = e->record ? recover(e, store_dir, &why) : e->error;
                if (code > 0)
                        n++;
                if (code < 0 && warn)
                        warn(userdata, why.text);
                if (code >= 0 || (!e->record && e->error != -EPROTONOSUPPORT))
                        (void) unlink(e->path);
        }
        return n;
}
