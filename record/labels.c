/* record/labels.c - see labels.h. Labels that wait for one boot are of that boot alone: those of
 * another are dropped when something is kept again. */
#include "record/labels.h"
#include <string.h>
#include "record/json.h"
#include "record/procfile.h"
#include "record/store.h"

#define FILE_NAME ".labels.json" /* a dot file, which no listing of records looks at */
#define SCHEMA "bootlap.labels/1"

json_t *labels_value(const char *text)
{
        int64_t n;
        char back[24];

        if (parse_int(text, &n) < 0)
                return json_text(text);
        (void) snprintf(back, sizeof back, "%lld", (long long) n);
        return strcmp(back, text) == 0 ? json_integer(n) : json_text(text); /* "007" is text */
}

int labels_change(json_t *labels, json_t *changes)
{
        const char *key;
        json_t *value;

        json_object_foreach(changes, key, value)
        {
                if (json_is_null(value))
                        (void) json_object_del(labels, key);
                else if (json_object_set(labels, key, value) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int read_file(const char *store_dir, json_t **ret, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        CLEANUP(freep) char *path = NULL;
        const char *schema;
        int r;

        if (asprintf(&path, "%s/" FILE_NAME, store_dir) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        if (access(path, F_OK) < 0 && errno == ENOENT) {
                j = json_object();
                if (!j || json_put(j, "schema", json_string(SCHEMA)) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
                *ret = TAKE(j);
                return 0;
        }
        r = json_read_file(path, &j, fault);
        if (r < 0)
                return r;
        schema = json_string_value(json_object_get(j, "schema"));
        if (!schema || strcmp(schema, SCHEMA) != 0)
                return fault_set(fault, -EINVAL, "%s: has no \"schema\": \"%s\"", path, SCHEMA);
        *ret = TAKE(j);
        return 0;
}

static int write_file(const char *store_dir, const json_t *j, struct fault *fault)
{
        CLEANUP(freep) char *text = json_dumps(j, JSON_INDENT(1));
        int r;

        if (!text)
                return fault_set(fault, -ENOMEM, "no memory");
        r = store_make_folder(store_dir);
        if (r < 0)
                return fault_errno(fault, r, "%s", store_dir);
        r = store_write_text(store_dir, FILE_NAME, text);
        return r < 0 ? fault_errno(fault, r, "%s/" FILE_NAME, store_dir) : 0;
}

/* member() - an object member of @j, made when it is missing; borrowed; NULL when out of memory */
static json_t *member(json_t *j, const char *key)
{
        json_t *value = json_object_get(j, key);

        if (json_is_object(value))
                return value;
        return json_put(j, key, json_object()) < 0 ? NULL : json_object_get(j, key);
}

static int drop_other_boots(json_t *boots, const char *boot_id)
{
        CLEANUP(json_decrefp) json_t *mine = json_incref(json_object_get(boots, boot_id));

        (void) json_object_clear(boots);
        return mine && json_object_set(boots, boot_id, mine) < 0 ? -ENOMEM : 0;
}

int labels_keep(const char *store_dir, const char *boot_id, json_t *changes, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        json_t *labels;
        int r = read_file(store_dir, &j, fault);

        if (r < 0)
                return r;
        labels = member(j, boot_id ? "boots" : "until_changed");
        if (labels && boot_id)
                labels = drop_other_boots(labels, boot_id) < 0 ? NULL : member(labels, boot_id);
        if (!labels || labels_change(labels, changes) < 0)
                return fault_set(fault, -ENOMEM, "no memory");
        return write_file(store_dir, j, fault);
}

int labels_settle(const char *store_dir, const char *boot_id, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        json_t *boots;
        int r = read_file(store_dir, &j, fault);

        if (r < 0)
                return r;
        boots = json_object_get(j, "boots");
        if (!json_object_get(boots, boot_id))
                return 0;
        (void) json_object_del(boots, boot_id);
        return write_file(store_dir, j, fault);
}

int labels_kept(const char *store_dir, json_t **ret, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        json_t *labels;
        int r = read_file(store_dir, &j, fault);

        if (r < 0)
                return r;
        labels = member(j, "until_changed");
        if (!labels)
                return fault_set(fault, -ENOMEM, "no memory");
        *ret = json_incref(labels);
        return 0;
}

int labels_apply(const char *store_dir, struct record *r, struct fault *fault)
{
        CLEANUP(json_decrefp) json_t *j = NULL;
        json_t *sources[2];
        int code = read_file(store_dir, &j, fault);

        if (code < 0)
                return code;
        sources[0] = json_object_get(json_object_get(j, "boots"), r->id);
        sources[1] = json_object_get(j, "until_changed");
        for (size_t i = 0; i < ELEMENTSOF(sources); i++)
                if (sources[i] && json_object_update_missing(r->labels, sources[i]) < 0)
                        return fault_set(fault, -ENOMEM, "no memory");
        return 0;
}
