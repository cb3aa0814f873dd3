/* record/digest.h - SHA-256 as hex, through nettle */
#pragma once
#include <stddef.h>

#define DIGEST_HEX_BYTES 65 /* 64 digits and the NUL */

void digest_hex(const void *data, size_t n_bytes, char ret[DIGEST_HEX_BYTES]);

/** digest_keyed_hex() - HMAC-SHA-256: what hides a serial number unless one knows @key */
void digest_keyed_hex(const void *key, size_t key_bytes, const void *data, size_t n_bytes,
                      char ret[DIGEST_HEX_BYTES]);
