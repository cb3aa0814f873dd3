/* collectors/cipher_cost.h - is the cipher or the drive the limit, where a path lies on dm-crypt?
 *
 * How fast the kernel decrypts with the mapping's cipher and key size, beside what the drive
 * beneath the mapping delivers. Both are one stream: dm-crypt may decrypt on several processors at
 * a time.
 */
#pragma once
#include "collectors/disk_target.h"
#include "collectors/harness.h"
#include "machine/machine.h"

struct cipher_cost {
        bool is_there;   /* the path lies on dm-crypt */
        char cipher[80]; /* "aes-xts-plain64"; "" when it is not known, and why */
        unsigned key_bits;
        char why[256];
        struct disk_target drive; /* beneath the mapping, opened while still root */
        char drive_name[64];      /* "/dev/sda", or the partition beneath, "/dev/sda2" */
};
#define CIPHER_COST_NULL ((struct cipher_cost){ .drive = DISK_TARGET_NULL })

/** cipher_cost_look() - while still root: is there a mapping, and what lies beneath? Nothing that
 * is missing here is a failure. */
void cipher_cost_look(struct cipher_cost *c, const char *path);
void cipher_cost_done(struct cipher_cost *c);

/** cipher_cost_read() - the first half of it, from @m: the mapping alone */
void cipher_cost_read(struct cipher_cost *c, const struct machine_context *m, const char *path);

/**
 * cipher_cost_measure() - add a sample crypt.decrypt: rate, drive_rate (MiB/s), share; or a warning
 * that says why not. Nothing when there is no dm-crypt.
 *
 * @share: rate over drive_rate: below 1 the cipher is the limit of one stream.
 */
int cipher_cost_measure(const struct cipher_cost *c, struct harness *h, struct fault *fault);

/** cipher_cost_split() - "aes-xts-plain64" into "aes" and "xts-plain64"; false when it is no such
 */
bool cipher_cost_split(const char *text, char *ret_cipher, char *ret_mode, size_t size);
