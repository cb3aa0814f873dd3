/* collectors/maildir_list.h - the messages of a maildir's folder, and the order to open them in */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "record/fault.h"

enum maildir_order {
        MAILDIR_READDIR, /* as the folder lists them */
        MAILDIR_INODE,   /* as mutt and neomutt do: inode tables are then read front to back */
        MAILDIR_EXTENT,  /* by where the drive holds their first block */
};

struct maildir_entry {
        char *name;
        uint64_t inode;
        uint64_t physical_bytes; /* only for MAILDIR_EXTENT; 0 unknown */
};

struct maildir_list {
        struct maildir_entry *entries;
        size_t n;
        size_t n_unplaced; /* MAILDIR_EXTENT: the file system did not say where they lie */
};
#define MAILDIR_LIST_NULL ((struct maildir_list){ .entries = NULL })

void maildir_list_done(struct maildir_list *l);

/**
 * maildir_list_folder() - every entry whose name does not start with a dot
 *
 * Nothing is left out for its kind: mutt and neomutt do not look either, and find out when they
 * open. Return: 0 or a negative errno, with the reason.
 */
int maildir_list_folder(const char *folder, struct maildir_list *ret, struct fault *fault);

/** maildir_list_order() - sort; for MAILDIR_EXTENT each file is opened once to ask where it lies */
void maildir_list_order(struct maildir_list *l, const char *folder, enum maildir_order order);
