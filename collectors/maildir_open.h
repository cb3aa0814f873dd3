/* collectors/maildir_open.h - open a maildir as a mail client does: its whole work up to the index
 */
#pragma once
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "collectors/mail_header.h"
#include "collectors/maildir_list.h"
#include "collectors/progress.h"
#include "record/fault.h"

struct maildir_plan {
        const char *path;
        enum maildir_order order;
        enum mail_client client;
        unsigned jobs; /* messages under way at a time */
        struct progress *progress;
};

/* Entries that one thing is wrong with: how many, and one of them by name. */
struct maildir_flaw {
        uint64_t n;
        char entry[4 + NAME_MAX + 1]; /* "cur/NAME", without control characters; "" for none */
        mode_t mode;                  /* what it is; 0 when that is not known */
        int error;                    /* what happened to it, a negative errno */
};

struct maildir_counts {
        uint64_t messages;   /* as mutt and neomutt would count them */
        uint64_t bytes_read; /* of contents, in the blocks that stdio reads */
        uint64_t header_bytes;
        struct maildir_flaw gone;       /* deleted or renamed (a flag changed) since listed */
        struct maildir_flaw unreadable; /* no permission, a link to nowhere or itself, EIO */
        struct maildir_flaw odd; /* no file: a folder (which clients count), FIFO, socket, device */
        uint64_t empty;          /* files: messages to mutt, not to neomutt */
        uint64_t endless;        /* header blocks without an end */
        uint64_t unplaced;       /* see struct maildir_list */
};

struct maildir_opened {
        struct maildir_counts counts;
        int64_t list_us; /* listing and ordering */
        int64_t open_us; /* opening, reading, taking apart */
};

/**
 * maildir_check() - is @path a maildir that can be listed?
 * Return: 0; -ENOENT, -ENOTDIR, -EACCES, ..., with a reason that names what is missing.
 */
int maildir_check(const char *path, struct fault *fault);

/**
 * maildir_open() - list new/, open its messages, then cur/ the same, then sort the index by date
 *
 * Never blocks on what is no file. Messages that vanish or cannot be read are counted, and one
 * named. Return: 0; -EINTR when interrupted; another negative errno when a folder cannot be listed.
 */
int maildir_open(const struct maildir_plan *plan, struct maildir_opened *ret, struct fault *fault);
