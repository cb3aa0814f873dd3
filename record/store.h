/* record/store.h - the folder of records: DIR/<machine>/<UTC time>-<id>.json
 *
 * A write is whole or not there: temporary file in the same folder, fsync, rename, fsync of the
 * folder. Each file carries "checksum": "sha256:<hex>" over the canonical JSON of everything else
 * (sorted keys, compact), so that damage is found and named. A record of a newer schema is listed
 * and can be shown; nothing here rewrites it.
 */
#pragma once
#include <jansson.h>
#include "record/record.h"

/** store_default_dir() - $BOOTLAP_STORE, else /var/lib/bootlap/records for root, else
 * $XDG_STATE_HOME/bootlap or ~/.local/state/bootlap. Return: 0, -ENOENT without a home, -ENOMEM. */
int store_default_dir(char **ret, struct fault *fault);

/** store_make_folder() - every missing folder of @path, each durable; 0 or a negative errno */
int store_make_folder(const char *path);

/** store_to_json() - the document that a record is stored as, with its checksum; a new reference */
int store_to_json(const struct record *r, json_t **ret, struct fault *fault);

/** store_write_text() - @text as the file @name of a folder, whole or not at all; 0 or -errno */
int store_write_text(const char *dir, const char *name, const char *text);

/**
 * store_write() - write @r durably, replacing an earlier record of the same id
 * @ret_path: where it lies now; may be NULL
 *
 * Return: 0; a negative errno (-ENOSPC, -EROFS, -EACCES, ...), with every earlier file untouched;
 * -EPROTONOSUPPORT when the file to be replaced was written by a newer schema.
 */
int store_write(const char *dir, const struct record *r, char **ret_path, struct fault *fault);

/**
 * store_find() - the file of the record @id of @machine
 * Return: 0 and *ret_path, which is the caller's; -ENOENT when there is none; another negative
 * errno.
 */
int store_find(const char *dir, const char *machine, const char *id, char **ret_path,
               struct fault *fault);

/**
 * store_read() - read one record file
 * @ret_json: the document as it stands, also when -EPROTONOSUPPORT says that its schema is newer;
 *            may be NULL
 *
 * Return: 0; -EBADMSG when the checksum does not fit; -EINVAL when it is no record;
 * -EPROTONOSUPPORT; another negative errno. The fault names the file.
 */
int store_read(const char *path, struct record **ret, json_t **ret_json, struct fault *fault);

/** One file of a store that could be read, or could not. */
struct store_entry {
        char *path;
        struct record *record; /* NULL when it could not be read */
        int error;             /* 0 or the negative errno of store_read() */
        struct fault fault;
};

struct store_list {
        struct store_entry *entries;
        size_t n_entries;
};
#define STORE_LIST_NULL ((struct store_list){ .entries = NULL })

void store_list_done(struct store_list *l);

/**
 * store_list() - every record below @dir, sorted by path
 *
 * Leftover temporary files are passed over. A missing @dir is an empty list.
 * Return: 0 even when single files could not be read: their entries say so.
 */
int store_list(const char *dir, struct store_list *ret, struct fault *fault);
