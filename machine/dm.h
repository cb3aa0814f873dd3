/* machine/dm.h - the device mapper's tables, which the kernel keeps in memory and shows to root */
#pragma once
#include "machine/machine.h"

#define DM_TYPE_BYTES 32

struct dm_target {
        char type[DM_TYPE_BYTES]; /* "crypt", "linear", "striped" */
        char *params;             /* may hold a key: released by dm_target_done(), which wipes it */
};
#define DM_TARGET_NULL ((struct dm_target){ .params = NULL })

void dm_target_done(struct dm_target *t);

/**
 * dm_target_read() - the first target of a mapping's table
 * Return: 0; -ENOTSUP in a recorded tree; -EACCES without root; another negative errno
 */
int dm_target_read(struct dm_target *ret, const struct machine_context *m, unsigned major,
                   unsigned minor, struct fault *fault);

/** What a "crypt" target's parameters say. */
struct dm_crypt {
        char cipher[64]; /* "aes-xts-plain64" */
        unsigned key_bits;
        unsigned sector_bytes;
        char flags[128];    /* "allow_discards no_read_workqueue", or "none" */
        char integrity[64]; /* "aead", "none" */
};

/** dm_crypt_parse() - "CIPHER KEY IV DEVICE OFFSET [N OPTION...]"; -EINVAL when it is no such line
 */
int dm_crypt_parse(const char *params, struct dm_crypt *ret);
